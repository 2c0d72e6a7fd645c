"""Files that programs print: what each line gives, which of several counts, and what a note or an error names."""

from __future__ import annotations

import pytest

from sigcore.readers import Choice, Intake, read

Stream = tuple[str, str, str, tuple[str, ...], tuple[str, ...]]  # name, role, measure, segments, keys


def loaded(file: str, text: str, reader: str = "", **options: object) -> Intake:
    return read([(file, text.encode())], every=Choice(reader, options) if reader or options else None)


def streams(file: str, text: str, reader: str = "", **options: object) -> list[Stream]:
    intake = loaded(file, text, reader, **options)
    assert not intake.problems, intake.problems
    return [(one.name, one.role, one.measure, one.segments, one.keys) for one in intake.items]


def texts(file: str, text: str, reader: str = "", **options: object) -> list[tuple[str, ...]]:
    return [segments for *_, segments, _ in streams(file, text, reader, **options)]


def notes(file: str, text: str, reader: str = "") -> str:
    return " ".join(notice.message for notice in loaded(file, text, reader).notices)


def problem(file: str, text: str, reader: str = "", **options: object) -> tuple[str, int | None]:
    (one,) = loaded(file, text, reader, **options).problems
    return one.what, getattr(one, "line", None)


# ---- alignments of REF and HYP


def test_lines_below_one_number_are_one_sentence() -> None:
    """Gaps are no words, however many stars they have; other lines are counted, and the first is named."""
    text = "sentence 1\nREF: a long\nHYP: a *\n\nREF: one\nHYP: one\n\nsentence 2\nodd line\nREF: yes *** x\nHYP: yes no x\nodd too\n"
    assert texts("One.txt", text) == [("a long one", "yes x"), ("a one", "yes no x")]
    assert "2 other lines were not used; the first is line 9." in notes("One.txt", text)


def test_ids_of_utterances_are_used_if_all_differ() -> None:
    """Else segments are matched by place; sclite's capitals mark errors."""
    rows = "{0} ref: it rains\n{0} hyp: it rain\n"
    assert [keys for *_, keys in streams("One.txt", rows.format("u-1") + rows.format("u-2"))] == [("u-1", "u-2")] * 2
    assert [keys for *_, keys in streams("One.txt", rows.format("u-1") * 2)] == [()] * 2
    sclite = (
        "DUMP OF SYSTEM ALIGNMENT STRUCTURE\nid: (u-1)\nREF: it RAINS\nHYP: it RAIN\nid: (u-2)\nREF: yes\nHYP: NO\n"
    )
    assert texts("One.pra.txt", sclite) == [("it rains", "yes"), ("it rain", "no")]


# ---- scores of bert-score, COMET, METEOR, sacrebleu


def test_precision_recall_and_f1_are_three_measures() -> None:
    """The third is the harmonic mean of the others; the line of averages is no segment."""
    rows = "0.5\t0.25\t0.333333\n0.4\t0.4\t0.4\n0.3\t0.6\t0.4\n"
    average = "bert L17 P: 0.4 R: 0.4 F1: 0.4\n".replace("bert L17", "bert_L17")
    wanted = [("BERTScore P", "0.5"), ("BERTScore R", "0.25"), ("BERTScore F1", "0.333333")]
    for text in (rows, average + rows):
        assert [(measure, cells[0], len(cells)) for _, _, measure, cells, _ in streams("One.txt", text)] == [
            (*one, 3) for one in wanted
        ]
    two = "".join(line + "\n" for line in rows.split("\n")[:2])
    assert "BERTScore P" not in [measure for _, _, measure, *_ in streams("One.txt", two)]  # two rows may be anything
    assert "BERTScore P" in [measure for _, _, measure, *_ in streams("One.txt", average + two)]


