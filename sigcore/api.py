"""One line in Python: a pair or a dict of systems compared; printing the result prints the verdict."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sigcore import corrections, metrics, readers
from sigcore.data import Collection, Loaded, Ready, option_of, read_paths
from sigcore.errors import SigError
from sigcore.formatting import count, listed
from sigcore.readers import Intake, Item
from sigcore.results import ALPHA, CompareResult, MatrixResult, Ranks
from sigcore.studies import compare as compare_study
from sigcore.studies import matrix as matrix_study
from sigcore.studies import segments as segments_study
from sigcore.studies import strip as strip_study
from sigcore.studies import trust as trust_study
from sigcore.studies.segments import SegmentsResult
from sigcore.studies.strip import StripResult
from sigcore.studies.trust import TrustPlan, TrustResult
from sigcore.study import Runtime, Settings, Study
from sigcore.types import AUTO, PLANNED_PAIR, Comparisons, Kind, Role, Side, Unit

# A file, or its segments: strings, or numbers if the metric takes scores.
Source = str | os.PathLike[str] | Sequence[str] | Sequence[float]
# One reference, or several.
References = Source | Sequence[Source]

RANDOMIZATION = "approximate_randomization"


def compare(
    system: Source,
    baseline: Source,
    references: References = (),
    metric: str = "bleu",
    *,
    options: Mapping[str, object] | None = None,
    test: str = RANDOMIZATION,
    side: Side = "two-sided",
    unit: str | Unit = AUTO,
    documents: Source = (),
    missing_codes: Sequence[float | str] = (),
    accept_order: bool = False,
    names: tuple[str, str] = ("", ""),
    resamples: int | str = AUTO,
    seed: int = 12345,
) -> CompareResult:
    """The comparison of a system with a baseline; printing it prints the verdict on a single planned comparison.

    A string or a path names a file in any supported format; a list of strings holds the segments themselves.
    Give several references as a list of paths (`pathlib.Path`) or of lists. `names` are the names of the two systems
    (by default those of their files, or "system" and "baseline"). `unit` "auto" is the document where there are enough of
    them, `resamples` "auto" as many as the verdict at alpha 0.05 needs. `missing_codes` are numbers that mean a missing score,
    such as -1; with "none", all numbers are scores. `accept_order` says that the lines of all outputs are in the order of the
    reference, whatever their rare words say.

    Raises: SigError with every problem in the files; UnknownMember, OptionError and Undefined as in the studies.
    """
    called = _called(names, system, baseline)
    sources = dict(zip(called, (system, baseline), strict=True))
    loaded = _loaded(sources, references, documents, metric, missing_codes, accept_order)
    study = _study(loaded, metric, options, test, Settings(side), unit, resamples, seed)
    (result,) = compare_study.results(replace(study, family=PLANNED_PAIR), Runtime(cache={}), [side])
    return replace(result, notes=(*_warnings(loaded), *result.notes))


def matrix(
    systems: Mapping[str, Source] | Sequence[str | os.PathLike[str]],
    references: References = (),
    metric: str = "bleu",
    *,
    options: Mapping[str, object] | None = None,
    test: str = RANDOMIZATION,
    side: Side = "two-sided",
    correction: str = AUTO,
    baseline: str = "",
    pairs: Sequence[tuple[str, str]] = (),
    unit: str | Unit = AUTO,
    documents: Source = (),
    missing_codes: Sequence[float | str] = (),
    accept_order: bool = False,
    resamples: int | str = AUTO,
    seed: int = 12345,
) -> MatrixResult:
    """All pairs of systems compared; printing the result prints a summary, a notebook shows it as a coloured grid.

    `systems` is a dict from names to files or lists of segments, or a list of files. With a `baseline` every other system
    is tested against it alone, and with `pairs` of (system, baseline) these are tested: p is corrected over those tests.
    The rest is as in `compare`.

    Raises: SigError with every problem in the files; UnknownMember, OptionError and Undefined as in the studies.
    """
    named = _by_name(systems)
    loaded = _loaded(named, references, documents, metric, missing_codes, accept_order)
    study = _study(loaded, metric, options, test, Settings(side, correction=correction), unit, resamples, seed)
    if baseline or pairs:
        study = replace(
            study, family=Comparisons("one baseline" if baseline else "chosen pairs", baseline, tuple(pairs))
        )
    (result,) = matrix_study.results(study, Runtime(cache={}))
    return replace(result, notes=(*_warnings(loaded), *result.notes))


def rank(result: MatrixResult, alpha: float = ALPHA) -> Ranks:
    """Who is first and who is tied, from the result of `matrix`: `systems` with ranges of ranks, `tied` and `clusters`.

    All ranges hold together with probability at least 1 - alpha if the correction bounds the chance of any false verdict,
    as max-T, Holm and Bonferroni do: see `simultaneous`. Source: Mogstad, Romano, Shaikh & Wilhelm 2024.
    """
    return Ranks(result, alpha, corrections.get(result.setup.correction).rate == "family-wise")


def segments(
    system: Source,
    baseline: Source,
    references: References = (),
    metric: str = "bleu",
    *,
    options: Mapping[str, object] | None = None,
    test: str = RANDOMIZATION,
    side: Side = "two-sided",
    unit: str | Unit = AUTO,
    documents: Source = (),
    names: tuple[str, str] = ("", ""),
    alpha: float = ALPHA,
    resamples: int = 10_000,
    seed: int = 12345,
    slices: bool = False,
    by: Mapping[str, Sequence[str]] | None = None,
) -> SegmentsResult:
    """What each segment adds to the gain of a system over a baseline; printing it says where the gain comes from.

    `result.influences` are the numbers (n,), `result.segments()` the segments with their texts and the words that differ,
    the largest influence first, and `result.fragility` the fewest segments whose removal moves p across alpha. With
    `slices` the gain on parts of the test set is in `result.slices`, also on those that the columns of `by` name for every
    segment. The rest is as in `compare`.

    Raises: SigError with every problem in the files; UnknownMember, OptionError and Undefined as in the studies.
    """
    called = _called(names, system, baseline)
    loaded = _loaded(dict(zip(called, (system, baseline), strict=True)), references, documents, metric)
    study = _study(loaded, metric, options, test, Settings(side), unit, resamples, seed)
    study, runtime = replace(study, family=PLANNED_PAIR, alpha=alpha), Runtime(cache={})
    (result,) = segments_study.run(study, runtime)
    if slices or by:
        result = replace(result, slices=segments_study.sliced(study, result.texts, runtime, by)[0])
    return replace(result, notes=(*_warnings(loaded), *result.notes))


def trust(
    systems: Mapping[str, Source] | Sequence[str | os.PathLike[str]],
    references: References = (),
    metric: str = "bleu",
    *,
    options: Mapping[str, object] | None = None,
    test: str = RANDOMIZATION,
    side: Side = "two-sided",
    correction: str = AUTO,
    unit: str | Unit = AUTO,
    documents: Source = (),
    repetitions: int = trust_study.REPETITIONS,
    null: trust_study.Null = "auto",
    planted: Sequence[float] = (),
    coverage: bool = False,
    seed: int = 12345,
) -> TrustResult:
    """How often the test rejects where the outputs of the systems change places by chance; printing it says whether it keeps its
    false-alarm rate at alpha on these data.

    `result.rates` are the rejections at alpha .05 and .01 with their exact 95% intervals, `result.p_values` p of every
    repetition, sorted. `test` "riezler_maxwell" is their rule, which fails; "unpaired_t" and "rank_sum" are unpaired tests, on two
    halves of one system. `null` says what changes places together, "auto" documents where there are any. `planted` shares of the gains give the power, and of a pair
    `coverage` how often the interval of the gain holds a known one. The rest is as in `matrix`.

    Raises: SigError with every problem in the files; UnknownMember, OptionError and Undefined as in the studies.
    """
    named = _by_name(systems)
    loaded = _loaded(named, references, documents, metric)
    rule = test if test in trust_study.RULES else ""
    drawn = trust_study.BASE if rule else test
    study = _study(loaded, metric, options, drawn, Settings(side, correction=correction), unit, AUTO, seed)
    plan = TrustPlan(repetitions, null, tuple(planted), rule, coverage=coverage)
    result = trust_study.run(study, plan, Runtime(cache={}))
    return replace(result, notes=(*_warnings(loaded), *result.notes))


def strip(
    system: Source,
    baseline: Source,
    references: References = (),
    metric: str = "bleu",
    *,
    options: Mapping[str, object] | None = None,
    test: str = RANDOMIZATION,
    side: Side = "two-sided",
    unit: str | Unit = AUTO,
    documents: Source = (),
    names: tuple[str, str] = ("", ""),
    alpha: float = ALPHA,
    resamples: int | str = AUTO,
    seed: int = 12345,
) -> StripResult:
    """A pair under every test and every unit of its data, and what other programs print; printing it says who finds a difference.

    `result.tiles` are the tests over segments and over documents where there are any, `result.elsewhere` the programs, and
    `result.rows()` both as a table. `test` and `unit` are those that are marked; all draw as many resamples as this test
    needs. Nothing is corrected for the number of tests. The rest is as in `compare`.

    Raises: SigError with every problem in the files; UnknownMember, OptionError and Undefined as in the studies.
    """
    called = _called(names, system, baseline)
    loaded = _loaded(dict(zip(called, (system, baseline), strict=True)), references, documents, metric)
    study = _study(loaded, metric, options, test, Settings(side), unit, resamples, seed)
    result = strip_study.run(replace(study, alpha=alpha), Runtime(cache={}))
    return replace(result, notes=(*_warnings(loaded), *result.notes))


def _by_name(systems: Mapping[str, Source] | Sequence[str | os.PathLike[str]]) -> Mapping[str, Source]:
    """The systems by name; files have their own.

    Raises: SigError where two would have the same name.
    """
    named = systems if isinstance(systems, Mapping) else {_name_of(path, ""): path for path in systems}
    if len(named) < len(systems):
        raise SigError("Two files would have the same name.", "", "Give a dict from names to files.")
    return named


def _called(names: tuple[str, str], system: Source, baseline: Source) -> list[str]:
    """The names of a pair.

    Raises: SigError where both are the same.
    """
    called = [
        name or _name_of(source, usual)
        for name, source, usual in zip(names, (system, baseline), ("system", "baseline"), strict=True)
    ]
    if called[0] == called[1]:
        raise SigError(f"Both systems are named {called[0]!r}.", "", "Give each its own name: names=('A', 'B').")
    return called


def _study(
    loaded: Ready,
    metric: str,
    options: Mapping[str, object] | None,
    test: str,
    settings: Settings,
    unit: str | Unit,
    resamples: int | str,
    seed: int,
) -> Study:
    asked = [(metric, _oriented(metric, options, loaded))]
    return Study(
        loaded.testset, loaded.outputs, asked, [test], unit, settings, alpha=ALPHA, resamples=resamples, seed=seed
    )


def _oriented(metric: str, options: Mapping[str, object] | None, loaded: Loaded) -> dict[str, object]:
    """The options of the metric; scores start with the name and the direction that their files give."""
    known = {option.name for option in metrics.get(metric).options}
    given = dict(options or {})
    if metrics.get(metric).kind == "scores" and {"better", "label"} <= known:
        given.setdefault("label", loaded.measure or None)
        given.setdefault("better", option_of(loaded.direction, str(given["label"] or "")))
    return given


def _warnings(loaded: Loaded) -> list[str]:
    """The warnings of the data checks, one line each."""
    return [str(finding) for finding in loaded.of("warning")]


def _name_of(source: Source, usual: str) -> str:
    """The display name of a file; the default name for a list."""
    return readers.display_name(os.fspath(source)) if isinstance(source, str | os.PathLike) else usual


def _loaded(
    named: Mapping[str, Source],
    references: References,
    documents: Source,
    metric: str,
    codes: Sequence[float | str] = (),
    accept_order: bool = False,
) -> Ready:
    """The test set of these systems and references.

    Raises: SigError with every problem in them.
    """
    kind = metrics.get(metric).kind
    items = [item for name, source in named.items() for item in _items(source, "system", kind, name)]
    for number, source in enumerate(_several(references), start=1):
        items += _items(source, "reference", kind, f"reference {number}")
    if isinstance(documents, os.PathLike) or len(documents):
        items += _items(documents, "documents", "text", "documents")
    collection = Collection()
    collection.add_intake(Intake(tuple(items)))
    collection.select(kind=kind, codes=[str(code) for code in codes], accept_order=accept_order)
    return collection.sound()


def _several(references: References) -> list[Source]:
    """The references as a list of sources; a path or a list of segments is a single source.

    Raises: SigError for a list of file names, which would be read as segments.
    """
    if isinstance(references, str | os.PathLike):
        return [references]
    strings = [one for one in references if isinstance(one, str)]
    if not strings or len(strings) < len(references):
        return [one for one in references if not isinstance(one, float)]
    if all(Path(one).is_file() for one in strings):
        message = "A list of strings is a list of segments, but these are the names of files."
        raise SigError(message, listed(strings), "Give files as pathlib.Path, or a single file as a string.")
    return [strings]


def _items(source: Source, role: Role, kind: Kind, name: str) -> list[Item]:
    """The items of a file or a list in that role, with the documents and domains that the file contains.

    Raises: SigError for a file that does not contain exactly one stream for that role.
    """
    if not isinstance(source, str | os.PathLike):
        segments = tuple(str(segment) for segment in source)
        return [Item(name, role, kind, segments, name, f"{count(len(segments), 'segment')} given in Python")]
    files, given = read_paths((), {role: [source]})
    collection = Collection()
    collection.add(files, given)
    collection.refuse_problems()
    of_role = [item for item in collection.items if item.role == role]
    fitting = [item for item in of_role if item.kind == kind] or of_role
    if len(fitting) != 1:
        message = f"{os.fspath(source)} contains {len(fitting)} streams that can be a {role}, not one."
        raise SigError(message, "", "Give one file for each, or use sigcore.Collection for files that contain several.")
    beside = [item for item in collection.items if item.role in ("documents", "domains") and role == "system"]
    return [replace(fitting[0], name=name, testset="", measure=""), *beside]
