"""Files that look like text but are something else: reports of other programs, rankings, tagged words, settings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sigcore import measures
from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers import lines, messages
from sigcore.readers.contract import Content

# Read as text, each line would be the output of a system. The lines say what the file is; most of them must agree.

SHARE = 0.8  # of the lines with text; headings and rules between them may look otherwise
FIRST, LAST = 12, 3  # lines in which a report says what it is: a log does so at its end
FEWEST, MOST = 3, 2_000  # lines that decide, and those that are looked at
LONGEST = 200  # characters of a line of such a file; a longer one is text
SETTINGS = ("yaml", "yml", "toml", "ini", "cfg", "tex")
SEGMENTS = "Load the scores of every segment: tests need them."
AS_TEXT = "If it is text, read it as such: format plain, holds text (--format plain --format-option holds=text)."
MOST_PRINTED = 200  # lines of a report that people read
NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)%?"


class Look(NamedTuple):
    """What a line of such a file looks like, what the file is then called, and what to load instead."""

    line: re.Pattern[str]
    what: str
    fix: str


RECORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KINDS = tuple(
    Look(
        lines.TRIAL if one["line"] == "TRIAL" else re.compile(one["line"].replace("NUMBER", NUMBER)),
        one["what"],
        one["fix"].replace("SEGMENTS", SEGMENTS).replace("AS_TEXT", AS_TEXT),
    )
    for one in RECORDS["kind"]
)
OLD_TREC = re.compile(r"Queryid \(Num\):\s*\d+")


def _looks(kind: str) -> tuple[Look, ...]:
    """What one line shows to be a report of this kind."""
    return tuple(
        Look(
            re.compile("|".join(one["any"])),
            one["what"],
            one["fix"].replace("SEGMENTS", SEGMENTS).replace("AS_TEXT", AS_TEXT),
        )
        for one in RECORDS[kind]
    )


PRINTED, TABBED = _looks("printed"), _looks("tabbed")
# as Keras and others print, then Marian, OpenNMT and Sockeye
TRAINED = re.compile(
    r"Epoch \d+(?:/\d+|:).*|.*\b(?:\w+_)?loss['\"]?(?:[:=] ?| )[\d.]+.*"
    r"|.*\bEp\. \d+ : Up\. \d+ : .*|.*\bStep +\d+/ *\d+; .*|\d+(?:\t[\w-]+=\S+)+",
    re.IGNORECASE,
)
FEWEST_STEPS, OF_STEPS = 4, 0.2  # lines of a log of a training, and their share: other messages stand between them


def refuse_printed(content: Content) -> None:
    """Raise ReadError for a report, as programs print it for people."""
    full = [line.rstrip() for line in content.lines[:MOST] if line.strip()]
    ends = full[:FIRST] + full[FIRST:][-LAST:]
    _refuse_lines(content.file, ends, PRINTED)


def refuse_tables(content: Content) -> None:
    """Raise ReadError for a log or for right labels whose cells TABs part, by the first lines."""
    _refuse_lines(content.file, content.lines[:FIRST], TABBED)


def _refuse_lines(file: str, lines: Sequence[str], looks: Sequence[Look]) -> None:
    """Raise ReadError if one of these lines shows what the file is."""
    for line, what, fix in looks:
        if any(map(line.fullmatch, lines)):
            raise ReadError(f"It looks like {what}.", file, fix=fix)


RULE = re.compile(r"\s*(?:={20,}|-{40,}|\*{20,}|#{20,}|_{20,})\s*")  # between the parts of what is printed for people
FEWEST_RULES = 4
IS_NUMBER = re.compile(NUMBER)


def _refuse_rules(content: Content, lines: Sequence[str]) -> None:
    """Raise ReadError for a text with rules between its parts, as programs print what they did."""
    if sum(map(bool, map(RULE.fullmatch, lines))) >= FEWEST_RULES:
        message = "It looks like what a program printed for people, with rules between its parts."
        fix = f"If it has a table with a score of each system on each question, save this alone. {AS_TEXT}"
        raise ReadError(message, content.file, fix=fix)


def refuse(content: Content) -> None:
    """Raise ReadError, which says what the file is and what to load instead, for a file that is no text of a system."""
    if content.suffix in SETTINGS:
        raise ReadError("By its name it holds settings or a report.", content.file, fix=SEGMENTS)
    lines = [line.rstrip() for line in content.lines[:MOST] if line.strip()]
    if any(map(OLD_TREC.fullmatch, lines[:5])):
        raise ReadError(
            "It is the output of an old trec_eval.", content.file, fix="Run a present one with -q, and load its output."
        )
    refuse_printed(content)
    _refuse_rules(content, lines)
    refuse_training(content, lines)
    _refuse_words(content, lines)
    short = [line for line in lines if len(line) <= LONGEST]
    if len(lines) < FEWEST or len(short) < SHARE * len(lines):
        return
    for line, what, fix in KINDS:
        # most texts are none of these: their first lines decide
        if not any(map(line.fullmatch, short[:FEWEST])):
            continue
        if sum(line.fullmatch(one) is not None for one in short) >= SHARE * len(lines):
            raise ReadError(f"It looks like {what}.", content.file, fix=f"{fix} {AS_TEXT}")


def is_training(lines: Sequence[str]) -> bool:
    """Whether several of the lines have an epoch, a step or a loss, as a log of a training has."""
    return sum(map(bool, map(TRAINED.fullmatch, lines))) >= max(FEWEST_STEPS, OF_STEPS * len(lines))


def refuse_training(content: Content, lines: Sequence[str]) -> None:
    """Raise ReadError for a log with an epoch, a step or a loss in several of its first lines."""
    if is_training(lines):
        fix = f"Load the outputs of each system on a test set, or their scores of every segment. {AS_TEXT}"
        raise ReadError("It looks like a log of a training.", content.file, fix=fix)


OF_NUMBERS = 0.3  # of the words: no text has as many


VALUE = re.compile(rf"\s*(?P<name>[A-Za-z][-\w@. ]{{0,30}}?)\s*[:=]\s*{NUMBER}\s*")
LAST_VALUES, FEWEST_VALUES = 12, 3  # lines at the end, and measures among them


def _ends_with_measures(lines: Sequence[str]) -> bool:
    """Whether some of the last lines give the value of a measure each, as a program does below what it says of its steps."""
    last = [line for line in lines if line.strip()][-LAST_VALUES:]
    return sum(measures.is_measure(match["name"]) for line in last if (match := VALUE.fullmatch(line))) >= FEWEST_VALUES


def refuse_numbers(content: Content) -> None:
    """Raise ReadError for a few lines with many numbers, and among the words a measure; not for a log with values of items, which
    somebody wants to be read as text."""
    if len(content.lines) > MOST_PRINTED:
        return
    lines = content.lines
    written = [word.strip("()[]{}|:;,=") for line in lines for word in line.split()]
    found = [word for word in written if word]
    many = sum(map(bool, map(IS_NUMBER.fullmatch, found))) >= OF_NUMBERS * len(found)
    reported = _ends_with_measures(lines) or (many and any(map(measures.is_measure, found)))
    if reported and messages.table(content.lines, True) is None:
        raise ReadError(
            "It looks like a report: numbers and a measure.",
            content.file,
            fix=f"{SEGMENTS} {AS_TEXT}",
        )


COMMENTED = ("%%", "# ")  # about the sentences (TnT)
FEWEST_WORDS, FEWEST_GAPS, COLUMNS = 20, 3, range(2, 11)
FEW_TAGS = 0.5  # of the lines: the last column repeats


def _refuse_words(content: Content, lines: Sequence[str]) -> None:
    """Raise ReadError for a word per line with annotations: empty lines between sentences, and as many columns in all others."""
    gaps = sum(not line.strip() for line in content.lines[:MOST])
    rows = [line.split() for line in lines if not line.startswith(COMMENTED)]
    if len(rows) < FEWEST_WORDS or gaps < FEWEST_GAPS or {len(row) for row in rows}.difference([len(rows[0])]):
        return
    if len(rows[0]) in COLUMNS and len({row[-1] for row in rows}) <= FEW_TAGS * len(rows):
        what = f"It looks like words with annotations, one word per line in {count(len(rows[0]), 'column')}."
        fix = "For entities, write tags of BIO, BIOES or BILOU (B-PER) in the last column. For the accuracy of other tags, load "
        fix += f"a table with the right and all words of each sentence (num, den). {AS_TEXT}"
        raise ReadError(what, content.file, fix=fix)
