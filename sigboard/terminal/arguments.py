"""Groups of arguments that several commands share, and the settings they become."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from typing import TYPE_CHECKING

from sigboard.terminal.output import progress
from sigcore import (
    ESTIMATORS,
    SEED,
    SIDES,
    TIE_RULES,
    OptionError,
    Runtime,
    Settings,
    Side,
    SigError,
    Study,
    corrections,
    executors,
    metrics,
    read_asked,
    statistics_on_disk,
)
from sigcore.formatting import listed
from sigcore.types import ALL_PAIRS, AUTO, BETTER, NO_RUNS, SHUFFLE_NAMES, Comparisons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sigcore import Outputs, data

TIES_HELP = (
    "how resamples exactly on the cut-off are counted (default: counted, against the gain); strict and half only give p "
    "as printed in a paper or by another tool, with a warning and without a verdict"
)
ESTIMATOR_HELP = (
    "valid: (c + 1) / (R + 1); paper: c / R, only to get p as printed in a paper, with a warning and without a verdict"
)


def metrics_and_tests(
    command: argparse.ArgumentParser, test: str = "approximate_randomization", side: Side = "two-sided"
) -> None:
    """The metrics, the tests and the side, with this test and side by default."""
    add = command.add_argument
    usual = "bleu for text, otherwise the first metric for the files"
    add("--metric", nargs="+", metavar="NAME", help=f"one or more metrics (see: list; default: {usual})")
    add("--test", nargs="+", default=[test], metavar="NAME", help=f"one or more tests (see: list; default: {test})")
    help = f"greater: is the row better? less: is it worse? (default: {side})"
    add("--alternative", default=side, choices=SIDES, help=help)


def paper_test(command: argparse.ArgumentParser) -> None:
    """One metric, and one test, by default that of Berg-Kirkpatrick et al. 2012."""
    add = command.add_argument
    test, side = "two_delta_bootstrap", "greater"
    usual = "bleu for text, otherwise the first metric for the files"
    add("--metric", nargs=1, metavar="NAME", help=f"the metric (see: list; default: {usual})")
    add("--test", nargs=1, default=[test], metavar="NAME", help=f"the test of all pairs (see: list; default: {test})")
    help = f"greater: is the better system of each pair better? (default: {side})"
    add("--alternative", default=side, choices=("greater", "two-sided"), help=help)


def decisions(command: argparse.ArgumentParser) -> None:
    """The significance level and the correction of the table."""
    level(command)
    help = "correction for the number of pairs (see: list; default: joint for tests that draw, else holm)"
    command.add_argument("--correction", default=AUTO, metavar="NAME", help=help)


def methods(command: argparse.ArgumentParser) -> None:
    """Whether the sentences for a Methods section are printed too."""
    help = "also print the sentences for a Methods section, with the signature"
    command.add_argument("--methods", action="store_true", help=help)


def family(command: argparse.ArgumentParser, several: bool, baseline: bool = True) -> None:
    """The pairs that are tested and corrected together, where these are not all; `several`: more than one may be named."""
    add = command.add_argument
    if baseline:
        add("--baseline", default="", metavar="NAME", help="test every other system against this one alone")
    add("--late", action="store_true", help="the pairs were chosen after scores were known; results say so")
    more = "; repeatable" if several else ", as one of all pairs"
    add(
        "--pair",
        nargs=2,
        action="append",
        default=[],
        metavar=("SYSTEM", "BASELINE"),
        help=f"test this pair of the systems{more}",
    )


def family_of(args: argparse.Namespace, against: str) -> Comparisons:
    """The pairs that are corrected together: those of --pair, or all against a baseline, or all.

    Raises: OptionError for a baseline beside pairs.
    """
    if against and args.pair:
        raise OptionError("--baseline and --pair were given together.", "", "Give one of them.")
    if against:
        return Comparisons("one baseline", against, late=args.late)
    pairs = tuple((one, other) for one, other in args.pair)
    return Comparisons("chosen pairs", pairs=pairs, late=args.late) if pairs else ALL_PAIRS


def level(command: argparse.ArgumentParser) -> None:
    """The significance level."""
    command.add_argument("--alpha", type=float, default=0.05, help="significance level of the table")


def files(command: argparse.ArgumentParser, bare: bool = True) -> None:
    """The files, which of their contents to use, and the unit of resampling; `bare`: also files without an option."""
    add = command.add_argument
    if bare:
        help = (
            "files and folders, each in the role that its name and its content show, as when it is dropped on the page"
        )
        add("files", nargs="*", default=[], metavar="FILE", help=help)
    add("--reference", nargs="+", default=[], metavar="FILE", help="one or more references (not needed for scores)")
    add("--systems", nargs="+", default=[], metavar="FILE", help="system outputs")
    help = "a published test set (wmt22/cs-en), with the outputs that were published with it"
    add("--known", metavar="NAME/PAIR", help=help)
    add("--project", metavar="FILE", help="a project saved in the app: its files, names and groups")
    add("--format", metavar="NAME", help="the format of all files (see: list); by default each is detected")
    help = "an option of the format; repeatable"
    add("--format-option", action="append", default=[], metavar="NAME=VALUE", help=help)
    help = "the lines of all outputs are in the order of the reference, whatever their rare words say"
    add("--accept-order", action="store_true", help=help)
    fields(command)
    selection(command)
    help = "systems that are not compared, by their names, such as one with scores of few questions; ratings of them count nowhere"
    add("--leave-out", nargs="+", action="extend", default=[], metavar="SYSTEM", help=help)
    add("--name", default=NAME, help="name of the test set")
    add("--option", action="append", default=[], metavar="METRIC.NAME=VALUE", help="an option of a metric; repeatable")
    help = "what is resampled: segment, document or block:N (default: documents if there are enough, else segments)"
    add("--unit", default=AUTO, metavar="UNIT", help=help)
    add("--documents", metavar="FILE", help="names of documents, one line per segment")


def selection(command: argparse.ArgumentParser) -> None:
    """Which of the contents of the files to use."""
    add = command.add_argument
    add("--testset", default="", metavar="NAME", help="the test set to use, if the files contain several (cs-en)")
    add("--measure", default="", metavar="NAME", help="the measure to use, if files of scores contain several (COMET)")
    help = "missing scores: refuse = stop with an error (a question that a run lacks is 0), drop = leave the segment out for all systems, zero = count it as 0"
    add("--missing", default="refuse", choices=("refuse", "drop", "zero"), help=help)


NAME = "test set"  # without --name
FIELDS = {
    "run": "the column that names the run (epoch, seed, sample) of a question",
    "task": "the column that names the task; each becomes a test set",
    "category": "the column of categories: subsets of the questions",
    "cluster": "the column whose values are resampled as one: a document",
    "label": "the column of labels by people, one for each row of a system and a question",
}


def fields(command: argparse.ArgumentParser) -> None:
    """What the columns of tables hold, where their headings do not say it, and which scores are better."""
    add = command.add_argument
    several = "; repeatable"
    help = f"a column of tables that names the segment{several}"
    add("--id-field", action="append", default=[], metavar="COLUMN", help=help)
    add("--system-field", default="", metavar="COLUMN", help="the column of tables that names the system of each row")
    help = f"a column of tables that holds scores; no others are used{several}"
    add("--score-field", action="append", default=[], metavar="COLUMN", help=help)
    for part, what in FIELDS.items():
        add(f"--{part}-field", default="", metavar="COLUMN", help=what)
    help = "what columns hold, as the plan of a refused table prints it (see: docs/formats.md for the roles)"
    add("--columns", nargs="+", action="extend", default=[], metavar="NAME=ROLE", help=help)
    help = "what words mean as scores (A=1 B=0 ERROR=missing; of judgments: both=tie), where they are not pass, true and the like"
    add("--cells", nargs="+", action="extend", default=[], metavar="WORD=NUMBER", help=help)
    help = "files or sheets that are of one person each: their ratings are averaged, or stay apart as judges"
    add("--people", nargs="+", action="extend", default=[], metavar="NAME", help=help)
    help = f"a list in each JSON record whose parts become rows, such as turns{several}"
    add("--explode", action="append", default=[], metavar="NAME", help=help)
    add("--table", default="", metavar="LINE", help="the line at which the table begins, where a text has several")
    add("--recipe", default="", metavar="FILE", help="what columns hold, from a text that `data --save-recipe` wrote")
    help = f"a number that means a missing score, such as -1; none: all numbers are scores{several}"
    add("--missing-code", action="append", default=[], metavar="NUMBER", help=help)
    better = command.add_mutually_exclusive_group()
    for word, examples in (("lower", "MetricX, WER, MQM error points"), ("higher", "COMET, accuracy")):
        help = f"{word} scores are better ({examples}); by default: by the program or the name, and reported"
        better.add_argument(
            f"--{word}-is-better", dest="better", action="store_const", const=word, default="", help=help
        )
    better.add_argument(
        "--better",
        default="",
        choices=BETTER,
        help="the same: --better lower, --better higher (tuning: values of --column)",
    )


def drawing(command: argparse.ArgumentParser) -> None:
    """The number of resamples, and how ties are counted."""
    add = command.add_argument
    help = "number of resamples (default: auto, as many as the verdicts need, from 10,000 to a million; gain, size, domains and human: 10,000)"
    add("--resamples", type=resamples, default=AUTO, metavar="R", help=help)
    add("--ties", default="counted", choices=TIE_RULES, help=TIES_HELP)
    shared(command)


def resamples(text: str) -> int | str:
    """The number of resamples (1e6 is one), or "auto"."""
    return text if text == AUTO else whole(text)


def whole(text: str) -> int:
    """A whole number; 1e5 is one."""
    value = float(text)
    if not value.is_integer():
        raise ValueError(text)
    return int(text) if text.strip().lstrip("+-").isdecimal() else int(value)


def shared(command: argparse.ArgumentParser, estimator: bool = True) -> None:
    """The seed, the estimator (where p-values are estimated), the executor, and JSON output."""
    add = command.add_argument
    add("--seed", type=SEED.read, default=SEED.default, help=f"seed of the draws (default: {SEED.default})")
    if estimator:
        add("--estimator", default="valid", choices=tuple(ESTIMATORS), help=ESTIMATOR_HELP)
    where = command.add_mutually_exclusive_group()
    help = "number of threads (default: all cores); does not change the results"
    where.add_argument("--workers", type=whole, metavar="N", help=help)
    help = f"{executors.FORMS}; does not change the results (default: $SIGBOARD_EXECUTOR, else local)"
    where.add_argument("--executor", default=os.environ.get("SIGBOARD_EXECUTOR", "local"), metavar="WHERE", help=help)
    written(command)


def written(command: argparse.ArgumentParser) -> None:
    """Where results are written, other than as a table on the terminal."""
    add = command.add_argument
    add(
        "--json",
        metavar="FILE",
        help="write JSON to this file (- for standard output; FILE.gz is compressed) instead of a table",
    )
    add("--csv", metavar="FILE", help="write the table to this file as CSV (- for standard output, instead of a table)")
    help = "write the table to this file as LaTeX (- for standard output, instead of a table)"
    add("--latex", metavar="FILE", help=help)


def binary(command: argparse.ArgumentParser) -> None:
    """Files of columns, for very many pairs."""
    for name, what in (("parquet", "Parquet"), ("npz", "arrays of NumPy, without pickle")):
        command.add_argument(f"--{name}", metavar="FILE", help=f"write all pairs to this file as {what}")


def check_numbers(args: argparse.Namespace) -> None:
    """Raise OptionError if a level or the number of workers is out of range."""
    alphas = getattr(args, "alpha", 0.05)
    for alpha in alphas if isinstance(alphas, list) else [alphas]:
        if not 0 < alpha < 1:
            raise OptionError(f"alpha is {alpha:g}, but must be between 0 and 1.", "", "0.05 is usual.")
    if getattr(args, "control", None) is not None and not 0 < args.control < 1:
        raise OptionError(f"control is {args.control:g}, but must be between 0 and 1.", "", "0.05 is usual.")
    if getattr(args, "workers", None) is not None and args.workers < 1:
        raise OptionError(f"workers is {args.workers}, but must be at least 1.", "", "Leave it out to use all cores.")


def study_of(args: argparse.Namespace, ready: data.Ready) -> Study:
    """The study that the arguments ask for on what was loaded.

    Commands without a side look for gains, those without a correction have none. Of several levels the first is that of the study.
    """
    rules = Settings(
        getattr(args, "alternative", "greater"), args.estimator, args.ties, getattr(args, "correction", "none")
    )
    return Study(
        ready.testset,
        ready.outputs,
        asked(args, ready),
        args.test,
        args.unit,
        rules,
        alpha=args.alpha[0] if isinstance(args.alpha, list) else args.alpha,
        resamples=args.resamples,
        seed=args.seed,
    )


def asked(args: argparse.Namespace, ready: data.Ready) -> list[tuple[str, dict[str, object]]]:
    """The metrics with their options, by default the usual one; scores get their name and direction from the file unless
    an option sets them."""
    from sigcore import data  # most commands need it, but not those that load nothing

    chosen = read_asked(args.option, args.metric or [metrics.usual(ready.testset.kind, ready.texts.kind)])
    for name, options in chosen:
        known = {option.name for option in metrics.get(name).options}
        if ready.measure and "label" in known:
            options.setdefault("label", ready.measure)
        if ready.texts.language and {"language", "tokenize"} <= known and "tokenize" not in options:
            options.setdefault("language", ready.texts.language)
        if metrics.get(name).kind == "scores" and "better" in known:
            options.setdefault("better", data.option_of(ready.direction, str(options.get("label") or "")))
    _refuse_direction(getattr(args, "better", ""), [name for name, _ in chosen])
    return chosen


def _refuse_direction(better: str, chosen: Sequence[str]) -> None:
    """Raise OptionError for a direction of scores, where outputs are scored by metrics, each of which has its own."""
    if better and all(metrics.get(name).kind != "scores" for name in chosen):
        message = f"--better {better} is about scores in files."
        message += f" These outputs are scored by {', '.join(chosen)}, whose direction is known."
        raise OptionError(message, "", "Leave it out.")


def runtime(args: argparse.Namespace) -> Runtime:
    """How the study of this command runs."""
    where = executors.get(args.executor) if args.workers is None else executors.local(args.workers)
    cache, shown = statistics_on_disk(), progress(getattr(args, "head", "")) if sys.stderr.isatty() else None
    return Runtime(where, {} if cache is None else cache, shown)


def check_correction(name: str) -> None:
    """Raise UnknownMember for a correction that does not exist."""
    if name != AUTO:
        corrections.get(name)


# The options of several runs of each system, which commands have without loading what computes them.

USUAL_TEST = ["approximate_randomization"]
EXAMPLE = "--runs A=a1.txt,a2.txt,a3.txt B=b1.txt,b2.txt,b3.txt"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The runs of every system, how they are shuffled, and the table for a paper."""
    from sigcore import data

    add = command.add_argument
    help = "several runs of each system (seeds, tuning runs), instead of --systems; a folder is all files in it"
    add("--runs", nargs="+", default=[], metavar="SYSTEM=FILE,FILE", help=help)
    help = f"names of systems contain system and run, as in {data.RUNS_EXAMPLE} ({NO_RUNS}: all are different systems)"
    add("--runs-from-names", nargs="+", default=[], metavar="PATTERN", help=help)
    help = "how runs are shuffled: exact, or as MultEval does it, whose p is not valid from three runs on"
    add("--shuffle", default="exact", choices=SHUFFLE_NAMES, help=help)


