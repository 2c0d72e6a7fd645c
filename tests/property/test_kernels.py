"""The compiled statistics are sacrebleu's, bit for bit, whatever the text and the options."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from sigcore.metrics.chrf import ChrfReferences
from sigcore.metrics.ter import TerReferences
from sigcore.text.bleu import BleuReferences
from sigcore.text.compiled import available
from sigcore.text.tokens import Tokenizer
from tests import some
from tests.oracles import sacre_rows
from tests.oracles.corpora import corpus
from tests.oracles.fuzz_kernels import check
from tests.routes import ROUTES, route

pytestmark = pytest.mark.skipif(not available(), reason="numba is not installed")

REPOSITORY = Path(__file__).resolve().parents[2]
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LETTERS = ["a", "B", "7", ".", ",", "-", "'", "&", "&quot;", "&amp;", "amp;", "lt;", "<skipped>", "<skip", "ped>", "«"]
SPACES = [" ", "  ", "\n", "-\n", "\t", "\r", "\x0b", "\x1c", "\x85", "\u00a0", "\u2028", "\u3000", "é", "你", "Σ", "ſ"]
PIECES = st.sampled_from([*LETTERS, *SPACES])


def rows_equal(system: list[str], references: list[list[str]]) -> None:
    """Compares the rows, by either route, under options that see whitespace, words and characters."""
    plain: dict[str, Any] = {"word_order": 2, "whitespace": True}
    bleu, chrf = sacre_rows.bleu(references)(system), sacre_rows.chrf(references, **plain)(system)
    for name in ROUTES:
        with route(name):
            assert np.array_equal(BleuReferences(references).rows(system), bleu)
            assert np.array_equal(ChrfReferences(references, **plain).rows(system), chrf)
    assert np.array_equal(TerReferences(references).rows(system), sacre_rows.ter(references)(system))


@given(st.integers(0, 2**32))
def test_rows_equal_sacrebleu_on_random_corpora_with_random_options(seed: int) -> None:
    """Every row of the three metrics equals sacrebleu's, for any options and one to three references."""
    for name in ROUTES:
        with route(name):
            check(seed)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=3))
def test_rows_equal_sacrebleu_on_any_unicode(lines: list[tuple[str, str, str]]) -> None:
    """No character and no whitespace is treated otherwise than by sacrebleu."""
    system, first, second = (list(stream) for stream in zip(*lines, strict=True))
    rows_equal(system, [first, second])


@given(st.lists(st.tuples(*[st.lists(PIECES | st.just("\n"), max_size=14).map("".join)] * 2), min_size=1, max_size=3))
def test_rows_equal_sacrebleu_on_segments_of_several_lines(lines: list[tuple[str, str]]) -> None:
    """A line feed inside a segment, as summaries have between their sentences, is taken as sacrebleu takes it."""
    system, reference = (list(stream) for stream in zip(*lines, strict=True))
    rows_equal(system, [reference])


@pytest.mark.parametrize(("words", "length"), some.first([(2, 60), (40, 70), (200, 120)]))
def test_rows_equal_sacrebleu_on_long_random_segments(words: int, length: int) -> None:
    """Long segments in any disorder, where the cap on trials and the edge of the beam are met, are no exception."""
    random = Random(words)
    system, reference = (
        " ".join(str(random.randrange(words)) for _ in range(random.randint(length - 15, length))) for _ in range(2)
    )
    rows_equal([system, reference], [[reference, system]])


@pytest.mark.parametrize(
    ("segment", "reference"),
    [
        ("a", " ".join("abcdefgh" * 12)),  # ratio above 50: the beam is widened
        (" ".join("abcdefgh" * 12), "h"),
        (" ".join("ab" * 40), " ".join("ba" * 45)),  # the cap on trials
        (" ".join("abc" * 20), " ".join("x" * 55 + "abc" * 2)),  # farther than a block may go
        (" ".join("x" * 24 + "abcde"), " ".join("abcde" + "x" * 24)),  # at the edge of the beam
        (" ".join("x" * 30 + "abcdefghijklmn"), " ".join("abcdefghijklmn" + "y" * 30)),  # longer than a block may be
        ("b " * 70, "b " * 3),
        ("", ""),
        ("", "a b"),
        ("a b", ""),
    ],
)
def test_ter_equals_sacrebleu_at_its_limits(segment: str, reference: str) -> None:
    """Where one of the search's limits bites, it bites as in sacrebleu."""
    rows_equal([segment], [[reference]])


def numbered(letter: str, count: int) -> list[str]:
    """So many words that are met nowhere else."""
    return [f"{letter}{k}" for k in range(count)]


@pytest.mark.parametrize("way", [48, 49, 50, 51])
def test_ter_moves_a_block_as_far_as_sacrebleu(way: int) -> None:
    """Two words must go to the end, 50 words away or a little more or less."""
    middle = numbered("m", way)
    rows_equal([" ".join(["p", "q", *middle])], [[" ".join([*middle, "p", "q"])]])


@pytest.mark.parametrize("length", [9, 10, 11, 12])
def test_ter_moves_blocks_as_long_as_sacrebleu(length: int) -> None:
    """Up to ten words move at once, more in several shifts."""
    block, rest = numbered("b", length), numbered("r", 20)
    rows_equal([" ".join(block + rest)], [[" ".join(rest + block)]])


