"""Did tuning help? Weights tuned on k-best lists, or on a combination of systems."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sigboard.questions.tuning import lab
from sigboard.questions.tuning.report import as_lines, file_name, moses_weights, tuned_files, tuning_json, tuning_table
from sigboard.terminal import output
from sigboard.terminal.arguments import files, runtime, shared, whole
from sigboard.terminal.loading import load, still_true
from sigboard.terminal.output import as_text, say_written, write, write_tables
from sigboard.terminal.words import canonical
from sigcore import OptionError, SigError, Testset, data, read_asked, readers
from sigcore.studies import tuning
from sigcore.types import Row

METHODS = ("te_listmle", "listnet", "pro", "mert")
TEST, DEV = "approximate_randomization", "dev"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The lists or the systems, the methods, the target and the plan."""
    files(command, bare=False)
    add = command.add_argument
    help = "k-best lists (Moses, cdec, JSON lines, TSV), of which --split are tuned on; without lists --systems are combined"
    add("--nbest", metavar="FILE", help=help)
    _lab(add)
    add("--source", metavar="FILE", help="the sources, for the feature length_ratio")
    add("--sparse", action="store_true", help="a feature that a hypothesis does not have is 0")
    help = f"features to add that need no model: {', '.join(tuning.BUILT_IN)}"
    add("--feature", nargs="+", default=[], choices=tuning.BUILT_IN, metavar="NAME", help=help)
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
    add("--resamples", type=whole, default=10_000, metavar="R", help="number of resamples (default: 10,000)")
    add("--export", metavar="FOLDER", help="write held-out outputs and weights of every replicate to this folder")
    add("--alpha", type=float, default=0.05, help="significance level of the table")
    shared(command)


def _lab(add: Callable[..., object]) -> None:
    """Separate lists for tuning and for tests, sets of features, and what is compared with what."""
    several = {"nargs": "+", "action": "extend", "default": []}
    help = "k-best lists to tune on, apart from those tested on; --reference names their references (NAME=FILE for several)"
    add("--dev", metavar="[NAME=]FILE", help=help, **several)
    help = f"k-best lists to test on, with --reference NAME=FILE; or the name of the test of --split (see: list; default: {TEST})"
    add("--test", dest="tested", metavar="NAME=FILE", help=help, **several)
    help = "the row that the others are tested against: a method (pro), one of a set (basic:mert), first, or start"
    add("--baseline", default="", metavar="NAME", help=help)
    help = "weights that tuning begins with (Name= 1 2 on each line), or SET=ROW: weights of an earlier row (sparse=extended:pro)"
    add("--start-weights", metavar="FILE", help=help, **several)
    help = "features by patterns of their names (basic=LM*,TM*; rest=!LM*), each tuned for itself; --method SET:NAME is for one"
    add("--feature-set", metavar="NAME=PATTERN,PATTERN", help=help, **several)
    help = "join pieces of words in lists (wor@@ ds, \u2581word s)"
    add("--join-pieces", action="store_true", help=help)
    for what, role in (("documents", "documents, one name per segment"), ("sources", "sources")):
        add(f"--{what}-of", metavar="NAME=FILE", help=f"the {role} of the lists of that name (dev: --dev)", **several)
    help = "begin with random weights, not with the list's (Chen et al. 2017, Fig. 3)"
    add("--random-start", action="store_true", help=help)
    add("--xlsx", metavar="FILE", help="write the tables of --dev and --test to this file")


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


def run(args: argparse.Namespace) -> None:
    """Tune every method, and test it on the held-out segments, or on lists of their own."""
    target = tuning.Target.of(
        args.metric, read_asked(args.option, [args.metric])[0][1], args.variant, args.column, args.better or "automatic"
    )
    plan = tuning.TuningPlan(
        methods=tuple(_methods(args)),
        split=args.split,
        replicates=args.replicates,
        resample=not args.same_dev,
        seed=args.seed,
        iterations=args.iterations,
        size=args.size,
        policy=args.policy,
        test=_test_of(args),
        resamples=args.resamples,
        estimator=args.estimator,
        unit=args.unit,
        sizes=tuple(args.compare_sizes),
        policies=tuning.POLICIES if args.compare_policies else (),
        random_start=args.random_start,
    )
    if args.dev:
        return _run_lab(args, target, plan)
    _refuse_lab(args)
    found = _combined(args, target, plan) if args.nbest is None else _reranked(args, target, plan)
    if found is not None:
        _tell(args, *found)


