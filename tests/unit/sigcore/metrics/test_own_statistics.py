"""Own statistics: each formula by hand and against the metric it imitates, names of columns, and every refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import MismatchError, OptionError, ReadError, SigError
from sigcore.executors import Serial
from sigcore.metrics import extractor
from sigcore.metrics.own_statistics import FORMULAS, METRIC
from sigcore.studies import compare, matrix
from sigcore.studies.statistics import measure
from sigcore.study import Runtime, Study
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.text.meteor_score import METEOR_COLUMNS
from tests.made import text_set
from tests.made_statistics import TELLING

OWN = metrics.get("own_statistics")
NER = ("tp=3 pred=5 gold=4", "tp=0 pred=1 gold=2", "gold=1 tp=1 pred=1")


def taken(segments: Sequence[str], **options: Any) -> SufficientStatistics:
    """The statistics of one system."""
    testset = Testset("own", "statistics", len(segments))
    return extractor(OWN, testset, OWN.chosen(options))(Outputs("sys", tuple(segments)))


def written(item: SufficientStatistics, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The rows of another metric as segments of statistics."""
    names = names or item.columns
    return tuple(" ".join(f"{n}={x!r}" for n, x in zip(names, row, strict=True)) for row in item.values.tolist())


@pytest.mark.parametrize(
    ("options", "segments", "expected"),
    [
        ({}, NER, 100 * 2 * 4 / (7 + 7)),
        ({"beta": 2}, NER, 100 * 5 * 4 / (7 + 4 * 7)),
        ({"beta": 0}, NER, 100 * 4 / 7),
        ({"formula": "precision"}, NER, 100 * 4 / 7),
        ({"formula": "recall", "scale": 1}, NER, 4 / 7),
        ({}, ("tp=3 fp=2 fn=1", "tp=0 fp=1 fn=2"), 100 * 2 * 3 / (6 + 6)),
        ({"formula": "precision"}, ("tp=3 fp=2 fn=1",), 60.0),
        ({"formula": "recall"}, ("tp=3 fp=2 fn=1",), 75.0),
        ({"columns": "tp,fp,fn"}, ("tp=3 fp=2 fn=1 gold=9",), 100 * 6 / 9),
        ({"formula": "ratio"}, ("correct=3 total=4", "correct=1 total=6"), 40.0),
        ({"formula": "ratio", "better": "lower"}, ("edits=7 words=4", "edits=0 words=4"), 87.5),
        ({"formula": "ratio", "columns": "tp, gold"}, NER, 100 * 4 / 7),
        ({"formula": "ratio"}, ("num=-1 den=4", "num=3 den=0"), 50.0),
        ({"formula": "mean"}, ("score=2", "score=3"), 2.5),
        ({"formula": "mean"}, ("score=2 weight=3", "score=4 weight=1"), 2.5),
        ({"formula": "mean", "columns": "comet"}, ("comet=0.5 bleu=1", "comet=0.7 bleu=1"), 0.6),
        ({"formula": "mean", "columns": "comet,words"}, ("comet=0.5 words=9", "comet=0.7 words=1"), 0.52),
        ({"formula": "aer"}, ("A=4 S=2 A_and_S=2 A_and_P=3", "A=2 S=3 A_and_S=1 A_and_P=2"), 100 * (1 - 8 / 11)),
    ],
)
def test_formulas_by_hand(options, segments, expected):
    """Every formula is what it says of the sums, under the names its columns have in files."""
    assert taken(segments, **options).corpus_score == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_every_formula_is_a_function_of_a_sum(name):
    """Rows are those of single segments, many sums are scored as one by one, and nothing gives a number or nan."""
    item = taken(TELLING, formula=name)
    alone = [taken([segment], formula=name).values[0].tolist() for segment in TELLING]
    assert item.values.tolist() == alone
    sums = np.random.default_rng(0).multinomial(5, [0.5, 0.5], size=(3, 4)) @ item.values
    one_by_one = [float(item.score(row)) for row in sums.reshape(12, -1)]
    np.testing.assert_allclose(item.score(sums).ravel(), one_by_one, rtol=1e-13)
    assert np.isfinite(one_by_one).all()
    assert np.shape(item.score(np.zeros((2, item.values.shape[1])))) == (2,)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0, 3.7])