@pytest.mark.parametrize("offset", some.first([-26, 25, -25, -24, 24, 26], 2))
def test_ter_leaves_the_beam_as_sacrebleu(offset: int) -> None:
    """Words that the reference has 24 to 26 places off are found or missed alike, on both sides of the diagonal."""
    same, one, other = numbered("s", 60), numbered("x", abs(offset)), numbered("y", abs(offset))
    texts = [" ".join(one + same), " ".join(same + other)]
    rows_equal(texts[:: 1 if offset > 0 else -1][:1], [texts[:: -1 if offset > 0 else 1][:1]])


@pytest.mark.parametrize("seed", some.first([14, 55, 56]))
def test_ter_finds_shifts_that_lead_back_into_the_beam(seed: int) -> None:
    """A shift of one word can bring many together that were just outside the beam, so it may save more than 2.

    These seeds give another number where the bound of 2 for each word is used in spite of the beam.
    """
    random = Random(seed)
    outside, same = random.randint(20, 27), numbered("s", random.randint(25, 60))
    sides = [numbered("x", outside) + same + numbered("z", 10), same + numbered("y", outside) + numbered("z", 10)]
    for _ in range(random.randint(1, 6)):
        side = random.choice(sides)
        start, length = random.randrange(len(side)), random.randint(1, 3)
        block = side[start : start + length]
        del side[start : start + length]
        target = random.randrange(len(side) + 1)
        side[target:target] = block
    for _ in range(random.randint(0, 3)):
        sides[0].insert(random.randrange(15), random.choice(sides[1]))
    first, second = (" ".join(side) for side in sides)
    rows_equal([first, second], [[second, first]])


@pytest.mark.parametrize("seed", [4214, 5196, 24, 103])
def test_ter_gives_up_after_as_many_trials_as_sacrebleu(seed: int) -> None:
    """These seeds give another number when the cap on trials is 999 (the first two) or 1001 (the others)."""
    random = Random(seed)
    length = random.randint(26, 40)
    first, second = ([str(random.randrange(4)) for _ in range(length)] for _ in range(2))
    rows_equal([" ".join(first)], [[" ".join(second)]])


def test_ter_equals_sacrebleu_on_all_short_segments() -> None:
    """All pairs of segments of up to four words out of two, and of three words out of three."""
    texts = [" ".join(words) for length in range(5) for words in product("ab", repeat=length)]
    texts += [" ".join(words) for words in product("abc", repeat=3)]
    system, reference = zip(*product(texts, repeat=2), strict=True)
    ours = TerReferences([reference]).rows(system)
    assert np.array_equal(ours, sacre_rows.ter([reference])(system))


@given(st.lists(PIECES, max_size=12).map("".join), st.booleans())
@settings(max_examples=400)
def test_tokens_13a_equal_sacrebleu(line: str, lowercase: bool) -> None:
    """Tokenising word by word gives the tokens of the whole line, also around entities, marks and odd whitespace."""
    expected = Tokenizer13a()((line.lower() if lowercase else line).rstrip()).split()
    assert Tokenizer("13a", lowercase).tokens(line) == expected


def test_tokens_13a_equal_sacrebleu_on_all_short_lines() -> None:
    """All lines of up to five characters out of those the rules speak about."""
    ours, theirs = Tokenizer("13a"), Tokenizer13a()
    theirs_uncached = type(theirs).__call__.__wrapped__
    for length in range(6):
        for characters in product("a0.,-& \u00a0"[: 8 if length < 5 else 7], repeat=length):
            line = "".join(characters)
            assert ours.tokens(line) == theirs_uncached(theirs, line.rstrip()).split(), repr(line)


@given(st.integers(0, 2**32), st.integers(1, 5))
@settings(max_examples=20)
def test_rows_do_not_depend_on_the_neighbours(seed: int, cut: int) -> None:
    """A segment has the same row alone and among others: it is what makes rows additive."""
    system, references = corpus(seed, segments=6)
    ends = [stream[cut:] for stream in references]
    for make in (BleuReferences, ChrfReferences, TerReferences):
        assert np.array_equal(make(references).rows(system)[cut:], make(ends).rows(system[cut:]))


def test_rows_are_the_same_from_several_threads() -> None:
    """Systems counted side by side against the same references get the rows they get one by one."""
    corpora = [corpus(seed, segments=200, longest=12) for seed in range(3)]
    references = corpora[0][1]
    for make in (BleuReferences, ChrfReferences, TerReferences):
        systems = [system for system, _ in corpora] * 4
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(make(references).rows, systems))
        for system, rows in zip(systems, together, strict=True):
            assert np.array_equal(rows, make(references).rows(system))


@pytest.mark.slow
def test_no_index_leaves_its_array() -> None:
    """With numba's bounds checks, which need a process and kernels of their own, the kernels raise nothing and stay equal."""
    cache = REPOSITORY / ".cache" / "boundscheck"  # checked code must not be mixed with the other
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "SIGBOARD_CACHE": str(cache)}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-m", "tests.oracles.fuzz_kernels", "0", "300"]
    run = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "equal"
