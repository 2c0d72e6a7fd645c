"""The JSON of every command has the fields of docs/schema.json: all of them, and no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sigboard import terminal

ROOT = Path(__file__).resolve().parents[2]
HARBOUR = ROOT / "samples" / "harbour"
SCHEMA = json.loads((ROOT / "docs" / "schema.json").read_text(encoding="utf-8"))
REFERENCE = ["--reference", str(HARBOUR / "ref.A.en")]
THREE = ["--systems", *(str(HARBOUR / "systems" / f"{name}.en") for name in ("Curlew", "Grebe", "Dunlin"))]
DRAWN = ["--resamples", "200"]
FEW = ["--method-option", "listnet.epochs=3"]
# systems as runs of other systems
TWICE = [
    f"{name}={','.join(str(HARBOUR / 'systems' / f'{run}.en') for run in runs)}"
    for name, runs in {
        "A": ("Curlew", "Dunlin"),
        "B": ("Grebe", "Cormorant"),
        "C": ("Albatross-1", "Turnstone"),
    }.items()
]
RANDOMIZATION = ["--test", "approximate_randomization"]
# What each command is run with; {scores} is a small table of scores, {judged} one of pairwise judgments.
RUNS: dict[str, list[list[str]]] = {
    "matrix": [
        [*REFERENCE, *THREE, *RANDOMIZATION, *DRAWN],
        [*REFERENCE, *THREE, *DRAWN, "--unit", "document", "--documents", str(HARBOUR / "documents.tsv")],
    ],
    "rank": [[*REFERENCE, *THREE, *DRAWN], [*REFERENCE, *THREE, *DRAWN, "--metric", "bleu", "wer"]],
    "compare": [
        [*REFERENCE, *THREE[:3], *DRAWN, "--metric", "bleu", "wer"],
        [
            *REFERENCE,
            *THREE[:3],
            *DRAWN,
            "--metric",
            "bleu",
            "wer",
            "--documents",
            str(HARBOUR / "documents.tsv"),
            "--strip",
        ],
    ],
    "segments": [
        [*REFERENCE, *THREE, *DRAWN, "--pair", "Curlew", "Grebe", "--metric", "bleu", "wer", "--limit", "4"],
        [*REFERENCE, *THREE[:3], *DRAWN, "--documents", str(HARBOUR / "documents.tsv"), "--differing", "--slices"],
    ],
    "gain": [
        [*REFERENCE, *THREE, *DRAWN, "--groups", str(HARBOUR / "groups.tsv")],
        [*REFERENCE, *THREE, *DRAWN, "--mixtures", "3", "--my-gain", "2"],
        [*REFERENCE, *THREE, *DRAWN, "--metric", "bleu", "wer"],
    ],
    "size": [[*REFERENCE, *THREE, *DRAWN, "--sizes", "50", "100", "--gain", "2", "--mixtures", "5"]],
    "domains": [
        [*REFERENCE, *THREE, *DRAWN, "--domains", str(HARBOUR / "documents.tsv"), *more]
        for more in ([], ["--mixtures", "3"])
    ],
    "runs": [
        ["compare", *REFERENCE, *DRAWN, "--runs", *TWICE[:2]],
        ["compare", *REFERENCE, *DRAWN, "--runs", *TWICE[:2], "--strip", "--metric", "bleu", "wer"],
        ["matrix", *REFERENCE, *DRAWN, "--runs", *TWICE, "--metric", "bleu", "wer"],
    ],
    "human": [
        [
            *REFERENCE,
            *THREE,
            *RANDOMIZATION,
            *DRAWN,
            "--assessments",
            str(HARBOUR / "assessments.tsv"),
            "--metric",
            m,
            "wer",
        ]
        for m in ("bleu",)
    ],
    "scores": [["--matrix", "{scores}", "--human", "H", *DRAWN], ["--matrix", "{scores}", *DRAWN]],
    "pairwise": [["{judged}", *DRAWN], ["{scores}", *DRAWN]],
    "tasks": [["{scores}", *DRAWN]],
    "tuning": [
        [
            *REFERENCE,
            *THREE[:3],
            "--method",
            "listnet",
            "--iterations",
            "1",
            "--replicates",
            "2",
            "--size",
            "2",
            *FEW,
            *DRAWN,
        ],
        [
            *REFERENCE,
            *THREE[:3],
            "--method",
            "listnet",
            "--iterations",
            "1",
            "--size",
            "2",
            "--split",
            "1",
            *FEW,
            *DRAWN,
        ],
        [
            *REFERENCE,
            *THREE[:3],
            "--method",
            "pro",
            "--iterations",
            "1",
            "--replicates",
            "1",
            "--compare-sizes",
            "2",
            "3",
            "--compare-policies",
            *DRAWN,
        ],
    ],
    "lab": [
        [
            "tuning",
            "--nbest",
            str(HARBOUR / "candidates.nbest"),
            *REFERENCE,
            "--method",
            "pro",
            "mbr",
            "--baseline",
            "basic:pro",
            *DRAWN,
            *more,
        ]
        for more in (
            ["--feature-set", "basic=Judge,Words", "all=*"],
            ["--feature-set", "basic=*", "--replicates", "1"],
        )
    ],
}


def faults(command: str, content: Any) -> list[str]:
    """What the schema of a command refuses."""
    schema = SCHEMA | {"$ref": f"#/$defs/{command}"}
    return [f"{list(e.path)}: {e.message[:200]}" for e in jsonschema.Draft202012Validator(schema).iter_errors(content)]


@pytest.mark.parametrize(("command", "asked"), [(name, run) for name, runs in RUNS.items() for run in runs])
def test_json_is_that_of_the_schema(command: str, asked: list[str], tmp_path: Path) -> None:
    """A real run writes every field of the schema, and none that it does not have."""
    scores, out = tmp_path / "scores.csv", tmp_path / "out.json"
    rows = [f"d{k},{k % 7},{k % 5 + 1},{k * 3 % 11},{k % 9 + 2}" for k in range(24)]
    scores.write_text("\n".join(["document,A,B,C,H", *rows]) + "\n", encoding="utf-8")
    judged = tmp_path / "judged.csv"
    rows = [f"{k},A,B,{('A', 'B', 'tie', 'A')[k % 4]}" for k in range(24)]
    judged.write_text("\n".join(["question_id,model_a,model_b,winner", *rows]) + "\n", encoding="utf-8")
    words = [word.format(scores=scores, judged=judged) for word in asked]
    words = words if command in ("runs", "lab") else [command, *words]  # ways to ask other commands
    assert terminal.main([*words, "--json", str(out)]) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert faults(command, content) == []
    # a field that is missing, or that the schema does not have, is seen
    assert faults(command, {**content, "unknown": 1}) != []
    assert (
        faults(command, {key: value for key, value in content.items() if key != "signature" and key != "results"}) != []
    )


def test_the_schema_is_sound() -> None:
    """It is a valid JSON schema with a definition for each command that writes results."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert set(RUNS) <= set(SCHEMA["$defs"])
