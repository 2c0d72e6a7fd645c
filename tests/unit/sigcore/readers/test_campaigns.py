"""Files of evaluation campaigns: metrics tasks, EvalSets, and ratings as their programs write them."""

import io
import zipfile
from json import dumps

import pytest

from sigcore.data import Collection
from sigcore.data.assembly import assemble
from sigcore.judgments import Judgments
from sigcore.readers import Intake, read, read_ratings, same_pair
from sigcore.types import Direction

N = 6


def one(file: str, text: str) -> Intake:
    return read([(file, text.encode())])


def only(intake: Intake) -> Judgments:
    assert intake.problems == ()
    (found,) = intake.judgments
    return found


@pytest.mark.parametrize("between", [(), ("refA",), ("news", "refA"), ("news", "doc1", "refA")])
def test_submissions_to_a_metrics_task(between: tuple[str, ...]) -> None:
    """A line per metric, pair, test set, system and segment; the pair is the test set, the metric the measure."""
    rows = [["chrF", "cs-en", "wmt30", *between, s, str(k), str(k / 8)] for k in range(N, 0, -1) for s in ("A", "B")]
    intake = one("chrF.seg.score.txt", "".join("\t".join(row) + "\n" for row in rows))
    assert not intake.problems
    assert [(i.name, i.measure, i.testset) for i in intake.items] == [("A", "chrF", "cs-en"), ("B", "chrF", "cs-en")]
    assert intake.items[0].segments == tuple(str(k / 8) for k in range(1, N + 1))


def test_two_references_are_two_measures() -> None:
    """The scores of a metric with several references are not pooled."""
    rows = [["m", "cs-en", "wmt30", r, s, str(k), str(k / 8)] for r in ("refA", "refB") for s in "AB" for k in range(N)]
    intake = one("m.txt", "".join("\t".join(row) + "\n" for row in rows))
    assert {(i.measure, len(i.segments)) for i in intake.items} == {("m refA", N), ("m refB", N)}


def test_two_test_sets_of_a_language_pair_stay_apart() -> None:
    """Each has its own name and its own scores."""
    rows = [["m", "cs-en", name, s, str(k), name[-1]] for name in ("wmt30", "wmt31") for s in "AB" for k in range(N)]
    intake = one("m.txt", "".join("\t".join(row) + "\n" for row in rows))
    assert {(i.testset, i.name, *{*i.segments}) for i in intake.items} == {
        (f"cs-en.wmt3{k}", s, str(k)) for k in range(2) for s in "AB"
    }


@pytest.mark.parametrize("file", ["cs-en.mqm.seg.score", "cs-en.da.seg.score"])
def test_scores_of_an_evalset_can_be_ratings(file: str) -> None:
    """The same file is a metric's scores, or ratings where ratings are asked for; a reference made of others is neither."""
    systems = {"One": (-1, None), "Two": (0, -5), "synthetic_ref": (0, 0)}
    text = "".join(f"{name}\t{score}\n" for name, scores in systems.items() for score in scores)
    assert [item.name for item in one(file, text).items] == ["One", "Two"]
    found = only(read_ratings([(file, text.encode())]))
    assert list(zip(found.system.tolist(), found.segment.tolist(), found.score.tolist(), strict=True)) == [
        ("One", "1", -1),
        ("Two", "1", 0),
        ("Two", "2", -5),
    ]
    assert found.absolute


