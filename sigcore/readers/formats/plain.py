"""Plain text with one segment per line, or one score per line: the fallback for all other files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import lines, names
from sigcore.readers.contract import FALLBACK, Content, Found, Item, Notice, Options, Reader
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers as scores
from sigcore.readers.tables import said
from sigcore.registry import Option
from sigcore.types import Kind, Role

NUMBERED = re.compile(r"Segment (\d+) score:\s+([-\d.eE]+)")  # as METEOR prints it
FEWEST_NUMBERED, ABOVE = 3, 20  # scores, and lines in which the first of them stands


def _read(content: Content, options: Options) -> Found:
    file, role = content.file, names.guess_role(content.file)
    changed, notices = _as_numbers(content, role, options)
    if options["holds"] == "automatic" and not changed and role in ("system", "reference"):
        refuse(content)
    segments = changed or content.lines
    kind: Kind = "scores" if changed or _are_scores(content, role, options) else "text"
    why = "; not data, judging by its name" if role == "ignored" else ""
    note = f"{kind}, {count(len(segments), 'segment')}{why}"
    measure, name = _named(content) if kind == "scores" else ("", names.display_name(file))
    # COMET-refA names the reference that was used
    role = "system" if measure and role == "reference" else role
    if role != "ignored":
        notices += lines.empty_notice(file, segments)
    better = said.said(options).better if kind == "scores" else ""
    return Found(items=[Item(name, role, kind, segments, file, note, measure=measure, better=better)], notices=notices)


def _as_numbers(content: Content, role: Role, options: Options) -> tuple[tuple[str, ...], list[Notice]]:
    """The lines as numbers with decimal points, if they have commas or are true and false and may be scores; else ()."""
    file = content.file
    if options["holds"] == "text" or role not in ("system", "reference"):
        return (), []
    if numbered := _numbered(content.lines):
        return numbered, [Notice(file, f"It has {count(len(numbered), 'line')} with the score of a segment (METEOR).")]
    if heading := _heading(content):
        return content.lines[1:], [Notice(file, f"Its first line is a heading: {heading}.", 1)]
    found, how = scores.as_numbers(file, content.lines)
    return found, [Notice(file, f"{how[:1].upper()}{how[1:]}.")] if found else []


def _named(content: Content) -> tuple[str, str]:
    """The measure by the heading or the name of the file, and the name of the system."""
    measure, name = names.measure_in_name(content.file)
    heading = _heading(content)
    return (measure if not heading or words.is_value(heading) else heading), name


def _heading(content: Content) -> str:
    """The name of a measure above nothing but numbers, as a data frame of one column is written; "" where there is none."""
    first, *rest = content.lines
    named = words.is_measure(heading := names.clean(first).strip('"')) or words.is_value(heading)
    return heading if named and len(rest) > 1 and all(map(scores.is_number, rest)) else ""


def _numbered(texts: Sequence[str]) -> tuple[str, ...]:
    """The scores in lines that number them from 1, below what METEOR says of itself and above its statistics; () for fewer
    than three, and where one is missing or in another place."""
    if not any(NUMBERED.fullmatch(text.strip()) for text in texts[:ABOVE]):
        return ()
    found = [match for text in texts if (match := NUMBERED.fullmatch(text.strip()))]
    in_order = [int(match[1]) for match in found] == list(range(1, len(found) + 1))
    return tuple(match[2] for match in found) if in_order and len(found) >= FEWEST_NUMBERED else ()


def _are_scores(content: Content, role: Role, options: Options) -> bool:
    if options["holds"] == "automatic":
        return role in ("system", "reference") and scores.are_scores(content.file, content.lines)
    return options["holds"] == "scores"


# Files that look like text but are something else: reports of other programs, rankings, tagged words, settings. Read as text,
# each line would be the output of a system. The lines say what the file is; most of them must agree.

SHARE = 0.8  # of the lines with text; headings and rules between them may look otherwise
FIRST = 12  # lines in which a report says what it is
FEWEST, MOST = 3, 2_000  # lines that decide, and those that are looked at
LONGEST = 200  # characters of a line of such a file; a longer one is text
SETTINGS = ("yaml", "yml", "toml", "ini", "cfg", "tex")
SEGMENTS = "Load the scores of every segment: tests need them."
NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)%?"


class Look(NamedTuple):
    """What a line of such a file looks like, what the file is then called, and what to load instead."""

    line: re.Pattern[str]
    what: str
    fix: str


KINDS = (
    Look(
        re.compile(rf"\S+\s+Q0\s+\S+\s+\d+\s+{NUMBER}(?:\s+\S+)?"),
        "a list of the documents that a system retrieved (a TREC run)",
        "Give every line six columns, the last the name of the run, and load the judgments (qrels) too.",
    ),
    Look(
        re.compile(r"\S+\s+(?:0+|Q0)\s+\S+\s+-?\d\s*"),
        "judgments which documents are relevant (qrels)",
        "Set its format to trec, and load the runs too.",
    ),
    Look(
        re.compile(r"\S+(?: \S+)* (?:O|[BIESLU]-\S+) (?:O|[BIESLU]-\S+)"),
        "words with a right and a predicted tag (conlleval)",
        "Set its format to tagged.",
    ),
    Look(
        re.compile(r"(?:SPEAKER|LEXEME|NOSCORE|NON-LEX) \S+ \d+ [\d.]+ [\d.]+ .*"),
        "times of speakers (RTTM)",
        "Load the error rate of every recording, in a table with a row for each.",
    ),
    Look(
        re.compile(r"S \S.*|A -?\d+ -?\d+\|\|\|.*"),
        "edits of sentences (M2)",
        "Count the right, the proposed and the true edits of each sentence, and load a table of these counts.",
    ),
    Look(
        re.compile(r"(?:SENT|PRED|GOLD) \d+:.*|(?:PRED|GOLD) SCORE: .*|\[\S+ \S+ \w+\].*"),
        "a log of translations (OpenNMT with -verbose)",
        "Load the file that -output names, with one translation per line.",
    ),
    Look(
        lines.TRIAL,
        "scores of trials",
        "An error rate needs all trials together. Load a table with a right or wrong answer for each.",
    ),
    Look(
        re.compile(rf"[^\s,]+,\s*{NUMBER}"),
        "a name and a score in each line",
        "Rename it to .csv and give it a first line: id,score.",
    ),
    Look(
        re.compile(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d.*"),
        "a log with a time in each line",
        SEGMENTS,
    ),
    Look(
        re.compile(rf"\s*\d+[.)]\s+\S.*\s{NUMBER}\s*"),
        "a ranking of systems",
        f"These are scores of whole systems. {SEGMENTS}",
    ),
    Look(
        re.compile(rf"\s*[-\w.@/()% ]*[A-Za-z][-\w.@/()% ]*(?:(?:\s*[:=|]\s*{NUMBER})+|:)\s*(?:\|.*)?"),
        "a report on a whole run",
        f"It has one number for many segments. {SEGMENTS}",
    ),
)
OLD_TREC = re.compile(r"Queryid \(Num\):\s*\d+")
# One such line shows that the whole file is a report: as conlleval, the coreference scorer, Kaldi, sclite, sacrebleu,
# MultEval, ERRANT and scikit-learn print them.
REPORT = re.compile(
    r"processed \d+ tokens with \d+ phrases.*|METRIC \w+:|%WER [\d.]+ \[.*|.*\| SPKR +\| # Snt.*|sacreBLEU: Found.*|"
    r"n=\d+ +\w+ \(s_sel/.*|=+ Span-Based .*|\s*precision +recall +f1-score +support|Metric +\| +Precision.*|"
    r".*\(μ ± 95% CI\).*"
)


def refuse(content: Content) -> None:
    """Raise ReadError, which says what the file is and what to load instead, for a file that is no text of a system."""
    if content.suffix in SETTINGS:
        raise ReadError("By its name it holds settings or a report.", content.file, fix=SEGMENTS)
    lines = [line.rstrip() for line in content.lines[:MOST] if line.strip()]
    if any(map(OLD_TREC.fullmatch, lines[:5])):
        raise ReadError(
            "It is the output of an old trec_eval.", content.file, fix="Run a present one with -q, and load its output."
        )
    if any(map(REPORT.fullmatch, lines[:FIRST])):
        raise ReadError(
            "It looks like a report on a whole run.", content.file, fix=f"{SEGMENTS} If it is text, set holds to text."
        )
    _refuse_words(content, lines)
    short = [line for line in lines if len(line) <= LONGEST]
    if len(lines) < FEWEST or len(short) < SHARE * len(lines):
        return
    for line, what, fix in KINDS:
        # most texts are none of these: their first lines decide
        if not any(map(line.fullmatch, short[:FEWEST])):
            continue
        if sum(line.fullmatch(one) is not None for one in short) >= SHARE * len(lines):
            raise ReadError(f"It looks like {what}.", content.file, fix=f"{fix} If it is text, set holds to text.")


FEWEST_WORDS, FEWEST_GAPS, COLUMNS = 20, 3, range(2, 11)
FEW_TAGS = 0.5  # of the lines: the last column repeats


def _refuse_words(content: Content, lines: Sequence[str]) -> None:
    """Raise ReadError for a word per line with annotations: empty lines between sentences, and as many columns in all others."""
    gaps = sum(not line.strip() for line in content.lines[:MOST])
    rows = [line.split() for line in lines]
    if len(rows) < FEWEST_WORDS or gaps < FEWEST_GAPS or {len(row) for row in rows}.difference([len(rows[0])]):
        return
    if len(rows[0]) in COLUMNS and len({row[-1] for row in rows}) <= FEW_TAGS * len(rows):
        what = f"It looks like words with annotations, one word per line in {count(len(rows[0]), 'column')}."
        fix = "For entities, write tags of BIO, BIOES or BILOU (B-PER) in the last column. For the accuracy of other tags, load "
        fix += "a table with the right and all words of each sentence (num, den). If it is text, set holds to text."
        raise ReadError(what, content.file, fix=fix)


READER = Reader(
    name="plain",
    title="plain text",
    kinds=("text", "scores"),
    looks=lambda content: FALLBACK,
    read=_read,
    options=(
        Option(
            "holds",
            "automatic",
            choices=("automatic", "text", "scores"),
            help="What the lines are; automatic reads a file that contains only numbers as scores.",
        ),
        said.BETTER,
    ),
    help="One segment, or one score, per line.",
    example=("One.en", "The ferry leaves at nine.\nIt rains.\n"),
    proof=parsed(("system", "One", ("The ferry leaves at nine.", "It rains."))),
)
