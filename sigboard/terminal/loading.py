"""Loads the files named on the command line as one collection."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sigboard.terminal.arguments import FIELDS, NAME, asked
from sigboard.terminal.output import progress
from sigcore import (
    Judgments,
    OptionError,
    ScoreMatrix,
    SigError,
    UnknownMember,
    data,
    gathered,
    metrics,
    project,
    readers,
)
from sigcore.formatting import listed
from sigcore.studies import scores

MOST_MEASURES = 8  # that are tried, where the first one has gaps
# What a column was taken for that a person may call a measure.
NO_NAMES = ("score", "ignored", "measure", "system")


class Wanted(NamedTuple):
    """The test set and the measure to use; "" is the first."""

    testset: str
    measure: str


def wanted(args: argparse.Namespace, collection: data.Collection) -> Wanted:
    """What the arguments select, or else what was selected in the app before a project was saved."""
    if not getattr(args, "project", None):
        return Wanted(args.testset, args.measure)
    return Wanted(args.testset or collection.testset, args.measure or collection.measure)


def load(
    args: argparse.Namespace, collection: data.Collection | None = None, use: Wanted | None = None
) -> tuple[data.Ready, list[str]]:
    """The test set and the outputs named on the command line (or those of a collection), with all notices about them.

    Raises: SigError if anything that was requested cannot be used; nothing is left out silently.
    """
    given = collection is not None
    collection = coded(args, collection or collect(args))
    if collection.ratings and not (collection.items or collection.preferences):
        collection = copy(collection)  # what was loaded stays ratings
        collection.add_intake(data.as_scores(collection.ratings, data.read_codes(args.missing_code)))
    collection.problems += (*data.gold_as_system(collection), *data.in_two_roles(collection))
    collection.refuse_problems()
    collection = _without(collection, getattr(args, "leave_out", ()))
    use = use or wanted(args, collection)
    _refuse_several(use, collection)
    collection.select(testset=use.testset)
    collection.select(kind=_kind(getattr(args, "metric", None), collection.choices.kinds))
    try:
        collection.select(measure=use.measure, missing=args.missing)
    except UnknownMember:
        again = None if given else _by_column(args, collection.claims, use.measure)
        if again is None:
            raise
        return load(again)
    try:
        loaded = collection.sound()
    except SigError as problem:
        problem = _with_comparisons(problem, collection)
        raise problem if use.measure else _with_measures(problem, collection) from None
    collection.problems += tuple(data.unused(collection, loaded))
    collection.refuse_problems()
    return loaded, still_true(args, data.warnings(collection.notices, loaded))


def _without(collection: data.Collection, names: Sequence[str]) -> data.Collection:
    """The collection in which these systems are ignored; what was loaded stays as it is.

    Raises: UnknownMember for a name that no system has.
    """
    if not names:
        return collection
    collection, known = copy(collection), [item.name for item in collection.edited() if item.role == "system"]
    for name in names:
        if name not in known:
            raise UnknownMember("system", name, known)
    gone = [k for k, item in enumerate(collection.edited()) if item.role == "system" and item.name in names]
    collection.edit({**collection.edits, **{k: {**collection.edits.get(k, {}), "role": "ignored"} for k in gone}})
    return collection


COMPARED = "To compare the two of each row"  # in a notice on a file each of whose rows names two systems


def _with_comparisons(problem: SigError, collection: data.Collection) -> SigError:
    """The problem with the command that compares the two systems of each row, where a file has no question with all of them."""
    offered = (notice.message.partition(COMPARED)[2] for notice in collection.notices if COMPARED in notice.message)
    more = [f"{COMPARED}{command}" for command in offered]
    return _with(problem, more[0]) if more else problem


def _with_measures(problem: SigError, collection: data.Collection) -> SigError:
    """The problem of the first measure of the files, with the known ones for which the same systems have every score."""
    whole, mine, systems = list[str](), collection.measure, _compared(collection)
    for name in [one for one in collection.choices.measures if one not in ("", mine)][:MOST_MEASURES]:
        collection.select(measure=name)
        loaded = collection.loaded()
        if len(systems) > 1 and _compared(collection) == systems and loaded.direction.why != "assumed":
            whole += [name] if not loaded.of("error") else []
    collection.select(measure=mine)
    if not whole:
        return _with_scores(problem, collection)
    what = f"This is about {mine}, the first of several measures. Without gaps: {listed(whole)} (--measure {shlex.quote(whole[0])})."
    return _with(problem, what)


def _with(problem: SigError, what: str) -> SigError:
    """The problem with something to add to it."""
    whole = SigError(f"{problem}\n{what}")
    whole.asks = problem.asks
    return whole


def _with_scores(problem: SigError, collection: data.Collection) -> SigError:
    """The problem of texts, with the measures of which the same files have scores of several systems."""
    named: dict[str, set[str]] = {}
    for item in collection.edited() if collection.kind == "text" else ():
        if item.role == "system" and item.kind == "scores":
            named.setdefault(item.measure, set()).add(item.name)
    several = [name for name, systems in named.items() if name and len(systems) > 1]
    if not several:
        return problem
    what = (
        f"This is about the texts. The files have scores, too: {listed(several)} (--measure {shlex.quote(several[0])})."
    )
    return _with(problem, what)


def _compared(collection: data.Collection) -> set[str]:
    """The names of the systems of the selected measure."""
    return {item.name for item in collection.edited() if item.role == "system" and item.measure == collection.measure}


def _by_column(args: argparse.Namespace, claims: Sequence[readers.Claim], measure: str) -> argparse.Namespace | None:
    """The arguments that say of a column with the name of the measure that it holds the scores; None without such a column,
    and where they say something else of it."""
    own = [claim for claim in claims if claim.column == measure and claim.role in NO_NAMES]
    said = {text.rpartition("=")[0].strip() for text in args.columns}
    if not own or measure in {*said, *args.score_field} or args.format is not None:
        return None
    # what the file itself says of the other columns stays known where nobody said anything of them
    named = {"columns": [*args.columns, f"{measure}=score"]} if said else {"score_field": [*args.score_field, measure]}
    return argparse.Namespace(**vars(args) | named)


def matrix_of(args: argparse.Namespace, *paths: str) -> tuple[ScoreMatrix, list[str]]:
    """The matrix of scores in a file, or in files of one system each, with what is to be said of it; missing scores stay missing.

    Raises: SigError for a file without scores, UnknownMember for a person who is none of its systems, and as `load` does.
    """
    name = Path(paths[0]).stem if args.name == NAME and len(paths) == 1 else args.name
    own = argparse.Namespace(**vars(args) | {"systems": [*paths], "missing": "keep", "metric": None, "name": name})
    loaded, notices = load(own)
    if loaded.testset.kind != "scores":
        raise SigError(
            "It has no scores.", ", ".join(paths), "Give --reference, --systems and --metric to score outputs."
        )
    made = scores.build(loaded.testset, loaded.outputs, asked(own, loaded), own.unit)
    return replace(made.marked(args.human), title=getattr(args, "title", "") or made.title), notices


def still_true(args: argparse.Namespace, warnings: Sequence[str]) -> list[str]:
    """The warnings without that on BLEU's default tokenizer, where the command line sets another one."""
    names = (text.partition("=") for text in getattr(args, "option", None) or ())
    other = any(name.casefold() == "bleu.tokenize" and value != "13a" for name, _, value in names)
    return [warning for warning in warnings if not (other and data.UNSPLIT in warning)]


