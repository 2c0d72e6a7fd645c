"""What every file and column of a collection is taken for, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sigcore import readers
from sigcore.data.collection import Collection
from sigcore.readers import Claim, Item, Part, Unclear, said_columns

ROLES: dict[str, Part] = {
    "documents": "document", "domains": "category", "reference": "reference", "possible": "reference", "source": "source",
    "system": "system",
}  # fmt: skip


def claims(collection: Collection) -> list[Claim]:
    """The claims on all columns of tables, refused ones too, and one on each stream of the other files."""
    out = list(collection.claims)
    for problem in collection.problems:
        out += problem.claims if isinstance(problem, Unclear) else ()
    known = {claim.file for claim in out}
    return _directed(
        collection, [*out, *(_of_item(collection, item) for item in collection.items if item.file not in known)]
    )


def recipes(collection: Collection) -> dict[str, str]:
    """What somebody said about the columns, the direction or the words of each table, as a recipe, by its file. Only this
    is known of a project that was opened elsewhere."""
    out = dict[str, str]()
    for one in collection.detected:
        columns = str(one.options.get("columns") or "")
        said = said_columns(columns.split("\n")) if columns else {}
        text = readers.recipe.written(
            [Claim(one.file, name, role, "", "said") for name, role in said.items()], one.options
        )
        if text != readers.recipe.written([], {}):
            out[one.file] = text
    return out


def _of_item(collection: Collection, item: Item) -> Claim:
    """The claim on a stream that is not a column: its role is said, or known by its name and its format."""
    why = next((one.why for one in collection.detected if one.file == item.file), "")
    given = any(item.file == label or item.file.startswith(f"{label}/") for label, _ in collection.given)
    named = item.name if sum(one.file == item.file for one in collection.items) > 1 else ""
    role: Part = "score" if item.kind == "scores" and item.role == "system" else ROLES.get(item.role, "ignored")
    return Claim(item.file, named, role, "as you said" if given else why, "said" if given else "layout")


def _directed(collection: Collection, given: list[Claim]) -> list[Claim]:
    """The claims with the direction of their scores, where the file or somebody says it."""
    better = {item.file: item.better for item in collection.items if item.kind == "scores" and item.better}
    scored = ("score", "system")
    return [replace(claim, direction=better.get(claim.file, "")) if claim.role in scored else claim for claim in given]


def unclear(collection: Collection) -> Iterator[Unclear]:
    """The tables that were refused because columns of theirs are only a guess."""
    for problem in collection.problems:
        if isinstance(problem, Unclear):
            yield problem
