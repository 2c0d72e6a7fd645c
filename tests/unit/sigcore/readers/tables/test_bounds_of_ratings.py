"""Ratings by people: which columns have which role, what an error costs, and which tables are ratings at all."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.tables import rated
from tests.unit.sigcore.readers.tables.built import Cells, cells_of, content, table

OPTIONS = {option.name: option.default for option in rated.POINTS}


def test_an_error_without_points_has_no_score() -> None:
    assert rated.weight("Style", "critical", {**OPTIONS, "critical": ""}) is None
    assert rated.weight("Style", "critical", {**OPTIONS, "critical": 3}) == 3.0


@pytest.mark.parametrize(
    ("file", "headings", "row", "are"),
    [
        ("t.csv", "system segment score judge", (), True),
        ("t.csv", "system segment score", (), False),
        ("t.csv", "system segment judge", (), False),
        ("t.csv", "system score judge", (), False),
        ("t.csv", "segment score judge", (), False),
        ("t.csv", "system item score judge", (), True),
        ("t.csv", "system segment score z", (), True),
        ("t.csv", "system segment score metric z", (), False),
        ("t.csv", "system segment score output", (), False),
        ("human_t.csv", "system segment score", (), True),
        ("ratings.csv", "system segment score", (), True),
        ("t.da.csv", "system segment score", (), True),
        ("data.csv", "system segment score", (), False),
        ("t.csv", "system segment score type", ("A", "1", "2", "ref"), True),
        ("t.csv", "system segment score type", ("A", "1", "2", "x"), False),
        ("t.csv", "system segment score type", ("A", "1", "2", ""), False),
        ("t.csv", "system segment human_score judge", (), True),
        ("t.csv", "system segment fluency judge", (), True),
        ("t.csv", "system segment fluency z", (), True),
        ("t.csv", "system segment colour judge", (), False),
    ],
)
def test_which_tables_hold_ratings_by_people(file: str, headings: str, row: tuple[str, ...], are: bool) -> None:
    assert rated.are_ratings(file, headings.split(), row) is are


def parts(heads: str, cells: Cells, rows: int = 12) -> dict[str, str]:
    """The role of each column, and those of what was rated."""
    found = rated.assign(table(heads, cells, rows))
    names = {part: found.table.headings[k] for part, k in found.parts.items()}
    return {**names, **({"rated": " ".join(found.table.named(found.rated))} if found.rated else {})}


def usual(k: int) -> tuple[object, ...]:
    return "AB"[k % 2], k // 2, k % 5, "jk"[k % 2]


def test_the_role_of_each_column() -> None:
    assert parts("system segment score judge", usual) == {
        "system": "system",
        "segment": "segment",
        "score": "score",
        "judge": "judge",
    }
    assert parts("system segment human_score judge", usual)["score"] == "human_score"
    assert "score" not in parts("system segment human_score expert_score", usual)
    assert parts("system segment score human_score", usual)["score"] == "score"
    assert parts("system segment fluency judge", usual)["rated"] == "fluency"
    assert "rated" not in parts("system segment score judge fluency", lambda k: (*usual(k), k))
    words = rated.assign(table("system segment score x", usual)).sentence()
    assert words == "Its columns were read as: system = system, segment = segment, score = score; not used: x."
    assert (
        rated.assign(table("system segment fluency judge", usual))
        .sentence()
        .endswith("judge = judge, fluency = score.")
    )


def test_a_column_that_only_numbers_the_rows_names_no_segments() -> None:
    """No two systems share a value of it."""

    def segment(heads: str, cells: Cells) -> str:
        return parts(heads, cells)["segment"]

    assert segment("id item system score", lambda k: (k, k // 2, "AB"[k % 2], k)) == "item"
    assert segment("id item system score", lambda k: (k // 2, k // 2, "AB"[k % 2], k)) == "id"
    assert segment("segment item system score", lambda k: (k, k // 2, "AB"[k % 2], k)) == "segment"
    assert segment("id item system score", lambda k: (k, k // 2, "A", k)) == "item"
    assert segment("id item system score", lambda k: (k // 2, k // 2, "A", k)) == "id"
    assert segment("id x system score", lambda k: (k, k // 2, "AB"[k % 2], k)) == "id"  # nothing else does
    assert segment("id item score x", lambda k: (k, k // 2, k, k)) == "id"


@pytest.mark.parametrize(
    ("names", "length", "words", "asked"),
    [(20, 40, 1, True), (21, 40, 1, False), (20, 41, 1, False), (2, 8, 4, True), (2, 10, 5, False)],
)
def test_up_to_twenty_short_names_say_what_was_rated(names: int, length: int, words: int, asked: bool) -> None:
    """Of forty characters and four words."""
    name = " ".join(["a"] * (words - 1))

    def cells(k: int) -> tuple[object, ...]:
        own = (
            f"{name} {k % names:0{max(2, length - len(name) - 1)}d}x".strip()
            if words > 1
            else f"{k % names:0{length - 1}d}x"
        )
        return "AB"[k % 2], k // names, own, k

    found = parts("system segment question score", cells, 42)
    same = parts("system segment question score", lambda k: (*cells(k)[:1], f"{cells(k)[2]}s", *cells(k)[2:]), 42)
    assert ("dimension" in same) is asked
    assert found.get("dimension") in ("question", None)


def test_a_longer_text_that_changes_within_a_segment_was_rated() -> None:
    long = "how well does it say what the source says"
    assert (
        parts("system segment question score", lambda k: ("AB"[k % 2], k // 4, f"{long} {k // 2 % 2}", k))["dimension"]
        == "question"
    )
    assert "dimension" not in parts(
        "system segment question score", lambda k: ("AB"[k % 2], k // 4, f"{long} {k // 4}", k)
    )
    assert (
        parts("system segment metric score", lambda k: ("AB"[k % 2], k // 4, ("x", "y")[k // 2 % 2], k))["dimension"]
        == "metric"
    )
    assert "dimension" not in parts("system segment metric score", lambda k: ("AB"[k % 2], k // 4, k // 2 % 2, k))


def test_languages_and_types_of_ratings() -> None:
    def cells(src: str, trg: str) -> Cells:
        return lambda k: (*usual(k)[:3], src, trg)

    assert parts("system segment score src trg", cells("de", "en")) == {
        "system": "system", "segment": "segment", "score": "score", "source language": "src", "target language": "trg",
    }  # fmt: skip
    assert "source language" not in parts("system segment score src trg", cells("ein Satz", "en"))
    assert "type" in parts("system segment score type x", lambda k: (*usual(k)[:3], ("ref", "odd")[k % 2], k))
    assert "type" not in parts("system segment score type x", lambda k: (*usual(k)[:3], "odd", k))


def test_names_without_quotation_marks_and_test_sets() -> None:
    def plain(names: tuple[str, ...], heading: str = "system") -> tuple[list[str], list[str]]:
        notices: list[object] = []
        of = rated.with_plain_names(table(f"{heading} x", lambda k: (names[k % len(names)], k), 4), notices)  # type: ignore[arg-type]
        return [row[0] for row in cells_of(of)][: len(names)], [one.message for one in notices]  # type: ignore[attr-defined]

    assert plain(('"A"', "B")) == (["A", "B"], ["Quotation marks around its cells are not part of them."])
    assert plain(('"', "B")) == (['"', "B"], [])
    told = "wmt22. before the name of every system is the test set, and was left out."
    assert plain(("wmt22.A", "wmt22.B")) == (["A", "B"], [told])
    assert plain(("wmt22.A", "B")) == (["wmt22.A", "B"], [])
    assert plain(("wmt22.A", "wmt22.B"), "thing") == (["wmt22.A", "wmt22.B"], [])


def test_documents_are_the_segments_where_systems_were_rated_on_them() -> None:
    def named(heads: str) -> list[str]:
        return rated.by_document(table(heads, lambda k: tuple([k] * len(heads.split())))).headings

    assert named("system document score") == ["system", "segment", "score"]
    assert named("x document score") == ["x", "document", "score"]
    assert named("system document x") == ["system", "document", "x"]
    assert named("system document score id") == ["system", "document", "score", "id"]


def test_lines_of_a_system_and_its_score() -> None:
    assert [rated.pair(line) for line in ("A 1.5", "A None", "A\t-2", "1 2", "A x", "A 1 2", "A")] == [
        ("A", "1.5"), ("A", "None"), ("A", "-2"), None, None, None, None,
    ]  # fmt: skip
    assert rated.columns(content("A 1\nB 2\nA None\nB 4\n")) == {"A": ["1", ""], "B": ["2", "4"]}
    nameless = "A\t1\n\tNone\nB\t2\n\tNone\n"
    assert rated.columns(content(nameless)) == {"A": ["1", ""], "B": ["2", ""]}
    for text in ("A\t1\n\tNone\nB\t2\n", "A\t1\nB\t1\n\tNone\n\tNone\n"):
        with pytest.raises(ReadError, match="is not a system followed by its score"):
            rated.columns(content(text))
    of = rated.pairs_table(content("A 1\nsynthetic_ref 3\nA 2\n"))
    assert cells_of(of) == [["A", "1", "1"], ["A", "2", "2"]]


@pytest.mark.parametrize(
    ("system", "segment", "document", "what"),
    [("", "1", "d", "names no system"), ("A", "", "", "names no segment"), ("A", "", "d", ""), ("A", "1", "", "")],
)
def test_a_rating_names_its_system_and_its_segment(system: str, segment: str, document: str, what: str) -> None:
    try:
        rated.refuse_rows("t", [3, 4], ["A", system], ["1", segment], ["d", document])
    except ReadError as error:
        found = (error.what, error.line)
    else:
        found = ("", 4)
    assert what in found[0]
    assert bool(what) is bool(found[0])
    assert found[1] == 4


def test_the_first_rows_of_a_file_of_ratings() -> None:
    assert rated.first_rows(content("system,segment\nA,1\n")) == (["system", "segment"], ["A", "1"])
    assert rated.first_rows(content("Results,,\nsystem,segment,x\nA,1,2\n")) == (
        ["system", "segment", "x"],
        ["A", "1", "2"],
    )
    assert rated.first_rows(content("a b\nA 1\nB 2\n")) == (["a", "b"], ["A", "1"])
    assert rated.first_rows(content("a b\nA x\nB 2\n")) == ([], [])
    assert rated.first_rows(content("a b\nA 1 2\n")) == ([], [])
    assert rated.first_rows(content("a b\n")) == ([], [])
    assert rated.first_rows(content('{"system": "A"}\n')) == (["system"], [])
    assert rated.first_rows(content("a" * 10_001 + ",b\n")) == ([], [])