def _refuse_several(use: Wanted, collection: data.Collection) -> None:
    """Raise SigError where the files have several test sets, and nobody says which: the first would be a guess."""
    sets = [name or "(no name)" for name in collection.choices.testsets]
    if len(sets) > 1 and not use.testset:
        names = {(item.testset, item.name) for item in collection.edited() if item.role == "system"}
        alone = len({testset for testset, _ in names}) == len(names)
        fix = f"Choose one: --testset {shlex.quote(sets[0])}. `sigboard tasks` tests several together."
        fix += " None of them has a second system: load the scores of another one." if alone else ""
        raise SigError(f"The files have {len(sets)} test sets: {', '.join(sets)}.", "", fix)


def coded(args: argparse.Namespace, collection: data.Collection) -> data.Collection:
    """The collection with the codes of missing scores that the command line or a recipe names; without any, with its own."""
    codes = args.missing_code or str(_recipe(args).get("missing", "")).split()
    if codes:
        collection.select(codes=codes)
    if getattr(args, "accept_order", False):
        collection.select(accept_order=True)
    return collection


def _recipe(args: argparse.Namespace) -> dict[str, object]:
    """What the recipe of the command line says; {} without one.

    Raises: SigError for a recipe that cannot be read.
    """
    file = getattr(args, "recipe", "")
    return readers.recipe.parse(data.read_bytes(file).decode(errors="replace"), file) if file else {}