def comet(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_segments_of_comet_have_their_number() -> None:
    """A missing one is a gap; what is no score is counted, without blank lines and scores of whole files."""
    text = comet(
        "loading",
        "",
        "a.txt\tSegment 0\tscore: 0.5",
        "a.txt\tSegment 2\tscore: 0.25",
        "a.txt\tscore: 0.4",
        "b.txt\tSegment 0\tscore: 0.1",
    )
    assert [(name, cells) for name, _, _, cells, _ in streams("out.txt", text)] == [
        ("a", ("0.5", "", "0.25")),
        ("b", ("0.1", "", "")),
    ]
    assert "Lines that are not scores were left out: 1." in notes("out.txt", text)
    same = comet("x/o.txt\tSegment 0\tscore: 0.5", "y/o.txt\tSegment 0\tscore: 0.1")
    assert [name for name, *_ in streams("out.txt", same)] == ["x/o.txt", "y/o.txt"]
    assert problem("out.txt", comet("a\tSegment 0\tscore: 1", "a\tSegment 0\tscore: 2")) == (
        "line 2: a has segment 0 a second time.",
        2,
    )


@pytest.mark.parametrize(("n", "read_as"), [(3, ("0.1", "0.2", "0.3")), (2, None)])
def test_numbered_scores_of_meteor(n: int, read_as: tuple[str, ...] | None) -> None:
    """Three lines that number them from 1; what follows is no segment."""
    lines = [f"Segment {k} score:\t0.{k}" for k in range(1, n + 1)]
    (found,) = texts("One.txt", "\n".join([*lines, "", "Final score: 0.2"]) + "\n") if n == 3 else [()]
    assert found == (read_as or ())
    wrong = "\n".join(["Segment 1 score: 0.1", "Segment 3 score: 0.2", "Segment 4 score: 0.3"]) + "\n"
    assert loaded("One.txt", wrong, holds="text").items[0].kind == "text"
    assert all(item.kind == "text" for item in loaded("One.txt", wrong).items)


def test_scores_of_sacrebleu_have_one_signature() -> None:
    """Two of one metric are two ways to count."""
    line = "BLEU|nrefs:1|tok:{}|version:2.4 = {}\n"
    assert texts("One.txt", line.format("13a", "50.0") + line.format("13a", "25.5")) == [("50.0", "25.5")]
    assert "2 signatures" in problem("One.txt", line.format("13a", "50.0") + line.format("intl", "25.5"))[0]


@pytest.mark.parametrize(
    ("text", "systems"),
    [
        ("A 0.5\nA 0.6\nB 0.1\nB 0.2\n", ["A", "B"]),
        ("A 0.5\nA 0.6\nA 0.7\nB 0.1\nB 0.2\n", []),  # not as many for each
        ("A 0.5\nA 0.6\n", []),  # one name alone may be a word
        ("A\t0.5\nA\t0.6\n", ["A"]),
        ("A 0.5\nB 0.6\nA 0.1\nB 0.2\n", []),  # not one after the other
    ],
)
def test_lines_of_a_system_and_its_score(text: str, systems: list[str]) -> None:
    """Blocks of equal length."""
    assert [one.name for one in loaded("x.scores", text).items if one.kind == "scores" and one.name in "AB"] == systems


def test_a_system_with_some_scores_is_kept() -> None:
    """One with none is named; a reference that was made of others is no system."""
    text = "A None\nA 0.5\nB None\nB None\nsynthetic_ref 1\nsynthetic_ref 1\n"
    assert [(name, cells) for name, _, _, cells, _ in streams("COMET.seg.score", text)] == [("A", ("", "0.5"))]
    assert "B has no scores; left out." in notes("COMET.seg.score", text)


# ---- logs of translation, lists of hypotheses


def test_the_first_detokenised_hypothesis_counts() -> None:
    """In the order of the ids, whatever the order of the log."""
    text = "S-1\tzwei\nT-1\ttwo\nH-1\t-0.1\tt wo\nD-1\t-0.1\ttwo!\nD-1\t-0.9\tto\n"
    text += "S-0\teins\nT-0\tone\nH-0\t-0.2\to ne\nD-0\t-0.2\tone!\nINFO done\n"
    assert [(name, cells) for name, _, _, cells, _ in streams("One.out", text)] == [
        ("One", ("one!", "two!")),
        ("One.ref", ("one", "two")),
        ("One.src", ("eins", "zwei")),
    ]
    bare = "".join(line + "\n" for line in text.split("\n") if line and not line.startswith("D-"))
    assert texts("One.out", bare)[0] == ("o ne", "t wo")
    lacking = text.replace("T-0\tone\n", "")
    assert problem("One.out", lacking)[0] == "Segment 0 has no line D- or no line T-."


@pytest.mark.parametrize("first", [0, 1])
def test_the_best_hypothesis_of_each_segment(first: int) -> None:
    """Counted from 0 or 1; marks inside of an output are text, and the first such line is named."""
    rows = [
        "{0} ||| a b ||| f ||| -1",
        "{0} ||| worse ||| f ||| -2",
        "{1} ||| c ||| d ||| f ||| -1",
        "{1} ||| e ||| f ||| -3",
    ]
    text = "".join(row.format(first, first + 1) + "\n" for row in rows)
    assert texts("One.nbest", text) == [("a b", "c ||| d")]
    inside = [one for one in loaded("One.nbest", text).notices if "kept as text" in one.message]
    assert [(one.message[:6], one.line) for one in inside] == [("1 of 2", 3)]


def test_lists_that_count_from_two_or_skip_are_refused() -> None:
    """With the line."""
    assert problem("One.nbest", "2 ||| a ||| f ||| -1\n3 ||| b ||| f ||| -1\n") == ("line 1: segment 2 comes first.", 1)
    assert problem("One.nbest", "0 ||| a ||| f ||| -1\n2 ||| b ||| f ||| -1\n") == (
        "line 2: segment 2 follows segment 0.",
        2,
    )


# ---- transcripts


def test_ids_of_one_part_need_five_lines() -> None:
    """Room1 may stand in a text; spk-1 hardly does."""
    four = "".join(f"utt{k} it rains {k}\n" for k in range(4))
    assert streams("One.txt", four)[0][4] == ()
    assert streams("One.txt", four + "utt9 yes yes\n")[0][4] == ("utt0", "utt1", "utt2", "utt3", "utt9")
    assert streams("One.txt", "spk-1 it rains\nspk-2 yes it does\n")[0][4] == ("spk-1", "spk-2")


@pytest.mark.parametrize(("n", "kind"), [(10, "scores"), (9, "text")])
def test_ten_utterances_with_numbers_are_scores(n: int, kind: str) -> None:
    """Fewer may be of systems."""
    text = "".join(f"spk-{k} 0.{k}\n" for k in range(n))
    found = loaded("One.wer.txt", text)
    assert [one.kind for one in found.items if one.kind == "scores" and one.keys] == (
        ["scores"] if kind == "scores" else []
    )


def test_times_of_a_recording() -> None:
    """Several are segments with their start; one is the recording. They are put in order, and what is not scored is left out."""
    line = "rec A spk {} {} <o,f0> {}\n"
    text = ";; a remark\n" + line.format("5.5", "7", "second words") + line.format("1", "3", "first words")
    text += line.format("8", "9", "IGNORE_TIME_SEGMENT_IN_SCORING")
    found = streams("One.stm", text)
    assert [(cells, keys) for *_, cells, keys in found] == [(("first words", "second words"), ("rec A 1", "rec A 5.5"))]
    alone = streams("One.stm", line.format("1", "3", "first words"))
    assert [(cells, keys) for *_, cells, keys in alone] == [(("first words",), ("rec A",))]
    words = "rec A 2.0 0.5 rains\nrec A 1.0 0.5 it\nother A 1.0 0.5 yes\n"
    assert [(cells, keys) for *_, cells, keys in streams("One.ctm", words)] == [
        (("yes", "it rains"), ("other A", "rec A"))
    ]


def test_words_go_to_the_time_of_their_middle() -> None:
    """Between two times to the nearer one, and in order within it."""
    stm = "rec A spk 0 2 one\nrec A spk 4 6 two\n"
    ctm = "rec A 1.8 1.0 late\nrec A 0.5 0.5 early\nrec A 2.6 1.0 near\nrec A 5.0 0.5 last\n"
    found = read([("ref.stm", stm.encode()), ("One.ctm", ctm.encode())])
    (one,) = (item for item in found.items if item.file == "One.ctm")
    assert dict(zip(one.keys, one.segments, strict=True)) == {"rec A 0": "early late", "rec A 4": "near last"}


# ---- plain files, and results that others published


@pytest.mark.parametrize(("reports", "refused"), [(4, True), (3, False)])
def test_four_fifths_of_the_lines_make_a_report(reports: int, refused: bool) -> None:
    """Fewer are a text with some such lines."""
    lines = [f"{k}. System {k} 0.{k}" for k in range(1, reports + 1)] + ["it rains in the north"] * (5 - reports)
    problems = loaded("One.txt", "\n".join(lines) + "\n").problems
    assert any("a ranking of systems" in one.what for one in problems) is refused


def test_scores_of_lines_have_the_direction_that_is_said() -> None:
    """And the name of a metric with its reference is no reference."""
    text = "0.5\n0.25\n0.75\n"
    (item,) = loaded("One.txt", text, "plain", better="lower").items
    assert (item.kind, item.better) == ("scores", "lower")
    (item,) = loaded("One.txt", "it rains\n", "plain", better="lower").items
    assert (item.kind, item.better) == ("text", "")
    (item,) = loaded("One.COMET-refA.txt", text).items
    assert (item.role, item.kind) == ("system", "scores")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (",A,B\nA,-,0.01**\nB,0.5,-\n", "a value for each pair"),
        (",A,B\nB,-,0.01\nA,0.5,-\n", ""),  # the rows are in another order than the columns
        ("metric,system,score\nBLEU,A,1\nBLEU,B,2\nTER,A,3\n", "scores of systems"),
        ("metric,system,score\nBLEU,A,1\nBLEU,A,2\nBLEU,B,1\nBLEU,B,2\n", ""),  # of segments
        ("better,worse,p\nA,B,0.01\n", "significant pairs of systems"),
        ("WINS,TOTAL,SYSTEM\n1,2,A\n", "clusters of systems"),
    ],
)
def test_results_about_systems_are_set_aside(text: str, what: str) -> None:
    """They are no outputs; what else looks like one is read."""
    found = [item.note for item in loaded("x.csv", text).items if item.role == "ignored" and "published" in item.note]
    assert [what in note for note in found] == [True] * bool(what)


def test_a_text_that_begins_like_a_score_is_a_text() -> None:
    """Nothing stands behind the numbers of METEOR."""
    text = "".join(f"Segment {k} score: 0.{k} as we said\n" for k in range(1, 5))
    assert {item.kind for item in loaded("One.txt", text).items} <= {"text"}


@pytest.mark.parametrize("end", ["nbest", "n-best", "best100", "nbest10.out", "best.out"])
def test_lists_are_named_after_their_system(end: str) -> None:
    """Without what says that they are lists."""
    assert streams(f"One.{end}", "0 ||| a ||| f ||| -1\n", "nbest")[0][0] == "One"
