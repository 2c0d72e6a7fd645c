"""Names and roles guessed from file names: safe to show, never empty, never changed more than needed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# ISO 639-1, so that a dot in a system's own name (v1.2, sys1.opt0) is never taken for a suffix.
LANGUAGES = re.compile(
    "(?:a[abefkmnrsvyz]|b[aeghimnors]|c[aehorsuvy]|d[aevz]|e[elnostu]|f[afijory]|g[adlnuv]|h[aeiortuyz]|i[adegikostuw]|"
    "j[avw]|k[agijklmnorsuvwy]|l[abginotuv]|m[ghiklnrsty]|n[abdeglnorvy]|o[cjmrs]|p[ailst]|qu|r[mnouw]|"
    "s[acdegiklmnoqrstuvw]|t[aeghiklnorstwy]|u[gkrz]|v[eio]|w[ao]|xh|y[io]|z[ahu]|"
    "ces|deu|eng|fra|hau|hin|hsb|isl|jpn|kat|kaz|lit|liv|pol|ron|rus|sah|spa|ukr|zho)"
    "(?:[-_](?:[a-z]{2}|hans|hant|latn|cyrl))?",
    re.IGNORECASE,
)
SUFFIXES = re.compile(
    "txt|text|tsv|csv|stats|hyps?|out|outputs?|preds?|trans|scores?|seg|ref|src|"
    "conll[a-z0-9]*|pharaoh|talp|naacl|align(?:s|ed|ments?)?|mrg|ptb|brackets?|trees?|parsed?",
    re.IGNORECASE,
)
LANGUAGE = r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?"

PAIR = re.compile(rf"(?:{LANGUAGES.pattern})-(?:{LANGUAGES.pattern})", re.IGNORECASE)

WMT = re.compile(
    rf"^[a-z]+\d{{2,4}}[\w-]*\.{LANGUAGE}-{LANGUAGE}\.(?P<part>hyp|ref)\.(?P<name>.+?)\.{LANGUAGE}(?:\.txt)?$"
)
WMT_OLD = re.compile(r"^news(?:test|discusstest)\d{4}\.(?P<name>.+\.\d+)\.[a-z]{2}-[a-z]{2}$")

FOLDER_ROLES = {
    **dict.fromkeys(("systems", "system", "system-outputs", "outputs", "hyps"), "system"),
    **dict.fromkeys(("references", "reference", "refs"), "reference"),
    **dict.fromkeys(("sources", "source", "src"), "source"),
    **dict.fromkeys(("documents",), "documents"),
}
FIRST_REFERENCE = re.compile(r"ref(erence)?s?([a-z]|\d+)?|gold(en)?", re.IGNORECASE)
LATER_REFERENCE = re.compile(r"refs?|references?|ref[A-Z]|ref\d+|gold")
SOURCE = re.compile(r"(src|source|sources)\d*", re.IGNORECASE)
ASIDE = re.compile(r"(readme|licen[sc]e|copying|changelog|notice)(\..*)?|.*\.md", re.IGNORECASE)

CONTROLS = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def clean(text: str) -> str:
    """The text without control characters (also those that turn the writing direction) and outer blanks."""
    if text.isascii() and text.isprintable():
        return text.strip()
    return "".join(c for c in text if unicodedata.category(c) not in CONTROLS).strip()


def parts(file: str) -> list[str]:
    """The cleaned parts of a path, whichever slash it was written with; "." and ".." are not among them."""
    cleaned = (clean(part) for part in re.split(r"[/\\]", file))
    return [part for part in cleaned if part not in ("", ".", "..")]


def base_name(file: str) -> str:
    """The last part of a path without .gz; "unnamed" where nothing is left."""
    found = parts(file)
    base = found[-1] if found else "unnamed"
    return base[:-3] if base.lower().endswith(".gz") and len(base) > 3 else base


def display_name(file: str) -> str:
    """The name to show: no folders, no .gz, one known suffix less, or the system's name in a WMT file name."""
    base = base_name(file)
    wmt = WMT.match(base) or WMT_OLD.match(base)
    if wmt:
        return wmt["name"]
    stem, dot, suffix = base.rpartition(".")
    known = SUFFIXES.fullmatch(suffix) or LANGUAGES.fullmatch(suffix)
    return stem if dot and stem.strip(". ") and known else base


def guess_role(file: str) -> str:
    """The role a file's name suggests: reference, source, ignored (a README), else system."""
    base, path = base_name(file), parts(file)
    if ASIDE.fullmatch(base):
        return "ignored"
    wmt = WMT.match(base)
    if wmt:
        return "reference" if wmt["part"] == "ref" else "system"
    folder = path[-2].lower() if len(path) > 1 else ""
    return FOLDER_ROLES.get(folder) or _role_of_words(re.split(r"[.\-_ ]", base))


def _role_of_words(words: list[str]) -> str:
    if FIRST_REFERENCE.fullmatch(words[0]) or any(LATER_REFERENCE.fullmatch(word) for word in words[1:]):
        return "reference"
    return "source" if any(SOURCE.fullmatch(word) for word in words) else "system"


def column_role(heading: str) -> str:
    """The role a column's heading suggests: reference, source, else system."""
    first = re.split(r"[.\-_ ]", heading)[0]
    if FIRST_REFERENCE.fullmatch(first):
        return "reference"
    return "source" if SOURCE.fullmatch(first) else "system"


def is_language(text: str) -> bool:
    """Whether the text is the code of a language, a country or a script behind it."""
    return LANGUAGES.fullmatch(text) is not None


def guess_testset(file: str) -> str:
    """The language pair that a folder or a file name tells ("cs-en"), "" where none does.

    A folder speaks only where it is one of the parts of a campaign (system-outputs/cs-en/NAME.txt).
    """
    path = parts(file)
    for part in path[-2:-1]:
        if PAIR.fullmatch(part):
            return part.lower()
    found = [word for word in base_name(file).split(".") if PAIR.fullmatch(word)]
    return found[0].lower() if found else ""


def measure_of(file: str) -> str:
    """What a file of segment scores measures, by its name: de-en.mqm.seg.score is mqm, COMET-refA.seg.score COMET-refA."""
    base = re.sub(r"\.(seg\.score|score|scores|txt|csv|tsv|jsonl?)$", "", base_name(file), flags=re.IGNORECASE)
    kept = [word for word in base.split(".") if not PAIR.fullmatch(word)]
    return re.sub(r"^scores?[._-]", "", ".".join(kept), flags=re.IGNORECASE) or "score"


def unique(names: Iterable[str]) -> list[str]:
    """The names in order, a repeated one with " (2)", " (3)" ... behind it."""
    wanted = list(names)
    given, last = set(wanted), dict.fromkeys(wanted, 0)
    result = []
    for name in wanted:
        last[name] += 1
        while last[name] > 1 and f"{name} ({last[name]})" in given:
            last[name] += 1
        result.append(name if last[name] == 1 else f"{name} ({last[name]})")
    return result
