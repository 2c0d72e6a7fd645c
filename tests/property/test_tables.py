"""What must hold for all tables: the order of rows with ids, and columns that nobody asked for, change nothing."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sigcore.data.assembly import Loaded, assemble
from sigcore.readers import Choice, read
from sigcore.studies import pairwise
from sigcore.studies.pairwise import PairwiseResult

Rows = list[dict[str, Any]]
SYSTEMS = ("One", "Two")
NAMES = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=3, max_size=8).map(lambda name: f"x_{name}")
CELLS = st.one_of(
    st.floats(-100, 100).map(lambda x: round(x, 3)),
    st.text("abc xyz", max_size=6),
    st.booleans(),
    st.none(),
    st.integers(0, 3),
)
SIZES = st.integers(3, 12)


def rows(n: int, seed: int) -> Rows:
    chance = random.Random(seed)
    return [{"system": s, "id": k, "score": round(chance.random(), 3)} for s in SYSTEMS for k in range(1, n + 1)]


def lines(table: Rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in table).encode()


def scores(loaded: Loaded) -> dict[str, dict[str, float]]:
    """The scores of each system by segment; equal if the result of every test is equal."""
    return {one.system: {str(k): float(cell) for k, cell in enumerate(one.segments)} for one in loaded.outputs}


def loaded(*files: tuple[str, bytes], **fields: str) -> Loaded:
    intake = read(files, every=Choice(options=fields) if fields else None)
    assert not intake.problems, intake.problems[0]
    return assemble(intake.items, kind="scores")


@given(SIZES, st.integers(), st.randoms(use_true_random=False))
def test_shuffled_rows_with_ids_give_the_same_result(n: int, seed: int, chance: random.Random) -> None:
    """In one file for all systems."""
    table = rows(n, seed)
    shuffled = list(table)
    chance.shuffle(shuffled)
    assert scores(loaded(("t.jsonl", lines(shuffled)))) == scores(loaded(("t.jsonl", lines(table))))


@given(SIZES, st.integers(), st.randoms(use_true_random=False))
def test_shuffled_files_with_ids_give_the_same_result(n: int, seed: int, chance: random.Random) -> None:
    """In a file for each system, with the scores beside the ids."""

    def files(shuffle: bool) -> list[tuple[str, bytes]]:
        made = []
        for name in SYSTEMS:
            own = [{"id": row["id"], "comet": row["score"]} for row in rows(n, seed) if row["system"] == name]
            if shuffle:
                chance.shuffle(own)
            made.append((f"{name}.jsonl", lines(own)))
        return made

    assert scores(loaded(*files(shuffle=True))) == scores(loaded(*files(shuffle=False)))


@given(SIZES, st.integers(), st.randoms(use_true_random=False))
def test_shuffled_outputs_with_ids_are_matched(n: int, seed: int, chance: random.Random) -> None:
    """Texts of several files are matched by names of segments, whatever their order."""
    texts = {f"u-{k}a": f"text {k} {seed}" for k in range(n)}
    files = []
    for name in ("ref", *SYSTEMS):
        names = list(texts)
        chance.shuffle(names)
        files.append((f"{name}.txt", "".join(f"{key} {texts[key]}\n" for key in names).encode()))
    result = assemble(read(files).items)
    assert result.testset is not None
    assert {one.segments for one in result.outputs} == {result.testset.references[0]}


@given(SIZES, st.integers(), NAMES, st.data())
def test_an_unknown_column_changes_nothing_in_a_table_of_systems_and_scores(
    n: int, seed: int, name: str, data: st.DataObject
) -> None:
    """Beside system, id and score, another column is another measure, or not used."""
    table = rows(n, seed)
    more = [row | {name: data.draw(CELLS)} for row in table]
    for fields in ({}, {"system_field": "system", "id_field": "id", "score_field": "score"}):
        intake = read([("t.jsonl", lines(more))], every=Choice(options=fields) if fields else None)
        if intake.problems:  # a cell of the column may be refused, but then nothing else is read in its place
            assert not fields
            continue
        assert scores(assemble(intake.items, kind="scores", measure="score")) == scores(
            loaded(("t.jsonl", lines(table)))
        )


@given(SIZES, st.integers(), NAMES, st.data())
def test_an_unknown_column_changes_nothing_beside_named_columns(
    n: int, seed: int, name: str, data: st.DataObject
) -> None:
    """In a table of one system, only the column that was named is its score; without a name, the columns are shown."""
    table = [{"who": f"q{k}", "points": k / n} for k in range(n)]
    more = [row | {name: data.draw(CELLS)} for row in table]
    said = {"id_field": "who", "score_field": "points"}
    assert scores(loaded(("A.jsonl", lines(more)), **said)) == scores(loaded(("A.jsonl", lines(table)), **said))


def preferred(n: int, seed: int) -> Rows:
    chance = random.Random(seed)
    out = []
    for k in range(n):
        first, second = chance.sample(["One", "Two", "Six"], 2)
        winner = chance.choice(["model_a", "model_b", "tie"])
        out.append({"question_id": k // 2, "model_a": first, "model_b": second, "winner": winner})
    return out


def pairs(table: Rows) -> PairwiseResult:
    intake = read([("p.jsonl", lines(table))])
    assert not intake.problems, intake.problems[0]
    (part,) = intake.preferences
    return pairwise.read(pairwise.run(pairwise.of_preferences(part), resamples=5))


@given(SIZES, st.integers(), st.randoms(use_true_random=False))
def test_shuffled_judgments_give_the_same_result(n: int, seed: int, chance: random.Random) -> None:
    """The questions have ids, so the order of the rows says nothing."""
    table = preferred(n, seed)
    shuffled = list(table)
    chance.shuffle(shuffled)
    first, again = pairs(table), pairs(shuffled)
    assert repr((first.pairs, first.ranking)) == repr((again.pairs, again.ranking))  # nan is no number


@given(SIZES, st.integers(), st.dictionaries(NAMES, CELLS, max_size=3))
def test_an_unknown_column_changes_nothing_in_judgments(n: int, seed: int, more: dict[str, Any]) -> None:
    """Whatever stands beside the two systems and the winner."""
    table = preferred(n, seed)
    first, again = pairs(table), pairs([{**more, **row} for row in table])
    assert repr((first.pairs, first.ranking)) == repr((again.pairs, again.ranking))  # nan is no number
