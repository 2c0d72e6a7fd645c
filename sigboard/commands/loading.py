"""The files named on the command line, read as the page reads them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sigboard.commands.output import progress
from sigcore import Judgments, SigError, UnknownMember, data, gathered, metrics, readers
from sigcore.studies import human

SHOWN = 6  # files named in one note
GIVEN_ROLES = ("system", "reference", "possible", "source")  # roles that a person gives on the command line


def read_roles(
    paths: Sequence[str], role: str, choice: tuple[str, dict[str, object]] | None = None
) -> tuple[list[readers.Item], list[str]]:
    """The streams in the files and folders, with the given role, and what is worth knowing about them; `choice` is the
    format of all of them with its options, None lets each file tell its own.

    A file, a folder or an archive that holds outputs as well as references or sources says itself which is which.
    Raises: SigError, with every problem of every file.
    """
    labels = readers.files_apart(map(readers.clean, paths))
    files = [file for path, label in zip(paths, labels, strict=True) for file in _inside(path, label)]
    found = readers.read(files, chosen={"": choice} if choice else None)
    if found.problems:
        raise _together(list(found.problems))
    sources: dict[str, list[readers.Item]] = {label: [] for label in ("", *labels)}
    for item in found.items:
        sources[_of(item, labels)].append(item)
    items = [item for own in sources.values() for item in _with_role(own, role)]
    told = _told(found.notices)
    return items, told


def _told(notices: Sequence[readers.Notice]) -> list[str]:
    """What is worth knowing of which files; the same words about several files are one line."""
    places: dict[str, list[str]] = {}
    for n in notices:
        places.setdefault(n.message, []).append(f"{n.file}{f', line {n.line}' if n.line else ''}")
    out = []
    for message, found in places.items():
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        where = "; ".join(found[:SHOWN]) + more
        out.append(f"{where}: {message}" if where else message)
    return out


def _of(item: readers.Item, labels: Sequence[str]) -> str:
    """The file, folder or archive of the command line that a stream came from; "" for what several gave together."""
    found = (label for label in labels if item.file == label or item.file.startswith(f"{label}/"))
    return max(found, key=len, default="")


def _with_role(items: Sequence[readers.Item], role: str) -> list[readers.Item]:
    """The streams of one file with the role the person gave it, unless it tells several apart."""
    told = {item.role for item in items} & set(GIVEN_ROLES)
    if len(told) > 1 or (role not in GIVEN_ROLES and len(items) > 1):
        return list(items)
    given = (*GIVEN_ROLES, "ignored") if len(items) == 1 else GIVEN_ROLES
    return [replace(item, role=role) if item.role in given else item for item in items]


def read_documents(path: str) -> tuple[list[readers.Item], list[str]]:
    """The document of every segment: one name per line, or the document column of a table.

    Raises: SigError where the file cannot be read, or has no such column.
    """
    items, told = read_roles([path], "documents")
    items = [item for item in items if item.role == "documents"]
    if not items:
        raise SigError(f"{path} names no documents.", "", "Give one name per line, or a table with a column document.")
    return items, told


def _inside(path: str, label: str) -> list[tuple[str, bytes]]:
    """The file, or all files in the folder, each with its name and bytes."""
    if not Path(path).is_dir():
        return [(label, bytes_of(path))]
    inside = sorted(p for p in Path(path).rglob("*") if p.is_file() and p.name[0] != ".")
    if len(inside) > readers.Limits.members:
        what = f"{path} holds {len(inside):,} files: the bound is {readers.Limits.members:,}."
        raise SigError(what, "", "Name the files, or a smaller folder.")
    return [(f"{label}/{p.relative_to(path).as_posix()}", bytes_of(str(p))) for p in inside]


def bytes_of(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SigError(
            f"{path} cannot be read: {error.strerror}.", "", "Check the name and the permissions."
        ) from error


def _together(problems: Sequence[SigError]) -> SigError:
    return problems[0] if len(problems) == 1 else SigError("\n".join(str(problem) for problem in problems))


def load(args: argparse.Namespace) -> tuple[data.Loaded, list[str]]:
    """The test set and the outputs named on the command line, with warnings.

    Raises: SigError where anything that was asked for cannot be used: nothing is left out silently.
    """
    choice = _format(args)
    references, told = read_roles(args.reference, "reference", choice) if args.reference else ([], [])
    documents, noticed = read_documents(args.documents) if args.documents else ([], [])
    systems, more = read_roles(args.systems, "system", choice) if args.systems else ([], [])
    told += noticed
    if args.known:
        name, slash, pair = args.known.rpartition("/")
        if not slash:
            raise SigError(f"{args.known!r} is no known test set.", "", "Write NAME/PAIR, for example wmt22/cs-en.")
        found = readers.load_known(name, pair, *([progress()] if sys.stderr.isatty() else []))
        references += found.items
        told += _told(found.notices)
    items = [*documents, *references, *systems]
    kind = _kind(args, items)
    _refuse_unknown("test set", args.testset, data.choices(items).testsets)
    _refuse_unknown("measure", args.measure, data.choices(items, args.testset, kind).measures)
    loaded = data.assemble(items, args.name, kind, args.testset, args.measure, args.missing)
    errors = [SigError(f.what, f.where, f.fix) for f in loaded.of("error")]
    if errors:
        raise _together(errors)
    findings = [f for severity in ("warning", "note") for f in loaded.of(severity)]
    return loaded, told + more + [" ".join(part for part in (f.what, f.where, f.fix) if part) for f in findings]


def _refuse_unknown(what: str, name: str, known: Sequence[str]) -> None:
    """Raises: UnknownMember where the files hold none of that name: another one is never taken instead."""
    if name and name not in known:
        raise UnknownMember(f"{what} in these files", name, filter(None, known))


def _kind(args: argparse.Namespace, items: Sequence[readers.Item]) -> str:
    """The kind that the metrics take; where none is asked for, the usual one of what was loaded is set.

    Raises: SigError for metrics of two kinds, or of one that no system has.
    """
    there = data.choices(items, args.testset).kinds
    if args.metric is None:
        args.metric = [metrics.usual(there[0] if there else "text")]
    kinds = {metrics.get(name).kind for name in args.metric}
    if len(kinds) > 1:
        raise SigError(
            f"Metrics of {' and of '.join(sorted(kinds))} cannot be asked for at once.", "", "Run them one by one."
        )
    kind = kinds.pop()
    if there and kind not in there:
        fitting = ", ".join(metric.name for metric in metrics.members().values() if metric.kind == there[0])
        what = f"{args.metric[0]} takes {kind}, but the systems' files hold {' and '.join(there)}."
        raise SigError(
            what, "", f"Ask for a metric of {there[0]} ({fitting}), or say with --format what the files are."
        )
    return kind


def _format(args: argparse.Namespace) -> tuple[str, dict[str, object]] | None:
    """The format all files are read in, with its options; None where each file tells its own."""
    if args.format is None:
        if args.format_option:
            raise SigError("--format-option needs --format.", "", "Say which format it belongs to (see: list).")
        return None
    pairs = [option.partition("=") for option in args.format_option]
    bad = next((option for option, (_, equals, _) in zip(args.format_option, pairs, strict=True) if not equals), None)
    if bad is not None:
        raise SigError(f"{bad!r} is not an option of a format.", "", "Write name=value.")
    options: dict[str, object] = {name: value for name, _, value in pairs}
    readers.get(args.format).chosen(options)
    return args.format, options


def read_judgments(args: argparse.Namespace) -> tuple[Judgments, list[str]]:
    """The ratings in the files, as one, renamed as asked, and what is worth knowing about them.

    Raises: SigError where a file holds no ratings, or one that is left out.
    """
    read = readers.read_ratings((path, bytes_of(path)) for path in args.assessments)
    if read.problems:
        raise _together(list(read.problems))
    found = read.judgments
    told = _told(read.notices)
    chosen = [part for part in found if args.ratings in ("", part.name)]
    if not chosen or (not args.ratings and len(found) > len(args.assessments)):
        what = f"No ratings are called {args.ratings!r}." if args.ratings else "One file holds several sets of ratings."
        raise SigError(what, "", f"Choose one with --ratings: {', '.join(part.name for part in found)}.")
    if any("=" not in pair for pair in args.rename):
        raise SigError(f"--rename {' '.join(args.rename)}", "", "Write JUDGED=OUTPUT, for example Online-W.2=Online-W.")
    return human.named(gathered(chosen), dict(pair.split("=", 1) for pair in args.rename)), told


def files_of(paths: Sequence[str]) -> list[tuple[str, bytes]]:
    """The files, and those in the folders, each with a name of its own and its bytes."""
    labels = readers.files_apart(map(readers.clean, paths))
    return [file for path, label in zip(paths, labels, strict=True) for file in _inside(path, label)]
