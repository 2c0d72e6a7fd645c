"""What a heading says: a system with its measure, a measure, remarks, a score, a role; and which of two headings is used."""

from __future__ import annotations

import pytest

from sigcore.readers.tables import headings


@pytest.mark.parametrize(
    ("heading", "parts"),
    [
        ("A_bleu", ("A", "bleu")),
        ("bleu A", ("A", "bleu")),
        ("A-x_chrf", ("A-x", "chrf")),
        ("A.B_bleu", ("A.B", "bleu")),
        ("lead3_rL", ("lead3", "rL")),
        ("One rouge-L", ("One", "rouge-L")),
        ("model_1_bleu", ("model_1", "bleu")),
        ("A_coherence", ("", "")),  # what stands beside a criterion may be a judge
        ("A_score", ("", "")),
        ("rater1_bleu", ("", "")),  # one of several people
        ("seed_2 bleu", ("", "")),
        ("bleu_wer", ("", "")),  # two measures, and no system
        ("a_bleu_b", ("", "")),
        ("bleu", ("", "")),
    ],
)
def test_a_system_and_its_measure(heading: str, parts: tuple[str, str]) -> None:
    """At the first mark beside which one side is a measure and the other is none."""
    assert headings.cut(heading) == parts


@pytest.mark.parametrize(
    ("heading", "measures"),
    [
        ("A_bleu", {"bleu"}),
        ("bleu_of_A", {"bleu"}),
        ("x_bleu_y", set()),  # neither first nor last
        ("bleu_wer", {"bleu", "wer"}),
        ("test_acc", {"test_acc"}),  # a part of the data with its measure
        ("val/loss", {"val/loss"}),
        ("test_x", set()),
        ("score_A", set()),  # score names no measure
        ("bleu", set()),
    ],
)
def test_measures_in_longer_headings(heading: str, measures: set[str]) -> None:
    """Its first or its last word."""
    assert headings.measures_in(heading) == measures
    assert headings.has_measure(heading) is (bool(measures) or heading == "bleu")


@pytest.mark.parametrize(
    ("heading", "is_one"),
    [
        ("comment A", True),
        ("A.comments", True),
        ("Reasoning trace", True),
        ("my note here", False),
        ("the_note_of", False),
        ("annotation", False),
    ],
)
def test_the_first_or_the_last_word_marks_a_remark(heading: str, is_one: bool) -> None:
    """A word between others does not."""
    assert headings.is_remark(heading) is is_one


@pytest.mark.parametrize(
    ("heading", "plain", "value"),
    [
        ("Score (1-5)", True, True),
        ("z", True, True),
        ("metric", True, True),
        ("raw", True, True),
        ("da", False, False),  # a score with a name of its own
        ("ESA-score", False, False),
        ("text", False, True),
        ("adequacy", False, False),
    ],
)
def test_score_without_a_name_is_plain(heading: str, plain: bool, value: bool) -> None:
    """Such scores are named after the file; outputs and these are the values of the system of a row."""
    assert (headings.is_plain(heading), headings.is_value(heading)) == (plain, value)


@pytest.mark.parametrize(
    ("heading", "is_one"),
    [
        ("COMET (wmt22)", True),
        ("Accuracy [%]", True),
        ("scores.helpful", True),
        ("answer_similarity/v1/score", True),
        ("pass@10", True),
        ("top-5", True),
        ("score", True),
        ("accuracy".rjust(61), False),  # so long a cell is a text
        ("accuracy".rjust(60), True),
        ("Alpha", False),
    ],
)
def test_measures(heading: str, is_one: bool) -> None:
    """With a unit or a version behind it, or the group of a log before it."""
    assert headings.is_measure(heading) is is_one


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("gold_answers 2", "reference"),
        ("refA", "reference"),
        ("expected.answer", "reference"),
        ("doc", "documents"),
        ("genre", "domains"),
        ("lang", "ignored"),
        ("target_language", "ignored"),
        ("Source (DE)", "source"),
        ("inputs.text", "source"),
        ("input.summary", "system"),
        ("text", "system"),
        ("outputs.answer", "system"),
        ("Alpha", "system"),
    ],
)
def test_roles(heading: str, role: str) -> None:
    """Also of names in groups of a log, and of one of several in a list."""
    assert headings.role(heading) == role


def test_of_several_columns_the_better_word_is_used() -> None:
    """In the order of the vocabulary, and of the meanings that are asked for; then from left to right."""
    assert headings.preferred(["id", "sid", "segment"], "segment") == [2, 1, 0]
    assert headings.preferred(["user", "judge", "Rater"], "judge") == [1, 2, 0]
    assert headings.preferred(["item", "question", "id"], "segment", "perhaps segment") == [2, 0, 1]
    assert headings.preferred(["rating", "x", "score"], "score") == [2, 0]


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (["A_bleu", "A_chrf", "B_bleu", "B_chrf"], ("A", "bleu")),
        (["bleu:A", "bleu:B", "ter:A", "ter:B"], ("A", "bleu")),
        (["my sys tone", "my sys depth", "x y tone", "x y depth"], ("my sys", "tone")),
        (["A_exact_match", "A_bleu", "B_exact_match", "B_bleu"], ("A", "exact_match")),
        (["bleu dense e5", "bleu bm 25", "ter dense e5", "ter bm 25"], ("dense e5", "bleu")),
        (["A_bleu", "A_chrf", "B_bleu"], None),
        (["A_bleu", "B_bleu"], None),
        (["A_bleu", "A_chrf"], None),
    ],
)
def test_each_of_several_systems_with_each_of_several_measures(names: list[str], first: tuple[str, str] | None) -> None:
    """All pairs, two or more of both; the measure stands behind or before."""
    assert headings.crossed(names).get(names[0]) == first
