"""One test set in every format that holds it: the same references and outputs come back, to the letter."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from xml.sax.saxutils import escape

import pytest

from sigcore import readers
from sigcore.data.assembly import Loaded, assemble
from sigcore.testset import digest

TEXT = assemble(readers.load_sample("harbour").items)
SOURCE = tuple(f"zdroj {i} & < > \" ' |||" for i in range(TEXT.testset.n))
STREAMS = {o.system: o.segments for o in TEXT.outputs}
REFERENCES = {f"ref{letter}": stream for letter, stream in zip("AB", TEXT.testset.references, strict=True)}
PLACES = [(f"d{i // 7}", i % 7 + 1) for i in range(TEXT.testset.n)]  # document and number of each segment

Files = list[tuple[str, bytes]]


def text_file(segments: tuple[str, ...]) -> bytes:
    return "".join(f"{segment}\n" for segment in segments).encode()


def plain() -> Files:
    files = [(f"{name}.en", text_file(s)) for name, s in (REFERENCES | STREAMS).items()]
    return [("src.cs", text_file(SOURCE)), *files]


def packed() -> Files:
    """Gzipped members in folders of a zip, with blanks and letters of other scripts in their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in plain():
            folder = "systémy a výstupy" if name.removesuffix(".en") in STREAMS else "podklady"
            archive.writestr(f"{folder}/{name}.gz", gzip.compress(data))
    return [("všechno najednou.zip", buffer.getvalue())]


def campaign() -> Files:
    """The folders of mt-metrics-eval, with the references among the outputs too."""
    files = [(f"v2/wmt/system-outputs/cs-en/{name}.txt", s) for name, s in (STREAMS | REFERENCES).items()]
    files += [(f"v2/wmt/references/cs-en.{name}.txt", s) for name, s in REFERENCES.items()]
    return [(name, text_file(s)) for name, s in [*files, ("v2/wmt/sources/cs-en.txt", SOURCE)]]


def segments_of(streams: dict[str, tuple[str, ...]], name: str, document: str) -> str:
    found = [(number, streams[name][i]) for i, (d, number) in enumerate(PLACES) if d == document]
    return "\n".join(f'<seg id="{number}">{escape(segment)}</seg>' for number, segment in found)


def documents(shuffled: bool) -> list[str]:
    found = list(dict.fromkeys(document for document, _ in PLACES))
    random.Random(1).shuffle(found) if shuffled else None
    return found


def xml() -> Files:
    """Everything in one file, sources first."""
    everything = {"": SOURCE} | REFERENCES | STREAMS
    parts = ['<?xml version="1.0" encoding="utf-8"?>', '<dataset id="x"><collection id="general">']
    for document in documents(shuffled=False):
        parts.append(f'<doc id="{document}" origlang="cs">')
        sides = [("src", 'lang="cs"', ""), *(("ref", f'lang="en" translator="{name}"', name) for name in REFERENCES)]
        sides += [("hyp", f'lang="en" system="{name}"', name) for name in STREAMS]
        parts += [
            f"<{tag} {told}><p>\n{segments_of(everything, name, document)}\n</p></{tag}>" for tag, told, name in sides
        ]
        parts.append("</doc>")
    return [("wmttest.cs-en.all.xml", "\n".join([*parts, "</collection></dataset>"]).encode())]


def sgm() -> Files:
    """A file per side and system, each with its documents in an order of its own."""
    sets = [("srcset", "src", "", {"": SOURCE}), *(("refset", name, name, REFERENCES) for name in REFERENCES)]
    sets += [("tstset", name, name, STREAMS) for name in STREAMS]
    files = []
    for k, (tag, file, name, streams) in enumerate(sets):
        parts = [f'<{tag} setid="x" srclang="any" trglang="en" sysid="{name}">']
        for document in documents(shuffled=k > 2):
            parts.append(f'<DOC docid="{document}" sysid="{name}">\n{segments_of(streams, name, document)}\n</DOC>')
        files.append((f"{file}.sgm", "\n".join([*parts, f"</{tag}>"]).encode()))
    return files


def rows_wide() -> list[list[str]]:
    everything = {"source": SOURCE} | REFERENCES | STREAMS
    return [
        ["segment", *everything],
        *([str(i), *cells] for i, cells in enumerate(zip(*everything.values(), strict=True))),
    ]


def tsv() -> Files:
    return [("all.tsv", "".join("\t".join(row) + "\n" for row in rows_wide()).encode())]


def csv_file(rows: list[list[str]], mark: str = ",") -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=mark).writerows(rows)
    return buffer.getvalue().encode("utf-8-sig")


def csv_wide() -> Files:
    return [("all.csv", csv_file(rows_wide(), ";"))]


def csv_long() -> Files:
    """A row per system and segment, in no order, as a data frame is written."""
    rows = [
        [s, str(i), SOURCE[i], REFERENCES["refA"][i], REFERENCES["refB"][i], t]
        for s, found in STREAMS.items()
        for i, t in enumerate(found)
    ]
    random.Random(2).shuffle(rows)
    return [
        (
            "long.csv",
            csv_file(
                [
                    ["", "system", "seg_id", "source", "refA", "refB", "hyp"],
                    *([str(k), *row] for k, row in enumerate(rows)),
                ]
            ),
        )
    ]


def records(system: str) -> list[dict[str, object]]:
    return [
        {
            "src": SOURCE[i],
            "mt": STREAMS[system][i],
            "references": [stream[i] for stream in REFERENCES.values()],
            "COMET": i / 7,
        }
        for i in range(len(SOURCE))
    ]


def jsonl() -> Files:
    return [(f"{s}.jsonl", "".join(json.dumps(row) + "\n" for row in records(s)).encode()) for s in STREAMS]


def comet() -> Files:
    return [("comet.json", json.dumps({f"outputs/{s}.en": records(s) for s in STREAMS}).encode())]


def nbest() -> Files:
    lists = {
        s: "".join(f"{i} ||| {t} ||| LM0= -1 ||| -1\n{i} ||| worse ||| LM0= -2 ||| -2\n" for i, t in enumerate(found))
        for s, found in STREAMS.items()
    }
    return [*plain()[:3], *((f"{s}.nbest", text.encode()) for s, text in lists.items())]


def utf16() -> Files:
    return [(name, data.decode().replace("\n", "\r\n").encode("utf-16")) for name, data in plain()]


FORMATS = (plain, packed, campaign, xml, sgm, tsv, csv_wide, csv_long, jsonl, comet, nbest, utf16)


def loaded(files: Files) -> Loaded:
    intake = readers.read(files)
    assert intake.problems == ()
    return assemble(intake.items, kind="text")


@pytest.mark.parametrize("made", FORMATS, ids=lambda made: made.__name__)
def test_every_format_gives_the_same_test_set(made: Callable[[], Files]) -> None:
    """References, source and outputs are those of the text files, in their order."""
    found = loaded(made())
    assert found.of("error") == ()
    assert found.testset.references == TEXT.testset.references
    assert found.testset.sources == SOURCE
    assert {o.system: digest(o.segments) for o in found.outputs} == {s: digest(t) for s, t in STREAMS.items()}
