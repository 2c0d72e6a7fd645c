"""k-best lists: four formats, and every fault with its line."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from sigcore.errors import ReadError
from sigcore.kbest.sparse import Sparse
from sigcore.readers import kbest, read_kbest, read_weights

MOSES = (
    "0 ||| it rains . ||| LM0= -4.1 TM0= 1 2 ||| -2.3\n"
    "0 ||| rain . ||| LM0= -5 TM0= 3 4 ||| -2.9\n"
    "1 ||| a b ||| LM0= -6 TM0= 5 6 ||| -3\n"
)
CDEC = "0 ||| it rains . ||| LM=-4.1 Glue=1 ||| -2.3\n0 ||| rain . ||| LM=-5 Glue=2 ||| -2.9\n"
JSONL = (
    '{"id": 0, "hyp": "it rains .", "features": {"LM": -4.1, "Glue": 1}, "score": -2.3}\n'
    '{"id": 0, "hyp": "rain .", "features": {"LM": -5, "Glue": 2}, "score": -2.9}\n'
)
TSV = "id\thyp\tLM\tGlue\tscore\n0\tit rains .\t-4.1\t1\t-2.3\n0\train .\t-5\t2\t-2.9\n"


def read(text, **more):
    """The lists in a text."""
    return read_kbest("list.txt", text.encode(), **more)


def test_moses():
    """Texts, named and numbered features, scores and lists are those of the file."""
    lists, notices = read(MOSES)
    assert lists.texts == ("it rains .", "rain .", "a b")
    assert lists.names == ("LM0", "TM0_1", "TM0_2")
    assert lists.features.tolist() == [[-4.1, 1, 2], [-5, 3, 4], [-6, 5, 6]]
    assert lists.scores.tolist() == [-2.3, -2.9, -3]
    assert lists.lengths.tolist() == [2, 1]
    assert [notice.message for notice in notices] == [
        "1 of 2 lists contain one hypothesis, so tuning cannot change these segments."
    ]


@pytest.mark.parametrize("text", [CDEC, JSONL, TSV, TSV.replace("\t", ",")])
def test_formats_agree(text):
    """cdec's format, JSON lines, TSV and CSV give the same lists."""
    lists, notices = read(text)
    assert lists.texts == ("it rains .", "rain .")
    assert lists.names == ("LM", "Glue")
    assert lists.features.tolist() == [[-4.1, 1], [-5, 2]]
    assert lists.scores.tolist() == [-2.3, -2.9]
    assert not notices


def test_no_space_after_the_id():
    """Old Moses lists have no space before the first mark, and two after the text."""
    assert read(MOSES.replace("0 |||", "0|||").replace(" . |||", " .  |||"))[0].texts == read(MOSES)[0].texts


def test_ids_may_start_at_one():
    """Segments may count from 1, which a notice says."""
    lists, notices = read(
        "1 ||| a ||| f= 1 ||| 1\n1 ||| b ||| f= 2 ||| 2\n2 ||| c ||| f= 2 ||| 2\n2 ||| d ||| f= 3 ||| 3\n"
    )
    assert lists.lengths.tolist() == [2, 2]
    assert [notice.message for notice in notices] == ["Its segments count from 1."]


def test_lines_may_have_other_layouts():
    """The order of features and the way they are written may differ from line to line; values stay with their names."""
    rows = ["F= 1 2 G= 3", "F= 4 5 G= 6", "G= 9 F= 7 8", "G=12 F= 10 11", "F= 13 14 G= 15", "G= 18 F= 16 17"]
    lists, _ = read("".join(f"0 ||| text {k} ||| {row} ||| 0\n" for k, row in enumerate(rows)))
    assert lists.names == ("F_1", "F_2", "G")
    assert lists.features.ravel().tolist() == list(range(1, 19))
    for wrong in ("F= 4 G= 5 6", "F= 4 5 G=", "F= 4 5 G= 1_0", "F= 4 5 G= inf", "F= 4 5 G= ٣", "F= 4 5 F= 6"):
        with pytest.raises(ReadError) as caught:
            read("".join(f"0 ||| a ||| {row} ||| 0\n" for row in (rows[0], rows[1], wrong)))
        assert caught.value.line == 3


def test_marks_in_the_text_are_text():
    """A line with more marks than the others has them in its text."""
    assert read(MOSES.replace("rain .", "rain ||| .", 1))[0].texts[0] == "it rains ."
    assert read(MOSES.replace(" a b ", " a ||| b "))[0].texts[2] == "a ||| b"


