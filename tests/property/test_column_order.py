"""The order of the columns of a table, of its rows and of the names in a record says nothing: what is read is the same."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.readers import Intake, read, read_ratings

N, SYSTEMS, RUNS = 8, ("one", "two", "three"), 2
Table = list[dict[str, str]]


def value(k: int, i: int, run: int = 0) -> float:
    return (3 * k + 5 * i + 7 * run) % 11 / 10


LONG: Table = [{"model": s, "question_id": f"q{k}", "accuracy": str(value(k, i)), "latency_ms": str(90 + 7 * k + i)}
               for k in range(N) for i, s in enumerate(SYSTEMS)]  # fmt: skip
WITH_RUNS: Table = [
    {"run_id": f"r{i}{run}", "model": s, "seed": str(run), "example_id": f"e{k}", "correct": str(value(k, i, run) > 0.5).lower()}
    for k in range(N) for i, s in enumerate(SYSTEMS) for run in range(RUNS)
]  # fmt: skip
WIDE: Table = [
    {"id": f"q{k}", **{s: str(value(k, i)) for i, s in enumerate(SYSTEMS)}, "words": str(9 + k)} for k in range(N)
]
OUTPUTS: Table = [{"id": f"q{k}", "source": f"Satz {k}", "reference": f"the text {k}", **{s: f"a text {k} of {s}" for s in SYSTEMS}}
                  for k in range(N)]  # fmt: skip
RATED: Table = [{"judge": f"j{j}", "system": s, "segment": f"s{k}", "score": str(40 + 5 * i + 3 * k + j)}
                for k in range(N) for i, s in enumerate(SYSTEMS) for j in range(2)]  # fmt: skip
TASKS: Table = [{"model": s, "task": t, "item_id": f"{t}{k}", "f1": str(value(k, i, len(t)))}
                for t in ("qa", "sum") for k in range(N) for i, s in enumerate(SYSTEMS)]  # fmt: skip
LAYOUTS = {"long": LONG, "runs": WITH_RUNS, "wide": WIDE, "outputs": OUTPUTS, "rated": RATED, "tasks": TASKS}


def said(found: Intake) -> object:
    """What was read, by ids where there are some, without the places of columns and rows; or what was asked."""
    if found.problems:
        return sorted(type(one).__name__ for one in found.problems)
    streams = {
        (one.name, one.role, one.kind, one.measure, one.testset, pair)
        for one in found.items
        if one.role != "ignored"
        for pair in zip(one.keys or map(str, range(len(one.segments))), one.segments, strict=True)
    }
    people = [set(zip(part.judge, part.system, part.segment, part.score, strict=True)) for part in found.judgments]
    return streams, people


def read_as(name: str, text: str) -> object:
    reader = read_ratings if name.startswith("rated") else read
    return said(reader([(name, text.encode())]))


def as_csv(rows: Table, order: list[str]) -> str:
    return "\n".join([",".join(order), *(",".join(row[name] for name in order) for row in rows)]) + "\n"


@pytest.mark.parametrize("layout", LAYOUTS)
@given(data=st.data())
def test_the_order_of_columns_says_nothing(layout: str, data: st.DataObject) -> None:
    rows = LAYOUTS[layout]
    order = data.draw(st.permutations(list(rows[0])))
    assert read_as(f"{layout}.csv", as_csv(rows, order)) == read_as(f"{layout}.csv", as_csv(rows, list(rows[0])))


@pytest.mark.parametrize("layout", LAYOUTS)
@given(seed=st.integers(0, 2**32))
def test_the_order_of_rows_says_nothing(layout: str, seed: int) -> None:
    rows = LAYOUTS[layout]
    moved = random.Random(seed).sample(rows, len(rows))
    names = list(rows[0])
    assert read_as(f"{layout}.csv", as_csv(moved, names)) == read_as(f"{layout}.csv", as_csv(rows, names))


@pytest.mark.parametrize("layout", LAYOUTS)
@given(data=st.data())
def test_the_order_of_names_in_a_record_says_nothing(layout: str, data: st.DataObject) -> None:
    rows = LAYOUTS[layout]
    order = data.draw(st.permutations(list(rows[0])))
    moved = [{name: row[name] for name in order} for row in rows]
    assert read_as(f"{layout}.json", json.dumps(moved)) == read_as(f"{layout}.json", json.dumps(rows))