def refuse_references_alone(args: argparse.Namespace) -> None:
    """Raises: OptionError for several files after --reference, and no system: it takes all that follow."""
    others = (args.systems, getattr(args, "files", []), args.known, getattr(args, "project", None))
    if len(args.reference) > 1 and not any(others):
        first, *rest = map(shlex.quote, args.reference)
        what = f"--reference took all {len(args.reference)} files, so there is no system."
        fix = f"Name the outputs after --systems: --reference {first} --systems {' '.join(rest)}."
        raise OptionError(what, "", fix)


def collect(args: argparse.Namespace) -> data.Collection:
    """The collection of the files named on the command line, and of a published test set.

    Raises: OptionError for references without a system; SigError for a project beside other files.
    """
    refuse_references_alone(args)
    if getattr(args, "project", None):
        return _project(args)
    chosen = format_of(args)
    documents = [args.documents] if args.documents else []
    dropped = getattr(args, "files", [])
    if not args.known:
        return data.Collection.of(
            *dropped,
            references=args.reference,
            systems=args.systems,
            documents=documents,
            name=args.name,
            chosen=chosen,
        )
    # published outputs come before those of the user
    collection = data.Collection.of(references=args.reference, documents=documents, name=args.name, chosen=chosen)
    collection.add_intake(_known(args.known))
    files, roles = data.read_paths(dropped, {"system": args.systems})
    collection.add(files, roles, every=chosen)
    return collection


def _project(args: argparse.Namespace) -> data.Collection:
    """The collection of a project file.

    Raises: SigError if other files are named beside it, or if it cannot be read.
    """
    if args.reference or args.systems or args.known or args.documents or getattr(args, "files", []):
        raise SigError("A project has its own files.", args.project, "Name no other files with --project.")
    return project.load(data.read_bytes(args.project)).collection


def _known(text: str) -> readers.Intake:
    """The published test set of this name, with its outputs."""
    name, slash, pair = text.rpartition("/")
    if not slash:
        raise SigError(f"{text!r} is not the name of a test set.", "", "Write NAME/PAIR, for example wmt22/cs-en.")
    return readers.load_known(name, pair, *([progress()] if sys.stderr.isatty() else []))


def _kind(chosen: Sequence[str] | None, kinds: Sequence[str]) -> str:
    """The kind that the chosen metrics need; without any, the first kind of what was loaded.

    Raises: SigError for metrics of two kinds, or of a kind that no system has.
    """
    if chosen is None:
        return kinds[0] if kinds else "text"
    asked = {metrics.get(name).kind for name in chosen}
    if len(asked) > 1:
        raise SigError(
            f"Metrics for {' and for '.join(sorted(asked))} cannot run together.", "", "Run the command once for each."
        )
    kind = asked.pop()
    if kinds and kind not in kinds:
        fitting = ", ".join(metric.name for metric in metrics.members().values() if metric.kind == kinds[0])
        what = f"{chosen[0]} needs {kind}, but the files of the systems contain {' and '.join(kinds)}."
        raise SigError(
            what, "", f"Choose a metric for {kinds[0]} ({fitting}), or set the format of the files with --format."
        )
    return kind