def test_unscored_hypotheses_are_nan():
    """A missing score is nan, with a notice that names the first line; all missing needs none."""
    lists, notices = read(MOSES.replace(" ||| -2.9", "").replace("1 ||| a b", "0 ||| a b"))
    assert np.isnan(lists.scores).tolist() == [False, True, False]
    assert [(notice.line, notice.message) for notice in notices] == [
        (2, "1 of 3 hypotheses has no score; tuning does not need it.")
    ]
    assert not read(TSV.replace("\tscore", "\tother"))[1]


def test_sparse_features_are_zero_on_request():
    """A feature that is missing is refused, or 0 where the list is read as sparse."""
    text = CDEC.replace(" Glue=2", "")
    with pytest.raises(ReadError, match="line 2 has no feature Glue, line 1 has"):
        read(text)
    lists, notices = read(text, sparse=True)
    assert lists.features.tolist() == [[-4.1, 1], [-5, 0]]
    assert [(notice.line, notice.message) for notice in notices] == [(2, "1 missing feature read as 0.")]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (MOSES.replace("1 ||| a b", "2 ||| a b"), 3, "segment 2 follows segment 0"),
        (MOSES + "0 ||| c ||| LM0= 1 TM0= 1 2 ||| 1\n", 4, "segment 0 follows segment 1"),
        (MOSES.replace("0 |||", "7 |||"), 1, "the first segment is number 7"),
        (MOSES.replace("TM0= 3 4", "TM0= 3"), 2, "has the feature TM0, line 1 has not"),
        (MOSES.replace("TM0= 3 4", "TM0= 3 4 5"), 2, "has the feature TM0_3, line 1 has not"),
        (MOSES.replace("TM0= 3 4", "TM0="), 2, "TM0 has no value"),
        (MOSES.replace("TM0= 3 4", "TM0= 3 x"), 2, "'x' is not a number"),
        (MOSES.replace("-2.9", "nan"), 2, "'nan' is not a number"),
        (MOSES.replace("-5", "1_0"), 2, "'1_0' is not a number"),
        (MOSES.replace("TM0= 3 4", "LM0= 3 4"), 2, "LM0 appears twice"),
        (MOSES + "rain\n", 4, "is not a line of a k-best list"),
        (MOSES + "1 ||| rain\n", 4, "has no features"),
        (JSONL + "{\n", 3, "is not JSON"),
        (JSONL + "[1]\n", 3, "is not a record"),
        (JSONL.replace('"hyp"', '"words"', 1), 1, "the hypothesis"),
        (JSONL.replace('"id": 0', '"id": "x"', 1), 1, "is not the number of a segment"),
        (JSONL.replace("-5", "true"), 2, "'true' is not a number"),
        (TSV + "0\tx\t1\n", 4, "line 4 has 3 cells"),
        (TSV.replace("-5", ""), 3, "line 3 has no feature LM, line 2 has"),
    ],
)
def test_faults_name_their_line(text, line, message):
    """Every fault is refused with its line."""
    with pytest.raises(ReadError, match=message) as caught:
        read(text)
    assert caught.value.line == line
    assert caught.value.fix


@pytest.mark.parametrize("text", ["id\thyp\n", "\n", " \n\n", '""\n', '"\n"\n', "\t\n", ",,\n"])
def test_nothing_but_blank_lines(text):
    """A file without hypotheses is refused."""
    with pytest.raises(ReadError, match="no hypotheses"):
        read(text)


def test_compressed():
    """A list may be compressed."""
    assert read_kbest("list.gz", gzip.compress(MOSES.encode()))[0].texts == read(MOSES)[0].texts


def test_too_many_numbers(monkeypatch):
    """Sparse features that would need too much memory are refused."""
    monkeypatch.setattr(kbest, "MOST_NUMBERS", 3)
    with pytest.raises(ReadError, match="2 hypotheses with 2 features"):
        read(CDEC)


def test_deeply_nested_records_are_not_json():
    """Brackets beyond what a parser can follow are an error with the line, not a traceback."""
    with pytest.raises(ReadError, match="line 2 is not JSON"):
        read(JSONL.splitlines()[0] + '\n{"id": 1, "hyp": "x", "features": ' + "[" * 200_000)


def test_old_names_of_moses():
    """In old lists the name of a feature ends with a colon; the values are those of new lists."""
    old = MOSES.replace("LM0=", "lm:").replace("TM0=", "tm:")
    lists, _ = read(old)
    assert lists.names == ("lm", "tm_1", "tm_2")
    assert lists.features.tolist() == read(MOSES)[0].features.tolist()
    lists, _ = read("0 ||| a ||| d: 0 -7.6 lm: -3 a:b= 2 ||| 1\n0 ||| b ||| d: 0 -7 lm: -4 a:b= 3 ||| 1\n")
    assert lists.names == ("d_1", "d_2", "lm", "a:b")
    with pytest.raises(ReadError, match=r"'x' is not a number \(a feature without a name\)"):
        read("0 ||| a ||| x 1 ||| 1\n")


