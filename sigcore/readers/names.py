"""Names and roles guessed from file names: safe to show, never empty, never changed more than needed."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from sigcore import measures
from sigcore.errors import ReadError
from sigcore.formatting import numbered, unique
from sigcore.readers.contract import Item
from sigcore.types import Role

PATTERNS = tomllib.loads(Path(__file__).with_name("patterns.toml").read_text("utf-8"))


def pattern(name: str) -> re.Pattern[str]:
    """The pattern of that name in patterns.toml, such as headings.field."""
    module, _, own = name.partition(".")
    found = PATTERNS[module][own]
    text = "|".join(found["any"]) if "any" in found else "".join(found["parts"])
    return re.compile(text, 0 if found.get("case") else re.IGNORECASE)


# ISO 639-1, so that a dot in a system's own name (v1.2, sys1.opt0) is never read as a suffix.
LANGUAGES = pattern("names.languages")
SUFFIXES = pattern("names.suffixes")
TWO_LETTERS = {
    "ces": "cs", "deu": "de", "eng": "en", "fra": "fr", "hau": "ha", "hin": "hi", "isl": "is", "jpn": "ja", "kat": "ka",
    "kaz": "kk", "lit": "lt", "pol": "pl", "ron": "ro", "rus": "ru", "spa": "es", "ukr": "uk", "zho": "zh",
}  # fmt: skip
LANGUAGE = r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?"

PAIR = re.compile(rf"(?:{LANGUAGES.pattern})-(?:{LANGUAGES.pattern})", re.IGNORECASE)

WMT = re.compile(
    rf"^[a-z]+\d{{2,4}}[\w-]*\.{LANGUAGE}-{LANGUAGE}\.(?P<part>hyp|ref)\.(?P<name>.+?)\.{LANGUAGE}(?:\.txt)?$"
)
WMT_OLD = re.compile(r"^news(?:test|discusstest)\d{4}\.(?P<name>.+\.\d+)\.[a-z]{2}-[a-z]{2}$")

_FOLDERS: dict[Role, tuple[str, ...]] = {
    "system": ("systems", "system", "system-outputs", "outputs", "hyps"),
    "reference": (
        "references",
        "reference",
        "refs",
        "ref",
        "gold",
        "golds",
        "gold_labels",
        "ground_truth",
        "groundtruth",
    ),
    "source": ("sources", "source", "src"),
    "documents": ("documents",),
}
FOLDER_ROLES = {folder: role for role, folders in _FOLDERS.items() for folder in folders}
REFERENCE = re.compile(r"ref(erence)?s?([a-z]|\d+)?|gold(en)?|gs|(?:ground)?truth", re.IGNORECASE)
LAST_REFERENCE = re.compile(r"refs?|references?|ref[A-Z]|ref\d+|gold|gs|(?:ground)?truth")
# What is right, as the whole name of a file; beside other words (bert-labels) it may be what a system said.
RIGHT = pattern("names.right")
TRUTH = re.compile(r"ground[-_ ]truth", re.IGNORECASE)
SOURCE = re.compile(r"(srcs?|sources?|inputs?)\d*", re.IGNORECASE)
# role, and the words for it at the start and at the end of a name
MARKS: tuple[tuple[Role, re.Pattern[str], re.Pattern[str]], ...] = (
    ("reference", REFERENCE, LAST_REFERENCE),
    ("source", SOURCE, SOURCE),
)
# What may follow "ref" and "src" without changing the role (ref-human, src_test); reference-free is a system.
NEUTRAL = pattern("names.neutral")
# What a reference may be of, behind "ref" alone: source_outputs are those of a system.
WRITTEN = pattern("names.written")
# Words that turn the next word into a kind of system: multi-source.
MADE_OF = re.compile("multi|dual|single|open|cross|no|non|with|without|low|high|self|augmented", re.IGNORECASE)
PLAIN_REFERENCE = re.compile(r"ref(?:erence)?s?", re.IGNORECASE)
A_REFERENCE = re.compile(r"ref(erence)?s?[-_]?([A-Z]|\d{1,2})?", re.IGNORECASE)
ASIDE = re.compile(r"(readme|licen[sc]e|copying|changelog|notice)(\..*)?|.*\.md", re.IGNORECASE)

LONGEST_MEASURE = 40
MEASURES = pattern("names.measures")

LONGEST_LABEL = 16
CONTROLS = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def clean(text: str) -> str:
    """The text without control characters (also those that change the writing direction) and outer spaces, its letters
    composed (NFC): macOS decomposes names of files, and one name must not be two."""
    if text.isascii() and text.isprintable():
        return text.strip()
    shown = "".join(c for c in text if unicodedata.category(c) not in CONTROLS).strip()
    return unicodedata.normalize("NFC", shown)


def of_segment(cells: Iterable[str]) -> str:
    """The name of a segment from the cells that name it, the segment first: 3 of doc1; without a document, 3 alone."""
    return " of ".join(filter(None, map(str.strip, cells)))


def parts(file: str) -> list[str]:
    """The cleaned parts of a path with either kind of slash, without "." and ".."."""
    cleaned = (clean(part) for part in re.split(r"[/\\]", file))
    return [part for part in cleaned if part not in ("", ".", "..")]


def base_name(file: str) -> str:
    """The last part of a path without .gz; "unnamed" if nothing is left."""
    path = parts(file)
    base = path[-1] if path else "unnamed"
    return base[:-3] if base.lower().endswith(".gz") and len(base) > 3 else base


def display_name(file: str) -> str:
    """The name to show: without folders, .gz and one known suffix; in a WMT file name that of the system."""
    base = base_name(file)
    wmt = WMT.match(base) or WMT_OLD.match(base)
    if wmt:
        return wmt["name"]
    base = base.removesuffix(".jsonl").removesuffix("_results") if base.endswith(".jsonl_results.jsonl") else base
    stem, dot, suffix = base.rpartition(".")
    known = SUFFIXES.fullmatch(suffix) or LANGUAGES.fullmatch(suffix)
    return stem if dot and stem.strip(". ") and known else base


# Before the number of a run, in names of files and of folders.
RUN_WORDS = "seed|runs?|fold|rep|replica|replicate|repeat|trial|take|attempt|rollout"

TURK = re.compile(
    r".*turkers\.tok\.(?:turk\.\d+|(?P<source>norm))", re.IGNORECASE
)  # of TurkCorpus: normal English, and simple
INNER_REFERENCE = re.compile(r"[^.]\.ref(?:erence)?\.\w", re.IGNORECASE)


def is_written_for_people(file: str) -> bool:
    """Whether a file is Markdown that is no README: a report may have the values of each question in its lines."""
    base = base_name(file).lower()
    return base.endswith(".md") and re.match(r"readme|licen[sc]e|copying|changelog|notice|contributing", base) is None


def guess_role(file: str) -> Role:
    """The role a file's name suggests: reference, source, ignored (a README), else system."""
    base, path = base_name(file), parts(file)
    if ASIDE.fullmatch(base) or path[-2:-1] in (["metadata"], ["meta"]):
        return "ignored"
    wmt = WMT.match(base)
    if wmt:
        return "reference" if wmt["part"] == "ref" else "system"
    if turk := TURK.fullmatch(base):
        return "source" if turk["source"] else "reference"
    if INNER_REFERENCE.search(base):
        return "reference"  # newstest2021.de-en.ref.B.en.json beside the outputs
    right: Role | None = "reference" if RIGHT.fullmatch(display_name(file)) else None
    first = base.split(".")[0]
    # ref.en and src.de keep their roles in a folder of outputs
    said: Role | None = (
        "reference" if PLAIN_REFERENCE.fullmatch(first) else "source" if SOURCE.fullmatch(first) else None
    )
    roles = [said, _role_of_folder(path, base), right, *map(_role_of_part, base.split("."))]
    return next((role for role in roles if role), "system")