def requested(args: argparse.Namespace) -> bool:
    """Whether the command line names runs.

    Raises: OptionError for options that belong to runs without them, or do not fit them.
    """
    asked = bool(args.runs or args.runs_from_names) and args.runs_from_names != [NO_RUNS]
    if not asked and args.shuffle != "exact":
        raise OptionError("--shuffle belongs to several runs.", "", f"Give {EXAMPLE}.")
    if asked and args.test != USUAL_TEST:
        fix = "Leave --test out; --shuffle says how runs are shuffled."
        raise OptionError(f"{', '.join(args.test)} is not a test of several runs.", "", fix)
    if args.runs and (args.systems or args.known or args.runs_from_names):
        fix = "Give a single output as SYSTEM=FILE, or only --systems with --runs-from-names."
        raise OptionError("--runs names all systems, but others were given, too.", "", fix)
    return asked


def check_all_pairs(family: Comparisons) -> None:
    """Raise OptionError where --baseline or --pair choose among the pairs of runs."""
    if not family.whole:
        raise OptionError("Runs of systems are tested as all pairs.", "", "Leave --baseline and --pair out.")


def check_rivals(args: argparse.Namespace, outputs: Sequence[Outputs]) -> None:
    """Raise SigError where names say that several systems have the same runs, and nobody said whether they are rivals.

    Both answers are options of the command: runs of a system are averaged, and rivals are not.
    """
    from sigcore import data

    names = [item.system for item in outputs]
    if args.runs_from_names or not data.share_runs(names):
        return
    found = data.like_runs(names)
    alike = next(iter(found.values()))
    patterns = shlex.join(dict.fromkeys(map(data.pattern_of, found)))
    what = f"{listed(alike)} look like runs of one system, and another system has the same runs."
    runs = f"If they are runs: --runs-from-names {patterns}."
    raise SigError(what, "", f"{runs} If they are different systems: --runs-from-names {NO_RUNS}.")
