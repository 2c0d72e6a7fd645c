"""What rows of one table belong to: parts of the data, such as train and test, are no one test set, and runs with names may be systems."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim
from sigcore.readers.tables import crossing, evident, labels, numbers, plan
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way


def ask(table: Table, known: Sequence[Claim]) -> None:
    """Raise Unclear for a table that would be read as one test set where a column only holds names of parts of the data, and
    several of them. `known` is what its columns were taken for."""
    if table.role or table.basis:
        return
    for k in table.where(None, "rating type", "domain"):
        own = [cell.strip() for cell in table.column(k).counts]
        if len(own) > 1 and crossing.are_splits(own):
            raise _several(table, k, own, known)


def _several(table: Table, k: int, own: Sequence[str], known: Sequence[Claim]) -> Unclear:
    """The question whether the parts of the data in a column are test sets of their own."""
    name = table.headings[k]
    claims = plan.completed(table, {}, [one for one in known if one.column != name])
    claims = [evident.claim(table, k, "task", "parts of the data") if one.column == name else one for one in claims]
    why = f"Its rows are of several parts of the data: {listed(own)}. Is each a test set of its own?"
    # what is right, and what predicts it, is said again: one role that is said leaves the others open
    right = any(one.role == "reference" for one in claims)
    rest = [shlex.quote(f"{one.column}={one.role}") for one in claims if right and one.column != name]
    said = [" ".join([shlex.quote(f"{name}={role}"), *rest]) for role in ("task", "ignored")]
    ways = [("each part is a test set of its own", said[0]), ("all rows count together as one test set", said[1])]
    asked = Unclear(table, why, claims, ways)
    asked.settled = True
    return asked


def with_tasks(table: Table, asked: Unclear) -> Unclear:
    """The question with a second command, in which all rows count together, where a column names test sets by its heading, and the
    ids tell all rows of a system apart without it."""
    named = {
        role: [one.column for one in asked.claims if one.role == role]
        for role in ("system", "question", "task", "score")
    }
    if asked.ways or not (asked.plan and named["score"]) or not _begin_once(table, named):
        return asked
    said = " ".join([*(shlex.quote(f"{name}={role}") for name, role in asked.plan.items()), *_cells(asked)])
    (name,), (system,) = named["task"], named["system"]
    ways = [
        (f"{system} names the systems, and each {name} is a test set of its own", said),
        (f"{system} names the systems, and all rows count together", f"{shlex.quote(f'{name}=category')} {said}"),
    ]
    both = Unclear(table, asked.why, asked.claims, ways)
    both.settled = asked.settled
    return both


def _begin_once(table: Table, named: Mapping[str, Sequence[str]]) -> bool:
    """Whether one column names several test sets by its heading, and the ids do not begin again in each of them."""
    if [len(named[role]) for role in ("system", "question", "task")] != [1, 1, 1]:
        return False
    system, asked, task = (table.headings.index(named[role][0]) for role in ("system", "question", "task"))
    several = task in table.where("task") and len(table.column(task).counts) > 1
    return several and table.differ([system, asked])


def _cells(asked: Unclear) -> list[str]:
    """What words mean, as the command of a plan says it."""
    return ["--cells", *map(shlex.quote, asked.cells)] if asked.cells else []


NUMBER = re.compile(r"\d+")


def ask_runs(table: Table, known: Sequence[Claim]) -> None:
    """Raise Unclear where the runs of one system have names of their own, as a run of TREC has (BM25, BM25+RM3): they may be systems.
    `known` is what the columns were taken for."""
    runs = [k for k in table.where("run") if _have_names(table, k)]
    rest = [k for k in range(len(table.headings)) if k not in runs]
    if table.role or table.basis or len(runs) != 1 or table.where("system") or table.headed(names.says_system, rest):
        return
    name = table.headings[runs[0]]
    claims = [one for one in known if one.column != name]
    claims = plan.completed(table, {}, [*claims, evident.claim(table, runs[0], "system", "only a guess")])
    ways = [
        (f"{name} names the systems", shlex.quote(f"{name}=system")),
        (f"{name} names the runs of one system", shlex.quote(f"{name}=run")),
    ]
    raise Unclear(table, f"Does {name} name systems? No other column does.", claims, ways)


def _have_names(table: Table, run: int) -> bool:
    """Whether each question comes once in each of a few runs, whose names begin with a letter and do not only count them."""
    own = [cell.strip() for cell in table.column(run).counts]
    ids = [k for k in table.where("segment", "perhaps segment", "document") if table.differ([k, run])]
    stem = NUMBER.split(own[0])[0].strip("-_. ")
    alike = len({NUMBER.sub("0", cell) for cell in own}) == 1
    counted = max(map(len, own)) < 2 or (alike and (len(stem) < 2 or words.meaning(stem) == "run"))
    return bool(ids) and not counted and 1 < len(own) <= len(table.rows) / 2 and all(cell[:1].isalpha() for cell in own)


PROMPTS = frozenset(map(words.normalised, ("prompt", "prompt_name", "template", "instruction")))


def ask_prompts(table: Table, item: int, part: int) -> None:
    """Raise Unclear where every item comes with each of a few prompts: these are repetitions of an item, or other items."""
    prompts, items = table.column(part).counts, table.column(item).counts
    if words.normalised(table.headings[part]) not in PROMPTS or len(prompts) * len(items) != len(table.rows):
        return
    prompt, name = table.headings[part], table.headings[item]
    scored = _scored(table)
    claims = [evident.claim(table, item, "question", "only a guess"), evident.claim(table, part, "run", "only a guess")]
    claims += [evident.claim(table, k, "system", "numbers of one system") for k in scored]
    what = f"Does every {name} come again with each {prompt}?"
    problem = Unclear(table, what, claims, _of_prompts(name, prompt, _compared(table, item, part, scored)))
    problem.settled = True  # a search would take the prompts for systems
    raise problem


def _scored(table: Table) -> list[int]:
    """The columns of numbers, or of true and false: those of known measures, or else those that are no fields of a log."""
    open_ = [k for k in table.where(None) if table.numeric(k) or numbers.truths(table.column(k))]
    no_fields = [k for k in open_ if not words.is_field(table.headings[k])]
    return [k for k in open_ if words.has_measure(table.headings[k])] or no_fields or open_


def _compared(table: Table, item: int, part: int, scored: Sequence[int]) -> dict[str, str]:
    """The roles of what may be compared: the one column of scores, or else what is right and the one text that predicts it."""
    if len(scored) == 1:
        return dict.fromkeys(table.named(scored), "score")
    both = labels.in_rows(table, [item], {item, part})
    return dict(zip(table.named(both), ("reference", "text"), strict=False))


def _of_prompts(item: str, prompt: str, compared: Mapping[str, str]) -> list[Way]:
    """The readings of prompts: as runs of an item, as a part of what names it, and as what is compared, by scores or outputs."""
    more = [f"{name}={role}" for name, role in compared.items()]
    roles = [(f"{prompt}=run",), (f"{prompt}=question",), (f"{prompt}=system", *more)]
    said = [shlex.join((f"{item}=question", *own)) for own in roles]
    called = [
        f"{prompt} names the prompts with which each {item} was asked",
        f"each {item} is another one in each {prompt}",
        f"the prompts in {prompt} are compared",
    ]
    return list(zip(called, said, strict=True))[: 3 if more else 2]