def _tell(args: argparse.Namespace, result: tuning.TuningResult, warnings: Sequence[str]) -> None:
    """Write what was asked for, or print the tables."""
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
    _made(folder)
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
    names = list(dict.fromkeys(name for _, name in _scoped(args)))
    methods = read_asked(args.method_option, names)
    for text in args.compare_options:
        ((owner, values),) = read_asked([text], [text.partition(".")[0]])
        ((option, given),) = values.items()
        several = [value for value in str(given).split(",") if value]
        if owner not in names or len(several) < 2:
            fix = f"Name the method in --method, and several values: {owner}.{option}=1,2."
            raise OptionError(f"--compare-options {text!r} compares nothing.", "", fix)
        methods = [
            (name, own | more)
            for name, own in methods
            for more in ([{option: value} for value in several] if name == owner else [{}])
        ]
    return methods


def _scoped(args: argparse.Namespace) -> list[tuple[str, str]]:
    """(set of features or "" for all, method) of every --method."""
    parts = [text.rpartition(":") for text in args.method]
    return [(of, name) for of, _, name in parts]


def _test_of(args: argparse.Namespace) -> str:
    """The name of the test, which --test also gives where it names no lists (OptionError for several)."""
    names = [text for text in args.tested if "=" not in text]
    if len(names) > 1:
        raise OptionError(f"{len(names)} tests were named: {', '.join(names)}.", "", "Name one, or lists as NAME=FILE.")
    if names and args.dev:
        fix = "Leave it out: rows are compared by the mixed model. Lists to test on are NAME=FILE."
        raise OptionError(f"--test {names[0]} is no list.", "", fix)
    return canonical("test", names[0]) if names else TEST


# Lists of their own for tuning and for tests.


def _refuse_lab(args: argparse.Namespace) -> None:
    """Raise OptionError for what belongs to --dev alone."""
    if any("=" in text for text in args.tested):
        raise OptionError("--test names lists, but there are none to tune on.", "", "Give --dev FILE.")
    if args.nbest is None and (args.baseline or args.feature_set or args.start_weights):
        what = "--baseline, --feature-set and --start-weights belong to k-best lists."
        raise OptionError(what, "", "Give --dev or --nbest; a combination is compared with its best single system.")
    if args.xlsx and not (args.baseline or args.feature_set):
        raise OptionError("--xlsx has the tables of --dev and --test.", "", "Give these, or --csv.")


def _named(texts: Sequence[str], usual: str = "") -> dict[str, list[str]]:
    """The files of every NAME=FILE by name; a FILE alone belongs to `usual`.

    Raises: OptionError for a FILE alone where nothing is usual.
    """
    out = dict[str, list[str]]()
    for text in texts:
        name, equals, file = text.partition("=")
        if not equals or Path(text).exists():
            name, file = usual, text
        if not name or not file:
            raise OptionError(f"{text!r} says not which lists it belongs to.", "", "Write NAME=FILE.")
        out.setdefault(name, []).append(file)
    return out


def _run_lab(args: argparse.Namespace, target: tuning.Target, plan: tuning.TuningPlan) -> None:
    """Tune on the development lists, test on the test lists, and write what was asked for."""
    _refuse_others(args)
    dev, tests = _named(args.dev, DEV), _named([text for text in args.tested if "=" in text])
    only = next(iter(dev)) if len(dev) == 1 else ""
    given = {role: _named(getattr(args, role), only) for role in ("reference", "documents_of", "sources_of")}
    unknown = next((name for files in given.values() for name in files if name not in dev | tests), None)
    if unknown is not None:
        raise OptionError(f"No list is named {unknown}.", "", f"The lists are named {', '.join(dev | tests)}.")
    warnings: list[str] = []
    sides = [[_list_set(args, name, files, given, warnings) for name, files in side.items()] for side in (dev, tests)]
    _tell_lab(
        args,
        tuning.lab(sides[0], sides[1], target, _lab_plan(args, plan), features=args.feature, runtime=runtime(args)),
        warnings,
    )


