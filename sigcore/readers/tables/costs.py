"""Readings in which what an answer costs is compared, a time or a price: where no table has anything else that says how good it is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from sigcore.formatting import listed
from sigcore.measures import better_of
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import labels, outcomes, proposals
from sigcore.readers.tables.outcomes import Roles
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Way

FIRST = re.compile(r"(?P<system>[^_\s.-]+)[_\s.-]+(?P<what>.+)")


def ways(table: Table, asked: Sequence[int]) -> list[Way]:
    """The readings of what several systems cost, or else of the one cost of a file of one system, whose rows `asked` names."""
    return _of_several(table) or _of_one(table, asked)


def _of_one(table: Table, asked: Sequence[int]) -> list[Way]:
    """The reading in which the file is of one system, whose one cost is compared with that of others: nothing else has numbers."""
    numeric = [k for k in table.where(None) if table.numeric(k) and not proposals.says_id(table, k)]
    own = [k for k in numeric if proposals.is_cost(table, k) and better_of(table.headings[k]) == "lower"]
    if not asked or len(own) != 1 or not all(map(words.is_field, table.named(numeric))) or _is_judged(table):
        return []
    roles: Roles = [*((k, "question") for k in asked), (own[0], "score")]
    return [(f"what an answer costs is compared ({table.headings[own[0]]})", outcomes.said(table, roles))]


def _of_several(table: Table) -> list[Way]:
    """The reading in which what the answers of several systems cost is compared (base_time, lora_time), where each has an output of its
    own, too (base_answer, lora_answer)."""
    cut = {k: match for k, name in enumerate(table.headings) if (match := FIRST.fullmatch(name.strip()))}
    wrote = {match["system"] for k, match in cut.items() if not table.numeric(k)} | _with_the_same([*cut.values()])
    costs = dict[str, list[int]]()
    for k, match in cut.items():
        if match["system"] in wrote and _is_cost(table, k, match["what"]):
            costs.setdefault(match["what"], []).append(k)
    asked: Roles = [(k, "question") for k in table.where("segment", "perhaps segment")[:1]]
    several = [own for own in costs.values() if len(own) > 1]
    said_ = (outcomes.said(table, [*asked, *((k, "system") for k in own)]) for own in several)
    return [(f"{listed(table.named(own))} are compared", said) for own, said in zip(several, said_, strict=True)]


def _is_cost(table: Table, k: int, what: str) -> bool:
    """Whether numbers are below the heading of a cost, which `what` stands behind a system."""
    return table.numeric(k) and (words.is_field(what) or words.is_field(table.headings[k]))


def _with_the_same(cut: Sequence[re.Match[str]]) -> set[str]:
    """The first words of headings behind which several of the same words stand as behind another one: full_seconds, full_tokens,
    top_seconds, top_tokens."""
    behind = dict[str, set[str]]()
    for match in cut:
        behind.setdefault(match["system"], set()).add(match["what"])
    pairs = itertools.combinations(behind, 2)
    return {first for pair in pairs if len(behind[pair[0]] & behind[pair[1]]) > 1 for first in pair}


def _is_judged(table: Table) -> bool:
    """Whether a column of words may say how good an answer is."""
    named = [k for k in table.headed(outcomes.names_scores) if not table.numeric(k)]
    return bool(named or labels.verdicts(table, set()))