def test_f_is_the_weighted_harmonic_mean(beta):
    """F of the counts is (1 + b^2) P R / (b^2 P + R), 0 without a hit, and nan where nothing is there at all."""
    tp, predicted, gold = 4.0, 9.0, 6.0
    p, r = tp / predicted, tp / gold
    expected = (1 + beta**2) * p * r / (beta**2 * p + r)
    assert float(FORMULAS["f_beta"].score(np.array([tp, predicted, gold]), {"beta": beta})) == pytest.approx(
        expected, rel=1e-14
    )
    assert float(FORMULAS["f_beta"].score(np.array([0.0, 3.0, 0.0]), {"beta": beta})) == 0.0
    assert np.isnan(FORMULAS["f_beta"].score(np.zeros(3), {"beta": beta}))


@pytest.mark.parametrize("names", ["own", "sys_len", "counts"])
def test_bleu_of_ones_own_counts_is_bleu(names):
    """BLEU's ten counts written down and read again give BLEU bit for bit, the corpus and every resample."""
    testset, outputs = text_set(40, (0.1, 0.3))
    rows = measure(testset, outputs, [("bleu", {})])[0].systems
    lengths, match, total = {
        "own": (("length", "reference_length"), "match", "total"),
        "sys_len": (("sys_len", "ref_len"), "correct", "total"),
        "counts": (("sys_len", "ref_len"), "counts", "totals"),
    }[names]
    columns = [*lengths, *(f"{match}{k}" for k in range(1, 5)), *(f"{total}{k}" for k in range(1, 5))]
    own = [Outputs(item.system, written(item, columns)) for item in rows]
    tests = ["approximate_randomization", "bootstrap_shift"]
    first = compare.run(
        Study(testset, outputs, [("bleu", {})], tests, resamples=700), runtime=Runtime(executor=Serial())
    )
    second = compare.run(
        Study(Testset("own", "statistics", 40), own, [("own_statistics", {"formula": "bleu"})], tests, resamples=700),
        runtime=Runtime(executor=Serial()),
    )
    assert compare.read(first, "bleu").scores == compare.read(second, "own_statistics").scores
    for test in tests:
        np.testing.assert_array_equal(first.nulls[0][test], second.nulls[0][test])


def test_a_whole_match_counts_no_chunk():
    """A row of METEOR as the Java program prints it, matched whole in one chunk, counts none."""
    row = dict.fromkeys(METEOR_COLUMNS, 0) | {"output_words": 3, "reference_words": 3}
    row |= {"output_matched": 3, "reference_matched": 3, "chunks": 1, "m1_output_content": 3, "m1_reference_content": 3}
    item = taken([" ".join(f"{n}={x}" for n, x in row.items())], formula="meteor")
    assert item.values[0, METEOR_COLUMNS.index("chunks")] == 0
    assert item.corpus_score == pytest.approx(100.0)
    two = taken([" ".join(f"{n}={x}" for n, x in (row | {"chunks": 2}).items())], formula="meteor")
    assert two.values[0, METEOR_COLUMNS.index("chunks")] == 2
    assert two.corpus_score < 100
    other = taken(
        [" ".join(f"{n}={x}" for n, x in (row | {"chunks": 2}).items())], formula="meteor", meteor_language="xx"
    )
    assert other.corpus_score != two.corpus_score


def test_order_of_names_and_capitals_do_not_matter():
    """Names may stand in any order in a segment, and the usual ones in any capitals."""
    turned, capitals = [" ".join(reversed(x.split())) for x in NER], [x.upper() for x in NER]
    rows = [taken(segments).values.tolist() for segments in (NER, turned, capitals)]
    assert rows[0] == rows[1] == rows[2]


def test_better_scale_and_title():
    """Direction and scale are the formula's unless a person says otherwise; the title names the formula or is given."""
    cases: list[tuple[Mapping[str, Any], tuple[str, str]]] = [
        ({}, ("higher", "F1")),
        ({"beta": 0.5}, ("higher", "F0.5")),
        ({"formula": "aer"}, ("lower", "AER")),
        ({"formula": "aer", "better": "higher"}, ("higher", "AER")),
        ({"formula": "ratio", "better": "lower", "label": "WER"}, ("lower", "WER")),
    ]
    for given, expected in cases:
        options = OWN.chosen(given)
        assert (OWN.better_of(options), OWN.title_of(options)) == expected
    for name, formula in FORMULAS.items():
        assert OWN.columns_of(OWN.chosen({"formula": name})) == formula.columns


