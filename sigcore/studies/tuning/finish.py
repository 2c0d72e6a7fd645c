"""From sides to the result: every run, the tests against the baseline, what was chosen and what must be said."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore import significance
from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.formatting import count, listed
from sigcore.kbest import network as beam
from sigcore.kbest.lists import KBest
from sigcore.kbest.network import BigramModel, Network, network
from sigcore.kbest.scaling import Scale
from sigcore.kbest.sparse import Sparse
from sigcore.studies import runs as several
from sigcore.studies import units
from sigcore.studies.matrix import LEVEL
from sigcore.studies.runs import RunsTest
from sigcore.studies.signature import signature
from sigcore.studies.tuning.compute import (
    CourseReport,
    Run,
    Side,
    part,
    problem_of,
    problems_of,
    random_weights,
    run_all,
    sweeps,
    tasks,
)
from sigcore.studies.tuning.result import Advance, Features, TuningPlan, TuningResult, idle, part_of, split
from sigcore.studies.tuning.statistics import RANDOM, Rows, Target, named_start, start_of, uneven, with_built_in
from sigcore.study import LOCAL, Runtime, Settings, check_numbers, chosen_unit
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.testset import Outputs, Testset, check_agreement, digest
from sigcore.tuning import EPSILON, RHO, Method
from sigcore.types import SEGMENT, Floats, Ints, Progress, Setup

FEW_SEGMENTS = 300  # tuning on fewer moves the held-out score by chance as much as by method


def result(
    sides: Sequence[Side],
    plan: TuningPlan,
    start: Floats,
    baseline: str,
    *,
    notes: Sequence[str] = (),
    runtime: Runtime = LOCAL,
    report: CourseReport | None = None,
) -> TuningResult:
    """Every run of the plan, and every method tested against the baseline on the held-out side.

    `sides` are the development side and, if there is one, the held-out side. `start` (F,) are the weights that tuning begins with. Raises: what the plan's methods, options and numbers raise.
    """
    dev, test = sides[0], sides[1] if len(sides) > 1 else None
    check_numbers(plan.resamples, plan.seed)
    significance.get(plan.test)
    todo = tasks(plan)
    searchable(dev.first, [task.method for task in todo])
    chosen = {task.label: task.options for task in todo}
    problem = problem_of(dev, plan, start, runtime.report)
    problems = problems_of(problem, dev, plan, start, runtime.report)
    finished = run_all(problems, dev, test, plan, runtime, report)
    replicates = tuple(run.replicate for run in finished)
    tests = () if test is None else _tests(finished, test, plan, runtime)
    scale, target = problem.scale, dev.rows.target
    return TuningResult(
        setup=_setup(target, dev, test, plan),
        plan=plan,
        baseline=baseline,
        features=_features(dev.first, scale),
        dev=part(dev),
        test=None if test is None else part(test),
        replicates=replicates,
        tests=tests,
        options=tuple(chosen.items()),
        fixed=dev.decoder.fixed,
        chosen=choices(target, plan, dev.decoder.fixed, {task.method.name for task in todo}),
        sweeps=sweeps(todo),
        notes=tuple(
            dict.fromkeys(
                [
                    *notes,
                    *(note for run in finished for note in run.notes),
                    *about_lists(dev),
                    *about_methods([task.method for task in todo], problem.first.features.shape[1]),
                    *_about_tests(tests, test, plan),
                ]
            )
        ),
        held_out=None if test is None else test.rows.testset,
        baseline_output=None if test is None else Outputs(baseline, test.output),
    )


def _features(lists: KBest, scale: Scale) -> Features:
    """The features of lists with their scale."""
    deviations = np.where(scale.varies, scale.deviations, 0.0)
    return Features(lists.names, scale.means, deviations, scale.varies, isinstance(lists.features, Sparse))


def searchable(lists: KBest, methods: Sequence[Method]) -> None:
    """Raises OptionError for a method that is only for few features, where there are sparse ones."""
    few = next((method for method in methods if method.most is not None), None)
    if few is not None and isinstance(lists.features, Sparse):
        what = f"{few.title} is for at most about {few.most} features, and {lists.name} has {len(lists.names):,} sparse features."
        raise OptionError(what, lists.name, "Choose another method, or tune fewer features.")


def _tests(finished: Sequence[Run], test: Side, plan: TuningPlan, runtime: Runtime) -> tuple[RunsTest, ...]:
    rows, titles = test.rows, dict[str, str]()
    systems: dict[str, list[SufficientStatistics]] = {}
    unit_of = units.groups(rows.testset, chosen_unit(rows.testset, plan.unit)[0])

    def in_units(item: SufficientStatistics) -> SufficientStatistics:
        return item if unit_of is None else units.summed(item, unit_of)

    for run in finished:
        assert run.values is not None
        one = run.replicate
        titles[one.method] = one.title
        systems.setdefault(one.method, []).append(in_units(rows.of_values(one.method, str(one.number), run.values)))
    baseline = in_units(rows.of_values("baseline", "", test.baseline))
    settings = Settings(estimator=plan.estimator)
    return several.against(baseline, systems, titles, plan.test, plan.resamples, plan.seed, settings, runtime)


def _setup(target: Target, dev: Side, test: Side | None, plan: TuningPlan) -> Setup:
    side = dev if test is None else test
    metric, member = target.metric, significance.get(plan.test)
    unit, _ = chosen_unit(side.rows.testset, plan.unit)
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
        better=target.better,
        why=metric.why_of(target.options),
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


def choices(target: Target, plan: TuningPlan, fixed: bool, methods: Collection[str]) -> tuple[str, ...]:
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


def about_lists(dev: Side) -> list[str]:
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


def about_methods(methods: Sequence[Method], features: int) -> list[str]:
    return [
        f"{method.title} is slow and unreliable with more than {method.most} features; there are {features}."
        for method in dict.fromkeys(methods)
        if method.most is not None and features > method.most
    ]


def _about_tests(tests: Sequence[RunsTest], test: Side | None, plan: TuningPlan) -> list[str]:
    if test is None:
        return ["No segments were held out, so nothing is tested: scores on the segments tuned on are too good."]
    out = []
    unstable = [item.title for item in tests if item.unstable]
    if unstable:
        out.append(
            f"The runs of {listed(unstable)} differ by more than half of the standard deviation of one score (s_opt above "
            "s_sel / 2). p takes the runs as given, so read the t test of the runs as well."
        )
    unit, reason = chosen_unit(test.rows.testset, plan.unit)
    if reason:
        out.append(reason)
    elif test.rows.testset.documents and unit == SEGMENT:
        out.append(
            "The test set has documents, but segments are the unit of the test: p is too small where they are alike."
        )
    return out


# Combination: the outputs of the loaded systems as confusion networks, whose decoder gives new lists for new weights.

FEWEST_WORDS = 2.0  # words per segment below which outputs have no words that could be combined


@dataclass(frozen=True, eq=False)
class Combination:
    """The networks of one part, and the names of the systems."""

    networks: tuple[Network, ...]
    systems: tuple[str, ...]
    size: int
    name: str
    fixed: bool = False

    def decode(self, weights: Floats, step: Advance = idle) -> KBest:
        """The lists of up to `size` paths under the weights."""
        return beam.decode(self.networks, self.systems, weights, self.size, self.name, step)

    def sized(self, size: int) -> Combination:
        """The same networks, searched for up to `size` paths."""
        return replace(self, size=size)


def combine(
    outputs: Sequence[Outputs],
    testset: Testset,
    target: Target,
    plan: TuningPlan,
    *,
    model: BigramModel | None = None,
    runtime: Runtime = LOCAL,
    report: CourseReport | None = None,
) -> TuningResult:
    """Methods by replicates on combinations of the systems; the baseline is the system with the best metric on the
    development segments, whose outputs are also the skeletons. A language `model` adds a feature.

    Raises: Undefined for fewer than two systems or outputs without words; OptionError for a target or a method that
    needs fixed lists; MismatchError for outputs of different lengths.
    """
    _check(outputs, testset, target, plan)
    dev, test = split(testset, plan.split)
    rows = Rows(part_of(testset, dev, "dev"), target)
    scores = [target.score(rows.extracted(_at(item, dev)).sum(axis=0)) for item in outputs]
    best = int(np.argmax(oriented(np.array(scores), target.better)))
    hand_set = beam.hand_weights(len(outputs), model is not None)
    start = random_weights(plan, len(hand_set)) if plan.random_start else hand_set
    sides = [_combined_side(outputs, best, dev, rows, plan, start, model, runtime)]
    if len(test):
        sides.append(
            _combined_side(
                outputs, best, test, Rows(part_of(testset, test, "test"), target), plan, start, model, runtime
            )
        )
    name = outputs[best].system
    hand = sides[-1]
    notes = [
        f"The baseline is {name}, the best single system on the development segments; the others are aligned to it.",
        f"Tuning begins with {'random weights' if plan.random_start else 'weights set by hand'}, which give {_score(hand, start):.2f} {target.title} on "
        f"{'the held-out' if len(test) else 'these'} segments.",
    ]
    own = tuple(Outputs(item.system, _at(item, test)) for item in outputs) if len(test) else ()
    done = result(sides, plan, start, name, notes=notes, runtime=runtime, report=report)
    return replace(done, systems=own)


def _check(outputs: Sequence[Outputs], testset: Testset, target: Target, plan: TuningPlan) -> None:
    faults = check_agreement(testset, outputs)
    if faults:
        raise faults[0] if len(faults) == 1 else MismatchError(" ".join(map(str, faults)))
    if len(outputs) < 2:
        raise Undefined("Combination needs at least two systems.", testset.name, "Load more outputs.")
    words = np.mean([len(text.split()) for item in outputs for text in item.segments])
    if words < FEWEST_WORDS:
        raise Undefined("The outputs have no words separated by spaces.", testset.name, "Segment them into words.")
    if target.column:
        raise OptionError(f"Combination has no column {target.column}.", "", "Choose a metric, or give k-best lists.")
    for task in tasks(plan):
        if task.method.column is not None:
            fix = "Leave it out, or give k-best lists."
            raise OptionError(f"{task.method.title} chooses from fixed lists.", "", fix)


def _at(item: Outputs, segments: Ints) -> tuple[str, ...]:
    return tuple(item.segments[i] for i in segments.tolist())


def _combined_side(
    outputs: Sequence[Outputs],
    best: int,
    segments: Ints,
    rows: Rows,
    plan: TuningPlan,
    start: Floats,
    model: BigramModel | None,
    runtime: Runtime,
) -> Side:
    show = runtime.report or (lambda stage, done, total: None)
    words = [[text.split() for text in _at(item, segments)] for item in outputs]
    networks = []
    for i in range(len(segments)):
        show("aligning", i, len(segments))
        networks.append(network([own[i] for own in words], best, model))
    systems = tuple(item.system for item in outputs)
    decoder = Combination(tuple(networks), systems, plan.size, rows.testset.name)
    first = decoder.decode(start, lambda done, total: show("decoding", done, total))
    own = _at(outputs[best], segments)
    return Side(decoder, rows, first, own, rows.extracted(own))


def _score(side: Side, weights: Floats) -> float:
    """The metric of the best paths of the first lists."""
    instances = side.rows.instances(side.first, side.first.features)
    return side.rows.target.score(instances.statistics[instances.best(weights)].sum(axis=0))


# Reranking: weights for the k-best lists that a person has, from any decoder or from samples of a language model.

BASELINE = "first of list"


@dataclass(frozen=True, eq=False)
class Fixed:
    """Lists that are the same under all weights."""

    lists: KBest
    fixed: bool = True

    def decode(self, weights: Floats, step: Advance = idle) -> KBest:
        """The lists."""
        return self.lists

    def sized(self, size: int) -> Fixed:
        """The first `size` hypotheses of every list.

        Raises: OptionError for more than the longest list has.
        """
        longest = int(self.lists.lengths.max())
        if size > longest:
            what = f"A list size of {size}: the longest list to tune on has {count(longest, 'hypothesis')}."
            raise OptionError(what, self.lists.name, f"It must be at most {longest}.")
        return Fixed(self.lists.head(size))


def rerank(
    lists: KBest,
    testset: Testset,
    target: Target,
    plan: TuningPlan,
    *,
    features: Sequence[str] = (),
    start: Floats | Mapping[str, float] | None = None,
    runtime: Runtime = LOCAL,
    report: CourseReport | None = None,
) -> TuningResult:
    """Methods by replicates on fixed lists; the baseline is the first hypothesis of every list.

    `features` names built-in features to be added. `start` are the weights that tuning begins with, all or by name (the
    others are 0); by default those that reproduce the scores of the lists, if there are such, else 0.

    Raises: MismatchError for another number of segments; OptionError for policies to compare, and for list sizes that no
    list has; UnknownMember, OptionError, Undefined as the parts do.
    """
    notes: list[str] = []
    if plan.policies:
        fix = "Leave them out, or combine systems."
        raise OptionError(
            "Fixed lists are neither aggregated nor merged, so there are no policies to compare.", "", fix
        )
    if lists.n != testset.n:
        raise uneven(lists, testset.n, testset.name)
    lists = prepared(lists, testset, target, plan, features, notes, runtime)
    dev, test = split(testset, plan.split)
    target = target.fitted(lists.of(dev))
    sides = [
        _side(lists.of(segments), part_of(testset, segments, name), target, runtime.report)
        for name, segments in (("dev", dev), ("test", test))
        if len(segments)
    ]
    if plan.random_start:
        notes.append(RANDOM)
        start = np.zeros(len(lists.names))
    elif start is None:
        start = start_of(lists, notes)
    elif isinstance(start, Mapping):
        start = named_start(start, lists, notes)
    elif start.shape != (len(lists.names),):
        raise MismatchError(f"{len(start)} start weights for {len(lists.names)} features.", lists.name)
    return result(sides, plan, start, BASELINE, notes=notes, runtime=runtime, report=report)


def prepared(
    lists: KBest,
    testset: Testset,
    target: Target,
    plan: TuningPlan,
    features: Sequence[str],
    notes: list[str],
    runtime: Runtime,
) -> KBest:
    """The lists without repetitions, with the requested features, and with columns set aside that are not features.

    Raises: Undefined without features.
    """
    distinct = lists.distinct()
    if distinct.size < lists.size:
        notes.append(
            f"{lists.size - distinct.size:,} of {count(lists.size, 'hypothesis')} left out: repetitions of another one."
        )
    lists = with_built_in(distinct, features, testset.sources, runtime.report)
    if target.column:
        lists = lists.aside(target.column)
    for task in tasks(plan):
        name = "" if task.method.column is None else task.method.column(task.options)
        if name.startswith("consensus_") and name not in (*lists.names, *lists.others):
            lists = with_built_in(lists, [name], (), runtime.report).aside(name)
    if not lists.names:
        fix = "Give a list with features, or add built-in ones."
        raise Undefined("The hypotheses have no features.", lists.name, fix)
    return lists


def _side(lists: KBest, testset: Testset, target: Target, progress: Progress | None) -> Side:
    rows = Rows(testset, target)
    statistics = rows.of(lists, progress)
    first = lists.offsets[:-1]
    return Side(Fixed(lists), rows, lists, lists.outputs(first), statistics[first])
