"""Which columns of numbers hold the scores in a table in long form: by their headings, or as the only one; others are asked about."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Found
from sigcore.readers.tables import apart, compared, doubts, evident, guesses, numbers, outcomes, plan, ranked, ways
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear


def columns(table: Table, system: int, ids: Sequence[int], values: Sequence[int], result: Found) -> list[int]:
    """Add what each column of a table in long form is taken for, and return the columns of numbers that are scores.

    `values` are the columns of numbers. One is a score if its heading says so or somebody does, or if it is the only one.
    Raises: Unclear where several columns could be the scores.
    """
    named, others = _named_scores(table, values, ids)
    ranks = [] if named or others else ranked.column_of(table, values, ids)
    why, doubtful = _about_long(table, named, others, len(values) == 1)
    if why and doubtful == others:
        # rather what somebody judged than counts and lengths beside it: judge_fluency
        doubtful = others = table.headed(guesses.has_criterion, others) or others
    others = others or ranks  # below rank are scores only where nothing else is one
    found = ([k for k in named if k not in doubtful], others, doubtful)
    claims = [_long(table, k, system, ids, found) for k in range(len(table.headings))]
    result.claims += claims
    if why:
        problem = Unclear(table, why, claims, ways.of_long(table, named, others, ids))
        problem.settled = any("=reference" in roles for _, roles in problem.ways)  # what is right is known
        raise problem
    return named or others


def _named_scores(table: Table, values: Sequence[int], ids: Sequence[int]) -> tuple[list[int], list[int]]:
    """The columns of numbers that are scores by their headings, and the others without fields of logs, which count only
    where nothing else is a score."""
    if table.basis:
        return list(values), []
    fields = [k for k in values if _is_no_score(table, k)]
    named = [k for k in values if _is_score(table, k)]
    fields += table.headed(words.is_sureness) if any(outcomes.says_right(table, k) for k in named) else []
    others = [k for k in values if k not in (*named, *fields)]
    scored, others = _without_aside(table, _less(named, fields), others, fields)
    # a time is what is compared only where no other number may be
    named = scored or ([] if others else named)
    return _without_sizes(table, named, ids), others


def _less(columns: Sequence[int], without: Sequence[int]) -> list[int]:
    return [k for k in columns if k not in without]


def _without_aside(
    table: Table, scored: list[int], others: list[int], fields: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The scores and the others without what only stands beside a mean or a hit (a spread, a number of runs), which are then what is
    compared."""
    aside = table.headed(words.is_beside, [*scored, *others])
    perhaps = table.headed(words.may_be_score, fields) if not _less(scored, aside) else []
    if not perhaps and not _less(others, aside):
        return scored, others
    return _less(scored, aside), [*_less(others, aside), *perhaps]


def _without_sizes(table: Table, named: list[int], ids: Sequence[int]) -> list[int]:
    return [k for k in named if not evident.is_size_of(table, k, ids)] or named


def _is_no_score(table: Table, k: int) -> bool:
    """Whether a column of numbers is a field of a log, or only sorts the rows below a heading with the word of a measure."""
    heading = table.headings[k]
    sorts = _is_score(table, k) and evident.names_kind(table, k)
    return words.is_field(heading) or words.is_step(heading) or sorts or _is_flag(table, k)


def _is_flag(table: Table, k: int) -> bool:
    """Whether most cells are empty, and all others the same: what is noted where something happened."""
    own = {cell: times for cell, times in table.column(k).counts.items() if not numbers.is_missing(cell)}
    return len(own) == 1 and 2 * sum(own.values()) < len(table.rows)


def _about_long(table: Table, named: Sequence[int], others: Sequence[int], alone: bool) -> tuple[str, Sequence[int]]:
    """What to ask about the columns of numbers in long form, and about which; ("", []) where it is clear. `alone`: there is one
    column of numbers."""
    open_ = [] if table.basis else named or others
    only = not alone and all(map(_is_aside, table.named(open_)))
    fields = table.headed(_is_aside if only else words.is_field, open_)
    if fields:
        return doubts.about_fields(table.named(fields)), fields
    predicted = [k for k in open_ if doubts.PREDICTED.fullmatch(table.headings[k]) or apart.may_predict(table, k)]
    if predicted:
        return compared.about_predictions(table.named(predicted)), predicted
    guess = not named and len(others) > 1
    return (f"Which of these are scores: {listed(table.named(others))}?", others) if guess else ("", [])


def _is_aside(heading: str) -> bool:
    return words.is_field(heading) or words.is_beside(heading)


def _long(
    table: Table, k: int, system: int, ids: Sequence[int], found: tuple[Sequence[int], Sequence[int], Sequence[int]]
) -> Claim:
    """What one column of a table in long form is taken for; `found` are the scores that are named, others, and guesses."""
    named, others, guessed = found
    if k == system:
        return plan.claim(table, k, "system", "it names the system of the row", table.basis or "heading")
    if k in ids:
        return plan.claim(table, k, "question", "it names what was asked", table.basis or "heading")
    if k in named:
        return plan.claim(
            table, k, "score", "as it was said" if table.basis else "by its heading", table.basis or "heading"
        )
    if k in guessed:
        return plan.claim(table, k, "score", "only a guess", "guess")
    if k in others and not named:
        return plan.claim(table, k, "score", "the only column of numbers that may be scores", "layout")
    claim = plan.by_heading(table, k)
    return claim if claim.sure else plan.claim(table, k, "ignored", "no known heading", "heading")


def _is_score(table: Table, k: int) -> bool:
    """Whether the heading of a column names a measure or scores."""
    heading = table.headings[k]
    said = words.ends_in_measure(heading) or words.is_scored(heading) or words.is_rated(heading)
    return table.meanings[k] in ("score", "z", "rated", "text") or said
