"""Pairwise judgments as sentences, rows, JSON, LaTeX and a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigboard.render.tables import Row, latex_table
from sigboard.render.text import align, printable
from sigcore import corrections
from sigcore.formatting import count, format_level, format_p, listed, p_text
from sigcore.results import plain
from sigcore.studies import pairwise

EXACT = 0  # resamples behind an exact p
HEADER = ("system", "baseline", "wins", "ties", "losses", "share", "interval", "p", "mid-p", "adjusted")
RANKING = ("rank", "system", "Elo", "interval", "ranks", "comparisons")


def summary(result: pairwise.PairwiseResult) -> str:
    """How many pairs differ, and which system leads."""
    how = f"{result.test}, {corrections.printed(result.correction)}"
    several = f"{result.significant:,} of {count(len(result.pairs), 'pair')} differ significantly"
    one = f"The two systems {'differ' if result.significant else 'are not shown to differ'}"
    found = f"{several if len(result.pairs) > 1 else one} at alpha {result.alpha:g} ({how})."
    if not result.ranking:
        return found
    first = [one.system for one in result.ranking if one.rank == 1]
    tied = [one.system for one in result.ranking if one.rank > 1 and one.ranks[0] == 1]
    beside = f"; {count(len(tied), 'other')} may be first, too" if tied else ""
    if len(first) > 1:
        return f"{found} {listed(first)} have the same strength, the highest of {len(result.ranking)}{beside}."
    return f"{found} {first[0]} is first of {len(result.ranking)}{beside}."


def sentence(result: pairwise.PairwiseResult, pair: pairwise.Pair) -> str:
    """One pair in words: wins, ties, losses, p and the verdict."""
    noun = result.run.battles.noun
    head = (
        f"{pair.system} wins {count(pair.wins, noun)} against {pair.baseline}, ties {pair.ties:,} and loses {pair.losses:,}: "
        f"{p_text(pair.p_value, EXACT)} ({result.test}, exact, two-sided)"
    )
    corrected = f", {p_text(pair.adjusted, EXACT)} after {corrections.printed(result.correction)}"
    after = corrected if result.correction != "none" and len(result.pairs) > 1 else ""
    decided = "they differ" if pair.adjusted <= result.alpha else "it is not shown that they differ"
    return f"{head}{after}; at alpha {result.alpha:g} {decided}."


def pair_rows(result: pairwise.PairwiseResult) -> list[Row]:
    """One row per pair, the better system first."""
    return [_pair_row(pair) for pair in result.pairs]


def _pair_row(pair: pairwise.Pair) -> Row:
    row: Row = {"system": pair.system, "baseline": pair.baseline, "comparisons": pair.compared}
    row |= {"wins": pair.wins, "ties": pair.ties, "losses": pair.losses, "share": pair.rate}
    if pair.both_right is not None:
        row |= {"both_right": pair.both_right, "both_wrong": pair.ties - pair.both_right}
    row |= {"interval_low": pair.interval[0], "interval_high": pair.interval[1]}
    return row | {"p_value": pair.p_value, "p_mid": pair.p_mid, "p_adjusted": pair.adjusted}


def ranking_rows(result: pairwise.PairwiseResult) -> list[Row]:
    """One row per system, best first; [] without a ranking."""
    return [
        {
            "rank": one.rank,
            "system": one.system,
            "elo": one.elo,
            "elo_low": one.elo_interval[0],
            "elo_high": one.elo_interval[1],
            "strength": one.strength,
            "strength_low": one.interval[0],
            "strength_high": one.interval[1],
            "rank_low": one.ranks[0],
            "rank_high": one.ranks[1],
            "comparisons": one.compared,
        }
        for one in result.ranking
    ]


def as_json(result: pairwise.PairwiseResult) -> dict[str, Any]:
    """Everything, ready for `json.dumps(..., allow_nan=False)`; undefined and infinite numbers are null."""
    run = result.run
    content: dict[str, Any] = {
        "name": run.battles.name,
        "judged": run.battles.judged,
        "binary": run.battles.binary,
        "unit": run.battles.noun,
        "n": run.battles.questions,
        "alpha": result.alpha,
        "correction": result.correction,
        "test": result.test,
        "resamples": run.resamples,
        "seed": run.seed,
        "signature": result.signature,
        "undefined_draws": result.undefined,
        "notes": list(result.notes()),
        "summary": summary(result),
        "pairs": pair_rows(result),
        "ranking": ranking_rows(result),
    }
    return dict(plain(content))


def _pair_cells(pair: pairwise.Pair) -> list[str]:
    low, high = pair.interval
    numbers = [f"{pair.wins:,}", f"{pair.ties:,}", f"{pair.losses:,}", f"{pair.rate:.1%}", f"[{low:.1%}, {high:.1%}]"]
    return [
        pair.system,
        pair.baseline,
        *numbers,
        *(format_p(p, EXACT) for p in (pair.p_value, pair.p_mid, pair.adjusted)),
    ]


def _ranking_cells(one: pairwise.Ranked) -> list[str]:
    low, high = (f"{end:.0f}" for end in one.elo_interval)
    ranks = f"{one.ranks[0]} to {one.ranks[1]}" if one.ranks[0] < one.ranks[1] else str(one.ranks[0])
    return [str(one.rank), one.system, f"{one.elo:.0f}", f"[{low}, {high}]", ranks, f"{one.compared:,}"]


def text(result: pairwise.PairwiseResult) -> str:
    """The ranking and the pairs for the terminal, with the notes."""
    run = result.run
    level = format_level(1 - result.alpha)
    parts = [
        f"{count(run.battles.questions, run.battles.noun)}, {count(int(run.compared.sum()), 'comparison')}; {level} intervals "
        f"from {count(run.resamples, 'draw')} of {run.battles.noun}s, seed {run.seed}",
        "",
    ]
    if result.ranking:
        parts += [align(list(RANKING), [_names(_ranking_cells(one)) for one in result.ranking], left=(1,)), ""]
    parts += [align(list(HEADER), [_names(_pair_cells(pair)) for pair in result.pairs], left=(0, 1)), ""]
    parts += [printable(summary(result), 0), *(f"note: {printable(note, 0)}" for note in result.notes())]
    return "\n".join(parts)


def _names(cells: Sequence[str]) -> list[str]:
    return [printable(cell) for cell in cells]


def latex(result: pairwise.PairwiseResult) -> str:
    """The ranking, where there is one, and the pairs as LaTeX tables."""
    level, run = format_level(1 - result.alpha), result.run
    drawn = f"{level} intervals from {count(run.resamples, 'draw')} of {run.battles.noun}s"
    tables = []
    if result.ranking:
        caption = f"Bradley-Terry strengths in Elo points (mean 1000), {drawn}."
        tables.append(latex_table(RANKING, [_ranking_cells(one) for one in result.ranking], caption, "tab:ranking"))
    corrected = corrections.printed(result.correction)
    caption = f"Wins, ties and losses by {run.battles.noun}; exact two-sided p of the {result.test}, adjusted: {corrected}; {drawn}."
    tables.append(latex_table(HEADER, [_pair_cells(pair) for pair in result.pairs], caption, "tab:pairwise"))
    return "\n".join(tables)
