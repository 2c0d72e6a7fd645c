"""Computes what the segments of a pair add to its gain, under every metric of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sigcore import data, significance
from sigcore.errors import Undefined
from sigcore.judgments import Judgments
from sigcore.results import Row
from sigcore.studies import compare, prepared, units
from sigcore.studies.pairs import How
from sigcore.studies.segments.fragility import Again, Fragility, fragility
from sigcore.studies.segments.influence import Behind, behind, influences
from sigcore.studies.segments.repeats import Repeats, repeats
from sigcore.studies.segments.result import SegmentsResult, flat, with_fragility
from sigcore.studies.segments.select import Filter
from sigcore.studies.segments.slices import Slice, slices
from sigcore.studies.segments.texts import Texts, answers_of, ratings_of
from sigcore.studies.statistics import Measured, measure
from sigcore.study import LOCAL, START, Runtime, Study, fixed
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import Floats, Kind


def run(study: Study, runtime: Runtime = LOCAL, texts: Texts | None = None, whole: bool = True) -> list[SegmentsResult]:
    """What every segment adds to the gain of the first system of the study over the second, for each metric.

    `texts` are the outputs as people read them, where the study is about their scores. With `whole` the fragility under
    the study's first test is part of it.

    Raises: Undefined for a system against itself; as `statistics.measure`.
    """
    system, baseline = study.outputs
    if system.system == baseline.system and system.run == baseline.run:
        raise Undefined(f"{system.system} is compared with itself.", study.testset.name, "Choose two systems.")
    shown = texts or Texts(study.testset, system, baseline)
    measured = measure(study.testset, study.outputs, study.metrics, runtime)
    found = [_read(study, one, shown) for one in measured]
    if not whole:
        return found
    return [with_fragility(one, *_fragile(study, of, shown, runtime)) for one, of in zip(found, measured, strict=True)]


def _read(study: Study, measured: Measured, texts: Texts) -> SegmentsResult:
    """The result under one metric, without its fragility."""
    system, baseline = study.outputs
    made = _prepared(study, measured)
    found = influences(measured.systems, _changes(study, measured))
    with np.errstate(all="ignore"):
        alone = np.array([item.score(item.values) for item in measured.systems])
    first, second = measured.scores.tolist()
    return SegmentsResult(
        setup=made.setup,
        system=system.system,
        baseline=baseline.system,
        scores=(first, second),
        gain=found.gain,
        influences=found.influences,
        without=found.without,
        segment_scores=np.where(np.isfinite(alone), alone, np.nan),
        scored_apart=(measured.systems[0].values != measured.systems[1].values).any(axis=1),
        texts=texts,
        notes=made.notes,
    )


def _changes(study: Study, measured: Measured) -> list[Floats]:
    """What the statistics of all other segments change by without each segment, for metrics with weights or classes from all
    references; [] for others."""
    metric, options = measured.metric, measured.options
    if metric.left_out is None:
        return []
    made = metric.prepare(study.testset.references, options)
    return [metric.left_out(item.segments, made, options) for item in study.outputs]


def _again(study: Study, measured: Measured) -> Again | None:
    """The statistics of the pair on files of some segments alone; None where they are rows of those that are known."""
    if not measured.metric.whole_references:
        return None

    def again(kept: NDArray[np.intp]) -> Sequence[SufficientStatistics]:
        def few(stream: Sequence[str]) -> tuple[str, ...]:
            return tuple(stream[k] for k in kept.tolist())

        testset = Testset(study.testset.name, study.testset.kind, len(kept), tuple(map(few, study.testset.references)))
        outputs = [replace(item, segments=few(item.segments), digest="") for item in study.outputs]
        (found,) = measure(testset, outputs, [(measured.metric.name, measured.options)])
        return found.systems

    return again


def _prepared(study: Study, measured: Measured) -> prepared.Prepared:
    asked = [(measured.metric.name, measured.options)]
    return prepared.prepare(study.testset, study.outputs, asked, How.of(study), unit=study.unit, measured=measured)


Fragile = tuple[Fragility | None, Fragility | None, Repeats | None]


def _fragile(study: Study, measured: Measured, texts: Texts, runtime: Runtime) -> Fragile:
    """The fragility of the pair under one metric, of segments and of documents where there are several; and what segments
    repeat each other."""
    made, documents = _prepared(study, measured), units.documents_of(study.testset)
    names = list(dict.fromkeys(study.testset.documents))
    how = replace(How.of(study), exact=study.settings.exact)
    pair, alpha, own = measured.systems, study.alpha, _again(study, measured)

    def of(item_of: units.Groups | None, named: Sequence[str]) -> Fragility | None:
        return fragility(
            pair, how, alpha, unit_of=made.unit_of, item_of=item_of, names=named, runtime=runtime, again=own
        )

    several = documents is not None and 1 < len(names) < study.testset.n
    one = of(None, ())
    again = None if one is None else repeats(pair, texts, how, alpha, one.p_before, made.unit_of, runtime, own)
    return one, of(documents, names) if several else None, again


def sliced(
    study: Study, texts: Texts, runtime: Runtime = LOCAL, columns: Mapping[str, Sequence[str]] | None = None
) -> list[tuple[Slice, ...]]:
    """The gain of the pair on the declared parts of the test set, and by `columns` of names, for each metric of the study."""
    found = []
    for measured in measure(study.testset, study.outputs, study.metrics, runtime):
        made = _prepared(study, measured)
        adds = influences(measured.systems, _changes(study, measured)).influences
        how, alpha = How.of(study), study.alpha
        parts = slices(measured.systems, texts, made.setup, how, alpha, adds, made.unit_of, runtime, columns)
        found.append(tuple(parts))
    return found


def behind_bar(study: Study, ends: tuple[float, float], runtime: Runtime = LOCAL) -> Behind:
    """What each segment adds to the gains of the first resamples, at most START, whose pseudo-gain is between two ends:
    of the pair under the first metric and the first test of the study, as the histogram of the pair shows them.

    Raises: Undefined for a test that draws nothing.
    """
    name = (study.tests or ("",))[0]
    drawn = compare.run(replace(study, tests=(name,), resamples=min(fixed(study.resamples), START)), runtime)
    measured, null, draws = drawn.matrix.measured[0], drawn.nulls[0][name], significance.get(name).draws
    if null is None or draws is None:
        raise Undefined(f"{significance.get(name).title} draws no resamples.", "", "Choose another test.")
    unit_of = _prepared(study, measured).unit_of
    # a draw keeps the weights and classes of all references, so here a segment adds its own rows alone
    return behind(influences(measured.systems), null, ends, draws, study.seed, unit_of)


def fragile(study: Study, texts: Texts, runtime: Runtime = LOCAL) -> Fragile:
    """The fragility of the pair under the first metric of the study: of segments, and of documents where there are any; and
    the segments that repeat another one."""
    (measured,) = measure(study.testset, study.outputs, study.metrics[:1], runtime)
    return _fragile(study, measured, texts, runtime)


def texts_of(
    collection: data.Collection, loaded: data.Ready, system: str, baseline: str, ratings: Judgments | None = None
) -> Texts:
    """The outputs of a pair as people read them: of scores, the texts that are loaded with them, or the answers in their logs."""
    of = {outputs.system: outputs for outputs in loaded.outputs}
    shown = Texts(loaded.testset, of[system], of[baseline], loaded.ids)
    kinds: tuple[Kind, ...] = collection.choices.kinds
    if loaded.testset.kind != "text" and "text" in kinds:
        other = data.assemble(collection.edited(), collection.name, "text", collection.testset)
        named: dict[str, Outputs] = {outputs.system: outputs for outputs in other.outputs}
        if other.testset is not None and other.testset.n == loaded.testset.n and {system, baseline} <= named.keys():
            shown = Texts(other.testset, named[system], named[baseline], other.ids)
    elif loaded.testset.kind == "scores":
        shown = answers_of(collection, loaded, shown)
    return shown if ratings is None else replace(shown, ratings=ratings_of(ratings, shown))


def table(result: SegmentsResult, of: Filter | None = None, limit: int | None = None) -> list[Row]:
    """The segments that the filter leaves as rows of a table, at most `limit` of them."""
    return [flat(result.segment(place)) for place in result.select(of)[:limit].tolist()]
