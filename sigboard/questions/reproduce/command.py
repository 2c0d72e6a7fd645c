"""Claims of papers, run on the samples or on one's own files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from sigboard.questions.reproduce import report
from sigboard.terminal.arguments import files, resamples, runtime, shared, whole
from sigboard.terminal.groups import grouped, groups
from sigboard.terminal.loading import load, matrix_of, read_judgments
from sigboard.terminal.output import give
from sigcore import OptionError, SigError, Testset
from sigcore.studies import enough, reproduce
from sigcore.types import AUTO


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The claims, one's own files in place of the samples, and the draws."""
    add = command.add_argument
    help = "claims (see --list): ids, the beginning of ids (graham, bk-table1), or all"
    add("claims", nargs="*", metavar="CLAIM", help=help)
    add("--list", action="store_true", help="name every claim: paper, figure or table, and what it needs")
    add("--assessments", nargs="+", default=[], metavar="FILE", help="ratings by people of the outputs")
    files(command, bare=False)
    groups(command)
    add("--matrix", metavar="FILE", help="a matrix of scores, documents by systems, for claims about scores")
    add("--human", nargs="+", default=[], metavar="NAME", help="the systems that are people")
    add("--metric", nargs=1, metavar="NAME", help="a metric in place of the paper's (see: list)")
    help = "mixtures of each pair of systems, where systems are few (default: 20)"
    add("--mixtures", type=whole, default=reproduce.EACH, metavar="N", help=help)
    help = "tuning runs of each method, for claims about tuning (default: 10)"
    add("--runs", type=whole, default=reproduce.RUNS, metavar="N", help=help)
    help = "ratings: the output that belongs to a judged system with another name"
    add("--rename", nargs="+", default=[], metavar="JUDGED=OUTPUT", help=help)
    add("--ratings", default="", metavar="NAME", help="the ratings to use, if the files contain several")
    add("--skip-slow", action="store_true", help="leave out claims that tune systems, which take minutes")
    add("--resamples", type=resamples, default=AUTO, metavar="R", help="number of resamples (default: 10,000)")
    shared(command, estimator=False)


def run(args: argparse.Namespace) -> None:
    """The list, or the paper's number beside ours for every claim."""
    claims = reproduce.chosen(args.claims)
    if args.list:
        return _list(args, claims or reproduce.CLAIMS)
    if not claims:
        raise OptionError("No claim was named.", "", "Name one, or all; --list names every claim.")
    claims = tuple(claim for claim in claims if not (args.skip_slow and claim.slow))
    bench, warnings = _bench(args)
    done = [reproduce.run(claim, bench) for claim in claims]
    text = report.outcome_text(done[0]) if len(done) == 1 else report.overview(done)
    notes = [note for item in done for note in item.notes]
    give(args, report.outcomes_json(done, warnings), [text], notes, lambda: report.table_rows(done))


def _list(args: argparse.Namespace, claims: Sequence[reproduce.Claim]) -> None:
    """The claims, as a table or as files."""
    content, tables = report.claims_json(claims), [report.claims_table(claims)]
    give(args, content, tables, rows=lambda: [claim.as_dict() for claim in claims])


def _bench(args: argparse.Namespace) -> tuple[reproduce.Bench, list[str]]:
    """The data and the settings, and what is to be said of the data."""
    material, warnings = _own(args)
    bench = reproduce.Bench(
        own=material,
        metric=args.metric[0] if args.metric else "",
        options=tuple(args.option),
        resamples=enough.fixed(args.resamples),
        seed=args.seed,
        mixtures=args.mixtures,
        tuning_runs=args.runs,
        runtime=runtime(args),
    )
    return bench, warnings


def _own(args: argparse.Namespace) -> tuple[reproduce.Material | None, list[str]]:
    """The person's data; None for the samples.

    Raises: SigError for parts that do not belong together.
    """
    if args.matrix:
        return _of_matrix(args), []
    given = bool(args.systems or args.known or args.project)
    if not given and (args.reference or args.assessments or args.groups):
        raise SigError("There are no outputs of systems.", "", "Give --systems, or no files for the samples.")
    if not given:
        return None, []
    judgments, notes = read_judgments(args) if args.assessments else (None, [])
    loaded, warnings = load(args)
    outputs, kinds, said = grouped(args.groups, loaded.outputs)
    found = reproduce.Material(
        loaded.testset.name, loaded.testset, outputs, kinds, judgments, tuple(loaded.ids), humans=tuple(args.human)
    )
    return found, [*notes, *warnings, *said]


def _of_matrix(args: argparse.Namespace) -> reproduce.Material:
    """A matrix of scores as the data; claims that need outputs then refuse it."""
    if args.systems or args.known or args.project:
        raise SigError("--matrix and outputs were given.", args.matrix, "Give one of them.")
    matrix, _ = matrix_of(args, args.matrix)
    empty = Testset(matrix.name, "scores", matrix.n)
    return replace(reproduce.Material(matrix.name, empty, ()), matrix=matrix, humans=matrix.humans)