def test_places_of_phrases():
    """What Moses and Joshua print of the phrases is left out and told; signs of a text stay."""
    placed = MOSES.replace("it rains .", "it |0-0| rains . |1-2,wa=0-0 1-1,total=-2.5|").replace("a b", "a |b| |1-2")
    lists, notices = read(placed)
    assert lists.texts == ("it rains .", "rain .", "a |b| |1-2")
    assert [(one.line, "1 hypothesis." in one.message) for one in notices if "|0-1|" in one.message] == [(1, True)]
    assert not [one for one in read(MOSES)[1] if "Places" in one.message]
    assert read(placed.replace("rains", "ra@@ ins"), join=True)[0].texts[0] == "it rains ."


def test_pieces_of_words():
    """Pieces of words are refused with their line, and joined on request; a sign that stands alone is text."""
    bpe = MOSES.replace("rains .", "ra@@ ins .").replace("rain .", "ra@@ in@@")
    with pytest.raises(ReadError, match="line 1 has pieces of words") as caught:
        read(bpe)
    assert "--join-pieces" in caught.value.fix
    assert read(bpe, join=True)[0].texts == ("it rains .", "rain", "a b")
    spm = MOSES.replace("it rains .", "▁it ▁ra ins .").replace("rain .", "▁rain .").replace("a b", "▁a ▁b")
    with pytest.raises(ReadError, match="pieces of words"):
        read(spm)
    assert read(spm, join=True)[0].texts == ("it rains.", "rain.", "a b")
    assert read(MOSES.replace("a b", "@@ b"))[0].texts[2] == "@@ b"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        (MOSES.replace("1 ||| a b", "2 ||| a b"), "Segment 1 has no hypotheses"),
        (MOSES + "0 ||| c ||| LM0= 1 TM0= 1 2 ||| 1\n", "sort the list by segment"),
        (MOSES.replace("0 |||", "7 |||").replace("1 |||", "8 |||"), "subtract 7"),
    ],
)
def test_numbers_of_segments_get_their_own_advice(text, advice):
    """A gap, a segment that comes back, and a part of a list are three different mistakes."""
    with pytest.raises(ReadError) as caught:
        read(text)
    assert advice in caught.value.fix


def test_large_sparse_lists_are_sparse():
    """Many features of which most are 0 are no full array, and have the numbers of the file."""
    rng, size, width = np.random.default_rng(1), 60, 30_000
    own = [sorted(rng.choice(width, 5, replace=False).tolist()) for _ in range(size)]
    text = "".join(
        f"{i // 3} ||| t{i} ||| " + " ".join(f"f{c}= {c + i}" for c in row) + f" ||| {i}\n" for i, row in enumerate(own)
    )
    # every feature has a name in the file
    text += "20 ||| all ||| " + " ".join(f"f{c}= 1" for c in range(width)) + " ||| 1\n"
    lists, notices = read(text, sparse=True)
    assert isinstance(lists.features, Sparse)
    assert lists.features.shape == (61, width)
    for i, row in enumerate(own):
        found = {lists.names[c]: x for c, x in enumerate(lists.features.row(i)) if x}
        assert found == {f"f{c}": c + i for c in row if c + i}
    assert "missing features read as 0" in notices[0].message
    with pytest.raises(ReadError, match="has the feature"):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "LM0= 0.5\nTM0= 1 -2e-3\n",
        "LM0=0.5\nTM0_1=1\nTM0_2=-0.002\n",
        "[weight]\n# x\nLM0: 0.5\nTM0: 1 -0.002\n",
        "LM0 0.5\n\nTM0_1\t1\nTM0_2 -0.002",
        '{"LM0": 0.5, "TM0_1": 1, "TM0_2": -0.002}',
    ],
)
def test_weights(text):
    """Weights by name are read as Moses, cdec and Joshua write them, and from JSON."""
    assert read_weights("w.txt", text.encode()) == {"LM0": 0.5, "TM0_1": 1.0, "TM0_2": -0.002}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.4 0.15 0.15\n", "no named weight"),
        ("a= 1\na= 2\n", "appears twice"),
        ("a= x\n", "not a number"),
        ("\n", "no weights"),
        ("{", "not JSON"),
        ('{"a": "x"}', "not a number"),
    ],
)
def test_wrong_weights(text, message):
    """Everything else is refused with what to write."""
    with pytest.raises(ReadError, match=message) as caught:
        read_weights("w.txt", text.encode())
    assert caught.value.fix