def _refuse_others(args: argparse.Namespace) -> None:
    """Refuse what does not go with named lists.

    Raises: OptionError.
    """
    if args.nbest is not None or args.systems or args.known:
        raise OptionError("--dev was given with --nbest or systems.", "", "Give one of them.")
    alone = next((name for name in ("documents", "source") if getattr(args, name)), None)
    if alone is not None:
        fix = f"Give --{alone.removesuffix('s')}s-of NAME=FILE for each list."
        raise OptionError(f"--{alone} does not say which lists it belongs to.", "", fix)


def _list_set(
    args: argparse.Namespace,
    name: str,
    files: Sequence[str],
    given: Mapping[str, Mapping[str, Sequence[str]]],
    warnings: list[str],
) -> tuning.ListSet:
    """The lists of one name with their test set."""
    if len(files) > 1:
        raise OptionError(f"{len(files)} files are named {name}.", "", "Give each list its own name: NAME=FILE.")
    lists, notices = readers.read_kbest(files[0], data.read_bytes(files[0]), args.sparse, args.join_pieces)
    own = {role: list(named.get(name, ())) for role, named in given.items()}
    testset, more = _testset(args, name, files[0], lists, own["reference"], own["sources_of"], own["documents_of"])
    model = _language_model(args)
    lists = lists if model is None else tuning.with_language_model(lists, model)
    warnings += [f"{where}: {message}" if where else message for message, where in data.together(notices)] + more
    return tuning.ListSet(name, lists, testset)


def _lab_plan(args: argparse.Namespace, plan: tuning.TuningPlan) -> tuning.LabPlan:
    """The sets of features with their methods and starts, the start weights, and the baseline.

    Raises: OptionError for a set that does not exist, or that has no patterns.
    """
    patterns, asked = _patterns(args.feature_set), _scoped(args)
    files = [text for text in args.start_weights if Path(text).exists() or "=" not in text]
    starts = dict(text.split("=", 1) for text in args.start_weights if text not in files)
    _check_sets([*starts, *(of for of, _ in asked)], patterns)
    if len(files) > 1 or (files and args.random_start):
        raise OptionError("Two kinds of start weights were given.", "", "Give one file, or --random-start.")
    weights = readers.read_weights(files[0], data.read_bytes(files[0])) if files else {}
    sets = tuple(_feature_set(name, own, asked, starts.get(name, "")) for name, own in patterns.items())
    return tuning.LabPlan(plan, sets, args.baseline, weights, args.sparse)


def _check_sets(named: Sequence[str], patterns: Mapping[str, object]) -> None:
    """Raise OptionError for a name that no set of features has; "" is all sets."""
    unknown = next((name for name in named if name and name not in patterns), None)
    if unknown is not None:
        fix = f"Name it: --feature-set {unknown}=PATTERN. The sets are {', '.join(patterns)}."
        raise OptionError(f"There is no set of features named {unknown!r}.", "", fix)


def _feature_set(
    name: str, patterns: tuple[str, ...], asked: Sequence[tuple[str, str]], start: str
) -> tuning.FeatureSet:
    """The set with the methods that were asked for all sets or for it (OptionError without any)."""
    methods = tuple(method for of, method in asked if of in ("", name))
    if not methods:
        raise OptionError(
            f"No method is tuned on the set {name}.", "", f"Add one (--method {name}:pro), or leave it out."
        )
    return tuning.FeatureSet(name, patterns, methods, start)


