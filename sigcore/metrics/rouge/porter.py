"""English stems as ROUGE-1.5.5 makes them: Porter's algorithm with that program's own fourth step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SECOND = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
THIRD = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
FOURTH = [
    "al",
    "ance",
    "ence",
    "er",
    "ic",
    "able",
    "ible",
    "ant",
    "ement",
    "ou",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
]


def stem(word: str) -> str:
    """The stem of a lower-case word of three letters or more.

    Source: Porter 1980, with the later rules bli and logi. ROUGE-1.5.5 differs in the fourth step: Porter removes the
    longest ending only; the program tries a list of endings, then "ment", then "ent" or "ion", one after the other, so
    that "agreement" becomes "agreem" and "additionally" becomes "addit".
    """
    word = without_past(without_plural(word))
    if word.endswith("y") and "v" in shape(word[:-1]):
        word = word[:-1] + "i"
    word = without_fourth(replaced(replaced(word, SECOND), THIRD))
    return without_last_e(word)


def shape(word: str) -> str:
    """The word with "v" for each vowel and "c" for each other letter; y is a vowel after a consonant."""
    out = ""
    for letter in word:
        out += "v" if letter in "aeiou" or (letter == "y" and out.endswith("c")) else "c"
    return out


def measure(word: str) -> int:
    """The number of times vowels are followed by consonants: Porter's m."""
    return shape(word).count("vc")


def is_short(word: str) -> bool:
    """True for consonants, one vowel and one consonant that is not w, x or y: words such as "hop"."""
    return shape(word).lstrip("c") == "vc" and shape(word)[0] == "c" and word[-1] not in "wxy"


def ending(word: str, endings: Iterable[str]) -> str:
    """The longest of the endings that the word has, "" for none."""
    return max((end for end in endings if word.endswith(end)), key=len, default="")


def without_plural(word: str) -> str:
    """The word without its plural s: ponies -> poni, cats -> cat, caress stays."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and word[-2:-1] not in ("", "s") else word


def without_past(word: str) -> str:
    """The word without ed or ing, and what must follow: hopping -> hop, hoping -> hope, agreed -> agree."""
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    rest = word.removesuffix(ending(word, ("ed", "ing")))
    if rest == word or "v" not in shape(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-2:-1] == rest[-1] and rest[-1] not in "aeiouylsz":
        return rest[:-1]
    return rest + "e" if is_short(rest) else rest


def replaced(word: str, endings: Mapping[str, str]) -> str:
    """The word with the longest of the endings replaced, if enough is left of it."""
    end = ending(word, endings)
    rest = word.removesuffix(end)
    return rest + endings[end] if end and measure(rest) > 0 else word


def without_fourth(word: str) -> str:
    """The word without the endings of the fourth step, tried in the program's order."""
    word = cut(word, ending(word, FOURTH))
    word = cut(word, ending(word, ("ment",)))
    if word.endswith("ent"):
        return cut(word, "ent")
    return cut(word, "ion") if word.endswith(("sion", "tion")) else word


def cut(word: str, end: str) -> str:
    """The word without that ending, if enough is left of it."""
    rest = word.removesuffix(end)
    return rest if measure(rest) > 1 else word


def without_last_e(word: str) -> str:
    """The word without a last e, and with one l of two: probate -> probat, controll -> control."""
    rest = word[:-1]
    if word.endswith("e") and (measure(rest) > 1 or (measure(rest) == 1 and not is_short(rest))):
        word = rest
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word
