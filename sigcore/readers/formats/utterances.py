"""Transcripts with the id of each utterance: `id words` (Kaldi), or `words (id)` (sclite); matched by the ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import lines, names
from sigcore.readers.contract import (
    ASKED,
    CERTAIN,
    NO,
    Content,
    Found,
    Item,
    Notice,
    Options,
    Reader,
    described,
    scores,
)
from sigcore.readers.tables import numbers, said
from sigcore.types import Role

# An id has a digit, and letters before it or several parts: utt1, spk2_0007, 1089-134686-0000; 0-0 is a word link.
ID = r"(?:[A-Za-z]+[0-9]+|(?=[^\s]*[A-Za-z])(?=[^\s]*[0-9])[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+|[0-9]+(?:[-_][0-9]+){2,})"
FIRST = re.compile(rf"({ID})(?:[ \t]+(.*))?")
LAST = re.compile(r"(.*?)\((?=[^()]*[0-9])(?=[^()]*[A-Za-z_-])([A-Za-z0-9_.-]+)\)[ \t]*")
FEWEST, FEWEST_SIMPLE = 2, 5  # lines; more are needed where the ids have one part, as Room1 in a text
LOOKED_AT = 100
# The words of a time in a recording, and single words with their times, as sclite reads them.
SECONDS = r"[0-9]+(?:\.[0-9]+)?"
STM = re.compile(rf"(\S+)[ \t]+(\S+)[ \t]+\S+[ \t]+({SECONDS})[ \t]+{SECONDS}(?:[ \t]+<[^<>]*>)?(?:[ \t]+(.*))?")
CTM = re.compile(rf"(\S+)[ \t]+(\S+)[ \t]+({SECONDS})[ \t]+{SECONDS}[ \t]+(\S+)(?:[ \t]+[01](?:\.[0-9]*)?)?[ \t]*")
TIMED = {
    "stm": (STM, "recording, channel, speaker, start, end, words"),
    "ctm": (CTM, "recording, channel, start, duration, word"),
}
UNSCORED = "ignore_time_segment_in_scoring"
REMARK = ";;"  # at the start of a line of sclite
MANY = 10  # lines of an id and a number are scores of utterances; fewer may be of systems
TextPair = tuple[str, str]


def _used(lines: Sequence[str]) -> list[str]:
    """The lines that are neither blank nor remarks."""
    return [line for line in lines if line.strip() and not line.startswith(REMARK)]


def _pairs(lines: Sequence[str]) -> tuple[list[TextPair], str]:
    """(id, words) of each line that is not blank, and where the id is; ([], "") unless every line has a different one."""
    used = _used(lines)
    for pattern, where in ((LAST, "last"), (FIRST, "first")):
        matches = [pattern.fullmatch(line) for line in used]
        cells = [match.groups(default="") for match in matches if match is not None]
        pairs = [(one, two) if where == "first" else (two, one.rstrip(" \t")) for one, two in cells]
        fewest = FEWEST if where == "last" or any(re.search("[-_.]", name) for name, _ in pairs) else FEWEST_SIMPLE
        if fewest <= len(pairs) == len(used) == len({name for name, _ in pairs}):
            return pairs, where
    return [], ""


def _timed(content: Content) -> list[TextPair]:
    """(id, words) of the times of a recording in an stm, and of all words of a recording in a ctm.

    The id is the recording and its channel, with the time where a recording has several.
    Raises: ReadError for a line of such a file that has another form.
    """
    found = sorted(_times(content), key=itemgetter(0, 1))
    parts: dict[str, list[str]] = {}
    for name, _, text in found:
        parts.setdefault(name, []).append(text)
    if content.suffix == "stm" and len(parts) < len(found):
        return [(f"{name} {start:g}", text) for name, start, text in found]
    return [(name, " ".join(texts)) for name, texts in parts.items()]


def _times(content: Content) -> Iterator[tuple[str, float, str]]:
    """The recording with its channel, the start and the words of each line that is scored.

    Raises: ReadError for a line of another form.
    """
    pattern, form = TIMED[content.suffix]
    for number, line in enumerate(content.lines, 1):
        if not line.strip() or line.startswith(REMARK):
            continue
        if (match := pattern.fullmatch(line.strip())) is None:
            raise ReadError(f"line {number} is no line of {content.suffix}.", content.file, number, f"Write {form}.")
        text = (match[4] or "").strip()
        if text.lower() != UNSCORED:
            yield f"{match[1]} {match[2]}", float(match[3]), text


def _has_name(line: str) -> bool:
    """Whether a line is the words of an utterance beside its name."""
    return (LAST.fullmatch(line) or FIRST.fullmatch(line)) is not None and line.count("\t") <= 1


def _looks(content: Content) -> int:
    if content.suffix in TIMED:
        pattern, _ = TIMED[content.suffix]
        return CERTAIN if any(pattern.fullmatch(line.strip()) for line in content.lines[:LOOKED_AT]) else NO
    head = _used(content.lines[:LOOKED_AT])[:FEWEST]
    if not head or not all(map(_has_name, head)) or all(map(lines.TRIAL.fullmatch, head)):
        return NO
    pairs, where = _pairs(content.lines)
    if _are_numbers(pairs):
        return NO
    has_words = any(" " in words.strip() for _, words in pairs)
    return CERTAIN if where == "last" or (where and (has_words or _are_scores(pairs))) else NO


def _are_numbers(pairs: Sequence[TextPair]) -> bool:
    """Whether each has several decimal fractions and nothing else: nobody speaks so, and it is a table with blanks."""
    return len(pairs) > 1 and all(_are_fractions(words) for _, words in pairs[1 : LOOKED_AT + 1])


def _are_fractions(words: str) -> bool:
    """Whether there are several numbers, with a decimal point each."""
    parts = words.split()
    return len(parts) > 1 and all("." in part and numbers.is_number(part) for part in parts)


def _are_scores(pairs: Sequence[TextPair]) -> bool:
    """Whether each of many utterances has a number and no words."""
    return len(pairs) >= MANY and all(numbers.is_number(words) for _, words in pairs)


def _name(file: str) -> str:
    """The name of the system; Kaldi calls every file `text`, in a folder for each system."""
    folders = names.parts(file)[:-1]
    return names.clean(folders[-1]) if names.base_name(file) == "text" and folders else names.display_name(file)


def _read(content: Content, options: Options) -> Found:
    pairs, where = (_timed(content), "") if content.suffix in TIMED else _pairs(content.lines)
    if not pairs:
        fix = "Write `id words` or `words (id)` in every line, each id once, or read the file as plain text."
        raise ReadError(f"{content.file} does not have a different id in every line.", content.file, 1, fix)
    keys, segments = zip(*pairs, strict=True)
    message = f"The {where} word of each line was read as the id of the utterance ({pairs[0][0]} ...), not as a word."
    if not where:
        message = f"It was read as {content.suffix}: the words of each recording or time ({pairs[0][0]} ...), without times and labels."
    note = f"transcript with ids, {count(len(keys), 'segment')}"
    role, name = names.guess_role(content.file), _name(content.file)
    if all(SENSES.fullmatch(words) for words in segments):
        return _of_senses(content.file, name, role, keys, segments)
    if _are_scores(pairs):
        _ask_labels(content.file, segments, role, said.said(options).better)
        measure, name = names.measure_in_name(content.file)
        item = scores(content.file, name, segments, note, measure, said.said(options).better, keys)
    else:
        item = Item(name, role, "text", segments, content.file, note, keys=keys)
    return Found(items=[item], notices=[Notice(content.file, message)])


# The senses of a word, of which any is right: keys of WordNet (living%5:00:00:extant:00), or ids of BabelNet.
SENSE = r"(?:\S+%\d:\d\d:\d\d:\S*:\S*|bn:\d{8}[nvar])"
SENSES = re.compile(rf"{SENSE}(?:\s+{SENSE})*")


def _of_senses(file: str, name: str, role: Role, keys: tuple[str, ...], segments: Sequence[str]) -> Found:
    """The senses of words with ids; several right ones are references, any of which will do."""
    note = f"senses of words with ids, {count(len(keys), 'segment')}, {ASKED}"
    streams = [segments]
    if role == "reference":
        streams = [tuple(own) for own in zip(*lines.evened([words.split() for words in segments]), strict=True)]
    items = [Item(name, role, "text", tuple(own), file, note, keys=keys) for own in streams]
    message = f"Senses of words with ids ({keys[0]} ...). Of several right ones any counts."
    return Found(items=items, notices=[Notice(file, message)])


def _ask_labels(file: str, cells: Sequence[str], role: str, better: str) -> None:
    """Raise ReadError for ids with 0 and 1 alone, of which nobody said that 1 is right: they may be predicted labels."""
    if role == "system" and not better and {*cells} == {"0", "1"}:
        what = "Its ids have 0 or 1 each: right and wrong answers, or predicted labels? Nothing says it."
        fix = "If 1 is right: --better higher. Predicted labels need the right ones: a table with both, and --columns NAME=reference."
        raise ReadError(what, file, 1, fix)


READER = Reader(
    **described("utterances"),
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    options=(said.BETTER,),
    proof=parsed(("system", "One", ("it rains today", "the ferry leaves at nine"))),
)