def format_of(args: argparse.Namespace) -> readers.Choice | None:
    """The format in which all files are read, with its options; None where nothing is said about it."""
    said = {} if hasattr(args, "assessments") else fields_of(args)  # there they are about the ratings
    if args.format is None:
        if args.format_option:
            raise SigError(
                "--format-option needs --format.", "", "Name the format that the option belongs to (see: list)."
            )
        return readers.Choice(options=said) if said else None
    pairs = [option.partition("=") for option in args.format_option]
    bad = next((option for option, (_, equals, _) in zip(args.format_option, pairs, strict=True) if not equals), None)
    if bad is not None:
        raise SigError(f"{bad!r} is not an option of a format.", "", "Write NAME=VALUE.")
    options: dict[str, object] = said | {name: value for name, _, value in pairs}
    readers.get(args.format).chosen(options)
    return readers.Choice(args.format, options)


def _chosen_ratings(ratings: Sequence[Judgments], args: argparse.Namespace) -> list[Judgments]:
    """The ratings of that name; or all, if each file has one set of them; or those of the language pair of the files.

    Raises: SigError if there are none, or if it is not clear which.
    """
    if not ratings:
        raise SigError(
            "The files hold no ratings by people.", "", "Load ratings of systems, with a row or a column for each."
        )
    names = ", ".join(part.name for part in ratings)
    chosen = [part for part in ratings if args.ratings in ("", part.name)]
    if not chosen:
        raise SigError(f"There are no ratings named {args.ratings!r}.", "", f"Choose one with --ratings: {names}.")
    if args.ratings or len(ratings) <= len(args.assessments):
        return chosen
    of_pair = _of_pair(ratings, args) or _of_folder(ratings)
    if not of_pair:
        same = len({(frozenset(part.system.tolist()), frozenset(part.segment.tolist())) for part in ratings}) == 1
        same &= len({part.file for part in ratings}) == len(ratings)  # tasks of one table are no people
        said = shlex.join(part.name for part in ratings)
        people = f" If each is a person, they are the judges with --people {said}." if same else ""
        raise SigError("One file contains several sets of ratings.", "", f"Choose one with --ratings: {names}.{people}")
    return of_pair


def _of_folder(ratings: Sequence[Judgments]) -> list[Judgments]:
    """The ratings, one set in each file and not of several language pairs; [] for others."""
    pairs = {readers.guess_testset(part.name) for part in ratings}
    return [*ratings] if len({part.file for part in ratings}) == len(ratings) and len(pairs) == 1 else []


def _of_pair(ratings: Sequence[Judgments], args: argparse.Namespace) -> list[Judgments]:
    """The ratings of the language pair that the test set or the names of the references and systems give; [] if they give
    none, or several."""
    files = [*args.reference, *args.systems, args.known or ""]
    pairs = {args.testset} if args.testset else {pair for file in files if (pair := readers.guess_testset(file))}
    if len(pairs) != 1:
        return []
    (pair,) = pairs
    return [part for part in ratings if readers.same_pair(part.name.rpartition(" ")[2], pair)]


def fields_of(args: argparse.Namespace) -> dict[str, object]:
    """What a recipe and the flags say about the columns of tables and about which scores are better, as options of formats;
    flags come before the recipe.

    Raises: SigError for a recipe that cannot be read.
    """
    recipe = _recipe(args)
    recipe.pop("missing", None)  # it is about all files together
    columns, cells = ([str(recipe.pop(name, "")), *getattr(args, name)] for name in ("columns", "cells"))
    flags: dict[str, object] = {
        "id_field": ",".join(args.id_field),
        "system_field": args.system_field,
        "score_field": ",".join(args.score_field),
        **{f"{part}_field": getattr(args, f"{part}_field") for part in FIELDS},
        "columns": "\n".join(filter(None, columns)),
        "cells": "\n".join(filter(None, cells)),
        "table": args.table,
        "people": ",".join(args.people),
        "explode": ",".join(args.explode),
        "better": args.better,
    }
    return recipe | {name: value for name, value in flags.items() if value}


def sort_ratings(args: argparse.Namespace) -> None:
    """Make ratings by people of the files that were given without an option and hold them; the others stay.

    One file alone holds the ratings, whatever it looks like. Raises: OptionError where no file is left for them.
    """
    if not args.assessments:
        rated = args.files if len(args.files) == 1 else [path for path in args.files if _holds_ratings(path)]
        # where none is recognised, what is wrong with the first one says more
        rated = rated or [path for path in args.files if not args.reference and not args.systems]
        args.assessments, args.files = rated, [path for path in args.files if path not in rated]
    if not (args.assessments or args.project):
        what = "No file holds ratings by people." if args.files else "There are no ratings by people."
        raise OptionError(what, "", "Name the file of ratings with --assessments FILE.")


