"""docs/how-p-is-made.md: its numbers by plain loops, its code as it is, and nothing left out of the way.

The plain loops use none of the code that the page quotes: words come from sacrebleu's tokenizer, draws from the words of
the seed contract, scores from the formula of the paper.
"""

from __future__ import annotations

import importlib.util
import math
import re
import subprocess
import sys
import threading
from collections import Counter
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType

import numpy as np
import pytest
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from scipy.stats import beta

import sigcore
from sigcore.resampling import columns, pvalues
from sigcore.results import CompareResult
from sigcore.significance import engine

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "how-p-is-made.md").read_text(encoding="utf-8")
HARBOUR = ROOT / "samples" / "harbour"
SYSTEM, BASELINE, TWIN = "Albatross-1", "Cormorant", "Albatross-2"
SEED, RESAMPLES, BLOCK = 12345, 10_000, 512
STREAM = {"bootstrap": 0, "swap": 1}
NUMBERS = {name: text.strip() for name, text in re.findall(r"<!-- p:(\S+) -->(.*?)<!-- /p -->", PAGE, re.DOTALL)}
QUOTED = re.findall(r"<!-- code:(\S+) (\S+) -->\n```python\n", PAGE)
FILES = sorted({file for file, _ in QUOTED})


def number(name: str) -> float:
    """A number of the page."""
    return float(NUMBERS[name].replace(",", ""))


def printed(name: str) -> list[list[int]]:
    """The rows of a table of the page."""
    rows = NUMBERS[name].splitlines()[2:]
    return [[int(cell.replace(",", "")) for cell in row.strip("| ").split(" | ")[1:]] for row in rows]


