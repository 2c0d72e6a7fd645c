"""Alignments printed for people: a line REF: with the words of the reference, and a line HYP: with those of the output."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, SPOKEN, Content, Found, Item, Notice, Options, Reader, described
from sigcore.readers.names import pattern

# REF: words; with the name of the utterance before it, as Kaldi (per_utt) and icefall (recogs) print it. Only a name stands
# for the colon: `Ref. words = 12` is a count of sclite.
LINE = pattern("aligned.line")
LISTED = re.compile(r"\[(?:'[^']*'|\"[^\"]*\"|, )*\]")  # ['it', 'rains']
# what stands around the pairs of lines: numbers of sentences, marks of errors, and counts of jiwer and sclite
AROUND = pattern("aligned.around")
GAP = re.compile(r"\*+")  # stands for a word that the other line has
NAMED = re.compile(r"\s*(?:id:\s*\((\S+)\)|(?:=+ )?sentence (\d+)(?: =+)?)\s*", re.IGNORECASE)
COUNTED = re.compile(r"number of sentences: (\d+)")
FEWEST, LOOKED_AT = 2, 400


def _pairs(lines: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """The references, the outputs and the ids that a file names; outputs of another number than references are [].

    Long sentences are cut in several pairs of lines (jiwer); those below one number belong to one sentence.
    """
    found: dict[str, list[str]] = {"REF": [], "HYP": []}
    ids, cut = list[str](), set[str]()  # the kinds of lines that go on below the number
    number = Counter[str]()
    for line in lines:
        match = LINE.fullmatch(line)
        if match is None:
            if named := NAMED.fullmatch(line):
                ids.append(named[1] or named[2])
                cut.clear()
            continue
        kind, text = match["kind"].upper(), _text(match["words"])
        number[kind] += 1
        if kind in cut:
            found[kind][-1] = f"{found[kind][-1]} {text}".strip()
        else:
            found[kind].append(text)
        ids += [match["id"]] if match["id"] and kind == "REF" else []
        cut |= {kind} if ids and not match["id"] else set()
    same = number["REF"] == number["HYP"] and len(found["REF"]) == len(found["HYP"])
    return found["REF"], found["HYP"] if same else [], ids


SCLITE = re.compile("DUMP OF SYSTEM ALIGNMENT STRUCTURE|SENTENCE LEVEL REPORT FOR THE SYSTEM")  # .pra, .snt


# SpeechBrain prints the name of an utterance with its rate, and below it words of the reference, edits and words of the output,
# with semicolons between; a gap is <eps>.
RATED = re.compile(r"(\S+), %WER [\d.]+ \[.*\]\s*")
EMPTY = "<eps>"


WENET = {"utt": "id:", "lab": "REF:", "rec": "HYP:"}  # what WeNet writes before the name and the words of an utterance
MARKED = re.compile(r"(utt|lab|rec): (.*)")
UTTERANCE = re.compile(r"utt: \S+\s*")


# icefall (errs-*.txt) writes an utterance in a line, with (right->heard) for errors and * for what is not there; sclite (-o sgml)
# what each word is, below a PATH: C,"right","heard",...
DETAILS = re.compile(r"PER-UTT DETAILS:.*\(ref->hyp\)\s*")
EDIT = re.compile(r"\(([^()]*)->([^()]*)\)")
PATH = re.compile(r'<PATH id="\(([^"]*)\)".*>')
ALIGNED = re.compile(r'(?:^|:)[CSDI],(?:"([^"]*)")?,(?:"([^"]*)")?')


def _of_edits(lines: Sequence[str]) -> list[str]:
    """The utterances of icefall or of sclite (sgml) as lines REF: and HYP: below the names; [] for another file."""
    start = next((k for k, line in enumerate(lines) if DETAILS.fullmatch(line)), None)
    paths = [(k, match[1]) for k, line in enumerate(lines) if (match := PATH.fullmatch(line))]
    found = [(name, [*zip(*ALIGNED.findall(lines[k + 1]), strict=True)]) for k, name in paths if k + 1 < len(lines)]
    texts = [(name, " ".join(both[0]), " ".join(both[1])) for name, both in found if both]
    for line in itertools.takewhile(str.strip, lines[start + 1 :]) if start is not None else ():
        name, _, text = line.partition(":\t")
        texts.append((name, EDIT.sub(r"\1", text), EDIT.sub(r"\2", text)))
    return [part for name, right, heard in texts for part in (f"id: ({name})", f"REF: {right}", f"HYP: {heard}")]


def _as_printed(lines: Sequence[str]) -> Sequence[str]:
    """The lines of SpeechBrain, WeNet, icefall and sclite (sgml) with the marks that others write before them; those of others as
    they are."""
    if any(map(UTTERANCE.fullmatch, lines)):
        return [_marked(line) for line in lines]
    if edits := _of_edits(lines):
        return edits
    named = [k for k, line in enumerate(lines) if RATED.fullmatch(line)]
    if not named:
        return lines
    out = list(lines)
    for k in named:
        out[k] = RATED.sub(r"id: (\1)", lines[k])
        for place, mark in ((k + 1, "REF"), (k + 3, "HYP")):
            if place < len(out):
                words = (word.strip() for word in lines[place].split(";"))
                out[place] = f"{mark}: {' '.join('*' if word == EMPTY else word for word in words)}"
    return out


def _marked(line: str) -> str:
    """A line of WeNet with the mark that others write; a gap is nothing at all there."""
    if (match := MARKED.fullmatch(line)) is None:
        return line
    words = match[2].strip()
    return f"{WENET[match[1]]} {f'({words})' if match[1] == 'utt' else words}"


def _text(words: str) -> str:
    """The words of a line, also of one that lists them, without those that stand for a gap."""
    if LISTED.fullmatch(words):
        words = " ".join(map(str, ast.literal_eval(words)))
    return " ".join(word for word in words.split() if not GAP.fullmatch(word))


def _refuse_skipped(content: Content, ids: Sequence[str], gold: Sequence[str], output: Sequence[str]) -> None:
    """Refuse what jiwer prints by default: only sentences with errors, while it numbers or counts all."""
    numbered = [int(name) for name in ids if name.isdigit()]
    total = max([*numbered, *(int(match[1]) for line in content.lines if (match := COUNTED.match(line)))], default=0)
    right = sum(one.split() == other.split() for one, other in zip(gold, output, strict=True))
    if len(numbered) == len(gold) < total and not right:
        message = (
            f"It has only sentences with errors: {len(gold)} of at least {total}. The error rate of all would be lower."
        )
        fix = "Print all of them (jiwer: skip_correct=False), or load the reference and the outputs."
        raise ReadError(message, content.file, 1, fix)


def _are_capitals_errors(gold: Sequence[str], output: Sequence[str]) -> bool:
    """Whether every pair that differs has words in capitals, and no other one has a capital letter: as sclite and asr-evaluation (wer -i)
    mark errors."""
    pairs = [(f"{right} {said}", right == said) for right, said in zip(gold, output, strict=False)]
    marked = [any(word.isupper() for word in text.split()) for text, equal in pairs if not equal]
    small = [text == text.lower() for text, equal in pairs if equal]
    return any(marked) and all(marked) and bool(small) and all(small)


def _looks(content: Content) -> int:
    head = _as_printed(content.lines[:LOOKED_AT])
    kinds = [match["kind"].upper() for line in head if (match := LINE.fullmatch(line))]
    return CERTAIN if kinds[: 2 * FEWEST] == ["REF", "HYP"] * FEWEST else NO


def _told(content: Content, recognised: bool, capitals: bool) -> str:
    """What was read, and of which program, where its lines are `recognised`."""
    message = "Its lines REF: and HYP: were read as reference and output; * stands for a word that is not there."
    if recognised:
        known = {"WeNet": MARKED, "icefall": DETAILS, "sclite": PATH}
        head = content.lines[:LOOKED_AT]
        program = next((name for name, line in known.items() if any(map(line.fullmatch, head))), "SpeechBrain")
        message = f"It was recognised as a file of {program}: the reference and the output of each utterance, one below the other."
    return message + (" Errors are written in capitals: all words were put in small letters." if capitals else "")


def _read(content: Content, options: Options) -> Found:
    file = content.file
    lines = _as_printed(content.lines)
    gold, output, ids = _pairs(lines)
    capitals = any(map(SCLITE.search, content.lines[:LOOKED_AT])) or _are_capitals_errors(gold, output)
    if capitals:  # errors are written so, and others in the same files are small
        gold, output = list(map(str.lower, gold)), list(map(str.lower, output))
    if len(gold) < FEWEST or not output:
        message = f"It has {count(len(gold), 'line')} REF: and another number of lines HYP:."
        raise ReadError(message, file, 1, "Load the complete file, or the texts themselves: one segment per line.")
    _refuse_skipped(content, ids, gold, output)
    keys = tuple(ids) if len(set(ids)) == len(ids) == len(gold) else ()
    note, name = f"an alignment, {count(len(gold), 'segment')}, {SPOKEN}", names.display_name(file)
    message = _told(content, lines is not content.lines, capitals)
    others = [k for k, line in enumerate(lines, 1) if not any(p.fullmatch(line) for p in (LINE, NAMED, AROUND))]
    if others:
        verb = "was" if len(others) == 1 else "were"
        message += f" {count(len(others), 'other line')} {verb} not used; the first is line {others[0]}."
    items = [
        Item(f"{name}.ref", "reference", "text", tuple(gold), file, note, keys=keys),
        Item(name, "system", "text", tuple(output), file, note, keys=keys),
    ]
    return Found(items=items, notices=[Notice(file, message)])


READER = Reader(
    **described("aligned"),
    kinds=("text",),
    looks=_looks,
    read=_read,
    proof=parsed(("reference", "One.ref", ("it rains today", "yes")), ("system", "One", ("it rained", "yes"))),
)
