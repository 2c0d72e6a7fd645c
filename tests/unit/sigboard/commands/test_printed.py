"""What the terminal prints beside the numbers: verdicts, methods, and the warning on p as printed elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigboard import terminal
from sigcore.version import __version__

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def where(tmp_path: Path) -> list[str]:
    """A reference and two systems, as arguments."""
    lines = [f"the {word} boat number {i} sails home" for i, word in enumerate(["red", "blue", "old", "new"] * 10)]
    texts = {
        "ref": lines,
        "one": [line.replace("red", "rouge") for line in lines],
        "two": [line.replace("boat", "ship") for line in lines],
    }
    for name, text in texts.items():
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    return ["--reference", str(tmp_path / "ref"), "--systems", str(tmp_path / "one"), str(tmp_path / "two")]


def ask(*words: str) -> int:
    return terminal.main([*words, "--resamples", "200"])


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("matrix", "one has a significantly higher BLEU than two (approximate randomization, 1 pair, alpha 0.01)."),
        ("compare", "one beats two by "),
        ("gain", "1 of 1 pair significant at alpha 0.01 (uncorrected)"),
    ],
)
def test_verdict_and_methods_are_printed(command: str, sentence: str, where: list[str], capsys: Capture) -> None:
    """Each command ends in its sentence and in the methods: side, draws, ties, unit, level, version, signature. A grid has
    the methods with --methods."""
    more = {"gain": ("--alternative", "two-sided"), "matrix": ("--methods",)}.get(command, ())
    assert ask(command, *where, "--alpha", "0.01", *more) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert any(line.startswith(sentence) for line in lines)
    methods = lines[-1]
    parts = ["(two-sided; 200 resamples of segments, seed 12345; ", "ties counted against the gain) on 40 segments"]
    parts += ["The significance level was 0.01.", f"Computed with Sigboard {__version__}.", "correction:none"]
    assert all(part in methods for part in parts)


@pytest.mark.parametrize("command", ["matrix", "compare", "gain"])
@pytest.mark.parametrize("flags", [["--ties", "strict"], ["--ties", "half"], ["--estimator", "paper"]])
def test_p_as_printed_elsewhere_warns(command: str, flags: list[str], where: list[str], capsys: Capture) -> None:
    """The warning is printed, and nothing is called significant, better or different."""
    assert ask(command, *where, *flags) == 0
    printed = capsys.readouterr().out
    assert printed.count("such a p is not a verdict") == 1
    before = printed.partition("note: ")[0]
    assert "no verdict" in before.lower() or "not a verdict" in before
    assert not any(word in printed for word in ("is significant", "significant at", "better than", "beats", "+++"))


def test_the_json_of_such_a_p_names_its_rule(where: list[str], tmp_path: Path, capsys: Capture) -> None:
    """Beside the p of the rule there are its name, the warning, and what else p was made of."""
    for command in ("matrix", "compare"):
        out = tmp_path / f"{command}.json"
        assert ask(command, *where, "--test", "paired_bootstrap", "--ties", "strict", "--json", str(out)) == 0
        document = json.loads(out.read_text(encoding="utf-8"))
        (result,) = document["results"]
        assert (result["tie_rule"], result["doubled"]) == ("strict", True)
        assert any("not a verdict" in warning for warning in document["warnings"])
        assert result["adjusted_low"][0][1] <= result["adjusted"][0][1] <= result["adjusted_high"][0][1]
    assert "not a verdict" in capsys.readouterr().err


def test_matrix_and_compare_write_the_same_interval(where: list[str], tmp_path: Path) -> None:
    """The interval of a gain is one number, whichever command is asked."""
    found = []
    for command in ("matrix", "compare"):
        assert ask(command, *where, "--json", str(tmp_path / command)) == 0
        found.append(json.loads((tmp_path / command).read_text(encoding="utf-8"))["results"][0]["gain_intervals"])
    assert found[0] == found[1]
    low, high = found[0][0][1]
    assert found[0][1][0] == [-high, -low]


@pytest.mark.parametrize("command", ["matrix", "compare", "gain", "human"])
def test_the_help_says_what_such_rules_are_for(command: str, capsys: Capture) -> None:
    """Strict and half are there to compare p with a paper or another tool."""
    with pytest.raises(SystemExit):
        terminal.main([command, "--help"])
    words = " ".join(capsys.readouterr().out.split())
    assert "as printed in a paper or by another tool, with a warning and without a verdict" in words


@pytest.mark.parametrize("command", ["size", "domains", "compare"])
def test_a_tokenizer_that_is_set_is_not_asked_for(command: str, tmp_path: Path, capsys: Capture) -> None:
    """Chinese text gets the advice on BLEU's tokenizer, but not where the command line has set one."""
    words = ["船", "港口", "今天", "开往", "岛上", "明天", "风大"]
    texts = {"ref": 7, "A": 2, "B": 3}
    for name, wrong in texts.items():
        right = [[words[(i * 3 + k * (1 + i % 3)) % 7] for k in range(6)] for i in range(30)]
        rows = ["".join(word if (i + k) % wrong else "错" for k, word in enumerate(row)) for i, row in enumerate(right)]
        (tmp_path / f"{name}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "domains.txt").write_text("".join(f"{'ab'[i % 2]}\n" for i in range(30)), encoding="utf-8")
    files = ["--reference", "ref.txt", "--systems", "A.txt", "B.txt"]
    more = ["--domains", str(tmp_path / "domains.txt"), "--draws", "0"] if command == "domains" else []
    more += ["--sizes", "10", "--gain", "2"] if command == "size" else []
    for option, told in (
        ([], True),
        (["--option", "bleu.tokenize=zh"], False),
        (["--option", "BLEU.tokenize=13a"], True),
    ):
        given = [str(tmp_path / word) if word.endswith(".txt") else word for word in files]
        assert terminal.main([command, *given, *more, "--metric", "bleu", "--resamples", "100", *option]) == 0
        assert ("does not split their words" in capsys.readouterr().err) == told


def test_the_fragility_of_each_task_is_printed(tmp_path: Path, capsys: Capture) -> None:
    """A line for each task says which two systems it compares and how few questions carry the verdict."""
    rows = [
        f"{task},{k},{s},{(5 * k + 3 * (s == 'B')) % 7}" for task in ("math", "law") for k in range(40) for s in "AB"
    ]
    (tmp_path / "t.csv").write_text("\n".join(["task,item_id,model,accuracy", *rows]) + "\n", encoding="utf-8")
    assert ask("tasks", str(tmp_path / "t.csv"), "--fragile") == 0
    lines = capsys.readouterr().out.splitlines()
    for task in ("math", "law"):
        assert any(line.startswith(f"{task}: ") and " against " in line and "ithout" in line for line in lines)