def _patterns(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The patterns of every set by its name; one set of all features where none is named.

    Raises: OptionError for a set without a name or without patterns.
    """
    out = dict[str, tuple[str, ...]]()
    for text in texts:
        name, equals, given = text.partition("=")
        if not equals or not name or not given:
            raise OptionError(f"--feature-set {text!r} is no set.", "", "Write NAME=PATTERN,PATTERN: basic=LM*,TM*.")
        out[name] = (*out.get(name, ()), *given.split(","))
    return out or {"all": ()}


def _tell_lab(args: argparse.Namespace, result: tuning.LabResult, warnings: Sequence[str]) -> None:
    """Write what was asked for, or print the tables."""
    for warning in dict.fromkeys(warnings):
        output.note(warning)
    if args.export is not None:
        _export_lab(Path(args.export), result)
    if args.xlsx:
        write(args.xlsx, lab.lab_xlsx(result))
    taken = write_tables(args, lambda: lab.lab_rows(result), lambda: lab.lab_latex(result, args.alpha))
    if args.json is not None:
        write(args.json, as_text(lab.lab_json(result, warnings)))
        say_written(args)
    elif not taken:
        print(lab.lab_table(result, args.alpha))


def _export_lab(folder: Path, result: tuning.LabResult) -> None:
    """Write the weights of every run, and a folder for each test set with its references and the outputs of every row."""
    for name, weights in lab.lab_weights(result).items():
        write(str(_made(folder) / f"{file_name(name)}.weights"), weights)
    for k, testset in enumerate(result.testsets):
        own = _made(folder / file_name(result.places[k]))
        for number, reference in enumerate(testset.references, start=1):
            write(str(own / f"reference.{number}.txt"), as_lines(reference))
        for row in result.rows:
            for run in row.outputs[k]:
                name = f"{row.label}.{run.run}" if len(row.outputs[k]) > 1 else row.label
                write(str(own / f"{file_name(name)}.txt"), as_lines(run.segments))


def _made(folder: Path) -> Path:
    """The folder, made if it is not there (SigError if that fails)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SigError(f"{folder} cannot be made: {error.strerror}.", "", "Choose another folder.") from error
    return folder


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
) -> tuple[tuning.TuningResult, Sequence[str]] | None:
    """The result of a part of the lists tuned on; None where sets of features or a tuned baseline were told as the lab."""
    if args.systems or args.known:
        raise OptionError("--nbest and systems were given.", "", "Give k-best lists, or systems to combine.")
    lists, notices = readers.read_kbest(args.nbest, data.read_bytes(args.nbest), args.sparse, args.join_pieces)
    source, documents = ([file] if file else [] for file in (args.source, args.documents))
    testset, warnings = _testset(args, args.name, args.nbest, lists, args.reference, source, documents)
    model = _language_model(args)
    if model is not None:
        lists = tuning.with_language_model(lists, model)
    messages = [f"{where}: {message}" if where else message for message, where in data.together(notices)]
    given = _lab_plan(args, plan)
    if args.baseline or args.feature_set:
        dev, test = tuning.halves(tuning.ListSet(args.name, lists, testset), plan.split)
        _tell_lab(
            args,
            tuning.lab([dev], [test], target, given, features=args.feature, runtime=runtime(args)),
            [*messages, *warnings],
        )
        return None
    start = given.start or None
    result = tuning.rerank(lists, testset, target, plan, features=args.feature, start=start, runtime=runtime(args))
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


def _testset(
    args: argparse.Namespace,
    name: str,
    file: str,
    lists: tuning.KBest,
    references: Sequence[str],
    sources: Sequence[str],
    documents: Sequence[str],
) -> tuple[Testset, list[str]]:
    """The test set of the references, sources and documents; the first hypotheses are checked with it.

    Raises: SigError for a metric without references, and for everything that is wrong in the files.
    """
    if not references and not args.column:
        of = f"--reference {name}=FILE" if args.dev else "--reference"
        who = f"{name} has no reference." if args.dev else "There is no reference."
        raise SigError(who, "", f"Give {of}, or --column for the values to tune for.")
    files, roles = data.read_paths((), {"reference": references, "source": sources, "documents": documents})
    collection = data.Collection(name=name)
    collection.add(files, roles)
    collection.refuse_problems()
    testset, warnings = tuning.with_references(lists, collection, file)
    return testset, still_true(args, warnings)
