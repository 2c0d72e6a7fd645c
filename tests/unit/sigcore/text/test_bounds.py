"""Bounds on the cost of one segment: refused above, computed at the bound, and without a bound in linear memory."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import SigError
from sigcore.metrics import extractor
from sigcore.metrics import meteor as meteor_references
from sigcore.metrics import ter as ter_references
from sigcore.metrics.meteor import search
from sigcore.metrics.meteor.words import Words
from sigcore.metrics.rouge.overlap import common, place
from sigcore.testset import Outputs, Testset
from sigcore.text import bounds, compiled, ngrams
from sigcore.text.symbols import Symbols, joined
from tests import routes

BOUNDED = {
    "wer": ("WER", "words"),
    "cer": ("CER", "characters"),
    "ter": ("TER", "words"),
    "meteor": ("METEOR", "words"),
    "rouge_l": ("ROUGE_L", "words"),
}


def rows(name: str, output: str, *references: str) -> np.ndarray:
    """The statistics of a system of two segments, of which the second is the given one."""
    metric = metrics.get(name)
    testset = Testset("t", "text", 2, tuple(("a b", reference) for reference in references))
    options = metric.chosen({"stages": "exact"} if name == "meteor" else {})
    return extractor(metric, testset, options)(Outputs("Heron", ("b a", output))).values


@pytest.fixture(params=routes.ROUTES)
def route(request):
    """Both ways to the rows."""
    with routes.route(request.param):
        yield


def bounded(monkeypatch, name: str, most: int) -> None:
    """Set the bound of a metric for both ways; the metrics are imported before, with the true bounds."""
    metrics.members()
    monkeypatch.setattr(bounds, name, replace(getattr(bounds, name), most=most))


@pytest.mark.parametrize("name", BOUNDED)
def test_a_segment_over_the_bound_is_named(route, monkeypatch, name):
    """One more word than the bound allows is refused: with the system, the segment, its length and the likely reason."""
    output, reference = ("x" * 30, "y" * 20) if name == "cer" else ("x " * 30, "y " * 20)
    extra = bounds.SENTENCE * 20 if name == "rouge_l" else 0
    bounded(monkeypatch, BOUNDED[name][0], 600 + extra)
    assert rows(name, output.strip(), reference.strip()).shape[0] == 2
    bounded(monkeypatch, BOUNDED[name][0], 599 + extra)
    with pytest.raises(SigError, match="line ends may be lost") as refused:
        rows(name, output.strip(), "z", reference.strip()) if name != "rouge_l" else rows(name, output, reference)
    assert refused.value.where == "Heron, segment 2"
    assert f"30 {BOUNDED[name][1]}, and 20 in its reference" in refused.value.what


def test_a_segment_at_the_bound_hides_none_above_it():
    """Only what is above the bound is refused, and the first of several is named, with the reference that is too long."""
    bound = replace(bounds.WER, most=20)
    outputs, references = np.array([4, 5, 9]), np.array([[5, 1], [2, 5], [1, 9]])
    with pytest.raises(SigError, match="5 words, and 5 in its reference") as refused:
        bounds.check(bound, outputs, references, 7)
    assert refused.value.where == "segment 9"
    bounds.check(bound, outputs[:1], references[:1], 7)


def test_every_metric_with_a_bound_declares_it():
    """The docs list exactly the bounds that are enforced."""
    declared = {name: metric.bounds for name, metric in metrics.members().items() if metric.bounds}
    assert set(declared) == set(BOUNDED)
    for name, (bound, _) in BOUNDED.items():
        assert declared[name][0] is getattr(bounds, bound)


def answer(name: str, output: str, reference: str, **options: object) -> str:
    """The statistics of one segment, or the words of the refusal."""
    metric = metrics.get(name)
    testset = Testset("t", "text", 1, ((reference,),))
    try:
        return str(extractor(metric, testset, metric.chosen(options))(Outputs("Heron", (output,))).values.tolist())
    except SigError as error:
        return str(error)


@pytest.mark.skipif("compiled" not in routes.ROUTES, reason="numba is not installed")
@pytest.mark.parametrize("name", ["ter", "meteor"])
def test_a_bound_does_not_depend_on_kernels(monkeypatch, name):
    """With kernels and without them a segment has the same statistics, or is refused in the same words."""
    bounded(monkeypatch, "TER", 150)
    bounded(monkeypatch, "METEOR", 150)
    bounded(monkeypatch, "METEOR_MATCHES", 50)
    options = {"stages": "exact"} if name == "meteor" else {"normalized": True}
    random, refused = Random(7), 0
    for _ in range(60):
        texts = [" ".join(random.choices(["a", "b-c.", "it's", "d, e"], k=random.randint(5, 14))) for _ in range(2)]
        answers = set()
        for each in routes.ROUTES:
            with routes.route(each):
                answers.add(answer(name, *texts, **options))
        assert len(answers) == 1, answers
        refused += "too long" in answers.pop()
    assert 5 < refused < 55


def test_meteor_names_the_first_segment_whatever_is_checked_together(monkeypatch):
    """The first segment over any of the two bounds is named, for one segment at a time and for all at once."""
    bounded(monkeypatch, "METEOR", 150)
    bounded(monkeypatch, "METEOR_MATCHES", 50)
    words = Words(str.split, None, None, ())
    many, long = "a " * 10, " ".join(f"w{k}" for k in range(20))
    for lines, bound in (([many, long], "pairs of words that match"), ([long, many], "words of the segment times")):
        text, table = words.read(["b", *lines])
        with pytest.raises(SigError, match=bound) as refused:
            search.check(text, joined([text]), 0, 1, table, bounds.SLOW)
        assert refused.value.where == "segment 2"


@pytest.mark.parametrize(("name", "module"), [("ter", ter_references), ("meteor", meteor_references)])
def test_long_segments_ask_for_the_kernels(monkeypatch, name, module):
    """A segment that takes the plain way long asks for the kernels, with the seconds it would take; usual ones do not."""
    asked: list[float] = []
    monkeypatch.setattr(compiled, "_loaded", set())
    monkeypatch.setattr(
        module, "prepare_kernels", lambda kernels, work, *_: asked.append(round(work * kernels.saves, 9))
    )
    monkeypatch.setattr(bounds, "SLOW", 99)
    options = {"stages": "exact"} if name == "meteor" else {}
    answer(name, "x " * 9, "x " * 11, **options)
    assert asked == [0.0]
    answer(name, "x " * 10, "x " * 10, **options)
    assert asked == [0.0, round(100 * bounds.SECONDS, 9)]


def test_meteor_counts_the_pairs_that_its_search_tries():
    """The number of pairs is that of all candidates: equal words, equal stems, and common sets of synonyms."""
    sets = {"car": (1, 4), "auto": (1,), "automobile": (1, 4), "cars": (2,)}
    stems = dict.fromkeys(("car", "cars"), "car") | {"auto": "auto", "automobile": "automobil"}
    words = Words(str.split, stems, lambda word: sets[word], ())
    read, table = words.read(["car cars car", "car automobile auto"])
    output, reference = read.numbers[:3], read.numbers[3:]
    # exact: car 2 x 1; stems: car 3 x 1; sets: 1 twice in the output and three times in the reference, 4 twice and twice
    assert 2 * 3 + 2 * 2 > 3 * 3
    assert [search.matching(output, reference, stages, table) for stages in (1, 2, 3)] == [2, 3, 3 + 3 * 3]


def test_meteors_stages_add_up(monkeypatch):
    """A pair of words may match as stems and as synonyms: the search tries it twice, and it counts twice."""
    words = Words(str.split, dict.fromkeys("abc", "a"), lambda word: (1,), ())
    read, table = words.read(["a b c", "c b a"])
    gold = joined([words.read(["c b a"])[0]])
    output = Symbols(read.numbers[:3], read.starts[:2])
    bounded(monkeypatch, "METEOR_MATCHES", 18)
    search.check(output, gold, 0, 3, table, bounds.SLOW)
    bounded(monkeypatch, "METEOR_MATCHES", 17)
    with pytest.raises(SigError, match="here it is 18"):
        search.check(output, gold, 0, 3, table, bounds.SLOW)


def test_meteor_is_refused_for_many_equal_words_only(monkeypatch):
    """Different words of the same number have few matches, and are computed."""
    bounded(monkeypatch, "METEOR_MATCHES", 400)
    many = " ".join(f"w{k}" for k in range(40))
    assert rows("meteor", many, many)[1, 0] == 40
    with pytest.raises(SigError, match="here it is 1,600"):
        rows("meteor", "x " * 40, "x " * 40)


def test_no_more_pairs_are_tried_than_are_counted():
    """The search lists at most as many candidates as are counted before it; with equal words only, exactly as many."""
    random = Random(3)
    names = [f"w{k}" for k in range(12)]
    stems = {name: f"s{k % 7}" for k, name in enumerate(names)}
    words = Words(str.split, stems, lambda word: tuple(sorted({int(word[1:]) % 3, int(word[1:]) % 5 + 9})), ())
    for _ in range(200):
        lines = [" ".join(random.choices(names, k=random.randrange(1, 14))) for _ in range(2)]
        read, table = words.read([*lines, lines[0] + " " + lines[1]])
        output, reference = (read.numbers[read.starts[k] : read.starts[k + 1]] for k in range(2))
        for stages in (1, 2, 3):
            tried = sum(map(len, search.candidates(output.tolist(), reference.tolist(), stages, table)))
            counted = search.matching(output, reference, stages, table)
            assert tried == counted if stages == 1 else tried <= counted


@pytest.mark.parametrize(
    "words", [["x"] * 12_000, [f"w{k}" for k in range(12_000)], [f"w{k % 70}" for k in range(12_000)]]
)
def test_rouge_l_takes_memory_in_proportion_to_the_text(words):
    """One line of 12,000 words: the whole table would take 18 MB, and the places of its words as much."""
    tracemalloc.start()
    marked = common(words, place(words))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert marked == (1 << len(words)) - 1
    assert most < 8e6


def test_one_long_segment_is_worth_the_kernels():
    """Work is counted in usual segments: where the cost is quadratic, one of a hundred times the length is ten thousand."""
    short, long = ["x" * 10] * 7, ["x" * (100 * compiled.LETTERS)]
    assert compiled.work(ngrams.KERNELS, short) == compiled.work(ter_references.KERNELS, short) == 7
    assert compiled.work(ngrams.KERNELS, long) == pytest.approx(100)
    assert compiled.work(ter_references.KERNELS, long) == pytest.approx(10_000)
