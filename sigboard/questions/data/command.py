"""What each file was detected as, and what is wrong with it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from sigboard.render.text import align, printable
from sigboard.terminal import arguments, loading
from sigboard.terminal.output import as_text, say_written, write, write_tables
from sigcore import SigError, data, readers
from sigcore.formatting import count, listed
from sigcore.results import DIRECTION, as_json
from sigcore.types import SEVERITIES, Row

OneSet = tuple[str, str, str, data.Loaded]  # name, kind, measure and contents
COLUMNS = ("file", "format", "role", "kind", "name", "measure", "segments", "test_set")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The files and their format."""
    add = command.add_argument
    add("files", nargs="+", metavar="FILE", help="files, folders and archives")
    add("--format", metavar="NAME", help="the format of all files (see: list); by default each is detected")
    add("--format-option", action="append", default=[], metavar="NAME=VALUE", help="an option of the format")
    arguments.fields(command)
    add(
        "--save-recipe",
        metavar="FILE",
        help="write what the columns hold as a recipe, for --recipe (-: standard output)",
    )
    arguments.written(command)


def run(args: argparse.Namespace) -> None:
    """Print the streams in the files and the findings on every test set.

    Raises: SigError if nothing could be read.
    """
    collection = loading.coded(args, data.Collection.of(*args.files, chosen=loading.format_of(args)))
    empty = not (collection.items or collection.ratings or collection.preferences or collection.groups)
    if empty and args.json is None:
        collection.refuse_problems()
    files, test_sets = [*_rows(collection)], [*_test_sets(collection)]
    content: Row = {
        "files": files,
        "problems": [{"what": p.what, "where": p.where, "fix": p.fix} for p in collection.problems],
        "detected": [*_detected(collection)],
        "claims": [_claim(claim) for claim in data.claims(collection)],
        "notices": [{"file": n.file, "line": n.line, "message": n.message} for n in collection.notices],
        "test_sets": [_test_set(*chosen) for chosen in test_sets],
    }
    _save_recipe(args.save_recipe, collection)
    taken = write_tables(args, lambda: files, caption="Files.")
    if args.json is not None:
        write(args.json, as_text(content))
        say_written(args)
        if empty:
            collection.refuse_problems()
    elif not taken:
        print(_table(collection, files, test_sets))


def _save_recipe(file: str | None, collection: data.Collection) -> None:
    """Write what the columns of the one table hold, to a file or (-) to standard output.

    Raises: SigError if several tables have different columns: a recipe is about one layout.
    """
    if file is None:
        return
    by_file: dict[str, list[readers.Claim]] = {}
    for claim in data.claims(collection):
        if claim.column:
            by_file.setdefault(claim.file, []).append(claim)
    layouts = {readers.recipe.headings(claims) for claims in by_file.values()}
    if len(layouts) != 1:
        what = "These tables have different columns." if layouts else "There is no table."
        raise SigError(what, "--save-recipe", "Name one table, or several with the same headings.")
    name, claims = next(iter(by_file.items()))
    options = next((one.options for one in collection.detected if one.file == name), {})
    write(file, readers.recipe.written(claims, options))


def _rows(collection: data.Collection) -> Iterator[Row]:
    """One row per stream; a file without streams also gets one row."""
    formats = {one.file: one.reader for one in collection.detected}
    for item in collection.items:
        named = item.role, item.kind, item.name, item.measure
        yield _row(item.file, item.reader, *named, len(item.segments), item.testset)
    for part in collection.ratings:
        rated, measured = len(set(part.segment.tolist())), ", ".join(part.dimensions)
        yield _row(part.file, formats.get(part.file, ""), "ratings", "ratings", part.name, measured, rated, "")
    for one in collection.preferences:
        questions = len(set(one.question.tolist()))
        yield _row(one.file, formats.get(one.file, ""), "judgments", "pairwise", one.name, "", questions, "")
    filled = {item.file for item in collection.items} | {part.file for part in collection.ratings}
    filled |= {one.file for one in collection.preferences}
    for file in collection.detected:
        if file.file not in filled:
            groups = file.reader and readers.read([(file.file, file.data)]).groups
            yield _row(file.file, file.reader, "groups" if groups else "", "", "", "", 0, "")


