"""The roles that the user gave to files, folders and archives, applied to the items read from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.readers.contract import Item
from sigcore.types import Role

SIDES: tuple[Role, ...] = ("system", "reference", "possible", "source")
REPLACED: tuple[Role, ...] = (*SIDES, "ignored")  # for a file with one item
Given = Sequence[tuple[str, Role]]  # (file, folder or archive, its role), in the user's order


def with_roles(items: Sequence[Item], given: Given, unread: Iterable[str]) -> tuple[list[Item], list[ReadError]]:
    """The items in the user's order and with the user's roles, and a problem for each file without such content.

    A file, a folder or an archive with outputs as well as references or sources keeps its detected roles. From a file
    given as documents nothing else is used. Items of other files, or of several together, come first. `unread` are files
    that could not be read, and need no second problem.
    """
    if not given:
        return list(items), []
    labels = {label for label, _ in given}
    by_label: dict[str, list[Item]] = {}
    for item in items:
        by_label.setdefault(_label_of(item.file, labels), []).append(item)
    failed = {_label_of(file, labels) for file in unread}
    result, problems = {id(item): item for item in by_label.get("", ())}, list[ReadError]()
    for label, role in dict.fromkeys(given):
        of_label = _with_role(by_label.get(label, ()), role)
        result |= {id(item): item for item in of_label}
        if role == "documents" and not of_label and label not in failed:
            fix = "Give one name per line, or a table with a column document."
            problems.append(ReadError(f"{label} names no documents.", label, fix=fix))
    return list(result.values()), problems


def _label_of(file: str, labels: Iterable[str]) -> str:
    """The given file, folder or archive that contains this file; "" if none does."""
    enclosing = (label for label in labels if file == label or file.startswith(f"{label}/"))
    return max(enclosing, key=len, default="")


def _with_role(items: Sequence[Item], role: Role) -> list[Item]:
    """The items of one file, folder or archive with its given role."""
    if role == "documents":
        only = [replace(items[0], role=role)] if len(items) == 1 and items[0].role in REPLACED else items
        return [item for item in only if item.role == role]
    if len({item.role for item in items} & set(SIDES)) > 1:
        return list(items)
    replaced = REPLACED if len(items) == 1 else SIDES
    return [replace(item, role=role) if item.role in replaced else item for item in items]
