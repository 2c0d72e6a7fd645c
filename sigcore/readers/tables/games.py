"""Records of a judge who saw two answers: two games in both orders (Arena-Hard-Auto), or a score for each (FastChat, LLaVA)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sigcore.formatting import count
from sigcore.readers import names
from sigcore.readers.contract import Notice
from sigcore.readers.tables.objects import Record, is_number

VERDICT = re.compile(r"\s*([AB])\s*(>>|>|=|<|<<)\s*([AB])\s*")
SIDES = ("baseline", "model")  # who is A and who is B in the first game; the second has them turned
NAMES = ("model_a", "model_b")
UNNAMED = "baseline"  # older files do not say which model all others are compared with


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
    message = "It was recognised as judgments of Arena-Hard: baseline is A in the first game, and B in the second."
    notices = [Notice(file, message)]
    if len(rows) < games:
        notices.append(Notice(file, f"{count(games - len(rows), 'game')} of {games:,} without a verdict left out."))
    return rows, notices


def _has_games(record: Record) -> bool:
    """Whether a record names two systems, and has games with a verdict, or with none."""
    named = all(isinstance(record.get(side, UNNAMED if "judge" in record else None), str) for side in SIDES)
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
        sides = {name: record.get(side) or UNNAMED for name, side in zip(NAMES, order, strict=True)}
        yield {**asked, **judge, **sides, "winner": _winner(found)}


def _winner(found: re.Match[str]) -> str:
    """model_a for A>B and B<A, model_b for the others, tie for A=B."""
    first, sign, _ = found.groups()
    if sign == "=":
        return "tie"
    return NAMES["AB".index(first) if ">" in sign else 1 - "AB".index(first)]


REVIEWED = ("answer1_id", "answer2_id")  # ids of answers, which name no system
SCORES = ("score", "tuple")  # of FastChat, of LLaVA-Bench
FAILED = (-1, -1)  # where the program found no two scores in what the judge wrote
OF_FILE = re.compile(r"review[-_](?P<first>[^_]+)_(?P<second>[^_]+)", re.IGNORECASE)


def reviewed(file: str, records: Sequence[tuple[int, Record]]) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """A row for each of the two answers that a review scores, with its question and its score; ([], []) for other records.

    A name such as review_alpaca_vicuna.jsonl names both systems; otherwise they are answer 1 and answer 2 of the file.
    Reviews without two scores are left out for both, and counted in a notice.
    """
    pairs = [_pair(record) for _, record in records]
    if not records or not all(pairs):
        return [], []
    stem = names.display_name(file)
    found = OF_FILE.fullmatch(stem)
    systems = found.groups() if found else (f"{stem} answer 1", f"{stem} answer 2")
    rows = [
        (line, {"question_id": record["question_id"], **_category(record), "system": name, "score": score})
        for (line, record), pair in zip(records, pairs, strict=True)
        if pair != FAILED
        for name, score in zip(systems, pair, strict=True)
    ]
    if not rows:
        return [], []
    notices = [
        Notice(file, f"Each review scores two answers: the first is of {systems[0]}, the second of {systems[1]}.")
    ]
    if failed := pairs.count(FAILED):
        notices.append(
            Notice(file, f"{count(failed, 'review')} of {len(records):,} without scores (-1) left out for both.")
        )
    return rows, notices


def _pair(record: Record) -> tuple[float, ...]:
    """The two scores of a review; () for another record."""
    scores = next((record[name] for name in SCORES if name in record), None)
    if not isinstance(scores, list) or len(scores) != len(REVIEWED) or not all(map(is_number, scores)):
        return ()
    return tuple(scores) if all(name in record for name in (*REVIEWED, "question_id")) else ()


def _category(record: Record) -> Record:
    return {"category": record["category"]} if isinstance(record.get("category"), str) else {}