@pytest.mark.parametrize(
    ("options", "segments", "error", "words"),
    [
        (
            {},
            (*NER, "tp=1 pred=2"),
            ReadError,
            r"This line has tp, pred; line 1 has tp, pred, gold\. \[sys, line 4\] Give every",
        ),
        ({}, (*NER, ""), ReadError, r"This line has no names; line 1 has .*line 4"),
        ({}, (*NER, "tp=1 pred=x gold=1"), ReadError, r"pred = 'x' is not a number\. \[sys, line 4\]"),
        ({}, (*NER, "tp=1 pred=nan gold=1"), ReadError, "not a number"),
        ({}, (*NER, "tp=1 pred=1_0 gold=1"), ReadError, "not a number"),
        ({}, (*NER, "tp=1 pred= gold=1"), ReadError, r"pred = '' is not a number"),
        ({}, ("3 5 4",), ReadError, r"'3' is not name=number\. \[sys, line 1\] Write each segment as name=number"),
        ({}, ("tp=1 tp=1 gold=1",), ReadError, "tp appears twice"),
        ({}, (*NER, "tp=-1 pred=2 gold=1"), ReadError, r"tp = -1 is negative\. \[sys, line 4\]"),
        ({}, (*NER, "tp=3 pred=2 gold=4"), ReadError, r"tp = 3 is more than predicted = 2\. .*check their order"),
        ({"formula": "ratio"}, ("num=1 den=-1",), ReadError, "denominator = -1 is negative"),
        ({}, ("a=1 b=2 c=3",), MismatchError, r"f_beta needs tp,pred,gold; the segments have a, b, c\."),
        (
            {"formula": "ratio"},
            NER,
            MismatchError,
            r"Choose the formula f_beta or precision or recall, which fits these names",
        ),
        (
            {},
            ("tp=1 pred=2 gold=2 fp=1 fn=1",),
            MismatchError,
            r"as tp,pred,gold and as tp,fp,fn\. .*columns=tp,pred,gold",
        ),
        (
            {"columns": "tp,prd,gold"},
            NER,
            MismatchError,
            r"no column 'prd'\. \[sys\] The segments have: tp, pred, gold",
        ),
        (
            {"columns": "tp,gold"},
            NER,
            OptionError,
            r"has 2 names; f_beta needs 3\. .* Give the names in this order: tp,pred,gold",
        ),
        ({"columns": "pred,tp,gold"}, NER, ReadError, "tp = 5 is more than predicted = 3"),
        ({}, ("",), MismatchError, "the segments have no names"),
    ],
)
def test_wrong_statistics_are_explained(options, segments, error, words):
    """What is wrong, in which system and line, and how to fix it."""
    with pytest.raises(error, match=words):
        taken(segments, **options)


def test_shares_of_counts_may_be_rounded():
    """Soft counts whose last digits are rounded are not taken for a contradiction."""
    assert taken([f"tp={0.1 + 0.2} pred=0.3 gold=0.3"]).corpus_score == pytest.approx(100)


def test_systems_must_have_the_same_names():
    """Two systems with other columns are named, with the columns of both."""
    testset = Testset("own", "statistics", 3)
    other = Outputs("other", tuple(s.replace("gold", "gld") for s in NER))
    with pytest.raises(SigError, match=r"other has the columns tp, pred, gld; sys has tp, pred, gold\. \[own\] Give"):
        matrix.run(Study(testset, [Outputs("sys", NER), other], [("own_statistics", {})], resamples=10))


def test_an_unknown_formula_is_refused():
    """Nothing of a person is evaluated: a formula is one of those there are."""
    with pytest.raises(OptionError, match="Choose from: mean, ratio, f_beta"):
        OWN.chosen({"formula": "tp / pred"})


def test_signatures_say_what_decides_the_score():
    """Formula, columns, direction and scale stand in the signature; settings of other formulas do not."""
    assert taken(NER).signature == ("own_statistics|formula:f_beta|columns:by name|beta:1.0|better:higher|scale:100")
    given = {"formula": "ratio", "columns": "tp,gold", "beta": 2, "label": "hits"}
    assert taken(NER, **given).signature == "own_statistics|formula:ratio|columns:tp,gold|better:higher|scale:100"


def test_the_help_lists_the_usual_names_of_each_formula_that_a_user_may_have_to_type():
    """Only these: the many columns of BLEU and METEOR have the names that their programs print."""
    typed = (
        f"{name} {','.join(formula.layouts[0].names)}" for name, formula in FORMULAS.items() if len(formula.columns) < 5
    )
    shown = next(option.help for option in METRIC.options if option.name == "columns")
    assert shown.endswith(f"usual names: {'; '.join(typed)}.")
