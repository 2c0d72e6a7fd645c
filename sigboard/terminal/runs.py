"""Several runs of each system in compare and matrix: the files, and what is printed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sigboard.render import sentences
from sigboard.render.runs import multeval_latex, runs_json, runs_table
from sigboard.render.tables import pair_columns
from sigboard.terminal.arguments import EXAMPLE, runtime, study_of
from sigboard.terminal.loading import Wanted, format_of, load
from sigboard.terminal.output import give
from sigcore import Collection, OptionError, Outputs, SigError, Study, Testset, data, readers
from sigcore.formatting import listed
from sigcore.results import Row, matrix_rows, of_command
from sigcore.studies import runs

Systems = Mapping[str, Sequence[Outputs]]
Beside = tuple[Sequence[str], Row]  # printed tables, and fields of the JSON


@dataclass(frozen=True, eq=False)
class Made:
    """What the runs of the command line give: the test set, the outputs of every system, what was loaded, the study, one result for
    each metric, and the notices."""

    testset: Testset
    systems: Systems
    loaded: data.Ready
    study: Study
    results: Sequence[runs.RunsResult]
    warnings: Sequence[str]


def run(args: argparse.Namespace, most: int | None = None, beside: Callable[[Made], Beside] | None = None) -> None:
    """All pairs of systems with their runs (at most this many systems): one result for each metric; `beside` makes what else is
    printed, and written, of them."""
    made = computed(args, most=most)
    family = None if most is None else of_command(len(made.results))
    tables, more = ([], {}) if beside is None else beside(made)
    give(
        args,
        {**runs_json(made.results, made.warnings, family), **more},
        [runs_table(made.results, args.alpha), *tables],
        rows=partial(_rows, made.results, args.alpha),
        latex=partial(multeval_latex, made.results),
        columns=lambda: pair_columns([item.grid for item in made.results], args.alpha, ("metric",)),
    )


def _rows(results: Sequence[runs.RunsResult], alpha: float) -> list[Row]:
    """The pairs of all metrics."""
    grids = [item.grid for item in results]
    return [{"metric": grid.setup.metric, **row} for grid in grids for row in matrix_rows(grid, alpha)]


def computed(
    args: argparse.Namespace, collection: Collection | None = None, most: int | None = None, use: Wanted | None = None
) -> Made:
    """The results of the runs, of a collection where they are named in it."""
    testset, systems, loaded, warnings = _load(args, collection, use)
    if most is not None and len(systems) != most:
        names = ", ".join(systems)
        raise SigError(f"compare takes two systems, but there are {len(systems)}: {names}.", "", "Use matrix for more.")
    study = study_of(args, loaded)
    results = runs.results(study, runs.RunsPlan(systems, args.shuffle), runtime(args))
    warnings = sentences.of_runs(warnings, systems, [result.grid for result in results], args.correction)
    return Made(testset, systems, loaded, study, results, warnings)


def _load(
    args: argparse.Namespace, collection: Collection | None, use: Wanted | None
) -> tuple[Testset, Systems, data.Ready, list[str]]:
    """The test set, the runs of every system in order, and the notices."""
    if not args.runs:
        loaded, warnings = load(args, collection, use)
        by_name = {item.system: item for item in loaded.outputs}
        names = data.by_pattern(by_name, args.runs_from_names)
    else:
        collection, names = _collect(args)
        loaded, warnings = load(args, collection, use)
        by_name = {item.system: item for item in loaded.outputs}
    lacking = [name for own in names.values() for name in own if name not in by_name]
    if lacking:
        fix = "Give only runs on one test set; name it with --testset if the names of files suggest others."
        raise SigError(f"{listed(lacking)} is not on the test set {loaded.testset.name}.", "", fix)
    systems = {system: [by_name[name] for name in own] for system, own in names.items()}
    return loaded.testset, systems, loaded, warnings


def _collect(args: argparse.Namespace) -> tuple[Collection, dict[str, list[str]]]:
    """The collection of all files, the outputs named "A (run 1)", and these names by system."""
    documents = [args.documents] if args.documents else []
    chosen = format_of(args)
    collection = Collection.of(references=args.reference, documents=documents, name=args.name, chosen=chosen)
    paths = _paths(args.runs)
    files, _ = data.read_paths((), {"system": [path for own in paths.values() for path in own]})
    names: dict[str, list[str]] = {}
    contents = iter(files)
    for system, own in paths.items():
        for number in range(1, len(own) + 1):
            file, content = next(contents)
            name = f"{system} (run {number})"
            names.setdefault(system, []).append(name)
            intake = readers.read([(file, content)], roles=[(file, "system")], every=chosen)
            collection.add_intake(_one_output(intake, file, name))
            collection.given = (*collection.given, (file, "system"))
    return collection, names


def _one_output(intake: readers.Intake, file: str, name: str) -> readers.Intake:
    """The intake of the file of one run, its output under this name.

    Raises: SigError if it holds another number of outputs.
    """
    outputs = [item for item in intake.items if item.role == "system"]
    if len(outputs) != 1 and not intake.problems:
        what = f"A run is one file with the output of one system; this one has {len(outputs)} of them."
        raise SigError(what, file, "Give one file for each run.")
    items = (replace(item, name=name) if item.role == "system" else item for item in intake.items)
    return replace(intake, items=tuple(items))


def _paths(given: Sequence[str]) -> dict[str, list[str]]:
    """The files of every system, from SYSTEM=FILE,FILE or SYSTEM=FOLDER.

    Raises: SigError for another text, a system that is named twice, or a folder without files.
    """
    out: dict[str, list[str]] = {}
    for text in given:
        left, equals, right = text.partition("=")
        name, files = readers.clean(left), [part for part in right.split(",") if part]
        if not (name and equals and files):
            raise OptionError(f"{text!r} does not name the runs of a system.", "", f"Write {EXAMPLE}.")
        if name in out:
            raise OptionError(f"{name} is named twice in --runs.", "", f"Write all its files together: {name}=a,b.")
        out[name] = [path for file in files for path in _inside(file)]
    return out


def _inside(path: str) -> list[str]:
    """The path, or all files of a folder by name; hidden files are left out."""
    if not Path(path).is_dir():
        return [path]
    inside = sorted(str(one) for one in Path(path).iterdir() if one.is_file() and one.name[0] != ".")
    if not inside:
        raise OptionError("The folder has no files.", path, "Give the folder that contains one file for each run.")
    return inside
