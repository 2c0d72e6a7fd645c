"""What is said of columns is about the files that have them, and the reference is the column that the outputs repeat."""

from __future__ import annotations

import json
import random

import pytest

from sigcore.readers import Choice, Intake, Item, Unclear, folders, read

N = 30
DRAW = random.Random(5)
ENGLISH = ["the", "cat", "sat", "on", "a", "mat", "while", "dogs", "ran", "far", "away", "from", "home"]
GERMAN = ["der", "hund", "lief", "weit", "fort", "vom", "haus", "und", "sang", "laut", "am", "abend"]
GOLD = [" ".join(DRAW.choices(GERMAN, k=9)) for _ in range(N)]
ASKED = [" ".join(DRAW.choices(ENGLISH, k=9)) for _ in range(N)]
LABELS = [("yes", "no", "maybe")[k * 7 % 3] for k in range(N)]


def tsv(heads: str, *columns: list[object]) -> str:
    rows = zip(*columns, strict=True)
    return "\n".join([heads.replace(" ", "\t"), *("\t".join(map(str, row)) for row in rows)]) + "\n"


def outputs(of: list[object], heading: str = "prediction") -> dict[str, str]:
    """Two systems, each wrong in other rows."""
    wrong = [*of[1:], of[0]]
    made = {
        name: [w if k % step == 0 else g for k, (g, w) in enumerate(zip(of, wrong, strict=True))]
        for name, step in (("a", 4), ("b", 5))
    }
    return {f"{name}.tsv": tsv(f"id {heading}", [*range(N)], cells) for name, cells in made.items()}


def intake(files: dict[str, str], reference: str = "", **options: object) -> Intake:
    given = [(name, text.encode()) for name, text in files.items()]
    return read(
        given, every=Choice(options=options) if options else None, roles=[(reference, "reference")] if reference else ()
    )


def by_role(found: Intake, role: str) -> dict[str, tuple[str, ...]]:
    return {item.name: item.segments for item in found.items if item.role == role}


PAIRS = tsv("id sentence1 sentence2 label", [*range(N)], ASKED, GOLD, LABELS)


@pytest.mark.parametrize("reference", ["gold/dev.tsv", "gold", ""])
def test_the_column_whose_words_the_outputs_repeat_is_the_reference(reference: str) -> None:
    """Two sentences and their label: the systems say labels, whether or not the file was given as reference."""
    found = intake({"gold/dev.tsv": PAIRS, **outputs(LABELS)}, reference)
    assert not found.problems
    assert by_role(found, "reference") == {"reference": tuple(LABELS)}
    assert [*by_role(found, "system")] == ["a", "b"]


def test_outputs_of_other_words_leave_the_question() -> None:
    """What the systems say is none of the labels, and nobody called the file a reference."""
    found = intake({"dev.tsv": PAIRS, **outputs(GOLD, "output")})
    assert [problem.file for problem in found.problems if isinstance(problem, Unclear)] == ["dev.tsv"]


def test_numbers_are_labels_where_the_reference_has_them() -> None:
    """Predicted classes as numbers, beside the right ones in the file of references: no scores."""
    classes = [k * 7 % 3 for k in range(N)]
    files = {"dev.tsv": tsv("id premise label", [*range(N)], ASKED, classes), **outputs(classes)}
    found = intake(files, "dev.tsv")
    assert not found.problems
    assert {item.kind for item in found.items if item.role in ("system", "reference")} == {"text"}
    assert by_role(found, "reference") == {"reference": tuple(map(str, classes))}


def test_numbers_of_other_classes_stay_a_question() -> None:
    classes = [k * 7 % 3 for k in range(N)]
    files = {"dev.tsv": tsv("id premise label", [*range(N)], ASKED, classes), **outputs([k + 10 for k in classes])}
    assert all(isinstance(problem, Unclear) for problem in intake(files, "dev.tsv").problems)
    assert len(intake(files, "dev.tsv").problems) == 2


def test_a_file_given_as_reference_has_no_systems() -> None:
    """Which of two short texts is right is asked with a command, and no column is proposed as a system."""
    short = [f"{word} {k}" for k, word in enumerate(LABELS)]
    files = {
        "dev.tsv": tsv("id passage headline title", [*range(N)], [" ".join([one] * 9) for one in ASKED], short, ASKED)
    }
    (problem,) = intake({**files, **outputs(GOLD, "output")}, "dev.tsv").problems
    assert isinstance(problem, Unclear)
    assert "system" not in {claim.role for claim in problem.claims}
    assert "=reference" in problem.fix


def test_a_text_unlike_the_outputs_is_no_second_reference() -> None:
    """English and German in one file of references: only German is what the systems wrote."""
    files = {"dev.tsv": tsv("id english german", [*range(N)], ASKED, GOLD), **outputs(GOLD, "output")}
    found = intake(files, "dev.tsv")
    assert not found.problems
    assert [*by_role(found, "reference").values()] == [tuple(GOLD)]
    assert "german was read as the reference" in " ".join(map(str, found.notices))
    assert by_role(intake(files, "dev.tsv", columns="english=ignored"), "reference") == {"german": tuple(GOLD)}


def test_two_texts_like_the_outputs_are_two_references() -> None:
    other = [line.replace("hund", "wolf") for line in GOLD]
    files = {"dev.tsv": tsv("id first second", [*range(N)], GOLD, other), **outputs(GOLD, "output")}
    found = intake(files, "dev.tsv")
    assert not found.problems
    assert len(by_role(found, "reference")) == 2


