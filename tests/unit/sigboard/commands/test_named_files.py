"""A file that the user names is used or refused; it is never set aside with exit code 0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigboard import terminal

N = 12
LINES = [f"the boat number {k} sails home over the calm sea" for k in range(N)]
FILES = {
    "ref.txt": LINES,
    "one.txt": [line.replace("calm", "quiet") if k % 2 else line for k, line in enumerate(LINES)],
    "two.txt": [line.replace("boat", "ship") if k % 3 else line for k, line in enumerate(LINES)],
    "ratings.csv": ["judge,system,segment,score", *(f"J{k % 2},one,{k + 1},{50 + k}" for k in range(N))],
    "judged.csv": [
        "question_id,model_a,model_b,winner",
        *(f"{k},one,two,{'one' if k % 2 else 'two'}" for k in range(N)),
    ],
    "scores.csv": [
        "system,segment,score",
        *(f"{s},{k},{(k * w) % 7}" for s, w in (("A", 3), ("B", 5)) for k in range(N)),
    ],
    "numbers.txt": [f"0.{k}" for k in range(10, 10 + N)],
    "groups.tsv": ["system\tgroup", "others\tteam"],
    "own.tsv": ["system\tgroup", "one\tteam"],
    "links.pharaoh": ["0-0 1-1 2-2"] * N,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, lines in FILES.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


MATRIX = ["matrix", "--reference", "ref.txt", "--resamples", "200", "--systems", "one.txt", "two.txt"]


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("ratings.csv", "ratings by people"),
        ("judged.csv", "pairwise judgments"),
        ("scores.csv", "scores; the test set is text"),
        ("numbers.txt", "scores; the test set is text"),
        ("groups.tsv", "groups of systems that are not loaded"),
        ("links.pharaoh", "alignments; the test set is text"),
    ],
)
def test_a_file_of_another_kind_is_no_system(file, what, folder, capsys):
    """It is refused with its name and with what it contains, as a system and as a second reference (numbers are labels)."""
    assert terminal.main([*MATRIX, file]) == 2
    said = capsys.readouterr().err
    assert f"given as outputs of systems, but contains {what}" in said
    assert f"[{file}]" in said
    if file != "numbers.txt":
        assert terminal.main(["matrix", *MATRIX[5:], "--reference", "ref.txt", file]) == 2
        assert f"given as a reference, but contains {what}" in capsys.readouterr().err


def test_every_such_file_is_named(folder, capsys):
    """Not only the first."""
    assert terminal.main([*MATRIX, "ratings.csv", "numbers.txt"]) == 2
    said = capsys.readouterr().err
    assert "[ratings.csv]" in said
    assert "[numbers.txt]" in said


@pytest.mark.parametrize("twice", ["one.txt", "ref.txt"])
def test_a_file_is_not_documents_and_an_output(twice, folder, capsys):
    """A system that was named as documents, too, vanished from the table."""
    assert terminal.main([*MATRIX, "own.tsv", "--documents", twice]) == 2
    said = capsys.readouterr().err
    assert f"and as documents, and can be only one of them. [{twice}]" in said


def test_a_file_of_right_answers_is_no_rival(folder, capsys):
    """Numbers that the name calls gold are refused after --systems, as from a pattern of the shell; scores of refA are not."""
    for name in ("STS.gs.txt", "refA.txt", "A.txt"):
        (folder / name).write_text("\n".join(f"0.{k}" for k in range(10, 10 + N)), encoding="utf-8")
    assert terminal.main(["matrix", "--systems", "A.txt", "STS.gs.txt"]) == 2
    said = capsys.readouterr().err
    assert "STS.gs holds the right answers by its name, but was given as a system. [STS.gs.txt]" in said
    assert terminal.main(["matrix", "--better", "higher", "--resamples", "200", "--systems", "A.txt", "refA.txt"]) == 0
    rows = ["id,one,two", *(f"q{k},0.{10 + k},0.{30 - k}" for k in range(N))]
    (folder / "answers.csv").write_text("\n".join(rows), encoding="utf-8")  # its columns have names of their own
    assert terminal.main(["matrix", "--better", "higher", "--resamples", "200", "--systems", "answers.csv"]) == 0


def test_a_table_that_names_its_columns_is_what_it_says(folder, capsys):
    """A table of documents after --systems, as from a pattern of the shell, gives the documents, as after --documents."""
    rows = ["segment,document", *(f"{k + 1},d{k // 4}" for k in range(N))]
    (folder / "documents.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    printed = []
    for words in (["documents.csv"], ["--documents", "documents.csv"]):
        assert terminal.main([*MATRIX, *words]) == 0
        said = capsys.readouterr()
        assert "the test set has 3 documents" in said.out + said.err
        printed.append(said.out)
    assert printed[0] == printed[1]


def test_a_reference_may_be_given_twice(folder):
    """The copy is left out, as before."""
    assert terminal.main(["matrix", *MATRIX[3:], "--reference", "ref.txt", "ref.txt"]) == 0


def test_what_is_used_is_not_refused(folder):
    """Groups of loaded systems, and a folder in which one file is another thing."""
    assert terminal.main([*MATRIX, "own.tsv"]) == 0
    (folder / "outputs").mkdir()
    for name in ("one.txt", "two.txt", "ratings.csv"):
        (folder / "outputs" / name).write_bytes((folder / name).read_bytes())
    assert terminal.main([*MATRIX[:-2], "outputs"]) == 0


def test_a_run_of_another_kind_is_refused(folder, capsys):
    """Scores as the runs of one of two systems of text."""
    runs = ["--runs", "A=one.txt,two.txt", "B=numbers.txt,numbers.txt"]
    assert terminal.main(["compare", "--reference", "ref.txt", "--resamples", "200", *runs]) == 2
    assert "contains scores; the test set is text" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "file"),
    [
        (["pairwise", "judged.csv", "scores.csv"], "scores.csv"),
        (["pairwise", "scores.csv", "ratings.csv"], "ratings.csv"),
        (["tasks", "scores.csv", "judged.csv"], "judged.csv"),
    ],
)
def test_files_of_other_commands_are_named_too(call, file, folder, capsys):
    """Where the files have no option before them."""
    assert terminal.main([*call, "--resamples", "200"]) == 2
    assert f"[{file}] Leave it out" in capsys.readouterr().err


def test_ratings_alone_say_what_the_metrics_need(folder, capsys):
    """The ratings were read, so the error names their systems, and the flags for the outputs."""
    assert terminal.main(["human", "--assessments", "ratings.csv"]) == 2
    said = capsys.readouterr().err
    assert "People rated one alone, and no outputs are given." in said
    assert "--reference FILE --systems FILE" in said


def test_comparisons_without_a_winner_say_what_judgments_are(folder, capsys):
    """A scale from -3 to 3 for two systems is no winner: the error names the columns of judgments."""
    rows = ["utt,sysA,sysB,cmos", *(f"u{k},one,two,{k % 7 - 3}" for k in range(N))]
    (folder / "cmos.csv").write_text("\n".join(rows), encoding="utf-8")
    assert terminal.main(["pairwise", "cmos.csv"]) == 2
    said = capsys.readouterr().err
    assert "No file has pairwise judgments." in said
    assert "model_a, model_b and winner" in said


def test_a_plan_for_judgments_is_not_followed_by_what_judgments_are(folder, capsys):
    """The printed command is enough; a second one with other names would only ask again."""
    names = ("alpha", "beta", "gamma")
    rows = [f"{k},{names[k % 3]},{names[(k + 1) % 3]},{('left', 'right', 'tie')[k % 5 % 3]}" for k in range(2 * N)]
    (folder / "judged.csv").write_text("\n".join(["id,left,right,choice", *rows]), encoding="utf-8")
    assert terminal.main(["pairwise", "judged.csv"]) == 2
    said = capsys.readouterr().err
    assert "--columns id=question left=first right=second choice=winner" in said
    assert "model_a, model_b and winner" not in said


def test_ratings_alone_are_tested_by_their_means(folder, capsys):
    """A program's scores in a file called judgment: each segment's mean is its score, as if the format were named."""
    rows = [
        f'{{"question_id": "q{k}", "model": "{m}", "score": {k % w}}}'
        for m, w in (("A", 2), ("B", 3))
        for k in range(N)
    ]
    (folder / "gold_judgment.jsonl").write_text("\n".join(rows), encoding="utf-8")
    matrix = ["matrix", "--systems", "gold_judgment.jsonl", "--better", "higher", "--resamples", "200"]
    assert terminal.main([*matrix, "--json", "means.json"]) == 0
    assert "the mean of each segment is its score" in capsys.readouterr().err
    assert terminal.main([*matrix, "--format", "jsonl", "--json", "scores.json"]) == 0
    means, scores = (json.loads((folder / name).read_text("utf-8")) for name in ("means.json", "scores.json"))
    for key in ("scores", "gains", "p_values", "score_intervals", "direction"):
        assert means["results"][0][key] == scores["results"][0][key], key
    assert terminal.main(["matrix", "gold_judgment.jsonl", "--better", "lower", "--resamples", "200"]) == 0
    said = capsys.readouterr()
    assert "A has the best rating" in said.out
    assert "-0.5000" in said.out  # of which less is better, with a minus


def test_judgments_named_twice_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of judgments counts once, however its path is written; two files with the same judgments may both count."""
    for again in ("judged.csv", "./judged.csv", str(folder / "judged.csv")):
        assert terminal.main(["pairwise", "judged.csv", again]) == 2
        assert "is named twice" in capsys.readouterr().err
    (folder / "more.csv").write_bytes((folder / "judged.csv").read_bytes())
    assert terminal.main(["pairwise", "judged.csv", "more.csv"]) == 0


def test_votes_without_a_loser_are_no_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A winner alone was refused for its lack of a reference. Of two names it is asked whether each row compares them."""
    rows = "hi,Llama\nhello,Mixtral\nbye,Llama\n" * 8
    (tmp_path / "votes.csv").write_text("Prompt,Winner\n" + rows + "oh,Qwen\n", encoding="utf-8")
    (tmp_path / "two.csv").write_text("Prompt,Winner\n" + rows, encoding="utf-8")
    assert terminal.main(["pairwise", str(tmp_path / "votes.csv")]) == 2
    said = capsys.readouterr().err
    assert "who won says nothing without who lost" in said
    assert "no reference to score" not in said
    assert terminal.main(["pairwise", str(tmp_path / "two.csv")]) == 2
    said = capsys.readouterr().err
    assert "Does each row compare Llama, Mixtral" in said
    assert "--columns Prompt=question Winner=winner" in said
    assert "who won says nothing" not in said
