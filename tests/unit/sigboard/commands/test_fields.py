"""Flags that say what columns hold: the same answer as files without doubt, and never a table of something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal

N = 40


def score(system: str, k: int) -> float:
    return ((7 * k + 3 * len(system)) % 11 + len(system)) / 20


def log(folder: Path, system: str, backwards: bool = False) -> str:
    """A log with a score, and fields that are not scores."""
    rows = [{"qid_": f"q{k}", "points": score(system, k), "noise": k % 7, "tag": f"t{k}"} for k in range(N)]
    path = folder / f"{system}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (rows[::-1] if backwards else rows)), encoding="utf-8")
    return str(path)


def plain(folder: Path, system: str) -> str:
    path = folder / f"{system}.txt"
    path.write_text("".join(f"{score(system, k)}\n" for k in range(N)), encoding="utf-8")
    return str(path)


def compared(folder: Path, *words: str) -> float:
    out = folder / "out.json"
    assert terminal.main(["compare", *words, "--resamples", "200", "--json", str(out)]) == 0
    gain: float = json.loads(out.read_text(encoding="utf-8"))["results"][0]["gains"][0][1]
    return gain


def test_named_columns_give_the_result_of_plain_files(tmp_path: Path) -> None:
    """The scores are matched by id, and one orientation is the other with the sign turned."""
    logs = [log(tmp_path, "Aa"), log(tmp_path, "Bbbb", backwards=True)]
    said = ["--id-field", "qid_", "--score-field", "points"]
    one = compared(tmp_path, "--systems", *logs, *said)
    two = compared(tmp_path, "--systems", *(plain(tmp_path, name) for name in ("Aa", "Bbbb")))
    assert one == pytest.approx(two)
    lower = compared(tmp_path, "--systems", *logs, *said, "--lower-is-better")
    assert lower == pytest.approx(-one)


def test_a_log_without_flags_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The columns are shown with their first cells, and the flags; the exit code says that there is no result."""
    assert terminal.main(["compare", "--systems", log(tmp_path, "Aa"), log(tmp_path, "Bbbb")]) == 2
    message = capsys.readouterr().err
    assert "which is it" in message
    assert "--columns points=score noise=score" in message
    assert "--columns SYSTEM=system ITEM=question SCORE=score" in message


def test_the_pair_of_the_files_chooses_among_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of several campaigns needs no --ratings where the folder of the references names the pair."""
    rows = [
        f"u{j},{system},{k},TGT,{pair},{50 + 10 * (system == 'A') + (k + j) % 7},1.0,2.0"
        for pair in ("ces,eng", "eng,ces")
        for system in "AB"
        for k in range(N)
        for j in range(2)
    ]
    (tmp_path / "wave.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    codes = []
    for folder in (tmp_path / "cs-en", tmp_path / "other"):
        folder.mkdir()
        for name in ("ref", "A", "B"):
            text = "".join(f"the ferry number {k} {name if k % 3 else 'now'} leaves\n" for k in range(N))
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        files = ["--reference", str(folder / "ref.txt"), "--systems", str(folder / "A.txt"), str(folder / "B.txt")]
        call = ["human", "--assessments", str(tmp_path / "wave.csv"), *files, "--metric", "bleu", "--resamples", "100"]
        codes.append(terminal.main([*call, "--json", str(tmp_path / "o.json")]))
    assert codes == [0, 2]
    assert "Choose one with --ratings: wave ces-eng, wave eng-ces" in capsys.readouterr().err


def table(folder: Path, *headings: str, gaps: int = 0) -> str:
    """Three systems below `model` with these columns; in the first one A has no score of so many questions, C has one alone."""
    rows = [
        [
            name,
            f"q{k}",
            *(
                "" if k < gaps and not place and name == "A" else score(name * (place + 1), k)
                for place in range(len(headings))
            ),
        ]
        for name, n in (("A", N), ("Bb", N), ("Ccc", 1))
        for k in range(n)
    ]
    path = folder / "scored.csv"
    lines = [["model", "id", *headings], *rows]
    path.write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n", encoding="utf-8")
    return str(path)


def grid(folder: Path, *words: str) -> dict[str, Any]:
    out = folder / "grid.json"
    assert terminal.main(["matrix", *words, "--resamples", "200", "--json", str(out)]) == 0
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_a_measure_may_be_a_column_that_nobody_knows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--measure names it, so it is what the command with its role compares, and the known measure beside it is not."""
    file = table(tmp_path, "accuracy", "points")
    own = grid(tmp_path, file, "--measure", "points", "--leave-out", "Ccc")
    said = grid(tmp_path, file, "--columns", "points=score", "--leave-out", "Ccc")
    assert own["results"] == said["results"]
    assert own["results"][0]["scores"] != grid(tmp_path, file, "--leave-out", "Ccc")["results"][0]["scores"]
    assert terminal.main(["matrix", file, "--measure", "pints"]) == 2
    assert "There is no measure in these files named 'pints'" in capsys.readouterr().err
    assert terminal.main(["matrix", file, "--measure", "points", "--columns", "points=ignored"]) == 2


