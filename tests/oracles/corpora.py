"""Nasty little corpora: many scripts, odd whitespace, long and empty segments, and systems that are close to a reference."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

TEXT = (
    "the The a an cat cats sat on mat . , ! ? ; : - -- ... 'tis don't \"so\" (hi) [x] {y} a,b 1,000.5 3- 5-7 .5 5. "
    "&quot; &amp;lt; &lt;b&gt; <skipped> a<skipped>b $5 50% x@y.z a/b ~ ^ | = + # _ * \\ ` é e\u0301 E\u0301 naïve "
    "ΣΑΣ ΑΣ İstanbul straße 我们 学习。 《书》 ，好！ がっこう カタカナ ﾊﾝｶｸ 한국어 السلام عليكم، สวัสดี ครับ 😀 👩‍👩‍👧 🇩🇪 \u200b \ufeff "
    "𝒳 \U00020000 ½ ² ٣٫٥ 3,٥ «a» ‘b’ a’s it's 's"
)
WORDS = tuple(TEXT.split(" "))
GAPS = (" ", " ", " ", " ", "  ", "\n", "\t", "\u00a0", "\u2028", "\u3000", "\r", "\x0b", "\x1c", "\x85", "")
FEW = ("a", "b", "c", "d.")


def segment(random: Random, words: Sequence[str], length: int) -> str:
    """A segment of so many words, with odd gaps here and there."""
    odd = random.random() < 0.3
    return "".join(random.choice(words) + (random.choice(GAPS) if odd else " ") for _ in range(length))


def edited(random: Random, text: str, words: Sequence[str]) -> str:
    """The text with some words replaced, dropped, doubled, and blocks of words moved."""
    parts = text.split(" ")
    for _ in range(random.randint(0, 6)):
        start = random.randint(0, len(parts))
        stop = start + random.randint(0, 5)
        block, parts = parts[start:stop], parts[:start] + parts[stop:]
        target = random.randint(0, len(parts))
        kind = random.randint(0, 3)
        parts[target:target] = block if kind else [random.choice(words)] * random.randint(0, 3)
    return " ".join(parts)


def corpus(seed: int, segments: int = 4, longest: int = 30) -> tuple[list[str], list[list[str]]]:
    """A system's segments and one to three references, always the same for a seed."""
    random = Random(seed)
    streams: list[list[str]] = [[] for _ in range(random.randint(1, 3))]
    system = []
    for _ in range(segments):
        words = random.choice([FEW, WORDS, WORDS, random.sample(WORDS, 8)])
        for stream in streams:
            stream.append(segment(random, words, random.choice([0, 1, 2, random.randint(0, longest), longest])))
        near = edited(random, random.choice(streams)[-1], words)
        far = segment(random, words, random.randint(0, longest))
        system.append(random.choice([near, near, near, far, "", "x" * random.randint(0, 40), streams[0][-1]]))
    return system, streams
