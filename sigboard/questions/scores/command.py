"""A matrix of scores, documents by systems."""

from __future__ import annotations

import argparse

from sigboard.questions.scores.report import counts_latex, pair_rows, scores_json, scores_table
from sigboard.terminal import output
from sigboard.terminal.arguments import check_correction, runtime, shared, whole
from sigboard.terminal.output import as_text, say_written, write, write_tables
from sigcore import data, readers
from sigcore.studies import scores


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The matrix, the human systems, and the settings of the tests."""
    add = command.add_argument
    columns = "CSV or TSV: a column of documents, then one column of scores per system (empty cell: missing score)"
    add("--matrix", required=True, metavar="FILE", help=columns)
    help = "what columns hold (document, system, ignored), as the plan of a refused matrix prints it"
    add("--columns", nargs="+", action="extend", default=[], metavar="NAME=ROLE", help=help)
    add("--human", nargs="+", default=[], metavar="NAME", help="the human systems")
    help = "which scores are better (default: by the name of the scores, and reported)"
    add("--better", default="", choices=("higher", "lower"), help=help)
    add("--lower-is-better", dest="better", action="store_const", const="lower", help="the same as --better lower")
    help = "a number that means a missing score, such as -1; none: all numbers are scores; repeatable"
    add("--missing-code", action="append", default=[], metavar="NUMBER", help=help)
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
    shared(command)


def run(args: argparse.Namespace) -> None:
    """A matrix of scores, documents by systems."""
    check_correction(args.correction)
    said = readers.said_columns(args.columns)
    matrix = readers.read_matrix(args.matrix, data.read_bytes(args.matrix), args.human, title=args.title, said=said)
    matrix, found = data.directed(matrix, args.better or None, data.read_codes(args.missing_code))
    counted = scores.run(
        matrix,
        resamples=args.resamples,
        seed=args.seed,
        zeros=args.zeros,
        levels=tuple(dict.fromkeys((*scores.LEVELS, args.alpha))),
        runtime=runtime(args),
    )
    result = scores.read(counted, args.correction, args.estimator)
    taken = write_tables(args, lambda: pair_rows(result, args.alpha), lambda: counts_latex(result, args.alpha))
    if found and matrix.why != "assumed":  # the notes of the result say that
        output.note(str(found))
    if args.json is None and not taken:
        print(scores_table(result, args.alpha))
        return
    for note in result.notes(args.alpha):
        output.note(note)
    if args.json is not None:
        write(args.json, as_text(scores_json(result, args.alpha)))
        say_written(args)
