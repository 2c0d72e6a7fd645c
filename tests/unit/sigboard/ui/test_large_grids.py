"""A grid of very many systems on the page: its first look, and what is drawn for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sigboard.shell import queries, settings
from sigcore import Outputs, Settings, Study, Testset, corrections
from sigcore.studies import enough, matrix
from sigcore.types import AUTO, SIDES
from tests.made import text_set


@pytest.mark.parametrize(
    ("tests", "resamples", "few"),
    [
        (55, 10_000, 0),
        (20_000, 10_000, 0),
        (40_000, 10_000, 2_500),
        (44_850, 10_000, 2_229),
        (499_500, 10_000, 200),
        (499_500, 800, 200),
        (499_500, 799, 0),
        (4_498_500, 10_000, 200),
    ],
)
def test_a_first_look_is_short_and_only_where_more_follows(tests: int, resamples: int, few: int) -> None:
    """About a hundred million gains, at least 200 resamples; none where the whole takes little longer."""
    assert queries.first_look(tests, resamples) == few


class Asked(list[dict[str, Any]]):
    """What the page asked the jobs for: each is done at once, and `partial` is what a running job has to show."""

    def result(self, key: str, work: Any, **how: Any) -> Any:
        """The result of the work."""
        done = work(type("Job", (), {"report": staticmethod(lambda *_: None), "publish": None, "stop": self.stop})())
        self.append({"key": key, "run": done, **how})
        return done

    class stop:
        """Nobody cancels."""

        is_set = staticmethod(lambda: False)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The page's jobs, done at once without a cache."""
    found = Asked()
    monkeypatch.setattr(queries.jobs, "result", found.result)
    monkeypatch.setattr(queries.processes, "extract", lambda *_: None)
    monkeypatch.setattr(queries, "running", lambda publishes=False: lambda job: queries.Runtime())
    return found


def study(side: Any) -> Study:
    """Four systems under max-T on one side."""
    testset, outputs = text_set(40, (0.15, 0.17, 0.25, 0.3))
    return Study(testset, outputs, settings=Settings(side=side, correction="joint"), resamples=100)


def test_a_large_grid_is_drawn_for_its_side_alone(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its side is in the key of the job, and its numbers are those of the run of all sides."""
    monkeypatch.setattr("sigcore.study.MANY", 5)
    for side in ("two-sided", "greater"):
        queries._all_pairs("matrix", study(side))
    assert len({one["key"] for one in asked}) == 2
    for one, side in zip(asked, ("two-sided", "greater"), strict=True):
        assert [key[2] for key in one["run"].prepared[0]] == [side]
        whole = matrix.run(study(side))
        read = [
            matrix.read(run, "bleu", "approximate_randomization", study(side).settings) for run in (one["run"], whole)
        ]
        assert (read[0].adjusted == read[1].adjusted).all()


def test_a_small_grid_is_drawn_for_all_sides_once(asked: Asked) -> None:
    """A change of its side draws nothing again."""
    for side in ("two-sided", "greater"):
        queries._all_pairs("matrix", study(side))
    assert len({one["key"] for one in asked}) == 1
    assert {key[2] for key in asked[0]["run"].prepared[0]} == set(SIDES)


@pytest.mark.parametrize(("limit", "drawn"), [(5, [25, 10_000]), (6, [10_000])])
def test_the_first_look_is_shown_while_the_rest_is_drawn(
    limit: int, drawn: list[int], asked: Asked, monkeypatch
) -> None:
    """A run of few resamples is what the page shows until those of the verdicts are there; small grids have none."""
    monkeypatch.setattr("sigcore.study.MANY", limit)
    for name, value in (("LOOK", 25), ("LOOKED_AT", 0)):
        monkeypatch.setattr(queries, name, value)
    now = replace(study("two-sided"), resamples="auto")
    chosen = type("Chosen", (), {"resamples": "auto", "family": now.family, "alpha": 0.05, "also": ()})
    monkeypatch.setattr(queries, "chosen", lambda: chosen)
    monkeypatch.setattr(queries, "study", lambda visit: now)
    monkeypatch.setattr(queries, "sample_runs", lambda visit, asked: {})
    monkeypatch.setattr(queries, "is_final", lambda run: False)
    monkeypatch.setattr(enough, "wanted", lambda *_: 0)
    monkeypatch.setattr(queries, "matrix_read", lambda run: None)
    assert queries.matrix_run(None).resamples == 10_000  # type: ignore[arg-type]
    assert [one["run"].resamples for one in asked] == drawn
    assert asked[-1]["so_far"] is (asked[0]["run"] if len(drawn) > 1 else None)
    asked.clear()
    queries.matrix_run(None, whole=True)  # type: ignore[arg-type]
    assert [one["run"].resamples for one in asked] == [10_000]


@pytest.mark.parametrize("systems", [1000, 1001])
def test_the_sidebar_names_the_correction_that_the_study_uses(systems: int) -> None:
    """Above 500,000 tests both say Holm; on one side there are twice as many."""
    tests = systems * (systems - 1) // 2
    names = [Outputs(f"s{k}", ("1", "0")) for k in range(systems)]
    for side, count in (("two-sided", tests), ("greater", 2 * tests)):
        study = Study(Testset("t", "scores", 2), names, [("own_scores", {})], settings=Settings(side, correction=AUTO))
        used = corrections.usual(True) if study.settings.correction == AUTO else study.settings.correction
        usual = settings._corrections("approximate_randomization", count)[AUTO]
        assert usual == f"automatic ({corrections.get(used).title})"
        assert ("Holm" in usual) == (count > 500_000)


def test_where_every_p_is_exact_there_is_one_job_which_is_final(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Right and wrong answers under Holm draw nothing: no first look, no resamples to wait for."""
    monkeypatch.setattr("sigcore.study.MANY", 2)
    monkeypatch.setattr(queries, "first_look", lambda tests, resamples: 25)
    names = [Outputs(f"s{k}", tuple(str(int((i * (k + 3)) % 7 > 2)) for i in range(40))) for k in range(4)]
    exact = Settings(correction="holm", exact=True)
    now = Study(Testset("t", "scores", 40), names, [("own_scores", {})], settings=exact, resamples=10_000)
    assert now.undrawn
    run = queries._looked_at(now, None, whole=False)
    assert [one["run"].resamples for one in asked] == [0]
    monkeypatch.setattr(queries, "chosen", lambda: type("Chosen", (), {"resamples": AUTO, "alpha": 0.05}))
    assert queries.is_final(run)
    drawn = queries._looked_at(replace(now, settings=replace(exact, exact=False)), None, whole=False)
    assert [one["run"].resamples for one in asked[1:]] == [25, 10_000]
    assert drawn.resamples == 10_000