def _detected(collection: data.Collection) -> Iterator[dict[str, str]]:
    """What each file was detected as, and why."""
    members = readers.members()
    for one in collection.detected:
        if one.reader:
            yield {"file": one.file, "format": one.reader, "title": members[one.reader].title, "why": one.why}


def _claim(claim: readers.Claim) -> Row:
    return {
        "file": claim.file,
        "column": claim.column,
        "role": claim.role,
        "reason": claim.reason,
        "sure": claim.sure,
        "direction": claim.direction,
    }


def _row(*values: str | int) -> Row:
    return dict(zip(COLUMNS, values, strict=True))


def _test_sets(collection: data.Collection) -> Iterator[OneSet]:
    """Every test set, kind and measure that can be selected, with its contents."""
    items = collection.items
    if not items:
        return
    for name in data.choices(items).testsets or ("",):
        for kind in data.choices(items, name).kinds or ("",):
            for measure in data.choices(items, name, kind).measures or ("",):
                yield name, kind, measure, data.assemble(items, "", kind, name, measure, codes=collection.codes)


def _test_set(name: str, kind: str, measure: str, loaded: data.Loaded) -> Row:
    return {
        "test_set": name,
        "kind": kind,
        "measure": measure,
        "direction": as_json(DIRECTION, loaded.direction) if kind == "scores" else None,
        "segments": loaded.testset.n if loaded.testset else 0,
        "references": len(loaded.testset.references) if loaded.testset else 0,
        "systems": [o.system for o in loaded.outputs],
        "findings": [
            {"severity": f.severity, "what": f.what, "where": f.where, "fix": f.fix} for f in _findings(loaded)
        ],
    }


def _findings(loaded: data.Loaded) -> list[data.Finding]:
    return [finding for severity in SEVERITIES for finding in loaded.of(severity)]


def _table(collection: data.Collection, files: Sequence[Row], test_sets: Sequence[OneSet]) -> str:
    """The streams in columns, then problems, notices and findings."""
    cells = [[printable(str(row[column])) for column in COLUMNS] for row in files]
    header = [column.replace("_", " ") for column in COLUMNS]
    lines = [align(header, cells, left=(0, 1, 2, 3, 4, 5, 7))]
    alike: dict[tuple[str, str], list[str]] = {}
    for one in _detected(collection):
        alike.setdefault((one["title"], one["why"]), []).append(one["file"])
    lines += [printable(f"detected: {title}, {why}: {listed(files)}", 0) for (title, why), files in alike.items()]
    lines += [f"problem: {_sentence(problem)}" for problem in collection.problems]
    lines += [f"note: {_notice(notice)}" for notice in collection.notices]
    for made in test_sets:
        lines += ["", _headline(*made)]
        lines += [f"  {finding.severity}: {_sentence(finding)}" for finding in _findings(made[-1])]
    return "\n".join(lines)


def _notice(notice: readers.Notice) -> str:
    line = f", line {notice.line}" if notice.line else ""
    place = f"{notice.file}{line}: " if notice.file else ""
    return printable(place + notice.message, 0)


def _headline(name: str, kind: str, measure: str, loaded: data.Loaded) -> str:
    title, testset = " ".join(filter(None, (name, measure, kind))) or "test set", loaded.testset
    segments, references = (testset.n, len(testset.references)) if testset else (0, 0)
    sizes = count(segments, "segment"), count(references, "reference"), count(len(loaded.outputs), "system")
    return printable(f"{title}: {', '.join(sizes)}", 0)


def _sentence(problem: SigError | data.Finding) -> str:
    return printable(" ".join(filter(None, (problem.what, problem.where, problem.fix))), 0)
