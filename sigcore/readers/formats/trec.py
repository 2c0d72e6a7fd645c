"""Retrieval: runs (TREC) with the documents of each question and their scores, and judgments of relevance (qrels)."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Item, Notice, Options, Reader, described
from sigcore.readers.tables import numbers, trec

RUN, JUDGED, RANKED = 6, 4, 3  # columns of a run, of judgments, and of a run by ranks (MS MARCO)
SCORED = 4  # columns of a run by ranks with the score behind each (ColBERT)
FIXED = ("q0", "0", "qo")  # the second column of both; some write the letter O
BEIR = ("query-id", "corpus-id", "score")  # the headings of judgments without it
# the headings of a run by ranks
HEADED = re.compile(r"(?:q|query|qid|topic)\w*\s+(?:d|p)\w*\s+rank(?:\s+\w+)?", re.IGNORECASE)
LOOKED_AT = 200
MOST_LEVELS = 5  # of relevance
TWICE = 0.05  # of the judgments may be repeated: a matrix of numbers has far more lines that are alike

Retrieved = dict[str, tuple[float, int]]  # of each document its score and its rank in the file


@dataclass
class _Questions:
    """The questions of a run or of judgments in the order of the file, each with its documents; and the first line of each."""

    found: dict[str, Retrieved] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def put(self, file: str, line: int, question: str, document: str, score: float, rank: int) -> None:
        """The next document. Raises: ReadError for one that the question has."""
        own = self.found.setdefault(question, {})
        self.lines.setdefault(question, line)
        if document in own:
            what = f"line {line}: question {question} has the document {document} twice."
            raise ReadError(what, file, line, "Keep it once; put every run into a file of its own.")
        own[document] = (score, rank)


def _rows(content: Content, most: int | None = None) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(content.lines[:most], 1):
        if line.strip() and not (number == 1 and HEADED.fullmatch(line.strip())):
            yield number, line.split()


def _looks(content: Content) -> int:
    """Sure if nearly all first lines have the columns of a run, or those of judgments whose documents differ; and for JSON with the
    documents of each question."""
    if names.guess_role(content.file) == "ignored":
        return NO
    if content.text[:1] == "{":
        return CERTAIN if trec.in_json(content.text) else NO
    return _looks_at_rows(content)


def _looks_at_rows(content: Content) -> int:
    _, first = next(_rows(content, LOOKED_AT), (0, []))
    if len(first) not in (RUN, JUDGED, RANKED):
        return NO
    rows = [row for _, row in _rows(content, LOOKED_AT)]
    if _is_beir(first):
        return CERTAIN
    if all(map(_is_run, rows)):
        return CERTAIN
    if _is_ranked(rows):
        return CERTAIN
    judged = {tuple(row) for row in rows}  # a line may be repeated
    pairs = {(row[0], row[2]) for row in rows if _is_judgment(row)}
    few = len(rows) - len(judged) <= TWICE * len(rows)
    return CERTAIN if all(map(_is_judgment, rows)) and few and 1 < len(pairs) == len(judged) else NO


def _is_run(row: Sequence[str]) -> bool:
    return (
        len(row) == RUN
        and row[1].lower() in FIXED
        and row[3].isascii()
        and row[3].isdigit()
        and numbers.is_number(row[4])
    )


def _is_judgment(row: Sequence[str]) -> bool:
    return len(row) == JUDGED and row[1].lower() in FIXED and _whole(row[3]) is not None


def _is_ranked(rows: Sequence[Sequence[str]]) -> bool:
    """Whether these are lines of question, document, rank and maybe a score: the ranks of each question count from 1, and most
    documents are of one question, as systems that people ranked are not."""
    last: dict[str, int] = {}
    for row in rows:
        if not _is_next(row, last.get(row[0], 0)):
            return False
        last[row[0]] = int(row[2])
    return len(last) < len(rows) < 2 * len({row[1] for row in rows})


def _is_next(row: Sequence[str], rank: int) -> bool:
    """Whether a line has the rank after this one."""
    scored = len(row) == SCORED and numbers.is_number(row[3])
    return (scored or len(row) == RANKED) and row[2] == str(rank + 1)


def _is_beir(row: Sequence[str]) -> bool:
    return tuple(cell.lower() for cell in row) == BEIR


def _of_json(file: str, found: dict[str, dict[str, float]]) -> Found:
    """The judgments where all are whole numbers of a few levels, else the run."""
    levels = {one for own in found.values() for one in own.values()}
    judged = len(levels) <= MOST_LEVELS and all(one == int(one) for one in levels)
    rows = list[tuple[int, list[str]]]()
    for question, own in found.items():
        name = question.replace(" ", "_")
        for rank, document in enumerate(sorted(own, key=lambda one: -own[one]), 1):
            cells = [str(int(own[document]))] if judged else [str(rank), repr(own[document]), names.display_name(file)]
            rows.append((1, [name, "Q0", document.replace(" ", "_"), *cells]))
    return _judgments(file, rows) if judged else _runs(file, rows)


def _whole(text: str) -> int | None:
    """A whole number of a few digits."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


