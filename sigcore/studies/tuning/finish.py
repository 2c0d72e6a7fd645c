"""From sides to the result: every run, the tests against the baseline, what was chosen and what must be said."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from sigcore import executors, significance
from sigcore.formatting import count, listed
from sigcore.studies import runs as several
from sigcore.studies import units
from sigcore.studies.matrix import LEVEL, Settings
from sigcore.studies.matrix.compute import check_numbers
from sigcore.studies.runs import RunsTest
from sigcore.studies.signature import signature
from sigcore.studies.tuning.compute import Report, Run, Side, part, problem_of, problems_of, run_all, tasks
from sigcore.studies.tuning.result import Features, Plan, TuningResult
from sigcore.studies.tuning.statistics import Progress, Target
from sigcore.studies.tuning.sweeps import sweeps
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, digest
from sigcore.tuning import EPSILON, RHO, Method
from sigcore.types import SEGMENT, Floats, Setup

FEW_SEGMENTS = 300  # tuning on fewer moves the held-out score by chance as much as by method


def result(
    sides: Sequence[Side],
    plan: Plan,
    start: Floats,
    baseline: str,
    *,
    notes: Sequence[str] = (),
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> TuningResult:
    """Every run of the plan, and every method tested against the baseline on the held-out side.

    `sides` are the development side and, if there is one, the held-out side. `start` (F,) are the weights that tuning begins with. Raises: what the plan's methods, options and numbers raise.
    """
    dev, test = sides[0], sides[1] if len(sides) > 1 else None
    check_numbers(plan.resamples, plan.seed)
    significance.get(plan.test)
    todo = tasks(plan)
    chosen = {task.label: task.options for task in todo}
    problem = problem_of(dev, plan, start, progress)
    problems = problems_of(problem, dev, plan, start, progress)
    finished = run_all(problems, dev, test, plan, executor, progress, report)
    replicates = tuple(run.replicate for run in finished)
    tests = () if test is None else _tests(finished, test, plan, executor, progress)
    scale, target = problem.scale, dev.rows.target
    return TuningResult(
        setup=_setup(target, dev, test, plan),
        plan=plan,
        baseline=baseline,
        features=Features(dev.first.names, scale.means, np.where(scale.varies, scale.deviations, 0.0), scale.varies),
        dev=part(dev),
        test=None if test is None else part(test),
        replicates=replicates,
        tests=tests,
        options=tuple(chosen.items()),
        fixed=dev.decoder.fixed,
        chosen=_chosen(target, plan, dev.decoder.fixed, {task.method.name for task in todo}),
        sweeps=sweeps(todo),
        notes=tuple(
            dict.fromkeys(
                [
                    *notes,
                    *(note for run in finished for note in run.notes),
                    *_about_lists(dev),
                    *_about_methods([task.method for task in todo], problem.first.features.shape[1]),
                    *_about_tests(tests, test, plan),
                ]
            )
        ),
        held_out=None if test is None else test.rows.testset,
        baseline_output=None if test is None else Outputs(baseline, test.output),
    )


def _tests(
    finished: Sequence[Run], test: Side, plan: Plan, executor: executors.Executor | None, progress: Progress | None
) -> tuple[RunsTest, ...]:
    rows, titles = test.rows, dict[str, str]()
    systems: dict[str, list[SufficientStatistics]] = {}
    unit_of = units.groups(rows.testset, units.chosen(rows.testset, plan.unit)[0])

    def in_units(item: SufficientStatistics) -> SufficientStatistics:
        return item if unit_of is None else units.summed(item, unit_of)

    for run in finished:
        assert run.values is not None
        one = run.replicate
        titles[one.method] = one.title
        systems.setdefault(one.method, []).append(in_units(rows.of_values(one.method, str(one.number), run.values)))
    baseline = in_units(rows.of_values("baseline", "", test.baseline))
    settings = Settings(estimator=plan.estimator)
    return several.against(
        baseline, systems, titles, plan.test, plan.resamples, plan.seed, settings, executor, progress
    )


def _setup(target: Target, dev: Side, test: Side | None, plan: Plan) -> Setup:
    side = dev if test is None else test
    metric, member = target.metric, significance.get(plan.test)
    unit, _ = units.chosen(side.rows.testset, plan.unit)
    unit_of = units.groups(side.rows.testset, unit)
    marks = [one.first.digest for one in (dev, test) if one is not None]
    parts = {
        "metric": metric.signature(side.rows.testset.references, target.options),
        "test": member.name,
        "estimator": plan.estimator,
        "resamples": plan.resamples,
        "seed": plan.seed,
        "unit": str(unit),
        "split": plan.split,
        "replicates": plan.replicates,
        "resampled_dev": plan.resample and plan.replicates > 1,
        "data": digest(marks)[:12],
    }
    return Setup(
        metric=metric.name,
        metric_title=target.title,
        better=metric.better_of(target.options),
        test=member.name,
        test_title=member.title,
        n=side.first.n if unit_of is None else int(unit_of.max()) + 1,
        segments=side.first.n,
        unit=unit,
        resamples=plan.resamples,
        seed=plan.seed,
        estimator=plan.estimator,
        correction="holm",
        correction_title="Holm",
        level=LEVEL,
        decimals=metric.decimals_of(target.options),
        signature=signature(parts),
    )


# What is said about single methods.
ABOUT = {
    "pro": "PRO: logistic regression by L-BFGS in place of MegaM, with a penalty on the weights of z-scores.",
    "mert": "MERT: random starts are uniform in [-1, 1] for the weights of z-scores.",
    "listnet_te": "Top-rank enhanced ListNet: exact for short lists, drawn orders for longer ones (options exact and draws).",
}


def _chosen(target: Target, plan: Plan, fixed: bool, methods: Collection[str]) -> tuple[str, ...]:
    """What the paper does not state, and what was chosen here."""
    add = {"lin_och": "add-one for orders above 1 (Lin & Och 2004)", "all_orders": "add-one for all orders (Moses)"}
    quality = "the metric of the segment alone, divided by 100 where it is a percentage"
    if target.is_bleu:
        quality = f"sentence BLEU from 0 to 1, {add[target.variant]}"
    if target.column:
        low, high = target.bounds
        quality = f"the column {target.column}, from {low:g} (0) to {high:g} (1) on the development lists"
    out = [
        f"Quality of one hypothesis: {quality}. ListNet multiplies it by kappa.",
        f"AdaDelta with rho = {RHO:g} and epsilon = {EPSILON:g}, begun again in every iteration; the gradient is summed over a batch.",
        "Features are z-scores over the first development lists; weights are printed for the features as they are.",
        "No regularisation of the listwise losses. Of equal qualities or scores the first hypothesis of the list counts.",
        "The weights of the epoch, and of the iteration, with the best metric on the development segments are used.",
        "Tables 1 to 4 of Chen et al. 2017 are missing in the source at hand, so none of their numbers is compared.",
    ]
    out += [line for name, line in ABOUT.items() if name in methods]
    if "kb_mira" in methods and not target.is_bleu:
        out.append("k-best MIRA: the cost of an error is 100 times the difference in quality, without a background.")
    if fixed:
        out.append("The lists are fixed: new weights give no new hypotheses, so aggregating and merging are the same.")
    elif plan.policies or plan.policy == "aggregate":
        both = " (aggregate) or merge them (merge)" if len(plan.policies) > 1 else ""
        out.append(
            f"Listwise losses aggregate the lists of all iterations{both}; PRO, k-best MIRA and MERT always merge them."
        )
    if plan.sizes:
        held_out = "complete" if fixed else f"decoded with lists of {plan.size}"
        out.append(
            f"List sizes (k): the first k hypotheses of every list are learned from, with their own z-scores; for the scores of all k "
            f"the lists are {held_out}."
        )
    return tuple(out)


def _about_lists(dev: Side) -> list[str]:
    out, lists = [], dev.first
    if lists.n < FEW_SEGMENTS:
        out.append(f"{count(lists.n, 'development segment')} are few: other segments would give other weights.")
    quality = dev.rows.instances(lists, lists.features).quality
    starts = lists.offsets[:-1]
    equal = int((np.maximum.reduceat(quality, starts) == np.minimum.reduceat(quality, starts)).sum())
    if equal:
        out.append(
            f"In {equal} of {count(lists.n, 'development list')} all hypotheses are equally good, so nothing is learned from them."
        )
    return out


def _about_methods(methods: Sequence[Method], features: int) -> list[str]:
    return [
        f"{method.title} is slow and unreliable with more than {method.most} features; there are {features}."
        for method in dict.fromkeys(methods)
        if method.most is not None and features > method.most
    ]


def _about_tests(tests: Sequence[RunsTest], test: Side | None, plan: Plan) -> list[str]:
    if test is None:
        return ["No segments were held out, so nothing is tested: scores on the segments tuned on are too good."]
    out = []
    unstable = [item.title for item in tests if item.unstable]
    if unstable:
        out.append(
            f"The runs of {listed(unstable)} differ by more than half of the standard deviation of one score (s_opt above "
            "s_sel / 2). p takes the runs as given, so read the t test of the runs as well."
        )
    unit, reason = units.chosen(test.rows.testset, plan.unit)
    if reason:
        out.append(reason)
    elif test.rows.testset.documents and unit == SEGMENT:
        out.append(
            "The test set has documents, but segments are the unit of the test: p is too small where they are alike."
        )
    return out