def how_p() -> ModuleType:
    """The module that fills the page."""
    spec = importlib.util.spec_from_file_location("how_p", ROOT / "docs" / "how_p.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# ---- the same numbers by plain loops


@cache
def counts(name: str) -> np.ndarray:
    """The ten counts of every segment of a system, (n, 10)."""
    tokens, out = Tokenizer13a(), []
    texts = [(HARBOUR / file).read_text(encoding="utf-8").splitlines() for file in (f"systems/{name}.en", "ref.A.en")]
    for output, reference in zip(*texts, strict=True):
        own, other = tokens(output).split(), tokens(reference).split()
        matches, totals = [], []
        for order in range(1, 5):
            mine, theirs = (Counter(zip(*(words[k:] for k in range(order)), strict=False)) for words in (own, other))
            matches.append(sum(min(times, theirs[gram]) for gram, times in mine.items()))
            totals.append(sum(mine.values()))
        out.append([len(own), len(other), *matches, *totals])
    return np.array(out, dtype=np.int64)


def bleu(sums: np.ndarray) -> float:
    """BLEU of ten summed counts, all of which are positive."""
    length, reference, *grams = map(int, sums)
    assert min(grams) > 0
    precision = math.fsum(math.log(grams[k] / grams[k + 4]) for k in range(4)) / 4
    return 100 * math.exp(min(0.0, 1 - reference / length) + precision)


def generator(draws: str, block: int) -> np.random.Generator:
    """The generator of a block, by the seed contract."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(SEED, spawn_key=(STREAM[draws], block))))


def coins() -> list[list[int]]:
    """Which segments each shuffle swaps: the bits of its octets, the highest first."""
    n = len(counts(SYSTEM))
    width, out = (n + 7) // 8, []
    for start in range(0, RESAMPLES, BLOCK):
        size = min(BLOCK, RESAMPLES - start)
        octets = generator("swap", start // BLOCK).bytes(size * width)
        for row in range(size):
            bits = "".join(f"{octet:08b}" for octet in octets[row * width : (row + 1) * width])
            out.append([int(bit) for bit in bits[:n]])
    return out


def exchanged(first: np.ndarray, second: np.ndarray, swap: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The summed counts of both systems after the swaps."""
    swapped = np.array(swap, dtype=bool)[:, None]
    return np.where(swapped, second, first).sum(axis=0), np.where(swapped, first, second).sum(axis=0)


@cache
def shuffled(baseline: str) -> tuple[float, ...]:
    """The pseudo-gain of every shuffle."""
    out = []
    for swap in coins():
        ahead, behind = exchanged(counts(SYSTEM), counts(baseline), swap)
        out.append(bleu(ahead) - bleu(behind))
    return tuple(out)


@cache
def drawn() -> tuple[float, ...]:
    """The gain of every bootstrap draw."""
    first, second = counts(SYSTEM), counts(BASELINE)
    n, out = len(first), []
    for start in range(0, RESAMPLES, BLOCK):
        size = min(BLOCK, RESAMPLES - start)
        for row in generator("bootstrap", start // BLOCK).integers(0, n, size=(size, n), dtype=np.uint16):
            out.append(bleu(first[row].sum(axis=0)) - bleu(second[row].sum(axis=0)))
    return tuple(out)


def gain(baseline: str = BASELINE) -> float:
    """The observed gain."""
    return bleu(counts(SYSTEM).sum(axis=0)) - bleu(counts(baseline).sum(axis=0))


def centre() -> float:
    """The expected bootstrap gain: the gain and n - 1 times what leaving one segment out changes on average."""
    scores = []
    for name in (SYSTEM, BASELINE):
        rows = counts(name)
        total = rows.sum(axis=0)
        left_out = [bleu(total - row) for row in rows]
        scores.append(bleu(total) + (len(rows) - 1) * (math.fsum(left_out) / len(rows) - bleu(total)))
    return scores[0] - scores[1]


def product(test: str, baseline: str = BASELINE, resamples: int | str = "auto") -> CompareResult:
    """The result of sigcore.compare, as a user gets it."""
    system, other = (HARBOUR / "systems" / f"{name}.en" for name in (SYSTEM, baseline))
    return sigcore.compare(system, other, HARBOUR / "ref.A.en", test=test, resamples=resamples)


def near(name: str, value: float) -> bool:
    """Whether the page has this number, to all digits that it prints."""
    digits = len(NUMBERS[name].partition(".")[2])
    return abs(number(name) - value) <= 0.5000001 * 10.0**-digits


def test_the_counts_and_scores() -> None:
    """The counts of the first segment, the sums, both scores and the gain are those of plain loops."""
    first, second = counts(SYSTEM), counts(BASELINE)
    totals = first.sum(axis=0), second.sum(axis=0)
    assert printed("segment") == [first[0].tolist(), second[0].tolist()]
    assert printed("totals") == [total.tolist() for total in totals]
    assert number("n") == len(first)
    assert near("brevity", math.exp(1 - totals[0][1] / totals[0][0]))
    assert near("score", bleu(totals[0]))
    assert near("other-score", bleu(totals[1]))
    assert near("gain", gain())
    whole = product("approximate_randomization")
    assert whole.scores == pytest.approx((bleu(totals[0]), bleu(totals[1])), rel=1e-13)


def test_the_first_shuffle() -> None:
    """Its coins, its sums, its two scores and its gain are those of plain loops; so are the gains after it."""
    swap = coins()[0]
    ahead, behind = exchanged(counts(SYSTEM), counts(BASELINE), swap)
    assert NUMBERS["coins"].split() == [str(coin) for coin in swap[: len(NUMBERS["coins"].split())]]
    assert number("swapped") == sum(swap)
    assert printed("shuffled") == [ahead.tolist(), behind.tolist()]
    assert near("shuffled-score", bleu(ahead))
    assert near("shuffled-other", bleu(behind))
    assert near("shuffled-gain", shuffled(BASELINE)[0])
    assert NUMBERS["next-gains"] == ", ".join(f"{one:.4f}" for one in shuffled(BASELINE)[1:4])


def test_the_count_and_p() -> None:
    """The count, p and its interval are those of plain loops and of sigcore.compare."""
    whole, limit = product("approximate_randomization"), abs(gain())
    (found,) = whole.results
    slack = 1e-11 * max(number("unit"), limit)
    beyond = sum(abs(one) > limit + slack for one in shuffled(BASELINE))
    count = sum(abs(one) >= limit - slack for one in shuffled(BASELINE))
    p = (count + 1) / (RESAMPLES + 1)
    assert (number("R"), number("R+1")) == (RESAMPLES, RESAMPLES + 1)
    assert (number("beyond"), number("ties")) == (beyond, count - beyond)
    assert (number("c"), number("c+1")) == (count, count + 1)
    assert (found.tail, found.ties, found.setup.resamples) == (count, count - beyond, RESAMPLES)
    assert near("p", p)
    assert found.p_value == p
    low, high = beta.ppf(0.025, count, RESAMPLES - count + 1), beta.ppf(0.975, count + 1, RESAMPLES - count)
    assert near("low", low)
    assert near("high", high)
    assert found.p_interval == pytest.approx((low, high), rel=1e-9)
    assert NUMBERS["verdict"] == str(whole)


def test_the_ties_of_the_twins() -> None:
    """Ties are counted by plain loops with the tolerance of the page."""
    first, second = counts(SYSTEM), counts(TWIN)
    limit = abs(gain(TWIN))
    slack = 1e-11 * 100  # no segment differs by more
    near_it = [abs(one) for one in shuffled(TWIN) if abs(one) >= limit - slack]
    assert (first != second).any()
    assert number("twin-c") == len(near_it)
    assert number("twin-ties") == sum(one <= limit + slack for one in near_it) > 0
    assert product("approximate_randomization", TWIN, RESAMPLES).chief.tail == len(near_it)
    # without a number of resamples all ways to swap are counted: the share of draws is near
    exact = product("approximate_randomization", TWIN).chief
    assert exact.exact
    assert abs(exact.p_value - len(near_it) / RESAMPLES) < 0.02


def test_the_bootstraps() -> None:
    """The first drawn gain, its centre, both counts and both p are those of plain loops and of sigcore.compare."""
    middle, limit = centre(), abs(gain())
    assert near("drawn-gain", drawn()[0])
    assert near("centre", middle)
    assert near("shifted-gain", drawn()[0] - middle)
    count = sum(abs(one - middle) >= limit for one in drawn())
    lost, won = (sum(sign * one <= 0 for one in drawn()) for sign in (1, -1))
    assert (number("shift-c"), number("paired-c")) == (count, lost)
    assert near("shift-p", (count + 1) / (RESAMPLES + 1))
    assert near("paired-p", 2 * (min(lost, won) + 1) / (RESAMPLES + 1))
    shift, paired = product("bootstrap_shift").chief, product("paired_bootstrap").chief
    assert (shift.tail, shift.p_value) == (count, (count + 1) / (RESAMPLES + 1))
    assert (paired.tail, paired.p_value) == (lost, 2 * (lost + 1) / (RESAMPLES + 1))


# ---- the code as it is


def test_every_number_is_tested() -> None:
    """Each number of the page is read by a test above; texts of the sample are the sample's."""
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in NUMBERS if f'"{name}"' not in text] == []
    for name, file in {
        "reference": "ref.A.en",
        "output": f"systems/{SYSTEM}.en",
        "other": f"systems/{BASELINE}.en",
    }.items():
        assert NUMBERS[name] == (HARBOUR / file).read_text(encoding="utf-8").splitlines()[0]


def test_the_unit_of_ties() -> None:
    """The largest difference of two segments' scores, as sacrebleu scores a sentence without effective order."""
    from sacrebleu.metrics.bleu import BLEU

    pairs = zip(counts(SYSTEM).tolist(), counts(BASELINE).tolist(), strict=True)
    scores = [[BLEU.compute_bleu(r[2:6], r[6:], r[0], r[1], smooth_method="exp").score for r in pair] for pair in pairs]
    assert near("unit", max(abs(first - second) for first, second in scores))


def test_four_files_are_enough() -> None:
    """The page quotes at most four files of code, and links each of them."""
    assert len(FILES) == 4
    assert [file for file in FILES if f"]({Path('..') / file})" not in PAGE] == []


def test_no_line_begins_with_a_number() -> None:
    """A comment at the beginning of a line would end its paragraph on the web; tables are on lines of their own."""
    assert re.findall(r"^(?:> )?<!-- p:\S+ -->|^<!-- /p -->.+", PAGE, re.MULTILINE) == []


@cache
def called() -> frozenset[tuple[str, str]]:
    """The functions of the four files that sigcore.compare calls for the pair, where no compiled loop counts."""
    seen = set()

    def look(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        file = next((file for file in FILES if event == "call" and code.co_filename == str(ROOT / file)), None)
        if file is not None:
            seen.add((file, code.co_qualname.partition(".<locals>")[0]))

    for file in FILES:  # read at its first use, a file would seem to be called
        importlib.import_module(file.removesuffix(".py").replace("/", "."))
    pvalues._known_ends.cache_clear()  # an interval that an earlier test asked for would not be computed
    before = sys.getprofile()
    with pytest.MonkeyPatch.context() as patched:
        for module in (engine, columns):
            patched.setattr(module, "compiled", lambda: None)
        threading.setprofile(look)
        sys.setprofile(look)
        try:
            product("approximate_randomization")
        finally:
            sys.setprofile(before)
            threading.setprofile(None)
    return frozenset(seen)


def test_every_quoted_function_is_called() -> None:
    """No function is quoted that the p of this pair does not go through."""
    assert sorted(set(QUOTED) - called()) == []


def test_no_function_is_left_out() -> None:
    """What the pair goes through in the four files is quoted, or named in the last section."""
    rest = PAGE.partition("## Bootstrap with shift")[2]
    hidden = [(file, name) for file, name in called() - set(QUOTED) if f"`{name.split('.')[-1]}`" not in rest]
    assert sorted(name for _, name in hidden if not name.startswith(("Moments", "BleuReferences"))) == []


def changed(file: str, old: str, new: str) -> list[str]:
    """The pages that `make docs` would write if that line of code were another one."""
    program = f"""
import sys
sys.path.insert(0, {str(ROOT / "docs")!r})
sys.argv = ["make.py", "--check"]
import how_p, make
source = how_p.source
def other(file):
    text = source(file)
    assert {old!r} in text or file != {file!r}
    return text.replace({old!r}, {new!r}) if file == {file!r} else text
how_p.source = other
sys.exit(make.main())
"""
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert outcome.returncode == int(bool(outcome.stderr.split())), outcome.stderr
    return outcome.stderr.split()


def test_a_changed_function_makes_the_page_stale() -> None:
    """`make docs --check`, a part of the tests, names the page if one line of a quoted function is another one."""
    assert changed(
        "sigcore/resampling/pvalues.py", "(count + 1) / (resamples + 1)", "(count + 2) / (resamples + 2)"
    ) == ["docs/how-p-is-made.md"]


@pytest.mark.parametrize("file", FILES)
def test_each_file_makes_the_page_stale(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first quoted function of each file is copied from it, and a line that is not quoted changes nothing."""
    module = how_p()
    monkeypatch.setattr(module, "numbers", lambda: dict.fromkeys(NUMBERS, ""))
    before, source = module.filled(PAGE), module.source
    name = next(name for of, name in QUOTED if of == file)
    last = module.quoted(file, name).splitlines()[-1]
    monkeypatch.setattr(module, "source", lambda of: source(of) + ("\nUNQUOTED = 1\n" if of == file else ""))
    assert module.filled(PAGE) == before
    monkeypatch.setattr(module, "source", lambda of: source(of).replace(last.strip(), f"{last.strip()}  # other"))
    assert module.filled(PAGE) != before


def test_a_function_that_is_gone_is_named() -> None:
    """The page cannot quote what is not there."""
    with pytest.raises(SystemExit, match=r"has no Thresholds\.gone\. Correct docs/how-p-is-made\.md"):
        how_p().quoted("sigcore/resampling/pvalues.py", "Thresholds.gone")