def _read(content: Content, options: Options) -> Found:
    if content.text[:1] == "{" and (found := trec.in_json(content.text)):
        return _of_json(content.file, found)
    rows = list(_rows(content))
    if not rows:
        raise ReadError("It has no lines.", content.file, fix="Load a run, or judgments.")
    if not _is_beir(rows[0][1]) and not _is_judgment(rows[0][1]) and len(rows[0][1]) in (RANKED, SCORED):
        return _ranked(content.file, rows)
    if len(rows[0][1]) < RUN:
        return _judgments(content.file, rows)
    return _runs(content.file, rows)


# Judgments


def _judgments(file: str, rows: Sequence[tuple[int, list[str]]]) -> Found:
    """The judged documents of each question, the most relevant first."""
    short = _is_beir(rows[0][1])
    questions, again = _Questions(), 0
    for line, row in rows[short:]:
        value = _whole(row[-1])
        if len(row) != (len(BEIR) if short else JUDGED) or value is None:
            columns = "question, document, judgment" if short else "question, 0, document, judgment"
            what = f"line {line}: {' '.join(row)[:40]!r} is no judgment."
            raise ReadError(what, file, line, f"Write {columns}, separated by blanks; the judgment is a whole number.")
        if questions.found.get(row[0], {}).get(row[-2]) == (value, 0) and again < TWICE * len(rows):
            again += 1
            continue
        questions.put(file, line, row[0], row[-2], value, 0)
    if not questions.found:
        raise ReadError("It has no judgments.", file, fix="Load the complete file.")
    ordered = ((own, sorted(own, key=lambda one: -own[one][0])) for own in questions.found.values())
    segments = tuple("\n".join(f"{one}\t{int(own[one][0])}" for one in order) for own, order in ordered)
    size = f"{count(len(segments), 'question')}, {count(sum(map(len, questions.found.values())), 'document')}"
    keys = tuple(questions.found)
    name = names.display_name(file)
    notices = [Notice(file, f"{count(again, 'judgment')} repeated word for word: each counts once.")] if again else []
    item = Item(name, "reference", "rankings", segments, file, f"judgments, {size}", keys=keys)
    return Found(items=[item], notices=notices)


# Runs


def _runs(file: str, rows: Sequence[tuple[int, list[str]]]) -> Found:
    """The ranking of each question; of a file with several tags, a system for each."""
    by_tag: dict[str, _Questions] = {}
    for line, row in rows:
        if not _is_run(row):
            what = f"line {line}: {' '.join(row)[:40]!r} is no line of a run."
            fix = "Write question, Q0, document, rank, score and the name of the run, separated by blanks."
            raise ReadError(what, file, line, fix)
        score = float(row[4])
        if not math.isfinite(score):
            raise ReadError(f"line {line}: the score {row[4]} is not finite.", file, line, "Give it a number.")
        by_tag.setdefault(row[5], _Questions()).put(file, line, row[0], row[2], score, int(row[3]))
    found = Found()
    for tag, questions in by_tag.items():
        name = tag if len(by_tag) > 1 else names.display_name(file)
        _refuse_upside_down(file, name, questions)
        segments = tuple("\n".join(_ordered(own)) for own in questions.found.values())
        size = f"{count(len(segments), 'question')}, {count(sum(map(len, questions.found.values())), 'document')}"
        keys = tuple(questions.found)
        found.items.append(Item(name, "system", "rankings", segments, file, f"run, {size}", keys=keys))
        found.notices += [Notice(file, message) for message in _messages(name, questions)]
    return found


