"""A matrix of scores, documents by systems."""

from __future__ import annotations

import argparse
import sys

from sigboard.commands.arguments import shared
from sigboard.commands.loading import bytes_of
from sigboard.commands.output import as_text, progress, write
from sigboard.reports.scores import counts_latex, scores_table
from sigboard.reports.scores_json import scores_json
from sigcore import corrections, executors, readers
from sigcore.studies import scores


def scores_question(command: argparse.ArgumentParser) -> None:
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
    shared(command)
    command.set_defaults(run=run_scores)


def run_scores(args: argparse.Namespace) -> None:
    """A matrix of scores, documents by systems."""
    corrections.get(args.correction)
    found = readers.read_matrix(args.matrix, bytes_of(args.matrix), args.human, args.better, args.title)
    run = scores.run(
        found,
        resamples=args.resamples,
        seed=args.seed,
        zeros=args.zeros,
        levels=tuple(dict.fromkeys((*scores.LEVELS, args.alpha))),
        executor=executors.get(args.executor) if args.workers is None else executors.local(args.workers),
        progress=progress() if sys.stderr.isatty() else None,
    )
    result = scores.read(run, args.correction, args.estimator)
    if args.latex:
        write(args.latex, counts_latex(result, args.alpha))
    if args.json is None:
        print(scores_table(result, args.alpha))
        return
    for note in result.notes(args.alpha):
        print(f"note: {note}", file=sys.stderr)
    write(args.json, as_text(scores_json(result, args.alpha)))
