"""Files and sheets of one person each: ratings by their judges, and names that may be those of people."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.judgments import Judgments, judgments
from sigcore.readers import names, together
from sigcore.readers.contract import Item, Notice
from sigcore.readers.tables import headings as words

COLUMNS = ("system", "segment", "score", "document", "dimension", "kind", "z")


def joined(ratings: Sequence[Judgments], named: Container[str] = ()) -> tuple[list[Judgments], list[Notice]]:
    """The ratings; those of several people about the same systems, a sheet or a file each, are of these judges together.
    `named` are the files that somebody says are of people."""
    people: dict[tuple[str, frozenset[str]], dict[str, Judgments]] = {}
    for part in ratings:
        who = together.person(part.file, named)
        if who and not any(part.judge.tolist()):
            people.setdefault((together.folder(part.file), frozenset(part.system.tolist())), {})[who] = part
    out, notices = list(ratings), list[Notice]()
    for (place, _), own in people.items():
        if len(own) > 1:
            used = [*own.values()]
            first = next(k for k, part in enumerate(out) if part is used[0])
            out = [part for part in out if all(part is not one for one in used)]
            out.insert(first, _together(place, own))
            notices.append(Notice(place, f"{listed(own)} are people: each was read as the judge of its ratings."))
    return out, notices


def _together(place: str, own: dict[str, Judgments]) -> Judgments:
    """The ratings of several people, each the judge of those in its own file."""
    columns = {name: [cell for part in own.values() for cell in getattr(part, name).tolist()] for name in COLUMNS}
    judge = [who for who, part in own.items() for _ in range(part.n)]
    name = names.display_name(place) if place else ", ".join(own)
    return judgments(name, {**columns, "judge": judge}, file=next(iter(own.values())).file)


def unknown(people: Collection[str], files: Iterable[str]) -> list[ReadError]:
    """A problem for each name that somebody says is a person's file or sheet, where none is called so."""
    known = sorted({names.display_name(file) for file in files})
    fix = f"There are: {listed(known)}."
    return [ReadError(f"No file or sheet is called {one!r}.", one, fix=fix) for one in sorted({*people} - {*known})]


GIVEN = re.compile(r"[A-Z][a-z]{1,14}")  # Anna, Ben; measures are known by their headings


def unnamed(items: Sequence[Item]) -> list[ReadError]:
    """A problem for sheets or files of one folder that have the same systems and ids, and scores that are only called after
    them: Anna and Ben may be people, and the scores of one of them are not those of the systems."""
    groups: dict[tuple[str, str, frozenset[str], frozenset[str]], list[str]] = {}
    for file, own in together.by_file(items).items():
        systems = frozenset(item.name for item in own)
        if len(systems) == len(own) > 1 and all(map(_is_of_person, own)):
            keys = frozenset(key for item in own for key in item.keys)
            groups.setdefault((together.folder(file), own[0].testset, systems, keys), []).append(file)
    problems = []
    for (place, _, systems, _), files in groups.items():
        if len(files) > 1:
            shown = listed(map(names.display_name, files))
            message = f"Are {shown} people? Each has scores of {listed(sorted(systems))} for the same segments."
            fix = f"{together.averaged(files)} If each is a measure, say so in its name: {names.display_name(files[0])} score. If each is a test set, load one alone."
            problems.append(ReadError(message, place or files[0], fix=fix))
    return problems


def _is_of_person(item: Item) -> bool:
    """Whether scores have ids, and no measure but the name of their file, which is a single word like a first name."""
    name = names.display_name(item.file)
    known = words.has_measure(name) or words.is_plain(name) or words.is_kind(name) or words.meaning(name) is not None
    return (
        bool(item.keys)
        and together.called(item)[1] == together.RATING
        and GIVEN.fullmatch(name) is not None
        and not known
    )
