"""What programs leave in outputs: marks of sentences, entities, pieces of words, prefixes, lost capitals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sigcore import readers
from sigcore.data.checks import Checked, Finding
from sigcore.formatting import count, listed
from sigcore.readers import Item

# What is left, how it is recognised, and what to do about it.
MARKS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("marks of sentences or unknown words", re.compile(r"</?s>|<(?:pad|eos|bos|unk|mask|extra_id_\d+)>|<\|\w+\|>|\[(?:BOS|EOS|PAD|UNK|CLS|SEP|MASK)\]|⁇"), "Remove them."),
    ("HTML entities", re.compile(r"&(?:apos|quot|amp|lt|gt|nbsp|#\d{1,6}|#x[0-9a-f]{1,5});|&#(?:91|93|124);", re.IGNORECASE),
     "Undo the escaping (html.unescape, or Moses' deescape-special-chars.perl)."),
    ("pieces of words", re.compile(r"@@(?:\s|$)|▁|(?:^|\s)##\w|Ġ.*Ġ.*Ġ"), "Join the pieces, as the program that split them does."),
    ("places of phrases such as |0-1|", re.compile(r"(?:^|\s)\|\d+-\d+(?:,[^|]*)?\|(?:\s|$)"), "Remove them, or decode without them."),
)  # fmt: skip
# Between the sentences of a summary, as PreSumm, PEGASUS and pointer-generator networks write them, in references, too.
SEPARATOR = re.compile(r"</?[qnt]>|<(?:s_)?sep>|<\|n\|>|##SENT##", re.IGNORECASE)
UNKNOWN = re.compile(r"<unk>|\[UNK\]|⁇", re.IGNORECASE)
OFTEN, FEWEST = 0.01, 3  # share and number of lines from which on it is told
MOSTLY = 0.5  # of the lines, for a prefix, quotes and lost capitals
LONGEST = 60  # letters of a prefix
SIGN = re.compile(r".*[-:：>*•–|=\]]")
QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("`", "`"))


def artefacts(checked: Checked) -> Iterator[Finding]:
    """Systems with marks, entities, pieces of words, one prefix or quotes that the references do not have."""
    for system in checked.systems:
        for what, pattern, fix in MARKS:
            lines = _lines_with(system, pattern)
            if not lines:
                continue
            usual = max((_share(item, pattern) for item in checked.references), default=0.0)
            # an output may have a few unknown words, which are no mistake
            rare = usual or any(UNKNOWN.search(system.segments[i]) for i in lines)
            least = max(FEWEST, OFTEN * checked.n) if rare else FEWEST
            if len(lines) >= least and len(lines) > 2 * usual * checked.n:
                yield _found(system, what, lines, checked.n, fix)
        yield from _around(system, checked)
    yield from _letters(checked)
    yield from _separated(checked)
    yield from _without_capitals(checked)
    yield from _only_capitals(checked)
    yield from _with_marks(checked)
    yield from _untranslated(checked)


FEWEST_LETTERS, FEWEST_WORDS = 2, 3  # different right choices, and words of an answer in a sentence


def _letters(checked: Checked) -> Iterator[Finding]:
    """References that are letters of choices, where systems answered in sentences: no metric finds the letter in them."""
    gold = {segment.strip() for item in checked.references for segment in item.segments}
    if len(gold) < FEWEST_LETTERS or not all(map(readers.LETTER.fullmatch, gold)):
        return
    for system in checked.systems:
        sentences = sum(len(segment.split()) >= FEWEST_WORDS for segment in system.segments)
        if sentences > MOSTLY * checked.n:
            message = f"The right answers are letters ({listed(sorted(gold))}), and {system.name} answers in sentences: no metric compares them."
            fix = "Load the letter that each answer chooses, or 1 and 0 for right and wrong."
            yield Finding("error", message, system.file, fix)


def _separated(checked: Checked) -> Iterator[Finding]:
    """Marks between sentences, in references or outputs: metrics take each for a word, or for a part of one."""
    for item in (*checked.references, *checked.systems):
        lines = _lines_with(item, SEPARATOR)
        if len(lines) >= max(FEWEST, OFTEN * checked.n):
            mark = SEPARATOR.findall(item.segments[lines[0]])[0]
            message = (
                f"{item.name} has marks between sentences ({mark}) in {len(lines):,} of {count(checked.n, 'segment')}: "
            )
            where = f"{item.file}, segment {lines[0] + 1}"
            fix = "Replace them with blanks in all references and outputs."
            yield Finding("warning", f"{message}each is scored as a word.", where, fix)


def _lines_with(item: Item, pattern: re.Pattern[str]) -> list[int]:
    """The segments in which a pattern is found, whose ends of lines may be blanks; most files have none, which one search in
    all their lines tells."""
    if pattern.search("\n".join(item.segments)) is None:
        return []
    return [i for i, text in enumerate(item.segments) if pattern.search(text)]


def _share(item: Item, pattern: re.Pattern[str]) -> float:
    return len(_lines_with(item, pattern)) / max(len(item.segments), 1)


def _found(system: Item, what: str, lines: Sequence[int], n: int, fix: str) -> Finding:
    message = f"{system.name} has {what} in {len(lines):,} of {count(n, 'segment')}, the references do not."
    return Finding("warning", message, f"{system.file}, segment {lines[0] + 1}", fix)


def _around(system: Item, checked: Checked) -> Iterator[Finding]:
    """One prefix, or quotes, around most lines of a system but not of the references."""
    gold = [text for item in checked.references for text in item.segments]
    common = _prefix(system)
    common = "\n" if any(pattern.search(common) for _, pattern, _ in MARKS) else common  # told already
    for what, has in (
        (f"the prefix {common!r}", lambda text: text.lstrip().startswith(common)),
        ("quotes around the line", _quoted),
    ):
        lines = [i for i, text in enumerate(system.segments) if has(text)]
        if len(lines) > MOSTLY * checked.n and 2 * sum(map(has, gold)) < len(gold):
            yield _found(system, what, lines, checked.n, "Remove it: it is no part of the output.")


def _prefix(system: Item) -> str:
    """The text that most lines begin with, up to its last sign, as in "Translation:"; one that no line has if there is none.

    Words alone are no such prefix: the lines of a test set may all be questions, or made from one template.
    """
    if 2 * len({*system.segments}) <= len(system.segments):
        return "\n"  # labels, such as non-toxic
    found = SIGN.match(_common_start([text.lstrip() for text in system.segments]))
    return found[0] if found else "\n"


def _common_start(lines: Sequence[str]) -> str:
    """The longest text that most of the lines begin with."""
    prefix, least = "", MOSTLY * len(lines)
    while len(prefix) < LONGEST:
        following = Counter(text[len(prefix)] for text in lines if len(text) > len(prefix))
        letter, number = following.most_common(1)[0] if following else ("", 0)
        if number <= least:
            break
        prefix += letter
        lines = [text for text in lines if text.startswith(prefix)]
    return prefix


def _quoted(text: str) -> bool:
    text = text.strip()
    return len(text) > 2 and (text[0], text[-1]) in QUOTES and text.count(text[0]) <= 2


ANY_CASE = "score all systems without regard to case (--option METRIC.lowercase=true, such as wer.lowercase=true)."


def _without_capitals(checked: Checked) -> Iterator[Finding]:
    """Systems without capital letters where the references and other systems have them."""
    cased = [item for item in (*checked.references, *checked.systems) if _has_capitals(item)]
    lower = [item for item in checked.systems if item not in cased and any(map(_has_letters, item.segments))]
    if not lower or not any(item.role == "reference" for item in cased):
        return
    who = f"{listed(item.name for item in lower)} {'has' if len(lower) == 1 else 'have'}"
    fix = f"Restore them, or {ANY_CASE}"
    yield Finding("warning", f"{who} no capital letters, the references have them.", listed(i.file for i in lower), fix)


def _has_capitals(item: Item) -> bool:
    """Whether a tenth of the segments have a capital letter."""
    return 10 * sum(text != text.lower() for text in item.segments) > len(item.segments)


def _has_letters(text: str) -> bool:
    return text.upper() != text.lower()


def _only_capitals(checked: Checked) -> Iterator[Finding]:
    """Systems with nothing but capital letters where a reference has others."""
    upper = [item for item in checked.systems if _is_upper(item)]
    if checked.references and all(map(_is_upper, checked.references)):
        yield from _against_capitals([item for item in checked.systems if item not in upper])
        return
    if upper and not any(map(_is_upper, checked.references)):
        who = f"{listed(item.name for item in upper)} {'has' if len(upper) == 1 else 'have'}"
        fix = f"Restore the small letters, or {ANY_CASE}"
        files = listed(item.file for item in upper)
        yield Finding("warning", f"{who} only capital letters, the references do not.", files, fix)


def _against_capitals(others: Sequence[Item]) -> Iterator[Finding]:
    """Systems with small letters where all references have capitals alone."""
    others = [item for item in others if any(map(_has_letters, item.segments))]
    if others:
        who = f"{listed(item.name for item in others)} {'has' if len(others) == 1 else 'have'}"
        what = f"The references have only capital letters, but {who} others: a word in other letters counts as wrong."
        fix = f"If only words matter, {ANY_CASE}"
        yield Finding("warning", what, listed(item.file for item in others), fix)


ENDS = re.compile(r"(?<=\S)[.?!\u2026\u3002\uff1f\uff01\u0964][\"'\u201d\u00bb)]*\s*$")  # at the end of a sentence


def _with_marks(checked: Checked) -> Iterator[Finding]:
    """Systems most of whose segments end with a mark where hardly one of the references does, as in transcripts."""
    if not checked.references or max(map(_ended, checked.references)) > OFTEN:
        return
    marked = [item for item in checked.systems if _ended(item) > MOSTLY]
    if marked:
        who = f"{listed(item.name for item in marked)} {'ends' if len(marked) == 1 else 'end'}"
        what = f"{who} most segments with a full stop or the like, the references do not: it belongs to its word, or is one."
        fix = "Remove marks from all outputs, or give references with marks."
        yield Finding("warning", what, listed(item.file for item in marked), fix)


def _ended(item: Item) -> float:
    """The share of segments that end with a mark."""
    return sum(ENDS.search(text) is not None for text in item.segments) / max(len(item.segments), 1)


def _is_upper(item: Item) -> bool:
    """Whether most segments have letters of two cases, and nearly all of them capitals alone."""
    lettered = [text for text in item.segments if _has_letters(text)]
    # an abbreviation here and there is no writing in capitals
    enough = 2 * len(lettered) > len(item.segments)
    return enough and 10 * sum(text == text.upper() for text in lettered) > 9 * len(lettered)


# Lines that are still in the language of the source.

WORDS = re.compile(r"\w+")
LEAST_COPIED = 4  # words
COPIED, TRANSLATED = 0.8, 0.5  # shares of the words that are in the source and in the references
# Sources in the language of the references share this many of their words: there nothing can be said.
MONOLINGUAL = 0.25


def _untranslated(checked: Checked) -> Iterator[Finding]:
    """Systems with lines that are copied from the source, where the references are in another language."""
    sources = [item.segments for item in checked.gold if item.role == "source"]
    if not sources or not checked.references:
        return
    source = [_words_of(text) for text in sources[0]]
    gold = [set[str]().union(*map(_words_of, texts)) for texts in _side_by_side(checked.references)]
    both, all_ = (sum(map(len, words)) for words in ((a & b for a, b in zip(source, gold, strict=True)), source))
    if both > MONOLINGUAL * all_:
        return
    for system in checked.systems:
        lines = [i for i, text in enumerate(system.segments) if _is_copied(_words_of(text), source[i], gold[i])]
        if len(lines) >= max(FEWEST, OFTEN * checked.n):
            message = f"{system.name} repeats the source in {len(lines):,} of {count(checked.n, 'segment')}."
            where = f"{system.file}, segment {lines[0] + 1}"
            yield Finding("warning", message, where, "Check whether these segments were translated.")


def _side_by_side(items: Sequence[Item]) -> Iterator[tuple[str, ...]]:
    return zip(*(item.segments for item in items), strict=True)


def _words_of(text: str) -> set[str]:
    return {word for word in WORDS.findall(text.lower()) if not word.isdigit()}


def _is_copied(words: set[str], source: set[str], gold: set[str]) -> bool:
    n = len(words)
    return n >= LEAST_COPIED and len(words & source) >= COPIED * n and len(words & gold) < TRANSLATED * n


QUERY = re.compile(r"\s*(?:select|with)\b.+?\bfrom\b.+", re.IGNORECASE | re.DOTALL)
NEARLY = 0.9  # of the references


def queries(checked: Checked) -> Iterator[Finding]:
    """References that are queries in SQL: their words do not say what they return."""
    own = checked.references[0].segments if checked.references else ()
    if own and sum(QUERY.fullmatch(one) is not None for one in own) >= NEARLY * len(own):
        message = (
            "The references are queries (SQL): others, in other words, may return the same. Their words are compared."
        )
        fix = "To test which are right, run them, and load right or wrong for each question and system."
        yield Finding("warning", message, checked.references[0].file, fix)
