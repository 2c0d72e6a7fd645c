"""Inputs of the fuzz: examples of every format with damage, random bytes, and archives of both; each from its number alone."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path
from random import Random
from typing import NamedTuple

from sigcore import readers

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
ROWS = 30  # of each file of the samples
MARKS = "\t\n\r\0,;\"'<>&|{}[]()-_:=#.0129pS?%\u2028\ufeffÉ中"
PIECES = (
    *(*MARKS, "</seg>", "<seg", "<doc", "</doc>", "|||", "nan", "None", "1e999", "))", "0-0", "-1", "{}", "[]", "null"),
    *("id", "system\t", "99999999999999999999", "\n\n", "\r\n", "true", "1,5", "-0.0", "inf", "NA", "&x;", "<!DOCTYPE"),
)
NAMES = (
    *(
        "a.en",
        "ref.en",
        "x.tsv",
        "x.csv",
        "x.jsonl",
        "x.gz",
        "x.zip",
        "groups.tsv",
        "documents.tsv",
        "a.scores",
        "x.xml",
    ),
    *(
        "One.txt",
        "../../a",
        "README",
        "x.conllu",
        "x.sgm",
        "cs-en.docs",
        "x.nbest",
        "a.seg.score",
        "",
        "\u202ea",
        "x.stats",
    ),
)
CODECS = ("utf-8", "utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1250")


class Input(NamedTuple):
    """Files as they are dropped, and the reader that is forced on them ("" = none)."""

    files: tuple[tuple[str, bytes], ...]
    reader: str


def examples() -> list[tuple[str, str]]:
    """(name, text) of an example of every format, and the first lines of every file of the samples."""
    members = [reader.example for reader in readers.members().values()]
    files = sorted(
        path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc", ".npz", ".json")
    )
    return members + [
        (path.name, "\n".join(path.read_text(encoding="utf-8").split("\n")[:ROWS]) + "\n") for path in files
    ]


EXAMPLES = examples()


def drawn(number: int) -> Input:
    """The input with that number, the same one on every machine."""
    random = Random(number)
    if random.random() < 0.1:
        files: tuple[tuple[str, bytes], ...] = ((random.choice(NAMES), random.randbytes(random.randrange(300))),)
    else:
        files = tuple(damaged(random) for _ in range(random.choice((1, 1, 1, 2, 4))))
    if random.random() < 0.2:
        files = (packed(random, files),)
    reader = random.choice([*readers.members()]) if random.random() < 0.25 else ""
    return Input(files, reader)


def damaged(random: Random) -> tuple[str, bytes]:
    """The name and the bytes of an example, damaged as text, in some codec, and at times as bytes."""
    name, text = random.choice(EXAMPLES)
    for _ in range(random.choice((0, 1, 1, 2, 3, 8))):
        text = random.choice(CHANGES)(random, text)
    codec = random.choice(CODECS)
    data = text.encode(codec, "replace" if codec in ("latin-1", "cp1250") else "surrogatepass")
    if random.random() < 0.15:
        data = bytes_changed(random, data)
    return random.choice((name, name, name, random.choice(NAMES))), data


def put(random: Random, text: str) -> str:
    """A piece put in somewhere, in place of up to 20 characters."""
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(PIECES) + text[at + random.choice((0, 0, 1, 20)) :]


def marked(random: Random, text: str) -> str:
    """A word that is nowhere else, put in somewhere."""
    at = random.randrange(len(text) + 1)
    return f"{text[:at]}q{random.randrange(10**9)}z{text[at:]}"


def cut(random: Random, text: str) -> str:
    """The beginning or the end."""
    at = random.randrange(len(text) + 1)
    return text[:at] if random.random() < 0.7 else text[at:]


def lines_changed(random: Random, text: str) -> str:
    """A line twice, missing, empty or somewhere else; or all lines in another order."""
    lines = text.split("\n")
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    how = random.randrange(5)
    if how == 0:
        lines.insert(to, lines[at])
    elif how == 1:
        del lines[at]
    elif how == 2:
        lines[at] = ""
    elif how == 3:
        lines.insert(to, lines.pop(at))
    else:
        random.shuffle(lines)
    return "\n".join(lines)


def cells_changed(random: Random, text: str) -> str:
    """One cell of a line missing, empty or twice; or another separator in all lines."""
    mark = random.choice("\t, ;|")
    if random.random() < 0.2:
        return text.replace(mark, random.choice("\t, ;|"))
    lines = text.split("\n")
    at = random.randrange(len(lines))
    cells = lines[at].split(mark)
    k = random.randrange(len(cells))
    cells[k : k + 1] = random.choice(([], [""], [cells[k]] * 2))
    lines[at] = mark.join(cells)
    return "\n".join(lines)


def ends_changed(random: Random, text: str) -> str:
    """Other line ends, or none at the end."""
    return random.choice((text.replace("\n", "\r\n"), text.replace("\n", "\r"), text.rstrip("\n")))


def joined(random: Random, text: str) -> str:
    """Another example behind it, or itself many times."""
    return text + random.choice(EXAMPLES)[1] if random.random() < 0.8 else text * random.choice((2, 40))


CHANGES = (put, put, put, marked, marked, cut, lines_changed, lines_changed, cells_changed, ends_changed, joined)


def bytes_changed(random: Random, data: bytes) -> bytes:
    """Some bytes replaced, or the end cut off."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 3))):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed[: random.randrange(len(changed) + 1)]) if random.random() < 0.3 else bytes(changed)


def packed(random: Random, files: tuple[tuple[str, bytes], ...]) -> tuple[str, bytes]:
    """The files as a .gz of the first or a .zip of all, sound or damaged, at times a zip in a zip."""
    if random.random() < 0.3:
        name, data = f"{files[0][0]}.gz", gzip.compress(files[0][1], mtime=0)
    else:
        name, data = "o.zip", zipped(random, files)
        if random.random() < 0.1:
            data = zipped(random, (("inner.zip", data), *files[:1]))
    return name, bytes_changed(random, data) if random.random() < 0.5 else data


def zipped(random: Random, files: tuple[tuple[str, bytes], ...]) -> bytes:
    """A zip of the files, each in a folder of its own."""
    buffer = io.BytesIO()
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for k, (name, data) in enumerate(files):
            archive.writestr(zipfile.ZipInfo(f"{k}/{name}"), data, method)
    return buffer.getvalue()
