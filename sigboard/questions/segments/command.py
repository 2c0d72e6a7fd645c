"""The segments behind the gain of a pair: what each adds, with its texts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from sigboard.questions.segments import report
from sigboard.render import sentences
from sigboard.terminal import arguments
from sigboard.terminal.arguments import drawing, files, level, metrics_and_tests
from sigboard.terminal.loading import collect, load
from sigboard.terminal.output import STDOUT, give, write
from sigcore import OptionError, SigError, data
from sigcore.studies import segments
from sigcore.types import Row

PRINTED = 10  # segments in a terminal


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The two systems, the metrics, the test, and which segments are shown."""
    files(command)
    metrics_and_tests(command)
    level(command)
    add = command.add_argument
    add("--pair", nargs=2, default=[], metavar=("SYSTEM", "BASELINE"), help="the pair, among more than two systems")
    help = "gain: the segments that speak for the system first; loss: those for the baseline; size: the largest; segment: as in the file"
    add("--sort", default="gain", choices=segments.SORTS, help=help)
    help = f"how many segments (default: {PRINTED} in a terminal, all in files)"
    add("--limit", type=arguments.whole, metavar="N", help=help)
    add("--search", default="", metavar="TEXT", help="only segments with this text in source, reference or an output")
    add("--regex", default="", metavar="PATTERN", help="only segments in which this regular expression matches")
    help = "only references of this many words: 10-20, 10- (at least), -20 (at most)"
    add("--where-length", default="", metavar="RANGE", help=help)
    add("--document", default="", metavar="NAME", help="only segments of this document")
    add("--domain", default="", metavar="NAME", help="only segments of this domain")
    add("--differing", action="store_true", help="only segments on which the two outputs differ")
    help = "only segments whose outputs differ in nothing but case, punctuation, numbers or order; words: in more"
    add("--edit", default="", choices=segments.EDITS[1:], help=help)
    add("--segment", type=arguments.whole, nargs="+", default=[], metavar="N", help="only these segments, by number")
    help = "also the gain on parts of the test set: by length, domain, document, questions, numbers, names, rare words, script"
    add("--slices", action="store_true", help=help)
    help = "also slices by these files: a table with headings (CSV, TSV, JSON lines), or a name for every segment, one per line"
    add("--by", nargs="+", default=[], metavar="FILE", help=help)
    add("--html", metavar="FILE", help="write the segments with their differences as one HTML file")
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """One pair, the first system against the second."""
    if args.limit is not None and args.limit < 0:
        raise OptionError(f"--limit is {args.limit}.", "", "Give 0 or more.")
    if len(args.test) > 1:
        raise OptionError("segments uses one --test.", "", "Name one.")
    filtered = filter_of(args)
    collection = collect(args)
    loaded, warnings = load(args, collection)
    names = pair_of(args, loaded)
    warnings += sentences.note_on_names([outputs.system for outputs in loaded.outputs])
    of = {outputs.system: outputs for outputs in loaded.outputs}
    study = arguments.study_of(args, loaded).of_pair(*(of[name] for name in names))
    texts = segments.texts_of(collection, loaded, *names)
    runtime = arguments.runtime(args)
    results = segments.run(study, runtime, texts)
    if args.slices or args.by:
        parts = segments.sliced(study, texts, runtime, segments.read_columns(args.by, texts.ids))
        results = [replace(one, slices=own) for one, own in zip(results, parts, strict=True)]
    give_all(args, [shown_of(result, filtered, args) for result in results], warnings)


def filter_of(args: argparse.Namespace) -> segments.Filter:
    """What the arguments leave out.

    Raises: OptionError for a range of lengths that cannot be read.
    """
    least, most = segments.read_lengths(args.where_length) if args.where_length else (0, segments.NO_END)
    return segments.Filter(
        search=args.search,
        pattern=args.regex,
        least=least,
        most=most,
        document=args.document,
        domain=args.domain,
        differing=args.differing,
        edit=args.edit,
        sort=args.sort,
        segments=tuple(args.segment),
    )


def pair_of(args: argparse.Namespace, loaded: data.Ready) -> tuple[str, str]:
    """The names of the pair.

    Raises: SigError where more than two systems were given and none named; OptionError for a name that is not there.
    """
    names = [outputs.system for outputs in loaded.outputs]
    if args.pair:
        unknown = [name for name in args.pair if name not in names]
        if unknown:
            raise OptionError(f"There is no system {unknown[0]!r}.", "--pair", f"Choose from: {', '.join(names)}.")
        return args.pair[0], args.pair[1]
    if len(names) != 2:
        fix = "Name the pair: --pair SYSTEM BASELINE."
        raise SigError(f"segments takes two systems, but {len(names)} were given.", "", fix)
    return names[0], names[1]


def shown_of(result: segments.SegmentsResult, filtered: segments.Filter, args: argparse.Namespace) -> segments.Shown:
    """The segments that are written: as many as --limit says; in a terminal a few."""
    places = result.select(filtered)
    printed = args.json is None and args.csv is None and args.html is None and args.latex is None
    limit = args.limit if args.limit is not None else PRINTED if printed else len(places)
    return segments.Shown(result, [result.segment(place) for place in places[:limit].tolist()], len(places))


def give_all(args: argparse.Namespace, shown: Sequence[segments.Shown], warnings: list[str]) -> None:
    """Print or write the segments."""
    if args.html:
        write(args.html, report.page(shown))
    if args.html == STDOUT and args.json is None:
        return
    few = [replace(one, segments=one.segments[: args.limit or PRINTED]) for one in shown]

    def rows() -> list[Row]:
        return [{"metric": one.result.setup.metric, **segments.flat(item)} for one in shown for item in one.segments]

    content: Row = {"results": [], "warnings": list(dict.fromkeys(warnings))}
    if args.json is not None:
        content = report.segments_json(shown, list(dict.fromkeys(warnings)))
    notes = [note for one in shown for note in one.result.notes]
    give(args, content, [report.table(one) for one in few], notes=notes, rows=rows)
