"""What the terminal says about families: planned pairs, corrected grids, uncorrected gains, several metrics and tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sigcore
from sigboard import terminal
from sigcore import readers

HARBOUR = readers.known.ROOT / "harbour"
SYSTEMS = sorted(map(str, (HARBOUR / "systems").glob("*.en")))[:3]
SEVERAL = ("--metric", "bleu", "chrf", "--test", "approximate_randomization", "paired_bootstrap")
ALONE = {"pairs": 1, "correction": "none", "planned": False, "late": False}
CHOSEN = "A result chosen among several is not corrected for the choice."


def ask(command: str, *words: str) -> None:
    systems = SYSTEMS[:2] if command == "compare" else SYSTEMS
    call = [command, "--reference", str(HARBOUR / "ref.A.en"), "--systems", *systems, "--resamples", "200", *words]
    assert terminal.main(call) == 0


def written(out: Path, command: str, *words: str) -> dict[str, Any]:
    ask(command, *words, "--json", str(out))
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_a_pair_in_the_terminal_is_planned(capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict line is that of a single planned comparison, where there is one metric and one test."""
    ask("compare", "--metric", "chrf", "chrf")
    out = capsys.readouterr().out
    assert "a single planned comparison" in out
    assert "in this command" not in out


def test_several_tests_of_a_pair_are_not_planned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With two metrics and two tests each verdict with a p is one of 4 tests, uncorrected, in JSON too."""
    ask("compare", *SEVERAL)
    out = capsys.readouterr().out
    assert "a single planned comparison" not in out
    assert out.count("; this is 1 of 4 tests in this command; p = ") == 2  # the paired bootstrap of this pair has no p
    assert out.count(", uncorrected") == 2
    results = written(tmp_path / "several.json", "compare", *SEVERAL)["results"]
    assert [item["family"] for item in results] == 4 * [
        {"kind": "tests of one pair", "tests": 4, "what": "4 tests in this command"} | ALONE
    ]


def test_a_p_that_is_refused_cannot_be_computed_from_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where p is undefined, so are the counted resamples, and no formula leads to it."""
    ask("compare", "--test", "paired_bootstrap")
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if line.startswith("Paired bootstrap  ")]
    assert [row.split()[-6:] for row in rows] == 3 * [["n/a", "n/a", "n/a", "n/a", "n/a", "undefined"]]
    assert "seed 12345; no p-value) on" in printed
    result = written(tmp_path / "few.json", "compare", "--test", "paired_bootstrap")["results"][0]
    assert (result["p_values"][0][1], result["tail"], result["ties"]) == (None, None, None)


