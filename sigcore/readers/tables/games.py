"""Records of two games in which a judge saw the same two answers in both orders, as Arena-Hard-Auto writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sigcore.formatting import count
from sigcore.readers.contract import Notice
from sigcore.readers.tables.objects import Record

VERDICT = re.compile(r"\s*([AB])\s*(>>|>|=|<|<<)\s*([AB])\s*")
SIDES = ("baseline", "model")  # who is A and who is B in the first game; the second has them turned
NAMES = ("model_a", "model_b")


def judged(file: str, records: Sequence[tuple[int, Record]]) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """A row for each game with its question, both systems and the winner; ([], []) for other records.

    Games without a verdict are left out, and counted in a notice.
    """
    if not records or not all(_has_games(record) for _, record in records):
        return [], []
    rows = [(line, row) for line, record in records for row in _rows(record)]
    games = sum(len(_games(record)) for _, record in records)
    if not rows:
        return [], []
    notices = [
        Notice(
            file, "It was recognised as judgments of Arena-Hard: baseline is A in the first game, and B in the second."
        )
    ]
    if len(rows) < games:
        notices.append(Notice(file, f"{count(games - len(rows), 'game')} of {games:,} without a verdict left out."))
    return rows, notices


def _has_games(record: Record) -> bool:
    """Whether a record names two systems, and has games with a verdict, or with none."""
    named = all(isinstance(record.get(side), str) and record[side] for side in SIDES)
    games = _games(record)
    told = [game.get("score") for game in games]
    return named and 0 < len(games) <= len(SIDES) and all(one is None or _verdict(one) for one in told)


def _games(record: Record) -> list[Record]:
    games = record.get("games")
    if not isinstance(games, list) or not all(isinstance(game, dict) and "score" in game for game in games):
        return []
    return games


def _verdict(score: object) -> re.Match[str] | None:
    found = VERDICT.fullmatch(score) if isinstance(score, str) else None
    return found if found and found[1] != found[3] else None


def _rows(record: Record) -> Iterator[Record]:
    """Each game with a verdict."""
    question = next((record[name] for name in ("uid", "question_id", "id") if name in record), None)
    asked = {} if question is None else {"question_id": question}
    judge = {"judge": record["judge"]} if isinstance(record.get("judge"), str) else {}
    for k, game in enumerate(_games(record)):
        found = _verdict(game.get("score"))
        if found is None:
            continue
        order = SIDES if k == 0 else SIDES[::-1]
        sides = {name: record[side] for name, side in zip(NAMES, order, strict=True)}
        yield {**asked, **judge, **sides, "winner": _winner(found)}


def _winner(found: re.Match[str]) -> str:
    """model_a for A>B and B<A, model_b for the others, tie for A=B."""
    first, sign, _ = found.groups()
    if sign == "=":
        return "tie"
    return NAMES["AB".index(first) if ">" in sign else 1 - "AB".index(first)]
