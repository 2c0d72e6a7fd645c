"""Summaries by invented systems: some take sentences of the document, others rewrite what people wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from coins import Coins
from slips import output

TAKEN, SHORT, LEAST = 3, 9, 4  # sentences of a summary; words of a shortened sentence; letters of a word that counts


def words_of(text: str) -> list[str]:
    """The longer words of a text, in small letters."""
    return [word for word in re.findall(r"[a-zé]+", text.lower()) if len(word) >= LEAST]


def frequent(document: Sequence[str], coins: Coins) -> list[str]:
    """The sentences with the most frequent words of the document, in its order."""
    counts = Counter(word for sentence in document for word in words_of(sentence))

    def weight(k: int) -> float:
        found = words_of(document[k])
        mean = sum(counts[word] for word in found) / max(len(found), 1)
        return mean * (1 + coins.profile.rates["noise"] * coins.toss("weight", k))

    chosen = sorted(sorted(range(len(document)), key=weight, reverse=True)[:TAKEN])
    return [document[k] for k in chosen]


def shortened(sentence: str) -> str:
    """The sentence up to its first comma after some words, or cut after more of them."""
    words = sentence.split(" ")
    for k, word in enumerate(words[:-1], 1):
        if k >= SHORT - 3 and word.endswith(","):
            return " ".join(words[:k]).rstrip(",") + "."
    return " ".join(words[: SHORT + 3]).rstrip(".,") + "."


def rewritten(document: Sequence[str], references: Sequence[str], coins: Coins) -> list[str]:
    """Sentences of the first reference, or of the second, some left out, some from the document; with errors of words."""
    wordings = [reference.split("\n") for reference in references]
    chosen = wordings[1] if coins.slips("second_wording") else wordings[0]
    kept = [k for k in range(len(chosen)) if k == 0 or not coins.slips("lost_sentence", k)]
    own = [replace(coins, segment=coins.segment * 10 + k) for k in kept]  # each sentence has coins of its own
    sentences = [output(chosen[k], part) for k, part in zip(kept, own, strict=True)]
    if coins.slips("from_document"):
        sentences.append(document[int(coins.toss("from_document", "which") * len(document))])
    return sentences


def summary(document: Sequence[str], references: Sequence[str], coins: Coins) -> str:
    """The summary of a document, one sentence per line; how it is made is the `way` of the profile."""
    way = coins.profile.way
    if way == "first":
        sentences = list(document[:TAKEN])
    elif way == "ends":
        sentences = [document[0], *document[1 - TAKEN :]]
    elif way == "rewritten":
        sentences = rewritten(document, references, coins)
    else:
        sentences = frequent(document, coins)
        sentences = [shortened(sentence) for sentence in sentences] if way == "shortened" else sentences
    return "\n".join(sentences)
