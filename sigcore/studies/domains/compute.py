"""The study of domains: all pairs tested on each domain, and on test sets drawn from all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.formatting import count, listed
from sigcore.significance import LEAST_UNITS
from sigcore.studies.domains.parts import (
    BORDERLINE,
    Calibration,
    Cell,
    OneSet,
    Replicated,
    borderline,
    calibration,
    cells,
    readable,
    replicated,
    together,
)
from sigcore.studies.gain import threshold
from sigcore.studies.pairs import How, by_gain, examine, scores
from sigcore.studies.prepared import Compared, Prepared, PreparedPart, check_pairs, points, prepare
from sigcore.studies.size import Size
from sigcore.studies.statistics import Asked, Measured
from sigcore.study import LOCAL, Runtime, chosen_unit
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, DOCUMENT, SEGMENT, Floats, Setup, Unit

# The result of the study of domains.


@dataclass(frozen=True, eq=False)
class Held:
    """How far p holds for the pairs of some systems: `table` has the cells of the paper's Table 1, `borderline` those of
    its text; `calibration` is None where it was not requested, or not reached yet."""

    table: tuple[Cell, ...]
    borderline: tuple[Cell, ...]
    calibration: Calibration | None = None

    @property
    def titled(self) -> tuple[tuple[str, tuple[Cell, ...]], ...]:
        """The bins, and apart from them the borderline pairs, which are in the bins too; each with its heading."""
        low, high = BORDERLINE
        apart = f"Borderline pairs, p from {low:g} to {high:g} (they are in the bins too)"
        return (("Bins of p", readable(self.table)), (apart, readable(self.borderline)))


@dataclass(frozen=True, eq=False)
class Curve:
    """All pairs on the first segments of one domain, as many as the smallest domain has: their gains and p (P,), and the
    thresholds of their classes."""

    domain: str
    gains: Floats = field(repr=False)
    p_values: Floats = field(repr=False)
    sizes: tuple[Size, ...]
    synthetic: bool


@dataclass(frozen=True, eq=False)
class DomainsResult:
    """How far p on the `home` domain holds: on drawn test sets of one population, and on the other domains.

    `segments` and `units` are those of each of the `domains`. `real` is about the systems, `mixed` about mixtures of them
    (None without). `curves` have the pairs and the thresholds on equally many first segments of every domain; those of
    mixtures are the last.
    """

    setup: Setup
    systems: tuple[str, ...]
    alpha: float
    home: str
    domains: tuple[str, ...]
    segments: tuple[int, ...]
    units: tuple[int, ...]
    real: Held
    mixed: Held | None
    replicability: tuple[Replicated, ...]
    curves: tuple[Curve, ...]
    notes: tuple[str, ...]
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)

    @property
    def sizes(self) -> tuple[tuple[str, Size], ...]:
        """The thresholds of the classes on equally many first segments, as (domain, threshold)."""
        return tuple((curve.domain, item) for curve in self.curves for item in curve.sizes)


# What the domains say, as sentences.

DIRECTION = (
    "Replicability: the direction of each pair is the sign of its gain on all segments, so the same scores decide it. A count "
    "is too large with a probability of at most twice alpha, and it is not corrected for the number of pairs."
)


def of_counts(counts: Sequence[Replicated], domains: int, alpha: float) -> str:
    """How many pairs have an effect on at least one domain, and on all of them, by Bonferroni and by Fisher."""
    some = tuple(sum(getattr(item, name) >= 1 for item in counts) for name in ("bonferroni", "fisher"))
    whole = tuple(sum(getattr(item, name) == domains for item in counts) for name in ("bonferroni", "fisher"))
    return (
        f"At alpha {alpha:g}, {some[0]} of {count(len(counts), 'pair')} by Bonferroni ({some[1]} by Fisher) differ on at least "
        f"one of the {count(domains, 'domain')}, {whole[0]} ({whole[1]}) on all of them in the same direction."
    )


def of_few(few: Sequence[str], unit: Unit) -> tuple[str, ...]:
    """That a bootstrap has no p on some domains."""
    if not few:
        return ()
    return (
        f"{listed(few)}: fewer than {LEAST_UNITS} {unit.noun(2)}, so a bootstrap test has no p there, which is counted as no "
        "effect.",
    )


def of_segments(few: Sequence[str]) -> str:
    """That segments are drawn although there are documents."""
    return (
        f"Segments were resampled, not documents: {listed(few)} has fewer than {LEAST_UNITS} documents, too few for a "
        "bootstrap test there. If the segments of a document are alike, these p-values are too small."
        if len(few) == 1
        else f"Segments were resampled, not documents: {listed(few)} have fewer than {LEAST_UNITS} documents each, too few "
        "for a bootstrap test there. If the segments of a document are alike, these p-values are too small."
    )


MOST_SEGMENTS = 1_600  # of a drawn test set, as in the paper


@dataclass(frozen=True)
class DomainsPlan:
    """The domain of every segment and the home domain ("" = the largest); test sets to draw (0 = none) and their size (0 =
    1,600, or all segments where there are fewer); the level of the counts of replicability; how many mixtures of each of the
    `bases` are compared too."""

    domain_of: tuple[str, ...]
    home: str = ""
    draws: int = 100
    segments: int = 0
    alpha: float = 0.05
    mixtures: int = 0
    bases: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Domain:
    """The segments of one domain, and p of the pairs there, in their direction on all segments."""

    name: str
    part: PreparedPart
    units: int
    p_values: Floats


def run(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    plan: DomainsPlan,
    how: How | None = None,
    *,
    unit: str | Unit = AUTO,
    kinds: Mapping[str, str] | None = None,
    runtime: Runtime = LOCAL,
    measured: Measured | None = None,
    notes: Sequence[str] = (),
) -> DomainsResult:
    """Signs, replicability, thresholds by domain and the calibration under the first metric of `asked`.

    `runtime.publish` is called with all but the calibration, which takes longest. `measured` are the statistics where they
    are known, `notes` what is to be said of them.

    Raises: as `prepare`; MismatchError, OptionError and Undefined for domains that cannot be used; Cancelled from
    `runtime`.
    """
    how = how or How()
    names = _check(testset, outputs, plan)
    unit, why = _unit(testset, unit, plan.domain_of)
    prepared = prepare(testset, outputs, asked, how, unit=unit, kinds=kinds, runtime=runtime, measured=measured)
    prepared = replace(prepared, notes=(*notes, *why, *prepared.notes))
    pairs = by_gain(prepared.measured.systems)
    domains = list[Domain]()
    for number, name in enumerate(names):
        inner = runtime.staged("domains", number, len(names))
        domains.append(_domain(prepared, name, plan, pairs, how, inner))
    compared = [prepared.real, *([prepared.mixed(plan.mixtures, plan.bases)] if plan.mixtures else [])]
    curves = [curve for each in compared for curve in _curves(prepared, each, domains, how, runtime)]
    held = [_signs(each, domains, how, runtime.staged("signs", k, len(compared))) for k, each in enumerate(compared)]
    result = _result(prepared, plan, domains, pairs, curves, held)
    if not plan.draws:
        return result
    runtime.show(result)
    size = plan.segments or min(MOST_SEGMENTS, testset.n)
    for k, each in enumerate(compared):
        held[k] = replace(held[k], calibration=calibration(prepared, each, size, plan.draws, how, runtime))
    return _result(prepared, plan, domains, pairs, curves, held)


def run_sets(
    sets: Sequence[OneSet],
    asked: Asked,
    plan: DomainsPlan,
    how: How | None = None,
    *,
    runtime: Runtime = LOCAL,
    **drawing: Any,
) -> DomainsResult:
    """The same with several test sets as the domains, `plan.domain_of` left out; only systems that all of them have.

    Raises: as `run` and `together`.
    """
    joined = together(sets)
    measured = joined.measure(asked, runtime)
    plan = replace(plan, domain_of=joined.testset.domains)
    systems = joined.testset, joined.outputs
    return run(*systems, asked, plan, how, measured=measured, notes=joined.notes, runtime=runtime, **drawing)


def _signs(compared: Compared, domains: Sequence[Domain], how: How, runtime: Runtime) -> Held:
    """The tables of these systems: p on the first domain, signs on the others."""
    home, *others = domains
    found = points(compared, home.part, how, runtime)
    better, worse = found.pairs.T
    upward = {domain.name: scores(domain.part.of(compared.systems)) for domain in others}
    elsewhere = {name: values[better] - values[worse] for name, values in upward.items()}
    return Held(cells(found.p_values, found.gains, elsewhere), borderline(found.p_values, found.gains, elsewhere))


def _check(testset: Testset, outputs: Sequence[Outputs], plan: DomainsPlan) -> list[str]:
    """The names of the domains, the home domain first, the others as they first appear."""
    check_pairs(testset, outputs, plan.alpha)
    if plan.draws < 0 or plan.segments < 0:
        raise OptionError(f"draws = {plan.draws}, segments = {plan.segments}.", "", "They must be 0 or above.")
    if len(plan.domain_of) != testset.n:
        what = f"There are {count(len(plan.domain_of), 'domain')} for {count(testset.n, 'segment')}."
        raise MismatchError(what, testset.name, "Give the domain of every segment, one per line.")
    blank = next((i for i, name in enumerate(plan.domain_of) if not name.strip()), None)
    if blank is not None:
        raise MismatchError(
            "A segment has no domain.", f"{testset.name}, segment {blank + 1}", "Give every segment a domain."
        )
    names = list(dict.fromkeys(plan.domain_of))
    if len(names) < 2:
        raise Undefined(f"All segments are of the domain {names[0]}.", testset.name, "Give at least two domains.")
    home = plan.home or max(names, key=plan.domain_of.count)
    if home not in names:
        raise Undefined(f"There is no domain {home}.", testset.name, f"Domains: {listed(names)}.")
    return [home, *(name for name in names if name != home)]


def _unit(testset: Testset, unit: str | Unit, domain_of: Sequence[str]) -> tuple[str | Unit, tuple[str, ...]]:
    """The unit, and why it is not the document: automatic takes documents only if every domain has enough for a bootstrap."""
    if unit != AUTO or chosen_unit(testset, AUTO)[0] != DOCUMENT:
        return unit, ()
    own = Counter(name for name, _ in set(zip(domain_of, testset.documents, strict=True)))
    few = [name for name in own if own[name] < LEAST_UNITS]
    return (SEGMENT, (of_segments(few),)) if few else (unit, ())


def _domain(
    prepared: Prepared, name: str, plan: DomainsPlan, pairs: NDArray[np.intp], how: How, runtime: Runtime
) -> Domain:
    """One domain; p is one-sided, of the system that is better on the whole test set, also if `how` is two-sided."""
    part = prepared.part(np.nonzero(np.array(plan.domain_of) == name)[0])
    systems = part.of(prepared.measured.systems)
    found = examine(systems, pairs, replace(how, side="greater"), runtime)
    return Domain(name, part, systems[0].n, found.p_values)


def _curves(
    prepared: Prepared, compared: Compared, domains: Sequence[Domain], how: How, runtime: Runtime
) -> list[Curve]:
    """All pairs on the same number of first segments of every domain, with their thresholds (the paper's Figure 11)."""
    least = min(domain.part.n for domain in domains)
    out = []
    for number, domain in enumerate(domains):
        part = prepared.part(domain.part.segments[:least])
        inner = runtime.staged("domains of equal size", number, len(domains))
        found = points(compared, part, how, inner)
        sizes = []
        for name in sorted(set(found.classes.tolist()) - {""}):
            own = found.classes == name
            limit = threshold(found.gains[own], found.p_values[own], name, how.seed, compared.synthetic)
            sizes.append(Size(limit, least, least, least))
        out.append(Curve(domain.name, found.gains, found.p_values, tuple(sizes), compared.synthetic))
    return out


def at_alpha(result: DomainsResult, alpha: float) -> DomainsResult:
    """The same tests with the counts of replicability at another level."""
    again = tuple(replicated(item.system, item.baseline, item.p_values, alpha) for item in result.replicability)
    first = of_counts(again, len(result.domains), alpha)
    return replace(result, alpha=alpha, replicability=again, sentences=(first, *result.sentences[1:]))


def _result(
    prepared: Prepared,
    plan: DomainsPlan,
    domains: Sequence[Domain],
    pairs: NDArray[np.intp],
    curves: Sequence[Curve],
    held: Sequence[Held],
) -> DomainsResult:
    systems = [item.system for item in prepared.measured.systems]
    counts = [
        replicated(systems[a], systems[b], [float(domain.p_values[k]) for domain in domains], plan.alpha)
        for k, (a, b) in enumerate(pairs.tolist())
    ]
    few = [domain.name for domain in domains if domain.units < LEAST_UNITS]
    return DomainsResult(
        setup=prepared.setup,
        systems=tuple(systems),
        alpha=plan.alpha,
        home=domains[0].name,
        domains=tuple(domain.name for domain in domains),
        segments=tuple(domain.part.n for domain in domains),
        units=tuple(domain.units for domain in domains),
        real=held[0],
        mixed=held[1] if len(held) > 1 else None,
        replicability=tuple(counts),
        curves=tuple(curves),
        notes=(*prepared.notes, *of_few(few, prepared.unit), DIRECTION),
        sentences=(
            of_counts(counts, len(domains), plan.alpha),
            *("Mixtures: " * (k > 0) + str(each.calibration) for k, each in enumerate(held) if each.calibration),
        ),
    )
