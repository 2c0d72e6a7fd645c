"""Bytes to text to segments: encodings, byte order marks, line ends; nothing is changed silently."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count, counted
from sigcore.readers.contract import Notice

SAVE_AS_UTF8 = "Save it as UTF-8 and load it again."

# UTF-32 first: its little-endian mark begins with that of UTF-16.
WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)

# Characters that str.splitlines and some tools treat as the end of a line; here only "\n" is one.
BREAKS = {
    "\r": "a lone CR", "\x0b": "U+000B", "\x0c": "U+000C", "\x1c": "U+001C", "\x1d": "U+001D", "\x1e": "U+001E",
    "\x85": "U+0085", "\u2028": "U+2028", "\u2029": "U+2029",
}  # fmt: skip
MARK = "\ufeff"  # no mark of anything within a text, but a character without width
ANY_BREAK = re.compile("[" + "".join(BREAKS) + "]")
# A trial of a speaker or of a spoofed voice, and its score: neither a transcript nor a segment.
TRIAL = re.compile(r"\S+ \S+ (?:spoof|bonafide|target|nontarget) [-+]?[\d.]+(?:e-?\d+)?")


def evened(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    """The references of each segment, as many for each: a shorter list has its first one again, which changes no score."""
    most = max(map(len, groups), default=0)
    return [[*group, *[group[0]] * (most - len(group))] for group in groups]


def decode(file: str, data: bytes, keep_bom: bool = False) -> tuple[str, list[Notice]]:
    """The text of a file with "\\n" as its only line end, and notices about the conversion.

    `keep_bom` leaves a UTF-8 byte order mark in the first segment, as in tools that do not remove it.
    Raises: ReadError for an empty file, for bytes that are not UTF-8 (or UTF-16/32 with its mark), for NUL.
    """
    text, notices = _decode_any(file, data, keep_bom)
    if not text:
        raise ReadError(f"{file} is empty.", file, fix="Load the file again, or leave it out.")
    nul = text.find("\0")
    if nul >= 0:
        message = "The text contains a NUL character (U+0000)."
        raise ReadError(message, file, text.count("\n", 0, nul) + 1, "Remove it: text has no such character.")
    crlf = text.count("\r\n")
    if crlf:
        total = text.count("\n")
        text = text.replace("\r\n", "\n")
        share = "Its line ends are CRLF" if crlf == total else f"{crlf} of its {total} line ends are CRLF"
        notices.append(Notice(file, f"{share}; read as LF."))
    return text, notices


def _decode_any(file: str, data: bytes, keep_bom: bool) -> tuple[str, list[Notice]]:
    for mark, codec, name in WIDE_MARKS:
        if data.startswith(mark):
            return _decode_wide(file, data[len(mark) :], codec, name), [Notice(file, f"It is {name}; read as such.")]
    if _looks_wide(data):
        raise ReadError(f"{file} looks like UTF-16 without a byte order mark (many NUL bytes).", file, fix=SAVE_AS_UTF8)
    text = _decode_utf8(file, data)
    if not text.startswith(MARK):
        return text, []
    if keep_bom:
        return text, [Notice(file, "It starts with a byte order mark, kept as part of the first segment.", 1)]
    message = "It starts with a byte order mark, which was removed. Tools that keep the mark count it as part of the "
    message += "first token, so their score can differ a little from the one here."
    return text[1:], [Notice(file, message, 1)]


def _decode_wide(file: str, body: bytes, codec: str, name: str) -> str:
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        line = body[: error.start].decode(codec, "replace").count("\n") + 1
        message = f"{file} starts as {name}, but byte {error.start + 1} after its mark is not ({error.reason})."
        raise ReadError(message, file, line, SAVE_AS_UTF8) from None


def _decode_utf8(file: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = error.start
        line = data.count(b"\n", 0, start) + 1
        column = start - data.rfind(b"\n", 0, start)
        message = f"line {line}, byte {column}: 0x{data[start]:02X} is not UTF-8{_guess(data[start])}."
        fix = "If it is Western European: iconv -f WINDOWS-1252 -t UTF-8. Central European: iconv -f WINDOWS-1250 -t UTF-8."
        if (script := _script(data)) is not None:
            message = f"line {line}, byte {column}: 0x{data[start]:02X} is not UTF-8."
            fix = f"Read in {script[1]}, it is {script[0]}: iconv -f {script[1]} -t UTF-8."
        raise ReadError(message, file, line, f"{SAVE_AS_UTF8} {fix}") from None


# Encodings of other scripts: of each, the letters that only text in it has, and their least share of all that is not ASCII.
SCRIPTS = (
    ("Japanese", "CP932", "\u3040", "\u30ff", 0.2),
    ("Japanese", "EUC-JP", "\u3040", "\u30ff", 0.2),
    ("Korean", "CP949", "\uac00", "\ud7a3", 0.9),
    ("Chinese", "GB2312", "\u4e00", "\u9fff", 0.8),
    ("Chinese", "BIG5", "\u4e00", "\u9fff", 0.8),
)
WESTERN = "Windows-1252"
FEWEST_LETTERS, READ = 10, 100_000  # characters that are not ASCII, and the first bytes that are looked at


def _script(data: bytes) -> tuple[str, str] | None:
    """The script of a text in an encoding of its own, and the encoding; None for text in Latin letters, and what is not known."""
    head = data[: data.rfind(b"\n", 0, READ) + 1] if len(data) > READ else data
    for name, codec, low, high, share in SCRIPTS:
        try:
            letters = [char for char in head.decode(codec) if char > "\x7f" and char.isalnum()]
        except UnicodeDecodeError:
            continue
        if len(letters) >= FEWEST_LETTERS and sum(low <= char <= high for char in letters) >= share * len(letters):
            return name, codec
    return None


def recoded(data: bytes) -> tuple[bytes, str]:
    """The text of bytes that are not UTF-8 as UTF-8, and the encoding it was read in; b"" where none fits."""
    if data.startswith(tuple(mark for mark, _, _ in WIDE_MARKS)) or _looks_wide(data):
        return b"", ""
    script = _script(data)
    codec = script[1] if script else WESTERN
    try:
        return data.decode(codec).encode("utf-8"), codec
    except UnicodeDecodeError:
        return b"", ""


def _guess(byte: int) -> str:
    """The character of a byte in Western legacy encodings; "" if it is not printable."""
    name = "Windows-1252" if byte < 0xA0 else "Latin-1"
    char = bytes([byte]).decode(name, "replace")
    return f" ({name} {char!r}?)" if char.isprintable() and char != "\ufffd" else ""


def _looks_wide(data: bytes) -> bool:
    """Whether the number or the positions of NULs show that this is UTF-16 without its mark."""
    nuls = data.count(0)
    if nuls * 10 > len(data):
        return True
    if not nuls or (b"\n\0" not in data and b"\0\n" not in data):
        return False
    # Outside Latin script only line ends, spaces and digits carry a NUL, but always on the same side.
    even = data[::2].count(0)
    return nuls >= 4 and max(even, nuls - even) >= 0.95 * nuls


def split(file: str, text: str) -> tuple[tuple[str, ...], list[Notice]]:
    """The segments of a text, split at "\\n" only, and a notice about characters at which other programs would split.

    One final "\\n" is the end of the last segment, not the start of another.
    """
    segments = text.split("\n")
    if not segments[-1]:
        segments.pop()
    notices = [_break_notice(file, segments)] if any(char in text for char in BREAKS) else []
    return tuple(segments), notices + (_mark_notice(file, segments) if MARK in text else [])


def _mark_notice(file: str, segments: list[str]) -> list[Notice]:
    """A notice about byte order marks that are not at the start of the file, as where two files were joined."""
    hits = [i for i, segment in enumerate(segments) if MARK in segment[not i :]]
    if not hits:
        return []
    verb = counted(len(hits), "line", "contains", "contain")
    message = f"{verb} a byte order mark (U+FEFF), which is kept: it is a part of its token, and can change scores."
    return [Notice(file, f"{message} Remove it if files were joined.", hits[0] + 1)]


def _break_notice(file: str, segments: list[str]) -> Notice:
    hits = [i for i, segment in enumerate(segments) if ANY_BREAK.search(segment)]
    used = {char for i in hits for char in ANY_BREAK.findall(segments[i])}
    names = ", ".join(name for char, name in BREAKS.items() if char in used)
    verb = counted(len(hits), "line", "contains", "contain")
    message = f"{verb} {names}; kept, not treated as line breaks."
    if len(segments) == 1 and segments[0].count("\r") > 1:
        message += " The whole file is one line: if CR was meant to end its lines, save it with LF."
    return Notice(file, message, hits[0] + 1)


def empty_notice(file: str, segments: tuple[str, ...], message: str = "") -> list[Notice]:
    """A notice that counts the segments without any text, or nothing; `what` names a column."""
    blank = {segment for segment in set(segments) if not segment or segment.isspace()}
    if not blank:
        return []
    empty = [i for i, segment in enumerate(segments) if segment in blank]
    verb = "is" if len(empty) == 1 else "are"
    return [Notice(file, f"{message}{len(empty)} of {count(len(segments), 'segment')} {verb} empty.", empty[0] + 1)]
