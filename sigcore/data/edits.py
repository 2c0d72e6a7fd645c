"""The user's edits of an item: its name, role, group and test set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sigcore.errors import SigError, UnknownMember
from sigcore.readers import ROLES, Item, clean
from sigcore.types import Role

FIELDS = ("name", "role", "group", "test set")
Edit = Mapping[str, object]
Edits = Mapping[int, Edit]  # the position of the item -> its changes


def edited(item: Item, edit: Edit) -> Item:
    """The item with the user's name, role, group and test set; an emptied name or role is left unchanged."""

    def text(key: str, before: str) -> str:
        return clean(str(edit.get(key, before) or ""))

    return replace(
        item,
        name=text("name", item.name) or item.name,
        role=_role(text("role", item.role)) or item.role,
        group=text("group", item.group),
        testset=text("test set", item.testset),
    )


def check(changes: Edits, items: int) -> None:
    """Raise SigError unless every change is about one of the items, a known field and a known role."""
    for place, edit in changes.items():
        if not 0 <= place < items:
            raise SigError(f"There is no item {place}.", "", f"The items are numbered from 0 to {items - 1}.")
        _known("field of an item", edit, FIELDS)
        _known("role", filter(None, [clean(str(edit.get("role") or ""))]), ROLES)


def _known(family: str, names: Iterable[str], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise UnknownMember(family, name, known)


def _role(text: str) -> Role | None:
    return next((role for role in ROLES if role == text), None)
