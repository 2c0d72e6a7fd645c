"""The sheets of workbooks as files: systems named after their workbook, and sheets that hold something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore.readers import names
from sigcore.readers.contract import Found, Intake, Item, Notice
from sigcore.readers.tables.unclear import Unclear

SHEET = re.compile(r"\.(?:xlsx|ods)(?=/)", re.IGNORECASE)  # the name of a workbook ends here, in that of a sheet


def by_book(items: Sequence[Item]) -> list[Item]:
    """The items; systems named after sheets of one name in several workbooks are named after their workbooks."""
    books: dict[str, set[str]] = {}
    for item in items:
        if item.role == "system" and SHEET.search(item.file):
            books.setdefault(item.name, set()).add(book(item.file))
    several = {name for name, own in books.items() if len(own) > 1}

    def named(item: Item) -> Item:
        after = item.role == "system" and item.name in several and item.name == names.display_name(item.file)
        return replace(item, name=names.display_name(book(item.file))) if after else item

    return list(map(named, items))


def book(file: str) -> str:
    """The workbook of a sheet."""
    found = SHEET.search(file)
    return file[: found.end()] if found else file


def set_aside(result: Found) -> None:
    """Turn the refusal of a sheet into a notice where another sheet of its workbook was read: it holds something else."""
    _set_aside_covers(result)
    read = {book(item.file) for item in result.items if SHEET.search(item.file) and item.role == "system"}
    for problem in [one for one in result.problems if isinstance(one, Unclear)]:
        if book(problem.file) in read:
            result.problems.remove(problem)
            message = (
                f"This sheet was set aside: {problem.why} To use it, say what its columns are, below Re-read a file."
            )
            result.notices.append(Notice(problem.file, message))


def without_texts(result: Intake, items: Sequence[Item]) -> Intake:
    """The ratings; the refusal of a sheet that holds texts alone, by its `items`, beside one of ratings becomes a notice."""
    books = {book(part.file) for part in result.judgments if SHEET.search(part.file)}
    texts = {item.file for item in items if item.kind == "text"} - {item.file for item in items if item.kind != "text"}
    refused = {getattr(problem, "file", "") for problem in result.problems}
    aside = {file for file in texts & refused if book(file) in books}
    if not aside:
        return result
    kept = tuple(problem for problem in result.problems if getattr(problem, "file", "") not in aside)
    notices = (Notice(file, "This sheet was set aside: it has texts, and no ratings.") for file in sorted(aside))
    return replace(result, problems=kept, notices=(*result.notices, *notices))


def _set_aside_covers(result: Found) -> None:
    """Leave out sheets of texts, without a reference, beside one that is asked about: they say what it holds."""
    asked = {book(problem.file) for problem in result.problems if isinstance(problem, Unclear)}
    own = [item for item in result.items if SHEET.search(item.file) and book(item.file) in asked]
    told = {book(item.file) for item in own if item.kind != "text" or item.role == "reference"}
    covers = {item.file for item in own if book(item.file) not in told}
    result.items = [item for item in result.items if item.file not in covers]
    message = "This sheet was set aside: it has texts alone, and no reference."
    result.notices += [Notice(file, message) for file in sorted(covers)]
