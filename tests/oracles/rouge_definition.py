"""ROUGE by its definition: every gram is looked for one by one, and the table of every two sentences is filled in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

Counts = tuple[int, int, int]  # in common, in the reference, in the summary
Tokens = list[list[str]]  # by sentence


def read(text: str, words: int = 0, size: int = 0, stop_words: Sequence[str] = ()) -> Tokens:
    """The tokens of ROUGE-1.5.5, sentence by sentence; a summary of ASCII text has a sentence on each line."""
    out, seen_words, seen_bytes = [], 0, 0
    for line in text.split("\n"):
        kept = ""
        for character in line.strip():
            seen_bytes += 1
            if not size or seen_bytes <= size:
                kept += character
        if words:
            kept = " ".join(kept.split()[: max(0, words - seen_words)])
            seen_words += len(line.split())
        spaced = "".join(c if c in "abcdefghijklmnopqrstuvwxyz0123456789" else " " for c in kept.lower())
        out.append([token for token in spaced.split() if token not in stop_words])
    return out


def flat(tokens: Tokens) -> list[str]:
    """All tokens in one row."""
    return [token for sentence in tokens for token in sentence]


def unigrams(tokens: Tokens) -> list[str]:
    """The grams of ROUGE-1."""
    return flat(tokens)


def bigrams(tokens: Tokens) -> list[str]:
    """The grams of ROUGE-2."""
    row = flat(tokens)
    return [f"{row[i]} {row[i + 1]}" for i in range(len(row) - 1)]


def skip_grams(tokens: Tokens) -> list[str]:
    """The grams of ROUGE-SU4: pairs with at most four words between them, and words, of which the last is forgotten."""
    row = flat(tokens)
    pairs = [f"{row[i]} {row[j]}" for i in range(len(row)) for j in range(i + 1, len(row)) if j - i - 1 <= 4]
    return pairs + row[:-1]


def in_grams(grams: Callable[[Tokens], list[str]]) -> Callable[[Tokens, Tokens], Counts]:
    """Counts of grams: each of the summary's takes one equal gram of the reference away."""

    def counts(summary: Tokens, reference: Tokens) -> Counts:
        found, left = 0, grams(reference)
        for gram in grams(summary):
            if gram in left:
                left.remove(gram)
                found += 1
        return found, len(grams(reference)), len(grams(summary))

    return counts


def subsequence(gold: Sequence[str], sentence: Sequence[str]) -> list[int]:
    """The places in `gold` of a longest common subsequence, followed back through the whole table."""
    length = [[0] * (len(sentence) + 1) for _ in range(len(gold) + 1)]
    for i in range(1, len(gold) + 1):
        for j in range(1, len(sentence) + 1):
            if gold[i - 1] == sentence[j - 1]:
                length[i][j] = length[i - 1][j - 1] + 1
            else:
                length[i][j] = max(length[i - 1][j], length[i][j - 1])
    i, j, places = len(gold), len(sentence), []
    while i > 0 and j > 0:
        if gold[i - 1] == sentence[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif length[i - 1][j] >= length[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return places


def in_subsequences(summary: Tokens, reference: Tokens) -> Counts:
    """Counts of ROUGE-L: the union over the summary's sentences, each word as often as the summary has it at most."""
    left, found = flat(summary), 0
    for gold in reference:
        places = {place for sentence in summary for place in subsequence(gold, sentence)}
        for word in (gold[place] for place in sorted(places)):
            if word in left:
                left.remove(word)
                found += 1
    return found, len(flat(reference)), len(flat(summary))


KINDS: dict[str, Callable[[Tokens, Tokens], Counts]] = {
    "rouge_1": in_grams(unigrams),
    "rouge_2": in_grams(bigrams),
    "rouge_l": in_subsequences,
    "rouge_su4": in_grams(skip_grams),
}


def shares(counts: Counts) -> tuple[float, float, float]:
    """Recall, precision and their harmonic mean."""
    recall = counts[0] / counts[1] if counts[1] else 0.0
    precision = counts[0] / counts[2] if counts[2] else 0.0
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def over_references(each: Sequence[Counts], multi: str) -> Counts:
    """The counts used for all references: of all together, or of the first that is best in recall or F."""
    if multi == "A":
        return tuple(map(sum, zip(*each, strict=True)))  # type: ignore[return-value]
    return max(each, key=lambda counts: exactly(counts, multi))


def exactly(counts: Counts, multi: str) -> Fraction:
    """Recall ("B") or F ("max_f") as a fraction: rounding must not decide between references that are equally good."""
    common, reference, summary = counts
    above, below = (common, reference) if multi == "B" else (2 * common, reference + summary)
    return Fraction(above, below) if below else Fraction(0)


def rouge(
    kind: str,
    segments: Sequence[str],
    references: Sequence[Sequence[str]],
    multi: str = "A",
    score: str = "f",
    average: str = "macro",
    **reading: object,
) -> float:
    """The score, 0 to 100, of a system's summaries against streams of references."""
    counts = []
    for i, segment in enumerate(segments):
        texts = [segment, *(stream[i] for stream in references)]
        summary, *golds = (read(text, **reading) for text in texts)  # type: ignore[arg-type]
        counts.append(over_references([KINDS[kind](summary, gold) for gold in golds], multi))
    which = ("recall", "precision", "f").index(score)
    if average == "micro":
        return 100 * shares(tuple(map(sum, zip(*counts, strict=True))))[which]  # type: ignore[arg-type]
    return 100 * sum(shares(row)[which] for row in counts) / len(counts)
