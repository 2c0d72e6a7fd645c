"""Files that the user gave as outputs or references, of which nothing is used: they are of another kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sigcore.errors import SigError
from sigcore.formatting import listed
from sigcore.readers import Item, Notice

if TYPE_CHECKING:
    from sigcore.data.assembly import Loaded
    from sigcore.data.collection import Collection

# Notices about files for display: the same message about several files is one line.


def together(notices: Iterable[Notice]) -> list[tuple[str, str]]:
    """Each message with its files and lines: ("It is UTF-16; read as such.", "a.txt; b.txt")."""
    places: dict[str, list[str]] = {}
    for notice in notices:
        line = f", line {notice.line}" if notice.line else ""
        places.setdefault(notice.message, []).append(f"{notice.file}{line}")
    return [(message, listed(files, separator="; ")) for message, files in places.items()]


def warnings(notices: Iterable[Notice], loaded: Loaded | None = None) -> list[str]:
    """What a result of these files must carry: the notices on files, and all findings but errors, each in one line."""
    messages = [f"{where}: {message}" if where else message for message, where in together(notices)]
    findings = [*loaded.of("warning"), *loaded.of("note")] if loaded is not None else []
    return [*messages, *map(str, findings)]


RATINGS = ("ratings by people", "Compare metrics with them by the command human --assessments FILE.")
PREFERENCES = ("pairwise judgments", "The command pairwise reads them.")
GROUPS = ("groups of systems that are not loaded", "Load these systems, or leave the file out.")
OTHER_KIND = "Leave it out, or compare such files in another command; if it was misread, set its format with --format."
NOTHING = "Check that it is the right file, or set its format with --format."
Content = tuple[str, str]  # what it is, and how to fix it


def in_two_roles(collection: Collection) -> Iterator[SigError]:
    """An error for each file that was given as documents as well, and has nothing else: its segments would be lost."""
    documents = {label for label, role in collection.given if role == "documents"}
    for label, role in dict.fromkeys(collection.given):
        own = [item for item in collection.edited() if _within(item.file, label)]
        if label in documents and role != "documents" and own and all(item.role == "documents" for item in own):
            fix = "Give the file with the names of documents, one line per segment, only after --documents."
            yield SigError(f"It was given as a {role} and as documents, and can be only one of them.", label, fix)


def unused(collection: Collection, loaded: Loaded) -> Iterator[SigError]:
    """An error for each file, folder or archive with a role from the user, of which the test set has nothing in that role.

    What another test set or measure is made of may be left out: the user selects one of several, and a note says which.
    So may a second copy of a reference. A table that names its columns (documents, domains) is used as what it says it is.
    """
    for label, role in dict.fromkeys(collection.given):
        if any(_within(file, label) and (role == "system") <= (own == "system") for file, own in loaded.files):
            continue
        items = [item for item in collection.edited() if _within(item.file, label)]
        if any(_may_be_left_out(item, collection) for item in items):
            continue
        content = _content(collection, loaded, items, label)
        if content is not None:
            side = "outputs of systems" if role == "system" else f"a {role}"
            yield SigError(f"It was given as {side}, but contains {content[0]}.", label, content[1])


def named_without(collection: Collection, named: Iterable[str], used: Iterable[str], what: str) -> Iterator[SigError]:
    """An error for each file that the user named and that is not among the `used` ones: it has no `what`.

    The files inside of folders and archives that were named may be left out.
    """
    names, filled = set(named), set(used)
    for one in collection.detected:
        if one.file in names and one.file not in filled:
            message = f"{one.file} has no {what}, but other files have."
            yield SigError(message, one.file, "Leave it out.")


def _within(file: str, label: str) -> bool:
    return file == label or file.startswith(f"{label}/")


def _may_be_left_out(item: Item, collection: Collection) -> bool:
    """Whether an item says itself what it is; or is of the right kind, but of another test set or measure, or a copy; or the
    text of word links."""
    if item.role not in ("system", "reference"):
        return True
    if item.testset not in ("", collection.testset):
        return True
    return item.kind == collection.kind or (item.kind, collection.kind) == ("text", "alignments")


def _content(collection: Collection, loaded: Loaded, items: Sequence[Item], label: str) -> Content | None:
    """What a file contains that is not used; None if it is a table of groups of systems that are loaded."""
    if _any_within(collection.ratings, label):
        return RATINGS
    if _any_within(collection.preferences, label):
        return PREFERENCES
    if items:
        return f"{listed(item.kind for item in items)}; the test set is {collection.kind}", OTHER_KIND
    if not collection.groups:
        return "nothing that can be used", NOTHING
    return None if any(output.system in collection.groups for output in loaded.outputs) else GROUPS


def _any_within(parts: Iterable[object], label: str) -> bool:
    return any(_within(str(getattr(part, "file", "")), label) for part in parts)
