"""What runners of tests print: each test once, passed or failed, by its name."""

from __future__ import annotations

import pytest

from sigcore import readers
from sigcore.readers.contract import Intake

PYTEST = """\
============================= test session starts ==============================
collected 4 items

tests/test_sum.py::test_small PASSED                                     [ 25%]
tests/test_sum.py::test_large FAILED                                     [ 50%]
tests/test_sum.py::test_each[a b-1] PASSED                               [ 75%]
tests/test_sum.py::test_gpu SKIPPED (no GPU)                             [100%]

=========================== short test summary info ============================
FAILED tests/test_sum.py::test_large - AssertionError: assert 1 == 2
=================== 1 failed, 2 passed, 1 skipped in 0.12s =====================
"""
UNITTEST = """\
test_large (tests.test_sum.SumTest) ... FAIL
test_none (tests.test_sum.SumTest)
Nothing is summed. ... ok
test_old (tests.test_sum.SumTest) ... skipped 'old'
test_small (tests.test_sum.SumTest) ... ok
test_wide (tests.test_sum.SumTest) ... ERROR

Ran 5 tests in 0.001s
"""
GO = """\
=== RUN   TestSmall
--- PASS: TestSmall (0.00s)
--- FAIL: TestLarge (0.01s)
    sum_test.go:12: got 1
--- SKIP: TestGPU (0.00s)
--- PASS: TestNone (0.00s)
FAIL
"""
CARGO = """\
running 4 tests
test sums::small ... ok
test sums::large ... FAILED
test sums::gpu ... ignored
test sums::none ... ok

test result: FAILED. 2 passed; 1 failed; 1 ignored
"""
TAP = """\
1..4
ok 1 - small
not ok 2 - large
ok 3 - gpu # SKIP no device
ok 4 - none
"""
AGENT = """\
2024-02-13 09:03:39,638 - INFO - [Config file]: /tmp/tmpk3x3/7.json
2024-02-13 09:07:03,242 - INFO - [Result] (FAIL) /tmp/tmpk3x3/7.json
2024-02-13 09:10:52,003 - INFO - [Result] (PASS) /tmp/tmpk3x3/12.json
2024-02-13 09:14:24,530 - INFO - [Result] (FAIL) /tmp/tmpk3x3/41.json
2024-02-13 09:14:24,530 - INFO - Average score: 0.33
"""


def read(text: str, name: str = "One.log") -> Intake:
    return readers.read([(name, text.encode())])


@pytest.mark.parametrize(
    ("text", "keys", "cells"),
    [
        (
            PYTEST,
            ("tests/test_sum.py::test_small", "tests/test_sum.py::test_large", "tests/test_sum.py::test_each[a b-1]"),
            "101",
        ),
        (
            UNITTEST,
            (
                "test_large (tests.test_sum.SumTest)",
                "test_small (tests.test_sum.SumTest)",
                "test_wide (tests.test_sum.SumTest)",
            ),
            "010",
        ),
        (GO, ("TestSmall", "TestLarge", "TestNone"), "101"),
        (CARGO, ("sums::small", "sums::large", "sums::none"), "101"),
        (TAP, ("1 - small", "2 - large", "4 - none"), "101"),
        (AGENT, ("7", "12", "41"), "010"),
    ],
)
def test_each_runner(text: str, keys: tuple[str, ...], cells: str) -> None:
    found = read(text)
    assert not found.problems
    (item,) = found.items
    assert item.keys == keys
    assert item.segments == tuple(cells)
    assert (item.name, item.kind, item.measure, item.better) == ("One", "scores", "passed", "higher")
    assert "3 tests passed (1) or failed (0)" in found.notices[0].message


def test_tests_that_were_skipped_are_named() -> None:
    assert [one.message for one in read(PYTEST).notices[1:]] == ["1 test was skipped and is left out."]
    twice = PYTEST.replace("test_small PASSED", "test_small SKIPPED")
    assert [one.message for one in read(twice).notices[1:]] == ["2 tests were skipped and are left out."]
    assert len(read(AGENT).notices) == 1


def test_a_test_with_two_outcomes_is_refused() -> None:
    (problem,) = read(PYTEST + "PASSED tests/test_sum.py::test_large\n").problems
    assert "line 12: tests/test_sum.py::test_large has another outcome than before." in str(problem)


@pytest.mark.parametrize(
    "text",
    [
        "It is ok\nI said ok\nThis was not ok\n",
        "ok\nnot ok\nok\n",
        "test a ... ok\nthe test passed\nit FAILED\nnothing\n",
        PYTEST.replace("PASSED", "passed").replace("FAILED", "failed"),
    ],
)
def test_text_with_such_words_is_no_outcome(text: str) -> None:
    assert all(one.reader != "outcomes" for one in read(text).detected)


def test_only_skipped_tests_are_no_scores() -> None:
    (problem,) = read("ok 1 a # SKIP\nok 2 b # SKIP\nok 3 c # skip\n").problems
    assert "It has no outcome of a test." in str(problem)