def _role_of_folder(path: list[str], base: str) -> Role | None:
    """The role that the folder suggests, or None. Campaigns keep references among the outputs of a language pair."""
    folder = path[-2].lower() if len(path) > 1 else ""
    if folder in FOLDER_ROLES or len(path) < 3 or not PAIR.fullmatch(folder):
        return FOLDER_ROLES.get(folder)
    role = FOLDER_ROLES.get(path[-3].lower())
    return "reference" if role == "system" and A_REFERENCE.fullmatch(base.split(".")[0]) else role


def _role_of_part(part: str) -> Role | None:
    """The role of words joined by spaces or dashes: ref, refB, ref-human, newstest2020-deen-ref; None if they have none."""
    words = [word for word in re.split(r"[\-_ ]+", TRUTH.sub("groundtruth", part)) if word]
    for role, first, last in MARKS:
        gold = role == "reference"
        if (
            words
            and first.fullmatch(words[0])
            and all(_is_neutral(word) or (gold and WRITTEN.fullmatch(word)) for word in words[1:])
        ):
            return role
        if len(words) > 1 and last.fullmatch(words[-1]) and not MADE_OF.fullmatch(words[-2]):
            return role
    return None


def names_gold(file: str) -> bool:
    """Whether the name of a file says that it holds what is right (gold, STS.gs, labels), not a text by people (refA)."""
    words = re.split(r"[\-_. ]+", display_name(file))
    return guess_role(file) == "reference" and not any(word.lower().startswith("ref") for word in words)