def test_systems_are_left_out_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The grid is that of a file without them; an unknown name is an error with the nearest one."""
    file = table(tmp_path, "accuracy")
    assert terminal.main(["matrix", file]) == 2
    assert "--leave-out Ccc, or set" in capsys.readouterr().err
    whole = grid(tmp_path, file, "--leave-out", "Ccc")
    assert whole["systems"] == ["A", "Bb"]
    lines = [line for line in Path(file).read_text(encoding="utf-8").splitlines() if not line.startswith("Ccc")]
    Path(file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert grid(tmp_path, file)["results"] == whole["results"]
    assert terminal.main(["matrix", file, "--leave-out", "Aa"]) == 2
    assert "There is no system named 'Aa'" in capsys.readouterr().err


def test_measures_without_gaps_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first of several measures has gaps: the error says which have none, unless somebody chose the measure."""
    file = table(tmp_path, "accuracy", "bleu", gaps=3)
    assert terminal.main(["matrix", file, "--leave-out", "Ccc"]) == 2
    message = capsys.readouterr().err
    assert "This is about accuracy, the first of several measures. Without gaps: bleu (--measure bleu)." in message
    assert terminal.main(["matrix", file, "--leave-out", "Ccc", "--measure", "accuracy"]) == 2
    assert "Without gaps" not in capsys.readouterr().err


def test_scores_beside_texts_that_cannot_be_compared_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two records of outputs and scores whose references differ: the scores are compared when their measure is named."""
    files = []
    for s, name in enumerate("AB"):
        words = ["harbour", "museum", "bridge", "garden", "letter", "winter", "copper", "valley", "marble", "thunder"]
        rows = [
            {
                "id": f"q{k}",
                "reference": f"the {words[(k + 5 * s) % 10]} of {words[(3 * k + s) % 10]} {k}",
                "prediction": f"a {words[(k * 7 + 1) % 10]} near {words[(k + 4) % 10]} {99 - k}",
                "ease/v1/score": (k * (3 + s) % 7) / 7,
            }
            for k in range(60)
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        files.append(str(path))
    assert terminal.main(["matrix", *files]) == 2
    assert "The files have scores, too: ease/v1/score (--measure ease/v1/score)." in capsys.readouterr().err
    assert terminal.main(["matrix", *files, "--measure", "ease/v1/score"]) == 0


# The last lines of an answer that asks.


@pytest.mark.parametrize(
    ("command", "forms"),
    [
        (
            "matrix",
            [
                "--columns SYSTEM=system ITEM=question SCORE=score                  # a row for each system and item (without SYSTEM=system where each file is one); RUN=run or TASK=task may follow",
                "--columns SYSTEM=system ITEM=question ANSWER=text RIGHT=reference  # labels or texts beside what is right (without SYSTEM=system where each file is one)",
                "--columns ITEM=question A=system B=system                          # a column for each system; RIGHT=reference may follow",
            ],
        ),
        (
            "human",
            [
                "--columns SYSTEM=system ITEM=question RATING=score  # a row for each rating (without SYSTEM=system where each file is one); WHO=judge may follow",
                "--columns ITEM=question A=system B=system           # a column for each system",
            ],
        ),
        ("pairwise", ["--columns ITEM=question LEFT=first RIGHT=second BEST=winner  # a row for each comparison"]),
    ],
)
def test_the_last_lines_say_once_what_a_person_fills_in(
    command: str, forms: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Below the questions about two files; an error that columns do not answer has none."""
    assert terminal.main([command, log(tmp_path, "Aa"), log(tmp_path, "Bbbb")]) == 2
    shown = capsys.readouterr().err.splitlines()
    at = shown.index("Otherwise write your headings in place of the capitals:")
    assert shown[at + 1 :] == [f"    {form}" for form in forms]
    assert sum(line.startswith("Otherwise") for line in shown) == 1
    assert terminal.main([command, str(tmp_path / "none.csv")]) == 2
    assert "Otherwise write" not in capsys.readouterr().err


def test_what_is_filled_in_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The comment behind a form is one of the shell; the roles are those of the line."""
    path = tmp_path / "long.csv"
    cells = [f"q{k},{name},{score(name, k)},{k % 5}" for k in range(N) for name in ("Aa", "Bbbb")]
    path.write_text("\n".join(["which,arm,alpha_z,beta_z", *cells]) + "\n", encoding="utf-8")
    assert terminal.main(["matrix", str(path)]) == 2
    assert "Otherwise write" in capsys.readouterr().err
    said = ["arm=system", "which=question", "alpha_z=score"]
    out = tmp_path / "out.json"
    assert terminal.main(["matrix", str(path), "--columns", *said, "--json", str(out)]) == 0
    found = json.loads(out.read_text(encoding="utf-8"))
    expected = {name: pytest.approx(sum(score(name, k) for k in range(N)) / N) for name in ("Aa", "Bbbb")}
    assert dict(zip(found["systems"], found["results"][0]["scores"], strict=True)) == expected
