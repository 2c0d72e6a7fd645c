"""WMT's older SGML: `<srcset>`, `<refset>` or `<tstset>` of `<doc>` and `<seg>`."""

from __future__ import annotations

import re

from sigcore.errors import ReadError
from sigcore.readers import marked, names
from sigcore.readers.contract import BY_NAME, CERTAIN, NO, Content, Found, Options, Reader
from sigcore.types import Role

SIDES: dict[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}
# (Both are bounded on the left, so that a million tags or dashes without an end take one pass.)
TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
SET = re.compile(r"<(?:srcset|refset|tstset)(?:\s+[\w-]+\s*=|\s*>)", re.IGNORECASE)
SEGMENT = re.compile(r"<seg\b", re.IGNORECASE)
# the entities that such files have; an & that begins none is text
ENTITIES = {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&"}
ENTITY = re.compile("|".join(ENTITIES))


def _looks(content: Content) -> int:
    if SET.search(content.text[:4000]) and SEGMENT.search(content.text):
        return CERTAIN
    named = content.suffix in ("sgm", "sgml")
    return BY_NAME if named and SEGMENT.search(content.text) else NO


def _read(content: Content, options: Options) -> Found:
    found = marked.Marked(content.file)
    side: Role | None = None
    set_name, name, document, pair = "", "", "", ("", "")
    open_at: tuple[int, str, int] | None = None
    documents = 0
    line, seen = 1, 0
    for tag in TAG.finditer(content.text):
        line, seen = line + content.text.count("\n", seen, tag.start()), tag.start()
        closing, what, attributes = bool(tag[1]), tag[2].lower(), _attributes(tag[3])
        if what in SIDES and not closing:
            side, set_name = SIDES[what], attributes.get("sysid", "")
            pair = attributes.get("srclang", ""), attributes.get("trglang", "")
        elif what == "doc" and not closing:
            documents += 1
            document = attributes.get("docid") or f"document {documents}"
            name = attributes.get("sysid") or set_name
            found.domains[document] = attributes.get("genre", "")
        elif what == "seg" and not closing:
            if open_at:
                raise ReadError(f"line {line}: the segment before is not closed.", content.file, line, "Add </seg>.")
            open_at = (tag.end(), attributes.get("id", ""), line)
        elif what == "seg" and open_at:
            start, segment, begun = open_at
            if not side or not segment:
                lack = "no id" if side else "no set (srcset, refset or tstset) around it"
                raise ReadError(f"line {begun}: a segment has {lack}.", content.file, begun, "Fix the mark-up.")
            text = ENTITY.sub(lambda entity: ENTITIES[entity[0]], content.text[start : tag.start()])
            found.put(side, "" if side == "source" else name, (document, segment), text, begun)
            open_at = None
    if open_at:
        raise ReadError(f"line {open_at[2]}: the last segment is not closed.", content.file, open_at[2], "Add </seg>.")
    found.testset = "-".join(pair).lower() if all(names.is_language(part) for part in pair) else ""
    return marked.found(found)


def _attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): found[2] or found[3] or found[4] or "" for found in ATTRIBUTE.finditer(text)}


READER = Reader(
    name="wmt_sgm",
    title="test set (SGML)",
    kinds=("text",),
    looks=_looks,
    read=_read,
    help="A source, reference or output set in <doc> and <seg>, matched by document and segment id.",
    example=(
        "One.sgm",
        '<tstset setid="x" srclang="cs" trglang="en" sysid="One">\n<doc docid="d">\n<seg id="1">It rains.</seg>\n'
        "</doc>\n</tstset>\n",
    ),
)
