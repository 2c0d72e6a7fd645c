"""The roles that a person gave to files, folders and archives, on the items that were read from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.readers.contract import Item
from sigcore.types import Role

SIDES: tuple[Role, ...] = ("system", "reference", "possible", "source")
Given = Sequence[tuple[str, Role]]  # (file, folder or archive, its role), in the person's order


def with_roles(items: Sequence[Item], given: Given, unread: Iterable[str]) -> tuple[list[Item], list[ReadError]]:
    """The items in the order and with the roles that were given, and a problem for each file that has no such content.

    A file, a folder or an archive that holds outputs as well as references or sources keeps its own roles. What is
    given as documents gives nothing else. Items of no given file, or of several together, come first. `unread` are files
    that could not be read, and need no second problem.
    """
    if not given:
        return list(items), []
    labels = {label for label, _ in given}
    by_label: dict[str, list[Item]] = {}
    for item in items:
        by_label.setdefault(_label_of(item.file, labels), []).append(item)
    failed = {_label_of(file, labels) for file in unread}
    result, problems = by_label.get("", []), list[ReadError]()
    for label, role in dict.fromkeys(given):
        own = _with_role(by_label.get(label, ()), role)
        if role == "documents" and not own and label not in failed:
            fix = "Give one name per line, or a table with a column document."
            problems.append(ReadError(f"{label} names no documents.", label, fix=fix))
        result += [item for item in own if not any(item is other for other in result)]
    return result, problems


def _label_of(file: str, labels: Iterable[str]) -> str:
    """The file, folder or archive that was given and holds this file; "" where none does."""
    own = (label for label in labels if file == label or file.startswith(f"{label}/"))
    return max(own, key=len, default="")


def _with_role(items: Sequence[Item], role: Role) -> list[Item]:
    """The items of one file, folder or archive with the role that was given to it."""
    if role == "documents" and len(items) > 1:
        return [item for item in items if item.role == role]
    if len({item.role for item in items} & set(SIDES)) > 1 or (role not in SIDES and len(items) > 1):
        return list(items)
    replaced: tuple[Role, ...] = (*SIDES, "ignored") if len(items) == 1 else SIDES
    items = [replace(item, role=role) if item.role in replaced else item for item in items]
    return [item for item in items if item.role == role] if role == "documents" else items