def _is_neutral(word: str) -> bool:
    """Whether a word after "ref" only says which reference it is: a letter, a language, a number or a test set with one."""
    numbered = len(word) < LONGEST_LABEL and any(char.isdigit() for char in word)
    return len(word) == 1 or numbered or bool(NEUTRAL.fullmatch(word)) or is_language(word)


def column_role(heading: str) -> Role:
    """The role a column's heading suggests: reference, source, else system."""
    return _role_of_part(heading.split(".")[0]) or "system"


def is_language(text: str) -> bool:
    """Whether the text is the code of a language, or of a country or script after it."""
    return LANGUAGES.fullmatch(text) is not None


def guess_testset(file: str) -> str:
    """The language pair in the name of a folder or a file ("cs-en"), "" if there is none.

    A folder counts only if it is part of a campaign (system-outputs/cs-en/NAME.txt).
    """
    words = [*parts(file)[-2:-1], *base_name(file).split(".")]
    return next((word.lower() for word in words if PAIR.fullmatch(word)), "")


def same_pair(one: str, other: str) -> bool:
    """Whether two language pairs are the same, whether they are written in two letters or in three (cs-en, ces-eng)."""
    first, second = ([TWO_LETTERS.get(code, code) for code in pair.lower().split("-")] for pair in (one, other))
    return first == second


def in_campaign(file: str) -> bool:
    """Whether the folder of a language pair is part of a campaign (system-outputs/cs-en/NAME.txt)."""
    path = parts(file)
    return len(path) > 2 and bool(PAIR.fullmatch(path[-2])) and path[-3].lower() in FOLDER_ROLES


NO_MEASURE = "score"  # where nothing says what is measured
# names that say nothing of what a table measures
ANY_TABLE = pattern("names.any_table")


SCORED = re.compile(r"\.(seg\.score|score|scores|txt|csv|tsv|md|xlsx|ods|parquet|npy|jsonl?)$", re.IGNORECASE)


def measure_of(file: str) -> str:
    """What a file of segment scores measures, by its name: de-en.mqm.seg.score is mqm, COMET-refA.seg.score COMET-refA.

    A number, or a word for any table (results), is no measure: "score".
    """
    base = SCORED.sub("", base_name(file))
    kept = [word for word in base.split(".") if not PAIR.fullmatch(word)]
    measure = re.sub(r"^scores?[._-]", "", ".".join(kept), flags=re.IGNORECASE)
    return measure if re.search(r"[^\W\d_]", measure) and not ANY_TABLE.fullmatch(measure) else NO_MEASURE


def measure_word(text: str) -> bool:
    """Whether the text is the name of a usual measure, perhaps with a version: COMET, wmt22-comet-da, BLEURT-20."""
    return len(text) < LONGEST_MEASURE and MEASURES.fullmatch(text) is not None


def measure_in_name(file: str) -> tuple[str, str]:
    """The usual measure in a file's name, or its folder's ("" if there is none), and the name without it."""
    name, path = display_name(file), parts(file)
    words = name.split(".")
    last = words[-1] if measures.is_measure(words[-1]) else ""  # A.hallucination.txt; inside, it may be a system's
    measure = next((word for word in words if measure_word(word)), last)
    if measure and len(words) > 1:
        return measure, ".".join(word for word in words if word != measure)
    head, mark, tail = re.fullmatch(r"(.*?)(?:([-_])([^-_]+))?", name, re.DOTALL).groups()  # type: ignore[union-attr]
    if mark and head and measure_word(tail):
        return tail, head
    folder = path[-2] if len(path) > 1 else ""
    return (folder, name) if measure_word(folder) else ("", name)


