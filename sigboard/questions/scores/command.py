"""A matrix of scores, documents by systems; or several metrics and test sets in one table."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from sigboard.questions.scores.report import counts_latex, pair_rows, scores_json, scores_table
from sigboard.questions.scores.whole import Part, Whole
from sigboard.terminal import output
from sigboard.terminal.arguments import asked, check_correction, files, runtime, shared, whole
from sigboard.terminal.loading import by_pair, load, matrix_of, refuse_references_alone
from sigboard.terminal.output import as_text, say_written, write, write_tables
from sigcore import OptionError, ScoreMatrix, SigError
from sigcore.studies import scores


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The matrices, or the outputs to score; the human systems, and the settings of the tests."""
    add = command.add_argument
    columns = "CSV or TSV: a column of documents, then one column of scores per system (empty cell: missing score)"
    help = f"{columns}; several are one table, with folders as test sets and files as metrics"
    add("--matrix", nargs="+", default=[], metavar="FILE", help=help)
    files(command)
    help = "metrics that score outputs (--reference, --systems) document by document (see: list)"
    add("--metric", nargs="+", metavar="NAME", help=help)
    add("--human", nargs="+", default=[], metavar="NAME", help="the human systems")
    add("--title", default="", metavar="NAME", help="name of the scores (default: the name of the file)")
    add(
        "--zeros",
        default="pratt",
        choices=tuple(scores.ZEROS),
        help="how W treats documents on which both systems have the same score",
    )
    add("--alpha", type=float, default=0.05, help="significance level of the cut-offs and counts")
    add("--correction", default="holm", metavar="NAME", help="correction for the counts of pairs (see: list)")
    add(
        "--resamples", type=whole, default=2_000, metavar="R", help="draws for the empirical p (MC and HB) of each pair"
    )
    help = "write counts and all pairs to this file as a workbook (with several metrics or test sets)"
    add("--xlsx", metavar="FILE", help=help)
    shared(command)


def run(args: argparse.Namespace) -> None:
    """One matrix, or the table of all metrics and test sets."""
    check_correction(args.correction)
    found, warnings = _matrices(args)
    results = [(testset, _tested(args, matrix)) for testset, matrix in found]
    if len(results) == 1 and not args.xlsx:
        return _one(args, results[0][1], warnings)
    parts = [Part(testset, result.matrix.title, result) for testset, result in results]
    table = Whole(tuple(parts), args.alpha)
    if args.xlsx:
        write(args.xlsx, table.xlsx())
    taken = write_tables(args, table.rows, table.latex)
    notes = _notes(parts, warnings, args.alpha)
    for note in notes:
        output.note(note)
    if args.json is not None:
        write(args.json, as_text(table.json(notes)))
    if args.json is not None or args.xlsx:
        say_written(args)
    elif not taken:
        print(table.text())


def _notes(parts: list[Part], warnings: list[str], alpha: float) -> list[str]:
    """What is said of all parts together; what a result says itself is said once."""
    of_parts = [(f"{part.testset} {part.title}", part.result.notes(alpha)) for part in parts]
    own = {note for _, found in of_parts for note in found}
    said = [f"{name}: {note}".strip() for name, found in of_parts for note in found]
    return list(dict.fromkeys([*(warning for warning in warnings if warning not in own), *said]))


def _tested(args: argparse.Namespace, matrix: ScoreMatrix) -> scores.ScoresResult:
    counted = scores.run(
        matrix,
        resamples=args.resamples,
        seed=args.seed,
        zeros=args.zeros,
        levels=tuple(dict.fromkeys((*scores.LEVELS, args.alpha))),
        runtime=runtime(args),
    )
    return scores.read(counted, args.correction, args.estimator)


def _one(args: argparse.Namespace, result: scores.ScoresResult, warnings: list[str]) -> None:
    """The result of a single matrix."""
    notes = result.notes(args.alpha)
    warnings = [warning for warning in warnings if warning not in notes]  # what the result says itself is said once
    taken = write_tables(args, lambda: pair_rows(result, args.alpha), lambda: counts_latex(result, args.alpha))
    shown = args.json is None and not taken
    for note in warnings if shown else [*warnings, *notes]:
        output.note(note)
    if shown:
        print(scores_table(result, args.alpha))
    elif args.json is not None:
        write(args.json, as_text(scores_json(result, args.alpha, warnings)))
        say_written(args)


def _matrices(args: argparse.Namespace) -> tuple[list[tuple[str, ScoreMatrix]], list[str]]:
    """The matrices with the test set of each ("" where there is one), and what is to be said of them.

    Raises: OptionError for a matrix beside outputs, and for neither.
    """
    if args.files and not any((args.matrix, args.systems, args.reference, args.metric, args.known, args.project)):
        args.matrix, args.files = args.files, []
    outputs = any((args.systems, args.known, args.project, args.files))
    if args.matrix and (outputs or args.reference or args.metric):
        raise OptionError("--matrix and outputs were given.", "", "Give the matrix, or the outputs with --metric.")
    if not args.matrix and not outputs:
        refuse_references_alone(args)
        raise OptionError("There are no scores.", "", "Give --matrix, or --reference, --systems and --metric.")
    if args.title and (len(args.matrix) != 1):
        raise OptionError("--title is the name of one matrix.", "", "Leave it out: files and metrics have names.")
    return _read(args) if args.matrix else _scored(args)


def _read(args: argparse.Namespace) -> tuple[list[tuple[str, ScoreMatrix]], list[str]]:
    """The matrices of files; test sets are their folders, where there are several."""
    folders = [Path(path).resolve().parent.name for path in args.matrix]
    named = len(set(folders)) > 1
    found, warnings = list[tuple[str, ScoreMatrix]](), list[str]()
    for path, folder in zip(args.matrix, folders, strict=True):
        matrix, notices = matrix_of(args, path)
        warnings += notices
        found.append((folder if named else "", matrix))
    if len(found) > 1 and all(len(matrix.systems) == 1 for _, matrix in found):
        matrix, warnings = matrix_of(args, *args.matrix)  # each file is a system
        found = [("", matrix)]
    return found, list(dict.fromkeys(warnings))


def _scored(args: argparse.Namespace) -> tuple[list[tuple[str, ScoreMatrix]], list[str]]:
    """Outputs scored by every metric on every test set; test sets are those that the folders of the files name."""
    found, warnings = list[tuple[str, ScoreMatrix]](), list[str]()
    for testset, own in _by_testset(args):
        loaded, notices = load(own)
        warnings += [f"{testset}: {notice}" if testset else notice for notice in notices]
        people = args.human or scores.humans_among(loaded.outputs)
        for name, options in asked(own, loaded):
            made = scores.build(loaded.testset, loaded.outputs, [(name, options)], own.unit, runtime(args))
            found.append((testset, made.marked(_known(people, made))))
    return found, warnings


def _by_testset(args: argparse.Namespace) -> Iterator[tuple[str, argparse.Namespace]]:
    """The arguments of every test set, with its name where there are several."""
    parts = {} if args.testset or args.documents else by_pair(args)
    yield from parts.items() if len(parts) > 1 else [("", args)]


def _known(people: list[str] | tuple[str, ...], matrix: ScoreMatrix) -> tuple[str, ...]:
    """The people among the systems of a matrix.

    Raises: SigError where none of those that were named is one.
    """
    known = tuple(name for name in people if name in matrix.systems)
    if people and not known:
        raise SigError(f"None of {', '.join(people)} is a system.", "--human", f"Systems: {', '.join(matrix.systems)}.")
    return known
