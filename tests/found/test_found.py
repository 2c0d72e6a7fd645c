"""An example at which a test failed is stored, and the test fails at it again without any search."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests import conftest, found, nightly


@settings(database=None, derandomize=False, max_examples=500)
@given(number=st.integers(0, 1000), words=st.lists(st.text(), max_size=2))
def breaks(number: int, words: list[str]) -> None:
    """Fails at most numbers."""
    assert number < 7


def test_a_failing_example_becomes_a_test(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """What Hypothesis finds is written to a file by its test, and is tried first from then on."""
    with pytest.raises(AssertionError) as failed:
        breaks()
    (path,) = found.keep(request.node, failed.value, tmp_path)
    name, text = path.read_text(encoding="utf-8").splitlines()
    assert name == "tests/found/test_found.py::test_a_failing_example_becomes_a_test"
    assert found.arguments(text) == {"number": 7, "words": []}

    tried: list[int] = []

    @settings(phases=[Phase.explicit])
    @given(number=st.integers(0, 1000), words=st.lists(st.text()))
    def again(number: int, words: list[str]) -> None:
        tried.append(number)

    found.attach("another test", again, found.stored(tmp_path))
    found.attach(name, again, found.stored(tmp_path))
    again()
    assert tried == [7]


def test_every_stored_example_belongs_to_a_test() -> None:
    """A test that was renamed would lose its examples without a word."""
    for name, texts in found.stored().items():
        file, _, function = name.partition("::")
        assert f"def {function}(" in (Path(conftest.__file__).parents[1] / file).read_text(encoding="utf-8")
        assert all(found.arguments(text) for text in texts)


def test_another_order_has_all_tests_and_whole_files(request: pytest.FixtureRequest) -> None:
    """Each seed is an order of its own, the same each time; no file is begun twice, and no test is lost."""
    orders = []
    for seed in ("1", "1", "2"):
        items = list(request.session.items)
        conftest.shuffled(items, seed)
        assert sorted(map(id, items)) == sorted(map(id, request.session.items))
        files = [item.path for item in items]
        assert sum(here != there for here, there in pairwise(files)) == len(set(files)) - 1
        orders.append([item.nodeid for item in items])
    assert orders[0] == orders[1]
    assert len(orders[0]) < 3 or orders[0] != orders[2]


def test_each_seed_of_a_night_has_its_examples_and_its_order() -> None:
    """Seeds follow each other, look for new examples, and end on the numbers that were asked for."""
    night = nightly.steps(7, 2, 50, 9)
    assert tuple(night) == nightly.STEPS
    for seed, (_, words, chosen) in zip((7, 8), night["seeds"], strict=True):
        assert f"--hypothesis-seed={seed}" in words
        assert chosen == {"SIGBOARD_SEEDS": "random", "SIGBOARD_EXAMPLES": "100", "SIGBOARD_ORDER": str(seed)}
    assert night["fuzz"][0][1][-4:] == ("--inputs", "50", "--first", "7")
    assert [words[2:] for _, words, _ in night["soak"]] == [("--seconds", "9"), ("--seconds", "9", "--faults")]


def test_a_night_fails_with_any_of_its_steps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Later steps are run all the same, and the last line names what failed."""
    asked: list[str] = []
    monkeypatch.setattr(nightly, "run", lambda step: asked.append(step[0]) or int(step[0] == "fuzz"))
    assert nightly.main(["fuzz", "soak"]) == 1
    assert asked == ["fuzz", "soak", "soak with faults"]
    assert capsys.readouterr().out == "3 steps, 1 failed: fuzz\n"
    assert nightly.main(["soak"]) == 0
