"""The paper beside our data as text, LaTeX, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sigboard.render.text import align
from sigcore.formatting import count
from sigcore.studies import reproduce
from sigcore.types import Json, Row

CONCLUSIONS = {True: "same", False: "another", None: "cannot tell"}


def claims_table(claims: Iterable[reproduce.Claim]) -> str:
    """One line for each claim: id, paper, place, what it needs, and the claim itself."""
    rows = [(claim.id, claim.paper, claim.place, claim.needs, _printed(claim), claim.title) for claim in claims]
    table = align(("claim", "paper", "place", "needs", "printed", "what it says"), rows, left=(0, 1, 2, 3, 5))
    needs = "\n".join(f"  {need}: {words}" for need, words in reproduce.NEED_WORDS.items())
    return f"{table}\n\nneeds:\n{needs}"


def claims_json(claims: Sequence[reproduce.Claim]) -> Row:
    """The list as JSON."""
    needs: Row = {str(need): words for need, words in reproduce.NEED_WORDS.items()}
    return {"claims": [claim.as_dict() for claim in claims], "needs": needs, "warnings": []}


def outcomes_json(outcomes: Sequence[reproduce.Outcome], warnings: Sequence[str]) -> Row:
    """The results; one claim alone has its keys at the top, too."""
    found = [item.as_dict() for item in outcomes]
    notes = list(dict.fromkeys([*warnings, *(note for item in outcomes for note in item.notes)]))
    return {**(found[0] if len(found) == 1 else {}), "results": found, "warnings": notes}


def outcome_text(outcome: reproduce.Outcome) -> str:
    """The verdict, the paper and our data one below the other, the table of the claim, and why they can differ."""
    claim, found = outcome.claim, outcome.found
    lines = [
        str(outcome),
        "",
        f"claim   {claim.title} ({claim.paper}, {claim.place})",
        f"paper   {_printed(claim)}: {claim.origin}",
        f"here    {ours(outcome)}: {found.said}",
        f"rule    {claim.rule}",
        f"why     {outcome.why}",
        *(f"note    {note}" for note in outcome.notes),
    ]
    return "\n".join([*lines, *(["", rows_text(found.rows)] if found.rows else [])])


def rows_text(rows: Sequence[Mapping[str, Json]]) -> str:
    """Rows as a table; numbers in three digits."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    words = [key for key in keys if all(isinstance(row.get(key), str) for row in rows)]
    cells = [tuple(cell(row.get(key)) for key in keys) for row in rows]
    return align(tuple(keys), cells, left=tuple(keys.index(key) for key in words))


def cell(value: Json) -> str:
    """A value as people read it: numbers in three digits."""
    if value is None:
        return "none"
    return reproduce.number(value) if isinstance(value, float) else str(value)


def ours(outcome: reproduce.Outcome) -> str:
    """Our number with its interval."""
    found = outcome.found
    if found.value != found.value:
        return "none"
    ends = f" [{reproduce.number(found.low)}, {reproduce.number(found.high)}]" if found.low == found.low else ""
    return f"{reproduce.with_unit(found.value, outcome.claim.unit)}{ends}"


def _printed(claim: reproduce.Claim) -> str:
    return "none" if claim.printed is None else reproduce.with_unit(claim.printed, claim.unit)


def overview(outcomes: Sequence[reproduce.Outcome]) -> str:
    """How many conclusions are the same, and a line for each claim."""
    rows = [
        (item.claim.id, _printed(item.claim), ours(item), CONCLUSIONS[item.found.same], item.data) for item in outcomes
    ]
    return f"{counted([item.as_dict() for item in outcomes])}\n\n" + align(
        ("claim", "paper", "here", "conclusion", "data"), rows, left=(0, 3, 4)
    )


Stored = Mapping[str, Json]  # an outcome as JSON


def markdown(results: Sequence[Stored]) -> str:
    """A table for each paper from the JSON of the outcomes, as docs/reproduce.md has it."""
    parts = [counted(results)]
    for name in dict.fromkeys(str(item["paper"]) for item in results):
        own = [item for item in results if item["paper"] == name]
        parts.append(f"## {name}\n\n{counted(own)}\n\n{_markdown_table(own)}")
    return "\n\n".join(parts) + "\n"


def counted(results: Sequence[Stored]) -> str:
    """How many conclusions are the same."""
    of = {same: sum(item["same_conclusion"] is same for item in results) for same in CONCLUSIONS}
    return (
        f"{of[True]} of {count(len(results), 'claim')} have the same conclusion here, {of[False]} another one, and for "
        f"{of[None]} the data are too few to tell."
    )


def _markdown_table(results: Sequence[Stored]) -> str:
    lines = ["| claim | where | what it says | paper | here | conclusion |", "| --- | --- | --- | --- | --- | --- |"]
    for item in results:
        unit, low = str(item["unit"]), item["low"]
        printed, value = (_number(item[name], unit) for name in ("paper_value", "value"))
        ends = "" if low is None else f" [{_number(low)}, {_number(item['high'])}]"
        conclusion = next(words for same, words in CONCLUSIONS.items() if item["same_conclusion"] is same)
        cells = (f"`{item['claim']}`", item["place"], item["title"], printed, f"{value}{ends}", conclusion)
        lines.append(f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


def _number(value: Json, unit: str = "") -> str:
    return reproduce.with_unit(float(value), unit) if isinstance(value, int | float) else "none"


def table_rows(outcomes: Sequence[reproduce.Outcome]) -> Sequence[Row]:
    """The rows of CSV and LaTeX: those of the one claim's table where it has one, else one for each claim."""
    if len(outcomes) == 1 and outcomes[0].found.rows:
        return outcomes[0].found.rows
    return reproduce.rows(list(outcomes))
