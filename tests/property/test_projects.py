"""load(save(x)) = x for an analysis of every kind: as a project file and in the store, to the bit of its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigboard.render.json import matrix_json
from sigcore import metrics, project
from sigcore.data import Collection
from sigcore.project import Project
from sigcore.readers import Item
from sigcore.storage import database
from sigcore.storage.store import Bounds, Kept, Store
from sigcore.studies import matrix
from sigcore.study import Study
from sigcore.types import KINDS
from tests import some
from tests.made import sample_of
from tests.unit.sigcore.test_project import same

WIDE = Bounds(10**9, 10**9)
NAMES = st.lists(
    st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=9), min_size=3, max_size=3
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store in a file."""
    own = Store(f"sqlite:///{tmp_path_factory.mktemp('kept') / 'store.sqlite'}")
    yield own
    opened: database.Database | None = own._database
    if opened is not None:
        opened._engine.dispose()


def analysis(kind: str, n: int, seed: int, names: list[str]) -> Collection:
    """Files of that kind with three systems of these names, one of them in a group and edited."""
    testset, outputs = sample_of(kind, n, seed)
    items = [
        Item(f"ref {k}", "reference", testset.kind, segments, f"ref{k}", "made")
        for k, segments in enumerate(testset.references)
    ]
    items += [
        Item(name, "system", testset.kind, one.segments, f"file {k}", "made", group="g" * (k == 1))
        for k, (name, one) in enumerate(zip(names, outputs, strict=True))
    ]
    out = Collection(name=names[0], items=tuple(items))
    out.select(kind=testset.kind)
    out.edit({len(items) - 1: {"name": f"{names[2]}!"}})
    return out


def numbers(of: Collection, grid: bytes = b"") -> tuple[str, bytes]:
    """The JSON of the grid, drawn or read, and the finished runs."""
    loaded = of.loaded()
    assert loaded.testset is not None, loaded.of("error")
    asked = [(metrics.usual(loaded.testset.kind), {})]
    how = (loaded.testset, loaded.outputs, asked, ["approximate_randomization"])
    run = matrix.load(grid, Study(*how))[60] if grid else matrix.run(Study(*how, resamples=60))
    result = matrix.read(run, asked[0][0], "approximate_randomization")
    return json.dumps(matrix_json([result])), matrix.save([run])


@pytest.mark.parametrize("kind", some.first(KINDS, 4))
@settings(max_examples=15)
@given(
    n=st.integers(2, 14),
    seed=st.integers(0, 10**6),
    names=NAMES.filter(lambda names: len({*names, f"{names[2]}!"}) == 4),
)
def test_what_is_loaded_is_what_was_saved(kind: str, n: int, seed: int, names: list[str], kept: Store) -> None:
    """Files, names and settings come back equal, the finished runs give the same JSON, and what is drawn again, too."""
    before = analysis(kind, n, seed, names)
    drawn, grid = numbers(before)
    chosen = {"alpha": "0.01"}
    after = project.load(project.save(Project(before, chosen, grid)))
    assert same(before, after.collection)
    assert (dict(after.settings), after.grid) == (chosen, grid)
    assert numbers(after.collection, after.grid) == (drawn, grid)
    assert numbers(after.collection) == (drawn, grid)
    row = Kept("t", "me", names[0], 4e9, "matrix", chosen)
    assert kept.put(row, {"files": project.save(Project(before)), "grid": grid}, WIDE)
    found = kept.get("t")
    assert found is not None
    assert (found[0].title, found[0].settings) == (names[0], chosen)
    restored = project.load(found[1]["files"]).collection
    assert same(before, restored)
    assert numbers(restored, found[1]["grid"]) == (drawn, grid)