def numbered_file(file: str, k: int) -> str:
    """The name of the k-th of several files, with the number before its suffix."""
    if file.lower().endswith(".gz"):
        return numbered_file(file[:-3], k) + file[-3:]
    stem, dot, suffix = file.rpartition(".")
    return f"{numbered(stem, k)}.{suffix}" if dot and stem and "/" not in suffix else numbered(file, k)


def files_apart(files: Iterable[str]) -> list[str]:
    """The names of files, each once: a repeated name gets a number before its suffix."""
    return unique(files, numbered_file)


# The roles that the user gave to files, folders and archives, applied to the items read from them.

SIDES: tuple[Role, ...] = ("system", "reference", "possible", "source")
REPLACED: tuple[Role, ...] = (*SIDES, "ignored")  # for a file with one item
Given = Sequence[tuple[str, Role]]  # (file, folder or archive, its role), in the user's order


def with_roles(items: Sequence[Item], given: Given, unread: Iterable[str]) -> tuple[list[Item], list[ReadError]]:
    """The items in the user's order and with the user's roles, and a problem for each file without such content.

    A file, a folder or an archive with outputs as well as references or sources keeps its detected roles. From a file
    given as documents nothing else is used. Items of other files, or of several together, come first. `unread` are files
    that could not be read, and need no second problem.
    """
    if not given:
        return list(items), []
    labels = {label for label, _ in given}
    by_label: dict[str, list[Item]] = {}
    for item in items:
        by_label.setdefault(_label_of(item.file, labels), []).append(item)
    failed = {_label_of(file, labels) for file in unread}
    result, problems = {id(item): item for item in by_label.get("", ())}, list[ReadError]()
    for label, role in dict.fromkeys(given):
        of_label = _with_role(by_label.get(label, ()), role)
        result |= {id(item): item for item in of_label}
        if role == "documents" and not of_label and label not in failed:
            fix = "Give one name per line, or a table with a column document."
            problems.append(ReadError(f"{label} names no documents.", label, fix=fix))
    return list(result.values()), problems


def of_role(files: Iterable[str], given: Given, role: Role) -> set[str]:
    """The files that the user, or whose folder or archive the user, gave this role."""
    labels = dict(given)
    return {file for file in files if labels.get(_label_of(file, labels)) == role}


def _label_of(file: str, labels: Iterable[str]) -> str:
    """The given file, folder or archive that contains this file; "" if none does."""
    enclosing = (label for label in labels if file == label or file.startswith(f"{label}/"))
    return max(enclosing, key=len, default="")


def _with_role(items: Sequence[Item], role: Role) -> list[Item]:
    """The items of one file, folder or archive with its given role."""
    if role == "documents":
        only = [replace(items[0], role=role)] if len(items) == 1 and items[0].role in REPLACED else items
        return [item for item in only if item.role == role]
    sides = {item.role for item in items} & set(SIDES)
    translated = role == "reference" and sides == {"system", "source"}  # what was asked stays what it is
    if len(sides) > 1 and not translated:
        return list(items)
    replaced: Sequence[Role] = ("system",) if translated else REPLACED if len(items) == 1 else SIDES
    return [replace(item, role=role) if item.role in replaced else item for item in items]


PERSON = pattern("names.person")


def is_person(heading: str) -> bool:
    """Whether a heading names one of several people who rated: annotator_1, rater 2, judge A."""
    return PERSON.fullmatch(heading.strip()) is not None


# Names of large models, with what programs write behind them: gpt-4o, llama3_8b, chatglm2.
MODEL = pattern("names.model")


def are_models(cells: Sequence[str]) -> bool:
    """Whether most names, and at least three, are of known large models."""
    known = sum(MODEL.fullmatch(cell.strip()) is not None for cell in cells)
    return known >= 3 and 3 * known >= 2 * len(cells)


# A column of texts in this language: often what was translated.
CALLED = pattern("names.called")


def without_language(heading: str) -> str:
    """A heading of several words without the name of a language at its end: Reference Bangla."""
    rest, _, last = heading.strip().rpartition(" ")
    return rest if rest and names_language(last) else heading


def names_language(heading: str) -> bool:
    """Whether a heading is the name of a language: Latin, Old English."""
    return CALLED.fullmatch(heading.strip()) is not None


# Words in the headings of columns whose names are systems.
NAMING = pattern("names.naming")


def says_system(heading: str) -> bool:
    """Whether a word of a heading is usual above names of systems."""
    return any(map(NAMING.fullmatch, re.split(r"[.\-_ ]+", heading.strip())))