def _ranked(file: str, rows: Sequence[tuple[int, list[str]]]) -> Found:
    """A run of question, document and rank: the ranks are the order."""
    questions = _Questions()
    for line, row in rows:
        rank = len(questions.found.get(row[0], ())) + 1
        if not _is_next(row, rank - 1):
            what = f"line {line}: {' '.join(row)[:40]!r} is not the next rank of its question."
            raise ReadError(what, file, line, "Write question, document and rank, from 1 on for each question.")
        questions.put(file, line, row[0], row[1], -rank, rank)
    note = f"run by ranks, {count(len(questions.found), 'question')}"
    segments = tuple(map("\n".join, questions.found.values()))
    name, keys = names.display_name(file), tuple(questions.found)
    return Found(items=[Item(name, "system", "rankings", segments, file, note, keys=keys)])


def _ordered(own: Retrieved) -> list[str]:
    """The documents by score in single precision, and of equal scores by name, the last first: as trec_eval orders them."""
    scores = dict(zip(own, array("f", [score for score, _ in own.values()]), strict=True))
    by_name = sorted(own, key=lambda document: document.encode("utf-8", "surrogatepass"), reverse=True)
    return sorted(by_name, key=lambda document: -scores[document])


def _refuse_upside_down(file: str, name: str, questions: _Questions) -> None:
    """Raise ReadError for scores that say nothing of the ranks: all the same, or higher the lower the rank."""
    several = {question: own for question, own in questions.found.items() if len(own) > 1}
    same = [question for question, own in several.items() if len({score for score, _ in own.values()}) == 1]
    if several and 2 * len(same) > len(several):
        what = f"All documents of a question have the same score in {name}, as for question {same[0]}."
        fix = "Write scores that fall with the rank: the order is that of the scores, as in trec_eval."
        raise ReadError(what, file, questions.lines[same[0]], fix)
    rising = [question for question, own in several.items() if _rises(own)]
    if 2 * len(rising) > len(several):
        what = f"In {name} the scores rise with the rank, as for question {rising[0]}: are they distances?"
        fix = "Give them a minus: the highest score is the best, as in trec_eval."
        raise ReadError(what, file, questions.lines[rising[0]], fix)


def _by_rank(own: Retrieved) -> list[float]:
    """The scores in the order of the ranks; falling ones where the ranks are no order."""
    if len({rank for _, rank in own.values()}) < len(own):
        return sorted((score for score, _ in own.values()), reverse=True)
    return [score for score, _ in sorted(own.values(), key=lambda one: one[1])]


def _rises(own: Retrieved) -> bool:
    scores = _by_rank(own)
    return scores[0] < scores[-1] and scores == sorted(scores)


def _messages(name: str, questions: _Questions) -> Iterator[str]:
    """What the order of the documents rests on, where ranks and scores differ."""
    odd = [
        question
        for question, own in questions.found.items()
        if (scores := _by_rank(own)) != sorted(scores, reverse=True)
    ]
    if odd:
        who = f"{count(len(odd), 'question')} of {name}, such as {odd[0]}"
        yield f"Ranks and scores order the documents of {who} differently. The scores count, as in trec_eval."


READER = Reader(
    **described("trec"),
    kinds=("rankings",),
    looks=_looks,
    read=_read,
    proof=parsed(("system", "One", ("d3\nd1", "d2\nd1"))),
)