def test_metadata_does_not_take_the_place_of_the_sources() -> None:
    """A file in a folder metadata is set aside, whatever it is called."""
    files = {
        "c/metadata/cs-en.src.txt": "x\n" * N,
        "c/sources/cs-en.txt": "".join(f"s{k}\n" for k in range(N)),
        "c/references/cs-en.refA.txt": "".join(f"r{k}\n" for k in range(N)),
        "c/system-outputs/cs-en/A.txt": "".join(f"a{k}\n" for k in range(N)),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    loaded = assemble(read([("c.zip", buffer.getvalue())]).items)
    assert loaded.testset is not None
    assert loaded.testset.sources == tuple(f"s{k}" for k in range(N))


def test_ratings_with_tabs_and_spaces() -> None:
    """What awk and column leave behind is cut at both, with a notice."""
    intake = one("ratings.tsv", "judge\tsystem\tsegment\tscore\nP1 One\t1 80\nP1\tTwo 1 20\n")
    assert only(intake).system.tolist() == ["One", "Two"]
    assert any("TABs and by spaces" in notice.message for notice in intake.notices)


def test_quotation_marks_and_the_test_set_are_not_part_of_names() -> None:
    """R writes names in quotes, and campaigns write wmt22. before all of them."""
    intake = one("ad-seg-scores.csv", 'SYS SID RAW.SCR Z.SCR N\n"wmt30.One" 1 80 0.5 2\n"wmt30.Two" 1 20 -0.5 2\n')
    assert only(intake).system.tolist() == ["One", "Two"]
    assert any("wmt30." in notice.message for notice in intake.notices)


def test_a_name_that_only_one_system_has_stays() -> None:
    """A prefix of one system is its own."""
    assert only(one("da.csv", "judge,system,segment,score\np,wmt30.One,1,5\np,Two,1,6\n")).system.tolist() == ["wmt30.One", "Two"]  # fmt: skip


def test_language_pairs_in_two_and_three_letters_are_the_same() -> None:
    """Appraise writes ces-eng, the files of the test set cs-en."""
    assert same_pair("ces-eng", "cs-en")
    assert not same_pair("eng-ces", "cs-en")


@pytest.mark.parametrize("first", [0, 1])
def test_lists_of_hypotheses_count_from_zero_or_one(first: int) -> None:
    """Decoders differ; a list that starts later lacks its beginning."""
    text = "".join(f"{k + first} ||| a {k} ||| f= 1 ||| -1\n" for k in range(N))
    assert one("A.nbest", text).items[0].segments == tuple(f"a {k}" for k in range(N))
    assert one("A.nbest", text.replace(f"{first} |||", "7 |||", 1)).problems


@pytest.mark.parametrize(
    ("data", "name", "how"),
    [(b"PAR1\x15\x04", "a damaged Parquet file", "again"), (b"\x93NUMPY\x01\x00", "a damaged array of NumPy", "again")],
)
def test_formats_of_numbers_are_named(data: bytes, name: str, how: str) -> None:
    """The message says what it is and what to do, and nothing about encodings."""
    (problem,) = read([("A.bin", data)]).problems
    assert name in problem.what
    assert how in problem.fix


def test_sentence_scores_of_sacrebleu() -> None:
    """One file per system; TER is better if lower."""
    for metric, better in (("TER", "lower"), ("chrF2", "higher")):
        text = "".join(f"{metric}|nrefs:1|case:lc|version:2.6.0 = {50 + k}.0\n" for k in range(N))
        found = one("One.txt", text)
        (item,) = found.items
        assert (item.name, item.measure, item.segments[0]) == ("One", metric, "50.0")
        assert assemble(found.items).direction == Direction(better, "known")
    mixed = "TER|version:2.6.0 = 5\nBLEU|version:2.6.0 = 5 100.0/66.7 (BP = 0.7)\n"
    assert "2 signatures" in one("One.txt", mixed).problems[0].what


def test_questions_and_predictions_of_squad() -> None:
    """The gold answers of each question are references; predictions are matched by id, in any order."""
    qas = [{"id": f"q{k}", "answers": [{"text": f"a{k}"}, {"text": f"b{k}"}][: 1 + k % 2]} for k in range(N)]
    qas.append({"id": "none", "answers": [], "is_impossible": True})
    gold = {"version": "v2.0", "data": [{"title": "T", "paragraphs": [{"context": "c", "qas": qas}]}]}
    answers = {"none": ""} | {f"q{k}": f"a{k}" for k in reversed(range(N))}
    collection = Collection()
    collection.add([("dev.json", dumps(gold).encode()), ("One.json", dumps(answers).encode())])
    loaded = collection.sound()
    assert loaded.testset is not None
    assert loaded.testset.references[1][:2] == ("a0", "b1")
    assert loaded.testset.references[0][-1] == ""
    assert loaded.outputs[0].segments == (*(f"a{k}" for k in range(N)), "")
