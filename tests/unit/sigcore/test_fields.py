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
