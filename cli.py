"""The terminal's door: the same questions and options as the screen, JSON or a table out."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

# Our blocks use every core themselves. The linear algebra library reads this once, when numpy is first imported; threads
# of its own would cost start-up time and memory and then lie idle.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sigboard.reports import human as human_reports
from sigboard.reports import human_latex, tables, text
from sigboard.reports.json import compare_json, matrix_json
from sigboard.reports.scores import counts_latex, scores_table
from sigboard.reports.scores_json import scores_json
from sigcore import (
    ESTIMATORS,
    SIDES,
    TIE_RULES,
    Judgments,
    Option,
    OptionError,
    Settings,
    SigError,
    UnknownMember,
    corrections,
    data,
    executors,
    gathered,
    metrics,
    read_asked,
    readers,
    significance,
    statistics_on_disk,
)
from sigcore.studies import compare, human, matrix, scores

SHOWN = 6  # files named in one note
SIDES = ("system", "reference", "possible", "source")  # roles that a person gives on the command line


def read_roles(
    paths: Sequence[str], role: str, choice: tuple[str, dict[str, object]] | None = None
) -> tuple[list[readers.Item], list[str]]:
    """The streams in the files and folders, with the given role, and what is worth knowing about them; `choice` is the
    format of all of them with its options, None lets each file tell its own.

    A file, a folder or an archive that holds outputs as well as references or sources says itself which is which.
    Raises: SigError, with every problem of every file.
    """
    labels = readers.files_apart(map(readers.clean, paths))
    files = [file for path, label in zip(paths, labels, strict=True) for file in _inside(path, label)]
    found = readers.read(files, chosen={"": choice} if choice else None)
    if found.problems:
        raise _together(list(found.problems))
    sources: dict[str, list[readers.Item]] = {label: [] for label in ("", *labels)}
    for item in found.items:
        sources[_of(item, labels)].append(item)
    items = [item for own in sources.values() for item in _with_role(own, role)]
    told = _told(found.notices)
    return items, told


def _told(notices: Sequence[readers.Notice]) -> list[str]:
    """What is worth knowing of which files; the same words about several files are one line."""
    places: dict[str, list[str]] = {}
    for n in notices:
        places.setdefault(n.message, []).append(f"{n.file}{f', line {n.line}' if n.line else ''}")
    out = []
    for message, found in places.items():
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        where = "; ".join(found[:SHOWN]) + more
        out.append(f"{where}: {message}" if where else message)
    return out


def _of(item: readers.Item, labels: Sequence[str]) -> str:
    """The file, folder or archive of the command line that a stream came from; "" for what several gave together."""
    found = (label for label in labels if item.file == label or item.file.startswith(f"{label}/"))
    return max(found, key=len, default="")


def _with_role(items: Sequence[readers.Item], role: str) -> list[readers.Item]:
    """The streams of one file with the role the person gave it, unless it tells several apart."""
    told = {item.role for item in items} & set(SIDES)
    if len(told) > 1 or (role not in SIDES and len(items) > 1):
        return list(items)
    given = (*SIDES, "ignored") if len(items) == 1 else SIDES
    return [replace(item, role=role) if item.role in given else item for item in items]


def read_documents(path: str) -> tuple[list[readers.Item], list[str]]:
    """The document of every segment: one name per line, or the document column of a table.

    Raises: SigError where the file cannot be read, or has no such column.
    """
    items, told = read_roles([path], "documents")
    items = [item for item in items if item.role == "documents"]
    if not items:
        raise SigError(f"{path} names no documents.", "", "Give one name per line, or a table with a column document.")
    return items, told


def _inside(path: str, label: str) -> list[tuple[str, bytes]]:
    """The file, or all files in the folder, each with its name and bytes."""
    if not Path(path).is_dir():
        return [(label, _bytes(path))]
    inside = sorted(p for p in Path(path).rglob("*") if p.is_file() and p.name[0] != ".")
    if len(inside) > readers.Limits.members:
        what = f"{path} holds {len(inside):,} files: the bound is {readers.Limits.members:,}."
        raise SigError(what, "", "Name the files, or a smaller folder.")
    return [(f"{label}/{p.relative_to(path).as_posix()}", _bytes(str(p))) for p in inside]


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SigError(
            f"{path} cannot be read: {error.strerror}.", "", "Check the name and the permissions."
        ) from error


def _together(problems: Sequence[SigError]) -> SigError:
    return problems[0] if len(problems) == 1 else SigError("\n".join(str(problem) for problem in problems))


def load(args: argparse.Namespace) -> tuple[data.Loaded, list[str]]:
    """The test set and the outputs named on the command line, with warnings.

    Raises: SigError where anything that was asked for cannot be used: nothing is left out silently.
    """
    choice = _format(args)
    references, told = read_roles(args.reference, "reference", choice) if args.reference else ([], [])
    documents, noticed = read_documents(args.documents) if args.documents else ([], [])
    systems, more = read_roles(args.systems, "system", choice) if args.systems else ([], [])
    told += noticed
    if args.known:
        name, slash, pair = args.known.rpartition("/")
        if not slash:
            raise SigError(f"{args.known!r} is no known test set.", "", "Write NAME/PAIR, for example wmt22/cs-en.")
        found = readers.load_known(name, pair, *([_progress()] if sys.stderr.isatty() else []))
        references += found.items
        told += _told(found.notices)
    items = [*documents, *references, *systems]
    kind = _kind(args, items)
    _refuse_unknown("test set", args.testset, data.choices(items).testsets)
    _refuse_unknown("measure", args.measure, data.choices(items, args.testset, kind).measures)
    loaded = data.assemble(items, args.name, kind, args.testset, args.measure, args.missing)
    errors = [SigError(f.what, f.where, f.fix) for f in loaded.of("error")]
    if errors:
        raise _together(errors)
    findings = [f for severity in ("warning", "note") for f in loaded.of(severity)]
    return loaded, told + more + [" ".join(part for part in (f.what, f.where, f.fix) if part) for f in findings]


def _refuse_unknown(what: str, name: str, known: Sequence[str]) -> None:
    """Raises: UnknownMember where the files hold none of that name: another one is never taken instead."""
    if name and name not in known:
        raise UnknownMember(f"{what} in these files", name, filter(None, known))


def _kind(args: argparse.Namespace, items: Sequence[readers.Item]) -> str:
    """The kind that the metrics take; where none is asked for, the usual one of what was loaded is set.

    Raises: SigError for metrics of two kinds, or of one that no system has.
    """
    there = data.choices(items, args.testset).kinds
    if args.metric is None:
        args.metric = [metrics.usual(there[0] if there else "text")]
    kinds = {metrics.get(name).kind for name in args.metric}
    if len(kinds) > 1:
        raise SigError(
            f"Metrics of {' and of '.join(sorted(kinds))} cannot be asked for at once.", "", "Run them one by one."
        )
    kind = kinds.pop()
    if there and kind not in there:
        fitting = ", ".join(metric.name for metric in metrics.members().values() if metric.kind == there[0])
        what = f"{args.metric[0]} takes {kind}, but the systems' files hold {' and '.join(there)}."
        raise SigError(
            what, "", f"Ask for a metric of {there[0]} ({fitting}), or say with --format what the files are."
        )
    return kind


def _format(args: argparse.Namespace) -> tuple[str, dict[str, object]] | None:
    """The format all files are read in, with its options; None where each file tells its own."""
    if args.format is None:
        if args.format_option:
            raise SigError("--format-option needs --format.", "", "Say which format it belongs to (see: list).")
        return None
    pairs = [option.partition("=") for option in args.format_option]
    bad = next((option for option, (_, equals, _) in zip(args.format_option, pairs, strict=True) if not equals), None)
    if bad is not None:
        raise SigError(f"{bad!r} is not an option of a format.", "", "Write name=value.")
    options: dict[str, object] = {name: value for name, _, value in pairs}
    readers.get(args.format).chosen(options)
    return args.format, options


def _settings(args: argparse.Namespace) -> Settings:
    return Settings(args.alternative, args.estimator, args.ties, args.correction)


def _asked(args: argparse.Namespace, measure: str) -> list[tuple[str, dict[str, object]]]:
    """The metrics with their options; scores are called what their file calls them, unless an option says otherwise."""
    asked = read_asked(args.option, args.metric)
    for name, options in asked:
        if measure and any(option.name == "label" for option in metrics.get(name).options):
            options.setdefault("label", measure)
    return asked


def _common(args: argparse.Namespace, measure: str) -> dict[str, Any]:
    return {
        "asked": _asked(args, measure),
        "tests": args.test,
        "unit": args.unit,
        "resamples": args.resamples,
        "seed": args.seed,
        "executor": executors.get(args.executor) if args.workers is None else executors.local(args.workers),
        "cache": statistics_on_disk(),
        "progress": _progress() if sys.stderr.isatty() else None,
    }


def _progress() -> Any:
    def show(phase: str, done: int, total: int) -> None:
        print(f"\r\033[K{phase}: {done} of {total}", end="\r" if done >= total else "", file=sys.stderr, flush=True)

    return show


def run_matrix(args: argparse.Namespace) -> None:
    """All pairs."""
    corrections.get(args.correction)
    loaded, warnings = load(args)
    assert loaded.testset is not None
    run = matrix.run(loaded.testset, loaded.outputs, **_common(args, loaded.measure))
    results = [matrix.read(run, m, t, _settings(args)) for m in args.metric for t in args.test]
    warnings += [note for result in results for note in result.notes]
    _give(
        args, matrix_json(results, list(dict.fromkeys(warnings))), [text.matrix_table(r, args.alpha) for r in results]
    )


def run_compare(args: argparse.Namespace) -> None:
    """One pair: the first system against the second."""
    loaded, warnings = load(args)
    assert loaded.testset is not None
    if len(loaded.outputs) != 2:
        raise SigError(f"compare takes two systems, {len(loaded.outputs)} were given.", "", "Use matrix for more.")
    run = compare.run(loaded.testset, *loaded.outputs, **_common(args, loaded.measure))
    results = [compare.read(run, m, _settings(args)) for m in args.metric]
    warnings += [note for result in results for note in result.notes]
    _give(
        args,
        compare_json(results, list(dict.fromkeys(warnings)), args.alternative),
        [text.compare_table(r, args.alpha) for r in results],
    )


def read_judgments(args: argparse.Namespace) -> tuple[Judgments, list[str]]:
    """The ratings in the files, as one, renamed as asked, and what is worth knowing about them.

    Raises: SigError where a file holds no ratings, or one that is left out.
    """
    read = readers.read_ratings((path, _bytes(path)) for path in args.assessments)
    if read.problems:
        raise _together(list(read.problems))
    found = read.judgments
    told = _told(read.notices)
    chosen = [part for part in found if args.ratings in ("", part.name)]
    if not chosen or (not args.ratings and len(found) > len(args.assessments)):
        what = f"No ratings are called {args.ratings!r}." if args.ratings else "One file holds several sets of ratings."
        raise SigError(what, "", f"Choose one with --ratings: {', '.join(part.name for part in found)}.")
    if any("=" not in pair for pair in args.rename):
        raise SigError(f"--rename {' '.join(args.rename)}", "", "Write JUDGED=OUTPUT, for example Online-W.2=Online-W.")
    return human.named(gathered(chosen), dict(pair.split("=", 1) for pair in args.rename)), told


def run_human(args: argparse.Namespace) -> None:
    """Metrics and tests against people."""
    judgments, told = read_judgments(args)
    loaded, warnings = load(args)
    assert loaded.testset is not None
    matched = human.match(list(dict.fromkeys(judgments.system.tolist())), [o.system for o in loaded.outputs])
    judgments = human.named(judgments, matched.names)
    people = human.people(judgments, args.standardise, args.dimension, args.control)
    if args.segment_scores:
        _write(args.segment_scores, tables.to_csv(human_reports.segment_rows(people)))
    run = human.run(loaded.testset, loaded.outputs, people, **_common(args, loaded.measure))
    settings = Settings("greater", args.estimator, args.ties, "none")
    result = human.read(people, run, args.alpha, settings, matched)
    if args.latex:
        _write(args.latex, human_latex.accuracy_table(result))
    if args.latex_figure:
        _write(args.latex_figure, human_latex.figure(result, args.alpha[0]))
    content = human_reports.human_json(result, [*told, *warnings])
    _give(args, content, [human_reports.human_table(result)], result.notes)


def _give(args: argparse.Namespace, content: dict[str, Any], tables: list[str], notes: Sequence[str] = ()) -> None:
    results = content.get("results", ())
    inside = {*notes, *(note for result in results for note in result["notes"])} if args.json is None else set()
    for warning in content["warnings"]:
        if warning not in inside:  # a table tells the notes on its own numbers itself
            print(f"note: {warning}", file=sys.stderr)
    if args.json is None:
        print("\n\n".join(tables))
        return
    _write(args.json, _as_text(content))


def _as_text(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _write(path: str, content: str) -> None:
    """Writes the text to a file, or to standard output for "-"."""
    if path == "-":
        sys.stdout.write(content)
        return
    try:
        Path(path).write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise SigError(f"{path} cannot be written: {error.strerror}.", "", "Choose another place.") from error


def run_scores(args: argparse.Namespace) -> None:
    """A matrix of scores, documents by systems."""
    corrections.get(args.correction)
    found = readers.read_matrix(args.matrix, _bytes(args.matrix), args.human, args.better, args.title)
    run = scores.run(
        found,
        resamples=args.resamples,
        seed=args.seed,
        zeros=args.zeros,
        levels=tuple(dict.fromkeys((*scores.LEVELS, args.alpha))),
        executor=executors.get(args.executor) if args.workers is None else executors.local(args.workers),
        progress=_progress() if sys.stderr.isatty() else None,
    )
    result = scores.read(run, args.correction, args.estimator)
    if args.latex:
        _write(args.latex, counts_latex(result, args.alpha))
    if args.json is None:
        print(scores_table(result, args.alpha))
        return
    for note in result.notes(args.alpha):
        print(f"note: {note}", file=sys.stderr)
    _write(args.json, _as_text(scores_json(result, args.alpha)))


def run_list(args: argparse.Namespace) -> None:
    """Every metric, format, test and correction with its options."""
    print("Metrics (--metric), options with --option METRIC.NAME=VALUE")
    for metric in metrics.members().values():
        print(f"  {metric.name:26}{metric.help}\n{'':28}takes {metric.kind}; source: {metric.source}")
        for option in metric.options:
            print(f"    --option {metric.name}.{option.name}={_values(option)}\n{'':28}{option.help}")
    print("\nFormats of files (--format), options with --format-option NAME=VALUE")
    for reader in readers.members().values():
        print(f"  {reader.name:26}{reader.title}: {reader.help}")
        for option in reader.options:
            print(f"    --format-option {option.name}={_values(option)}\n{'':28}{option.help}")
    print("\nTests (--test)")
    for test in significance.members().values():
        print(f"  {test.name:26}{test.help}\n{'':28}source: {test.source}")
        for option in test.options:
            print(f"    {option.name}: {_values(option)}  {option.help}")
    print("\nCorrections (--correction)")
    for correction in corrections.members().values():
        source = f"; {correction.source}" if correction.source else ""
        print(f"  {correction.name:26}holds {correction.controls}{source}")


def _values(option: Option) -> str:
    default = "automatic" if option.default is None else str(option.default)
    default = default.lower() if option.type is bool else default
    if option.choices:
        return "|".join(str(choice) for choice in option.choices) + f" (default {default})"
    if option.type is bool:
        return f"true|false (default {default})"
    low, high = ("" if end is None else f"{end:g}" for end in (option.low, option.high))
    return f"{option.type.__name__.upper()}{f' in [{low}, {high}]' if low or high else ''} (default {default})"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    whole = argparse.ArgumentParser(prog="cli.py", description="Is the difference between NLP systems real?")
    commands = whole.add_subparsers(dest="command", required=True)
    for name, run, what in (("matrix", run_matrix, "all pairs of systems"), ("compare", run_compare, "one pair")):
        _questions(commands.add_parser(name, help=what, description=what), run)
    what = "metrics and tests against the judgments of people"
    _human_questions(commands.add_parser("human", help=what, description=what))
    what = "a matrix of scores, documents by systems"
    _scores_question(commands.add_parser("scores", help=what, description=what))
    listed = commands.add_parser("list", help="every metric, format, test and correction with its options")
    listed.set_defaults(run=run_list)
    return whole


def _questions(command: argparse.ArgumentParser, run: Any) -> None:
    _files(command)
    add = command.add_argument
    usual = "bleu for text, else the first of its kind"
    add("--metric", nargs="+", metavar="NAME", help=f"one or more metrics (see: list; default: {usual})")
    add(
        "--test", nargs="+", default=["approximate_randomization"], metavar="NAME", help="one or more tests (see: list)"
    )
    add("--alternative", default="two-sided", choices=SIDES, help="greater: the row is better")
    add("--alpha", type=float, default=0.05, help="level of the readable table")
    add("--correction", default="holm", metavar="NAME", help="for the grid of all pairs (see: list)")
    _drawing(command)
    command.set_defaults(run=run)


def _human_questions(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add(
        "--assessments",
        nargs="+",
        required=True,
        metavar="FILE",
        help="ratings by people: DA, ESA, MQM, or per segment",
    )
    _files(command)
    there = [name for name in human.METRICS if name in metrics.members()]
    add("--metric", nargs="+", default=there, metavar="NAME", help="metrics (see: list)")
    add("--test", nargs="+", default=list(human.TESTS), metavar="NAME", help="tests (see: list)")
    add("--alpha", nargs="+", type=float, default=list(human.ALPHAS), help="levels; conclusions are drawn at each")
    known = "; ".join(f"{name}: {what}" for name, what in human.STANDARDS.items())
    add("--standardise", default="", choices=("", *human.STANDARDS), metavar="HOW", help=f"{known} (default: as suits)")
    add(
        "--dimension",
        nargs="+",
        default=[],
        metavar="NAME",
        help="what decides, in order (default: all, adequacy first)",
    )
    add("--control", type=float, metavar="LEVEL", help="leave out judges who do not rate degraded texts lower")
    add(
        "--rename",
        nargs="+",
        default=[],
        metavar="JUDGED=OUTPUT",
        help="names of judged systems as the outputs have them",
    )
    add("--ratings", default="", metavar="NAME", help="which ratings, where the files hold several")
    add("--latex", metavar="FILE", help="write the accuracy table there as LaTeX (- for standard output)")
    add("--latex-figure", metavar="FILE", help="write the grids there as LaTeX, at the first alpha")
    add("--segment-scores", metavar="FILE", help="write people's mean scores per system and segment there, as CSV")
    _drawing(command)
    command.set_defaults(run=run_human)


def _scores_question(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    what = "CSV or TSV: document, then a score per system (empty: missing)"
    add("--matrix", required=True, metavar="FILE", help=what)
    add("--human", nargs="+", default=[], metavar="NAME", help="the systems that are people")
    add("--better", default="higher", choices=("higher", "lower"), help="which scores are better")
    add("--title", default="", metavar="NAME", help="what the scores are called (default: the name of the file)")
    add("--zeros", default="pratt", choices=tuple(scores.ZEROS), help="what W makes of equal scores")
    add("--alpha", type=float, default=0.05, help="level of the cut-offs and counts")
    add("--correction", default="holm", metavar="NAME", help="for the counts of pairs (see: list)")
    add("--resamples", type=int, default=2_000, metavar="R", help="draws of the empirical p (MC and HB) of a pair")
    add("--latex", metavar="FILE", help="write the counts there as a LaTeX table (- for standard output)")
    _shared(command)
    command.set_defaults(run=run_scores)


def _files(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--reference", nargs="+", default=[], metavar="FILE", help="one or more references (none for own scores)")
    add("--systems", nargs="+", default=[], metavar="FILE", help="system outputs")
    add("--known", metavar="NAME/PAIR", help="a test set by its name (wmt22/cs-en), with the outputs published with it")
    add("--format", metavar="NAME", help="the format of all files (see: list); by default each file tells its own")
    add(
        "--format-option", action="append", default=[], metavar="NAME=VALUE", help="an option of the format; repeatable"
    )
    add("--testset", default="", metavar="NAME", help="which of several test sets in the files (cs-en)")
    add("--measure", default="", metavar="NAME", help="which of several measures in files of scores (COMET)")
    add(
        "--missing",
        default="refuse",
        choices=("refuse", "drop"),
        help="where a score is missing: an error, or the segment is left out for all systems",
    )
    add("--name", default="test set", help="what the test set is called")
    add("--option", action="append", default=[], metavar="METRIC.NAME=VALUE", help="an option of a metric; repeatable")
    add("--unit", default="segment", metavar="UNIT", help="what is resampled: segment, document or block:N")
    add("--documents", metavar="FILE", help="the document of every segment, one name per line")


def _drawing(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--resamples", type=int, default=10_000, metavar="R")
    add("--ties", default="counted", choices=TIE_RULES, help="resamples exactly at the cut-off")
    _shared(command)


def _shared(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--seed", type=int, default=12345)
    add("--estimator", default="valid", choices=tuple(ESTIMATORS), help="(c + 1) / (R + 1), or c / R")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores); changes no number")
    where.add_argument(
        "--executor",
        default=os.environ.get("SIGBOARD_EXECUTOR", "local"),
        metavar="WHERE",
        help=f"{executors.FORMS}; changes no number (default: $SIGBOARD_EXECUTOR, else local)",
    )
    add("--json", metavar="FILE", help="write JSON there (- for standard output) instead of a table")


def _check_numbers(args: argparse.Namespace) -> None:
    alphas = getattr(args, "alpha", 0.05)
    for alpha in alphas if isinstance(alphas, list) else [alphas]:
        if not 0 < alpha < 1:
            raise OptionError(f"alpha = {alpha:g}. It must lie between 0 and 1.", "", "0.05 is usual.")
    if getattr(args, "control", None) is not None and not 0 < args.control < 1:
        raise OptionError(f"control = {args.control:g}. It must lie between 0 and 1.", "", "0.05 is usual.")
    if getattr(args, "workers", None) is not None and args.workers < 1:
        raise OptionError(f"workers = {args.workers}. There must be at least one.", "", "Leave it out for all cores.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0, or 2 with a message of what is wrong, where and how to fix it."""
    args = parser().parse_args(arguments)
    try:
        _check_numbers(args)
        args.run(args)
    except SigError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # the reader (head, less) has seen enough; nothing may be written to a closed pipe at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