def _holds_ratings(path: str) -> bool:
    """Whether a file is recognised as ratings by people."""
    collection = data.Collection()
    collection.add(data.read_paths([path], {})[0])
    return bool(collection.ratings)


def read_judgments(args: argparse.Namespace) -> tuple[Judgments, list[str]]:
    """The ratings in the files as one set, renamed as requested, and the notices about them.

    Raises: SigError if a file contains no ratings, or if it is not clear which ratings to use.
    """
    from sigcore.studies import human  # only the commands with ratings need it

    collection = data.Collection()
    said = fields_of(args)
    every = readers.Choice(options=said) if said else None
    collection.add(data.read_paths(args.assessments, {})[0], ratings=True, every=every)
    collection.refuse_problems()
    chosen = _chosen_ratings(collection.ratings, args)
    if any("=" not in pair for pair in args.rename):
        raise SigError(
            f"--rename {' '.join(args.rename)} cannot be read.",
            "",
            "Write JUDGED=OUTPUT, for example Online-W.2=Online-W.",
        )
    renamed = dict(pair.split("=", 1) for pair in args.rename)
    people = _without_judged(data.rated(gathered(chosen), data.read_codes(args.missing_code)), args)
    return human.named(people, renamed), data.warnings(collection.notices)


def _without_judged(people: Judgments, args: argparse.Namespace) -> Judgments:
    """The ratings of all systems that stay in. If outputs are given, a name to leave out may be an output without ratings.

    Raises: UnknownMember for a name that no system has.
    """
    known = list(dict.fromkeys(people.system.tolist()))
    outputs = args.systems or args.known or args.project
    if unknown := next((name for name in args.leave_out if name not in known and not outputs), ""):
        raise UnknownMember("system", unknown, known)
    kept = [name not in args.leave_out for name in people.system.tolist()]
    return people if all(kept) else people.of(kept)


# Language pairs that folders name, as mt/wmt22.cs-en/systems: the arguments of each pair alone.


def by_pair(args: argparse.Namespace) -> dict[str, argparse.Namespace]:
    """The arguments with the files of one language pair, by pair, as the folders of the files name it; {} unless every
    file has such a folder.

    Where two folders name the same pair (wmt21.cs-en, wmt22.cs-en), they are two, by the names of the folders.
    Raises: OptionError for a pair without systems, and for a file of documents, which belongs to one test set.
    """
    folder_of = {path: _folder(path) for path in (*args.reference, *args.systems)}
    if not folder_of or not all(folder_of.values()):
        return {}
    if args.documents:
        fix = "Write a report on each test set alone, or name the language pair in the files."
        raise OptionError("One file of documents cannot belong to several test sets.", args.documents, fix)
    folders = list(dict.fromkeys(folder_of.values()))
    pairs = [readers.guess_testset(folder) for folder in folders]
    names = {f: pair if pairs.count(pair) == 1 else f for f, pair in zip(folders, pairs, strict=True)}
    return {name: _in_folder(args, folder, folder_of) for folder, name in names.items()}


def _in_folder(args: argparse.Namespace, folder: str, folder_of: Mapping[str, str]) -> argparse.Namespace:
    """The arguments with the files of this folder; ratings without a folder of a language pair are of all test sets."""
    own = {role: [p for p in getattr(args, role) if folder_of[p] == folder] for role in ("reference", "systems")}
    if not own["systems"]:
        raise OptionError(f"There are no systems in {folder}.", "--each-testset", "Give the outputs of every pair.")
    if rated := [p for p in getattr(args, "assessments", []) if _folder(p) in ("", folder)]:
        own["assessments"] = rated
    return argparse.Namespace(**{**vars(args), **own})


def _folder(path: str) -> str:
    """The last folder of the path whose name has a language pair; "" if none has."""
    parts = Path(path).parts if Path(path).is_dir() else Path(path).parts[:-1]
    return next((part for part in reversed(parts) if readers.guess_testset(part)), "")
