"""The count of metrics and tests in a visit."""

from __future__ import annotations

from sigboard.shell import seen, session
from sigboard.shell.settings import Chosen
from sigcore import Settings
from sigcore.types import Side


def chosen(metric: str = "bleu", side: Side = "two-sided", alpha: float = 0.05, **options: object) -> Chosen:
    """Settings of the sidebar."""
    return Chosen(metric, options, "approximate_randomization", alpha, 1000, 1, Settings(side))


def test_one_combination_is_not_reported() -> None:
    """The line appears from the second combination on."""
    assert seen.sentence({("bleu", "a")}) == ""
    assert seen.sentence({("bleu", "a"), ("bleu", "b")}) == (
        "In this visit: 1 metric × 2 tests on these files. A result chosen among several is not corrected for the choice."
    )


def test_combinations_that_were_not_shown_are_not_counted() -> None:
    """Where not every metric was shown with every test, the number that was is there."""
    assert "2 metrics × 2 tests on these files (3 of the 4 combinations)." in seen.sentence(
        {("bleu", "a"), ("bleu", "b"), ("ter", "a")}
    )


def test_options_and_sides_count_and_other_files_begin_again() -> None:
    """Options make another metric, sides another test; alpha counts for nothing; other files have their own count."""
    visit = session.first_visit()
    for now in (chosen(), chosen(alpha=0.01), chosen(side="less"), chosen(lowercase=True)):
        looks = seen.look(visit, now)
    assert len(looks) == 3
    assert "2 metrics × 2 tests" in seen.sentence(looks)
    visit.collection.clear()
    visit.collection.add_sample("kitchen-radio")
    assert len(seen.look(visit, chosen())) == 1