@pytest.mark.parametrize(
    ("command", "words", "within"),
    [
        ("matrix", (), "p-values are corrected within each grid, not over the 2 metrics and 2 tests."),
        (
            "matrix",
            ("--correction", "none"),
            "p-values are not corrected, neither within a grid nor over the 2 metrics",
        ),
        ("compare", (), "Each p-value is for a single comparison, not corrected over the 2 metrics and 2 tests."),
        ("gain", (), "p-values are not corrected, neither over the pairs nor over the 2 metrics and 2 tests."),
    ],
)
def test_several_metrics_and_tests_have_one_note(
    command: str, words: tuple[str, ...], within: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One note says over what p-values are not corrected, in the terminal and in the JSON; a single call has none."""
    ask(command, *SEVERAL, *words)
    printed = capsys.readouterr()
    assert (printed.out + printed.err).count(CHOSEN) == 1
    assert within in printed.err
    warnings = written(tmp_path / "several.json", command, *SEVERAL, *words)["warnings"]
    assert sum(CHOSEN in warning for warning in warnings) == 1
    assert not any(CHOSEN in warning for warning in written(tmp_path / "one.json", command, *words)["warnings"])


@pytest.mark.parametrize(("side", "tests"), [("two-sided", 3), ("greater", 6)])
def test_the_json_of_every_command_has_the_family(side: str, tests: int, tmp_path: Path) -> None:
    """A grid is corrected over its pairs, or over both directions; a pair is planned; gains are uncorrected."""
    words = ("--alternative", side, "--test", "approximate_randomization")
    what = "all 3 pairs" if tests == 3 else "6 one-sided tests of 3 pairs"
    families = {
        command: written(tmp_path / f"{command}.json", command, *words)["results"][0]["family"]
        for command in ("matrix", "compare", "gain")
    }
    assert families == {
        "matrix": {"kind": "all pairs", "tests": tests, "what": what} | ALONE | {"pairs": 3, "correction": "joint"},
        "compare": {"kind": "one planned pair", "tests": 1, "what": "a single planned comparison"}
        | ALONE
        | {"planned": True},
        "gain": {"kind": "all pairs", "tests": tests, "what": what} | ALONE | {"pairs": 3},
    }


def test_gains_are_summed_up_with_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence below the gains has the number of pairs, and that their p are not corrected."""
    ask("gain", "--test", "approximate_randomization", "--alternative", "two-sided")
    out = capsys.readouterr().out
    assert "of 3 pairs significant at alpha 0.05 (uncorrected)" in out
    assert "The p-values are not corrected for the number of pairs: if no systems differed, about 0.15 of the 3" in out


def test_the_unit_is_that_of_the_family_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Six documents, three systems: Grid, Rank, a pair of three and the report draw segments, say so with the design effect,
    and the check is amber. A planned pair, and two systems alone, draw documents; Python agrees."""
    documents = tmp_path / "documents.tsv"
    documents.write_text(
        "segment\tdocument\n" + "".join(f"{k + 1}\tdoc{k // 50}\n" for k in range(300)), encoding="utf-8"
    )
    of = ("--documents", str(documents), "--metric", "accuracy")
    names = [Path(path).stem for path in SYSTEMS]
    pair = ("--systems", *SYSTEMS, "--pair", *names[:2])

    def unit(command: str, *words: str) -> object:
        return written(tmp_path / "out.json", command, *of, *words)["unit"]

    assert [unit("matrix"), unit("rank"), unit("compare", *pair)] == ["segment"] * 3
    assert [unit("compare"), unit("compare", *pair, "--planned")] == ["document"] * 2
    report = written(tmp_path / "report.json", "report", *of)
    (check,) = (one for one in report["checks"] if one["name"] == "unit")
    assert check["state"] == "amber"
    for words in (
        "6 documents",
        "times 3 tests is above alpha 0.05",
        "The design effect of documents is",
        "cannot tell",
    ):
        assert words in check["answer"]
    capsys.readouterr()
    for command, *words in (("matrix",), ("rank",), ("compare", *pair)):
        ask(command, *of, *words)
        assert "times 3 tests is above alpha 0.05. The design effect of" in " ".join(capsys.readouterr().out.split())
    asked = {"documents": documents, "metric": "accuracy", "resamples": 200}
    reference = HARBOUR / "ref.A.en"
    assert str(sigcore.matrix(SYSTEMS, [reference], **asked).setup.unit) == "segment"
    assert str(sigcore.compare(*SYSTEMS[:2], [reference], **asked).setup.unit) == "document"


def test_a_pair_has_the_draws_of_its_grid_under_all_metrics(tmp_path: Path) -> None:
    """TER is exact here, and needs none; BLEU needs more than are drawn at first, and its p is that of the grid."""
    references = [str(HARBOUR / f"ref.{name}.en") for name in "AB"]
    files = [
        "--reference",
        *references,
        "--systems",
        *SYSTEMS,
        "--metric",
        "bleu",
        "ter",
        "--correction",
        "none",
        "--alpha",
        "0.005",
    ]
    grid, pair = tmp_path / "grid.json", tmp_path / "pair.json"
    assert terminal.main(["matrix", *files, "--json", str(grid)]) == 0
    whole = json.loads(grid.read_text(encoding="utf-8"))
    drawn = {(i, j): [one["resamples"][i][j] for one in whole["results"]] for i in range(3) for j in range(i)}
    (i, j), most = max(drawn.items(), key=lambda one: max(one[1]) if min(one[1]) < max(one[1]) else 0)
    assert min(most) < 10_000 < max(most)
    named = ["--pair", whole["systems"][i], whole["systems"][j]]
    assert terminal.main(["compare", *files, *named, "--json", str(pair)]) == 0
    found = json.loads(pair.read_text(encoding="utf-8"))
    assert found["resamples"] == max(most)
