"""Every sentence of the treebank in the invented language of Sull, with the links between its words and the English ones.

The language has no articles, its verbs come last, its adjectives follow the noun, and compounds are one word. So English
words without a word of their own have a possible link to the word that contains their meaning; all other links are sure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from coins import coin
from slips import table
from treebank import Node, Sentence

ONSETS = "b br d dr f fl g gr h j k kl kr l m n p pl r s sk sl sn st t tr v"
VOWELS, CODAS = "a e i o u y ø å", "l n r s t k nn ll rk st nd lm rg"
ENDINGS = {"VB": "a", "VBD": "te", "VBN": "at", "VBG": "ande", "VBZ": "r", "NNS": "ar", "JJ": "ug", "JJS": "ast"}
ENDINGS |= {"RB": "om"}
SILENT = {("the", "DT"), ("a", "DT"), ("an", "DT"), ("of", "IN"), ("to", "TO"), ("did", "VBD"), ("'s", "POS")}
SILENT |= {("away", "RP"), ("there", "EX")}
CLAUSES = ("S", "SBAR")


@dataclass
class Unit:
    """A word of the translation, with the places (from 0) of the English words that it has sure and possible links to."""

    form: str
    sure: set[int] = field(default_factory=set)
    possible: set[int] = field(default_factory=set)


@dataclass
class Turned:
    """A constituent in the other language: its words, the chief one, and English words that have no word yet."""

    units: list[Unit] = field(default_factory=list)
    chief: Unit | None = None
    silent: set[int] = field(default_factory=set)


def invented(form: str, tag: str) -> str:
    """The word for an English form: from the table of the invented language, else made from a hash."""
    if tag in ("NNP", ",", ".", "?"):
        return form
    if form in table("foreign"):
        return table("foreign")[form][0]

    def one(choices: str, *place: object) -> str:
        sounds = choices.split(" ")
        return sounds[int(coin("word", form, *place) * len(sounds))]

    syllables = 1 if len(form) < 5 else 2
    stem = "".join(one(ONSETS, k, "onset") + one(VOWELS, k, "vowel") for k in range(syllables)) + one(CODAS, "coda")
    return stem + ENDINGS.get(tag, "")


def turned(node: Node, places: Iterator[int]) -> Turned:
    """The constituent in the other language; `places` numbers the English words."""
    if not node.children:
        if not node.is_word:
            return Turned()
        place = next(places)
        if (node.word, node.label) in SILENT:
            return Turned(silent={place})
        unit = Unit(invented(node.word, node.label), {place})
        return Turned([unit], unit)
    parts = [turned(child, places) for child in node.children]
    heads = [k for k, part in enumerate(parts) if part.chief is not None]
    if not heads:
        return Turned(silent=set[int]().union(*(part.silent for part in parts)))
    head = next((k for k in heads if node.children[k].head), heads[0])
    chief = parts[head].chief
    assert chief is not None
    chief.possible.update(*(part.silent for part in parts))
    for k in reversed(range(len(parts))):
        if node.children[k].rel == "compound" and parts[k].chief is not None and node.label == "NP":
            _glue(parts[k].units[0], chief)
            parts[k] = Turned()
    order = sorted(range(len(parts)), key=lambda k: (_rank(node, node.children[k], k, head), k))
    return Turned([unit for k in order for unit in parts[k].units], chief)


def _glue(modifier: Unit, chief: Unit) -> None:
    """Make one word of a compound; a name keeps its hyphen."""
    hyphen = "-" if chief.form[:1].isupper() else ""
    chief.form = modifier.form + hyphen + chief.form
    chief.sure |= modifier.sure


def _rank(node: Node, child: Node, place: int, head: int) -> int:
    if node.label == "NP":
        return 1 if place == head else 2 if place > head or child.rel in ("amod", "cc", "conj") else 0
    if node.label == "VP" and not any(one.rel == "conj" for one in node.children):
        return 1 if place == head else 2 if child.label in CLAUSES else 0
    return 0


def translation(sentence: Sentence) -> list[Unit]:
    """The words of the translated sentence."""
    units = turned(sentence.tree, iter(range(len(sentence.words)))).units
    units[0].form = units[0].form[0].upper() + units[0].form[1:]
    return units


Link = tuple[int, int]  # English word, other word, from 0


def links(units: list[Unit]) -> tuple[set[Link], set[Link]]:
    """The sure and the possible links of a sentence; no link is in both."""
    sure = {(i, j) for j, unit in enumerate(units) for i in unit.sure}
    possible = {(i, j) for j, unit in enumerate(units) for i in unit.possible}
    return sure, possible - sure


def gold_line(units: list[Unit]) -> str:
    """The gold links of a sentence: 0-0 is sure, 0p0 possible."""
    sure, possible = links(units)
    return " ".join(f"{i}{'-' if (i, j) in sure else 'p'}{j}" for i, j in sorted(sure | possible))
