"""Did tuning help? Weights tuned on k-best lists, or on a combination of systems."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sigboard.questions.tuning.report import file_name, moses_weights, tuned_files, tuning_json, tuning_table
from sigboard.terminal import output
from sigboard.terminal.arguments import files, runtime, shared, whole
from sigboard.terminal.loading import load
from sigboard.terminal.output import as_text, say_written, write, write_tables
from sigcore import OptionError, SigError, Testset, data, read_asked, readers
from sigcore.studies import tuning
from sigcore.types import Row

METHODS = ("te_listmle", "listnet", "pro", "mert")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The lists or the systems, the methods, the target and the plan."""
    files(command)
    add = command.add_argument
    help = "k-best lists (Moses, cdec, JSON lines, TSV); without them --systems are combined"
    add("--nbest", metavar="FILE", help=help)
    add("--source", metavar="FILE", help="the sources, for the feature length_ratio")
    add("--sparse", action="store_true", help="a feature that a hypothesis does not have is 0")
    add("--feature", nargs="+", default=[], choices=tuning.BUILT_IN, metavar="NAME", help=_features())
    add("--language-model", metavar="FILE", help="plain text for a model of pairs of words, which becomes a feature")
    add("--method", nargs="+", default=list(METHODS), metavar="NAME", help="one or more methods (see: list)")
    help = "an option of a method; repeatable"
    add("--method-option", action="append", default=[], metavar="METHOD.NAME=VALUE", help=help)
    _target(command)
    add("--split", type=float, default=0.5, metavar="SHARE", help="share of the segments to tune on; 1 = all, no test")
    add("--replicates", type=whole, default=3, metavar="N", help="tuning runs of each method")
    add("--same-dev", action="store_true", help="all replicates use the same segments, not resamples of them")
    add("--iterations", type=whole, default=10, metavar="N", help="iterations of decoding and tuning (combination)")
    add("--size", type=whole, default=20, metavar="K", help="hypotheses in a list (combination)")
    add("--policy", default="aggregate", choices=tuning.POLICIES, help="lists of earlier iterations (combination)")
    _compared(add)
    add("--test", default="approximate_randomization", metavar="NAME", help="the test of the tuned outputs (see: list)")
    add("--resamples", type=whole, default=10_000, metavar="R", help="number of resamples (default: 10,000)")
    add("--export", metavar="FOLDER", help="write held-out outputs and weights of every replicate to this folder")
    add("--alpha", type=float, default=0.05, help="significance level of the table")
    shared(command)


def _compared(add: Callable[..., object]) -> None:
    """The settings of which several values are compared."""
    help = "tune every method on lists of each of these sizes (of k-best lists the first K hypotheses)"
    add("--compare-sizes", nargs="+", type=int, default=[], metavar="K", help=help)
    help = "tune a method with each of several values of an option, as in top_n.n=1,2,5,10; repeatable"
    add("--compare-options", action="append", default=[], metavar="METHOD.NAME=V,V", help=help)
    help = "tune listwise methods on aggregated and on merged lists (combination)"
    add("--compare-policies", action="store_true", help=help)


