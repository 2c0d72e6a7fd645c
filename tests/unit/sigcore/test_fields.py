"""Fields: one description makes the JSON, the rows and every printed table of a record."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from sigboard.render.tables import as_latex, as_markdown
from sigboard.render.text import as_text
from sigcore.results import ABSENT, Field, Fields, as_json, rows
from sigcore.types import Setup


@dataclass
class End:
    """A record inside another."""

    low: float


@dataclass
class One:
    """A record with something of everything."""

    name: str = "Gull|_x"
    score: float = 1.25
    p: np.ndarray = field(default_factory=lambda: np.array([0.5, math.nan]))
    ends: tuple[End, ...] = (End(1.0), End(math.nan))
    last: End | None = None
    extra: float | None = None
    alpha: float = 0.05
    setup: Setup = field(default_factory=lambda: Setup("m", "M", "higher", "t", "T", 5, 100, 1, decimals=3))


END = Fields(
    "end", Field("low", "number?", "Low end."), Field("twice", "number?", "Twice.", of=lambda end: 2 * end.low)
)
ONE = Fields(
    "one",
    Field("name", "text", "Its name.", "name", "system"),
    Field("score", "number?", "Its score.", "score", "score"),
    Field("metric", "text", "The metric.", of="setup.metric"),
    Field("p", "number?[]", "Its p-values."),
    Field("first", "number", "The first p.", of=lambda one: one.p[0]),
    Field("ends", "object[]", "Its ends.", fields=END),
    Field("by_name", "object{}", "The same by name.", of=lambda one: {"a": one.ends[0]}, fields=END),
    Field("last", "object?", "The last end.", fields=END),
    Field("extra", "number-", "Not in all.", heading="more", of=lambda one: ABSENT if one.extra is None else one.extra),
    Field("mark", "text", "Only printed.", heading="at {alpha:g}", of=lambda one: "*", data=False),
    Field("*", "any", "Named by the data.", of=lambda one: {f"vs {one.name}": one.score}),
)


def test_json_follows_the_fields() -> None:
    """JSON has the fields in their order: nested records, null for nan and None, no absent one, no printed one."""
    found = as_json(ONE, One())
    assert list(found) == ["name", "score", "metric", "p", "first", "ends", "by_name", "last", "vs Gull|_x"]
    assert found["p"] == [0.5, None]
    assert type(found["first"]) is float
    assert found["ends"] == [{"low": 1.0, "twice": 2.0}, {"low": None, "twice": None}]
    assert found["by_name"] == {"a": {"low": 1.0, "twice": 2.0}}
    assert found["last"] is None
    assert as_json(ONE, One(last=End(2.0)))["last"] == {"low": 2.0, "twice": 4.0}
    assert as_json(ONE, One(extra=2.0))["extra"] == 2.0


def test_rows_are_raw() -> None:
    """A row holds the values themselves: nan stays nan, and an absent field is no column."""
    few = Fields("few", *ONE.only("score", "extra", "first", "*"))
    assert rows(few, [One(score=math.inf)]) == [{"score": math.inf, "first": 0.5, "vs Gull|_x": math.inf}]
    assert list(rows(few, [One(extra=1.0)])[0]) == ["score", "extra", "first", "vs Gull|_x"]


def test_printed_tables_have_the_columns_with_a_heading() -> None:
    """A terminal, LaTeX and Markdown print the same columns, each with its own escapes; decimals are those of the setup."""
    items = [One(), One(name="b" * 40, score=math.nan)]
    text = as_text(ONE, items, alpha=0.05).splitlines()
    assert text[0].split() == ["system", "score", "at", "0.05"]
    assert text[1].split() == ["Gull|_x", "1.250", "*"]
    assert text[2].split()[1:] == ["n/a", "*"]
    assert "…" in text[2]
    assert as_markdown(ONE, items, alpha=0.05).splitlines()[2] == r"| Gull\|\_x | 1.250 | \* |"
    assert r"Gull\textbar{}\_x & 1.250 & *" in as_latex(ONE, items, "c", "tab:x", alpha=0.05)
    assert "more" in as_text(ONE, [One(extra=1.0)], alpha=0.05).splitlines()[0]


def test_a_name_is_given_once() -> None:
    """Two fields of one name would lose one of the values."""
    with pytest.raises(ValueError, match="same name"):
        Fields("two", ONE["name"], ONE["name"])


def test_a_path_may_end_in_a_place_and_none_may_be_left_out() -> None:
    """`ends[1]` is the second of them; None is left out only where the type has no null."""
    fields = Fields(
        "two",
        Field("second", "number", "The second p.", of="p[1]"),
        Field("extra", "number-", "Not in all."),
        Field("kept", "number?-", "None is a value of it.", of="extra"),
    )
    assert as_json(fields, One()) == {"second": None, "kept": None}
    assert as_json(fields, One(p=np.array([0.5, 0.25]), extra=2.0)) == {"second": 0.25, "extra": 2.0, "kept": 2.0}


def test_what_only_the_caller_knows_follows_at_the_end() -> None:
    """A given value is not looked for in the item; it is written after all others, as JSON can hold it."""
    fields = Fields("three", Field("warnings", "text[]", "Notes."), Field("score", "number", "Its score."))
    found = as_json(fields, One(), warnings=("a", math.nan))
    assert list(found.items()) == [("score", 1.25), ("warnings", ["a", None])]


def test_a_field_under_another_name_reads_the_same() -> None:
    """It keeps its value and its heading, unless it gets another one; what it is a copy of stays as it was."""
    other = ONE["score"].named("points", "pts")
    assert (other.value(One()), other.heading, ONE["score"].name) == (1.25, "pts", "score")
    assert ONE["name"].named("title").heading == "system"


def test_units_read_the_setup_or_the_item_itself() -> None:
    """A p is printed with the resamples of its setup, or of a record that has them itself."""

    @dataclass
    class Alone:
        p: float = 0.2
        resamples: int = 3

    @dataclass
    class Within:
        setup: Alone
        p: float = 0.0

    fields = Fields("p", Field("p", "number", "Its p.", "p", "p"))
    assert [fields["p"].cell(one) for one in (Alone(p=0.0), Within(Alone()))] == 2 * [fields["p"].cell(Alone(p=0.0))]
    assert fields["p"].cell(Alone(p=0.0)) != fields["p"].cell(Alone(p=0.0, resamples=30))