def test_the_one_answer_of_a_test_set_is_confirmed() -> None:
    """A test set with a constant column beside the answers: the command that is printed reads all files."""
    answers = [f"answer {k}" for k in range(N)]
    records = [{"_id": f"q{k}", "answer": answers[k], "question": f"{ASKED[k]}?", "level": "hard"} for k in range(N)]
    files = {"gold.json": json.dumps(records)} | {
        f"{name}.json": json.dumps({f"q{k}": answers[(k + (k % step == 0)) % N] for k in range(N)})
        for name, step in (("a", 3), ("b", 4))
    }
    (problem,) = intake(files).problems
    columns = problem.fix.split("--columns ")[1].split(". ")[0].replace(" ", "\n")
    for found in (intake(files, columns=columns), intake(files, "gold.json")):
        assert not found.problems
        assert [*by_role(found, "reference").values()] == [tuple(answers)]


# What is said of columns that only some files have.


def test_a_role_is_about_the_files_that_have_the_column() -> None:
    files = {"dev.tsv": PAIRS, **outputs(LABELS)}
    found = intake(files, columns="label=reference\nsentence1=ignored\nsentence2=ignored")
    assert not found.problems
    assert by_role(found, "reference") == {"reference": tuple(LABELS)}


def test_a_column_that_no_file_has_is_an_error() -> None:
    found = intake({"dev.tsv": PAIRS, **outputs(LABELS)}, columns="sentence3=ignored\nlabel=reference")
    assert found.problems
    assert all("sentence3" in problem.what for problem in found.problems)


def test_a_file_without_a_score_that_others_have_is_told() -> None:
    """The second file calls its scores otherwise: this is said, and not hidden."""
    files = {
        "a.tsv": tsv("id quality", [*range(N)], [k % 5 for k in range(N)]),
        "b.tsv": tsv("id other", [*range(N)], [k % 4 for k in range(N)]),
    }
    found = intake(files, columns="quality=score")
    assert any("no column quality" in notice.message and notice.file == "b.tsv" for notice in found.notices)


def test_an_open_table_beside_outputs_stays_a_question() -> None:
    """None of its columns is called right, so nothing is proposed as the reference."""
    files = {
        "notes.tsv": tsv("id colour shape", [*range(N)], LABELS, [f"{one} " * 9 for one in ASKED]),
        **outputs(GOLD, "output"),
    }
    (problem,) = intake(files).problems
    assert isinstance(problem, Unclear)
    assert "reference" not in {claim.role for claim in problem.claims}


def test_the_expected_sentence_alone_is_like_the_outputs() -> None:
    """Beside a short name and a condition: its heading and its words say that it is the reference."""
    columns = ([*range(N)], [one.split()[0] for one in ASKED], LABELS, GOLD)
    files = {"truth.tsv": tsv("id place condition sentence_expected", *columns), **outputs(GOLD, "output")}
    (problem,) = intake(files).problems
    assert problem.fix.startswith("If that is right, confirm it: --columns sentence_expected=reference id=question")
    found = intake(files, "truth.tsv")
    assert not found.problems
    assert [item.keys[:2] for item in found.items if item.role == "reference"] == [("0", "1")]


@pytest.mark.parametrize("own", ["", "uid"])
def test_a_file_without_the_ids_that_were_named(own: str) -> None:
    """Without ids of its own its rows would be matched by place; with others they are used."""
    values = [k % 5 / 5 for k in range(N)]
    ids = [f"x{k}" for k in range(N)]
    second = tsv(f"{own} quality", ids[::-1], values) if own else tsv("quality effort", values, values)
    files = {"a.tsv": tsv("packet quality", ids, values), "b.tsv": second}
    found = intake(files, columns="packet=question\nquality=score")
    assert any("names the segments elsewhere" in problem.what for problem in found.problems) == (not own)


def test_a_translation_in_a_file_of_references_is_none_of_the_systems() -> None:
    """A test set with its source: what is no source is right, since the file was given as reference."""
    files = {"test.tsv": tsv("src tgt domain", ASKED, GOLD, ["news"] * N), **outputs(GOLD, "output")}
    found = intake(files, "test.tsv")
    assert {item.role: item.name for item in found.items if item.file == "test.tsv"} == {
        "source": "src", "reference": "tgt", "domains": "domain",
    }  # fmt: skip


def test_a_reference_keeps_the_outputs_beside_it() -> None:
    """A table of a reference and two systems, given as reference: its systems stay systems."""
    text = tsv("id reference one two", [*range(N)], GOLD, [*GOLD[1:], "x y z"], [*GOLD[2:], "x y z", "a b c"])
    found = intake({"all.tsv": text}, "all.tsv")
    assert [*by_role(found, "system")] == ["one", "two"]


def test_words_above_texts_are_headings() -> None:
    """No word is known, but each stands alone above texts of several words."""
    rows = zip(GOLD, [*GOLD[1:], "a b c"], [*GOLD[2:], "a b c", "a b c"], strict=True)
    lines = ["bart,pegasus,tfive", *(",".join(row) for row in rows)]
    assert [item.name for item in intake({"out.csv": "\n".join(lines) + "\n"}).items] == ["bart", "pegasus", "tfive"]
    short = ["bart,pegasus,tfive", *(f"yes {k},no {k},no" for k in range(N))]
    assert "bart" not in {item.name for item in intake({"out.csv": "\n".join(short) + "\n"}).items}


def test_documents_of_several_test_sets_are_kept_for_each() -> None:
    """Two language pairs have the same documents: what one of them repeats is left out, and the other keeps its own."""

    def documents(testset: str, file: str) -> Item:
        return Item("documents", "documents", "text", ("a", "a", "b"), file, "", testset=testset)

    items = [documents("cs-en", "1.xml"), documents("cs-en", "2.xml"), documents("de-en", "3.xml")]
    assert [item.file for item in folders.once(items)] == ["1.xml", "3.xml"]