def _target(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--metric", default="bleu", metavar="NAME", help="the metric to tune for and to test (default: bleu)")
    add(
        "--column",
        default="",
        metavar="NAME",
        help="tune for the mean of this column of the hypotheses instead (see --better)",
    )
    add("--variant", default="lin_och", choices=tuning.VARIANTS, help="how BLEU of one hypothesis is smoothed")


def _features() -> str:
    return f"features to add that need no model: {', '.join(tuning.BUILT_IN)}"


def run(args: argparse.Namespace) -> None:
    """Tune every method, and test it on the held-out segments."""
    target = tuning.Target.of(args.metric, _options(args), args.variant, args.column, args.better or "automatic")
    plan = tuning.TuningPlan(
        methods=tuple(_methods(args)),
        split=args.split,
        replicates=args.replicates,
        resample=not args.same_dev,
        seed=args.seed,
        iterations=args.iterations,
        size=args.size,
        policy=args.policy,
        test=args.test,
        resamples=args.resamples,
        estimator=args.estimator,
        unit=args.unit,
        sizes=tuple(args.compare_sizes),
        policies=tuning.POLICIES if args.compare_policies else (),
    )
    result, warnings = _combined(args, target, plan) if args.nbest is None else _reranked(args, target, plan)
    if args.column and result.setup.why == "assumed":
        warnings = [*warnings, data.assumed(args.column)]
    for warning in warnings:
        output.note(warning)
    if args.export is not None:
        _export(Path(args.export), result)
    content = tuning_json(result, warnings)
    taken = write_tables(args, lambda: _rows(content))
    if args.json is not None:
        write(args.json, as_text(content))
        say_written(args)
    elif not taken:
        print(tuning_table(result, args.alpha))


def _rows(content: Mapping[str, Any]) -> list[Row]:  # Any: JSON that is read again
    """A row for each method: its test on the held-out segments, or without them its mean score on the development
    segments."""
    if content["tests"]:
        return [
            {"method": name, **{key: value for key, value in test.items() if not isinstance(value, list | dict)}}
            for name, test in content["tests"].items()
        ]
    runs = {name: scores for name, scores in content["dev"].items() if isinstance(scores, list)}
    return [{"method": name, "dev_score": sum(scores) / len(scores)} for name, scores in runs.items()]


def _export(folder: Path, result: tuning.TuningResult) -> None:
    """Write the outputs of the held-out segments (none without them) and the weights of every replicate.

    Raises: SigError if the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SigError(f"{folder} cannot be made: {error.strerror}.", "", "Choose another folder.") from error
    for item in result.replicates:
        if len(item.weights):
            weights = moses_weights(result.features.names, item.weights.tolist())
            write(str(folder / f"{file_name(f'{item.method}.{item.number}')}.weights"), weights)
    if result.held_out is not None:
        for named in tuned_files(result).values():
            for name, text in named.items():
                write(str(folder / name), text)


def _methods(args: argparse.Namespace) -> list[tuple[str, dict[str, object]]]:
    """The methods with their options, one after the other with each value that is compared.

    Raises: OptionError for values that cannot be read; SigError for an option of a method that was not requested.
    """
    methods = read_asked(args.method_option, args.method)
    for text in args.compare_options:
        ((owner, values),) = read_asked([text], [text.partition(".")[0]])
        ((option, given),) = values.items()
        several = [value for value in str(given).split(",") if value]
        if owner not in args.method or len(several) < 2:
            fix = f"Name the method in --method, and several values: {owner}.{option}=1,2."
            raise OptionError(f"--compare-options {text!r} compares nothing.", "", fix)
        methods = [
            (name, own | more)
            for name, own in methods
            for more in ([{option: value} for value in several] if name == owner else [{}])
        ]
    return methods


def _options(args: argparse.Namespace) -> dict[str, object]:
    return read_asked(args.option, [args.metric])[0][1]


def _combined(
    args: argparse.Namespace, target: tuning.Target, plan: tuning.TuningPlan
) -> tuple[tuning.TuningResult, Sequence[str]]:
    if args.feature or args.column:
        raise OptionError("Built-in features and columns belong to k-best lists.", "", "Give --nbest.")
    loaded, warnings = load(argparse.Namespace(**{**vars(args), "metric": [args.metric]}))
    model = _language_model(args)
    done = tuning.combine(loaded.outputs, loaded.testset, target, plan, model=model, runtime=runtime(args))
    return done, warnings


def _reranked(
    args: argparse.Namespace, target: tuning.Target, plan: tuning.TuningPlan
) -> tuple[tuning.TuningResult, Sequence[str]]:
    if args.systems or args.known:
        raise OptionError("--nbest and systems were given.", "", "Give k-best lists, or systems to combine.")
    lists, notices = readers.read_kbest(args.nbest, data.read_bytes(args.nbest), args.sparse)
    testset, warnings = _testset(args, lists)
    model = _language_model(args)
    if model is not None:
        lists = tuning.with_language_model(lists, model)
    result = tuning.rerank(lists, testset, target, plan, features=args.feature, runtime=runtime(args))
    messages = [f"{where}: {message}" if where else message for message, where in data.together(notices)]
    return result, [*messages, *warnings]


def _language_model(args: argparse.Namespace) -> tuning.BigramModel | None:
    """The model of the text of that file; None without it.

    Raises: SigError for a file that cannot be read as plain text, or has no words.
    """
    if args.language_model is None:
        return None
    collection = data.Collection.of(args.language_model, chosen=readers.Choice("plain"))
    collection.refuse_problems()
    return tuning.language_model(text for item in collection.items for text in item.segments)


def _testset(args: argparse.Namespace, lists: tuning.KBest) -> tuple[Testset, list[str]]:
    """The test set of the references, sources and documents; the first hypotheses are checked with it.

    Raises: SigError for a metric without references, and for everything that is wrong in the files.
    """
    if not args.reference and not args.column:
        raise SigError("There is no reference.", "", "Give --reference, or --column for the values to tune for.")
    files, roles = data.read_paths(
        (),
        {
            "reference": args.reference,
            "source": [args.source] if args.source else [],
            "documents": [args.documents] if args.documents else [],
        },
    )
    collection = data.Collection(name=args.name)
    collection.add(files, roles)
    collection.refuse_problems()
    if not args.reference:
        streams = {item.role: item.segments for item in collection.items}
        sources, documents = streams.get("source", ()), streams.get("documents", ())
        return Testset(args.name, "text", lists.n, (), sources, (), documents), []
    return tuning.with_references(lists, collection, args.nbest)
