"""Rows that are whole systems or runs, rankings, and texts that are alike: one row, word or name to either side of each bound."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found, Item
from sigcore.readers.tables import likeness, outcomes, ranked, ways, whole
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, item, table


def refused(heads: str, cells: Cells, rows: int = 12, said: bool = False) -> str:
    try:
        whole.refuse(table(heads, cells, rows), said)
    except ReadError as error:
        return error.what
    return ""


def test_one_row_of_numbers_is_of_whole_systems() -> None:
    """Three columns of them at least, and nothing else."""
    told = "t.csv has one row for 3 systems: scores of whole systems, not of segments."
    assert told in refused("A B C", lambda k: (1, 2, 3), 1)
    assert refused("A B", lambda k: (1, 2), 1) == ""
    assert refused("A B C", lambda k: (1, 2, 3), 2) == ""
    assert refused("A B C", lambda k: (1, 2, "x"), 1) == ""
    assert refused("A B C", lambda k: (1, 2, 3), 1, said=True) == ""


def test_a_row_for_each_system_or_measure() -> None:
    told = "t.csv has one row per system: scores of whole systems, not of segments."
    assert told in refused("model A B", lambda k: (f"m{k}", k / 7, k / 9))
    assert told in refused("model_name A B", lambda k: (f"m{k}", k / 7, k / 9))
    assert told in refused("method bleu B", lambda k: (f"m{k}", k / 7, k / 9))
    assert told in refused("method A mean", lambda k: (f"m{k}", k / 7, k / 9))
    assert told in refused("model A B", lambda k: (k, k / 7, k / 9))
    assert refused("method A B", lambda k: (f"m{k}", k / 7, k / 9)) == ""
    assert refused("model A B", lambda k: (f"m{k // 2}", k / 7, k / 9)) == ""
    assert refused("model A id", lambda k: (f"m{k}", k / 7, k)) == ""
    assert refused("model A run", lambda k: (f"m{k}", k / 7, k)) == ""
    assert refused("model A B", lambda k: ("m " * 6 + f"x{k}", k / 7, k / 9)) == ""
    assert told in refused("model A B", lambda k: ("m " * 5 + f"x{k}", k / 7, k / 9))
    assert "one row per measure" in refused("x A B", lambda k: (("bleu", "ter", "comet")[k], k / 7, k / 9), 3)


def test_a_row_for_each_test_set_or_that_sums_up_others() -> None:
    assert "Each row has another language pair" in refused("language~pair A B", lambda k: (f"l{k}", k / 7, k / 9))
    assert "Each row has another dataset" in refused("dataset A B", lambda k: (f"l{k}", k / 7, k / 9))
    assert "Each row sums up others" in refused("x A stderr", lambda k: (f"l{k}", k / 7, k / 9))
    assert "Each row sums up others" in refused("x y stderr", lambda k: (f"l{k // 2}", f"m{k % 2}", k / 9))
    assert refused("x y stderr", lambda k: (f"l{k // 2}", f"m{k // 2}", k / 9)) == ""
    assert refused("id A stderr", lambda k: (f"l{k}", k / 7, k / 9)) == ""


def test_the_way_out_turns_the_table_where_columns_may_be_questions() -> None:
    def turns(heads: str, mark: str = "") -> bool:
        of = table(heads, lambda k: (f"m{k}", *(f"{k / 7:.2f}{mark}" for _ in heads.split()[1:])), 2)
        return "--columns rows=system" in whole.systems(of).fix

    assert [turns(heads) for heads in ("model q1 q2", "model q1", "model q1 q2 mean", "model q1 q2 q3 bleu", "model q1 q2 q3 q4 bleu")] == [
        True, False, False, False, True,
    ]  # fmt: skip
    five = "model qa qb qc qd qe"
    assert turns(five)
    assert turns(five, mark="%")
    assert turns(f"{five} mean")
    assert turns(f"{five} bleu")
    for heads in ("model qa qb qc qd mean", f"{five} bleu chrf", f"{five} score", "model qa qb qc qd seed mean"):
        assert not turns(heads)
    assert "--columns" not in whole.systems(table(five, lambda k: (f"m{k}", k, k, k, k, k), 2), "measure").fix


def seeds(settings: int = 2, each: int = 6, heads: str = "method seed bleu") -> tuple[str, str, list[str]]:
    of = table(
        heads, lambda k: (f"m{k % settings}", k // settings, k / 7, *["x"] * (len(heads.split()) - 3)), settings * each
    )
    try:
        whole.refuse_runs(of)
    except whole.Unclear as error:
        return error.why, error.advice, [one.role for one in error.claims]
    return "", "", []


def test_a_row_for_each_seed_of_each_setting() -> None:
    """Six that several have may be compared, if somebody says so."""
    told = "Each row is a whole run: 6 seeds of each method, and no scores of segments."
    way = f"{whole.OF_RUNS} To compare whole runs, seed by seed: --columns method=system seed=question bleu=score."
    assert seeds() == (told, way, ["system", "run", "score"])
    few = f"{whole.OF_RUNS} 5 seeds of each are too few to pair them: no exact p can be as small as 0.05."
    assert seeds(each=5) == (told.replace("6", "5"), few, ["system", "run", "score"])
    assert seeds(12, 6)[0] == told
    assert seeds(13, 6)[0] == ""
    assert seeds(1, 6)[0] == ""
    assert seeds(2, 2)[0] != ""
    for heads in ("method run bleu", "method seed A", "system seed bleu", "method seed bleu id"):
        assert seeds(heads=heads)[0] == ""


def test_what_a_tracker_exports_is_refused() -> None:
    heads = "Name Created Runtime bleu"
    with pytest.raises(ReadError, match="It looks like an export of Weights & Biases"):
        whole.refuse_runs(table(heads, lambda k: (k, k, k, k)))
    whole.refuse_runs(table("Name Created bleu", lambda k: (k, k, k)))
    with pytest.raises(ReadError, match="It looks like an export of MLflow"):
        whole.refuse_runs(table("run_id experiment_id artifact_uri metrics.bleu", lambda k: (k, k, k, k)))
    whole.refuse_runs(table("run_id experiment_id bleu", lambda k: (k, k, k)))


def test_a_row_for_each_named_run_is_refused_where_all_numbers_are_measures() -> None:
    with pytest.raises(ReadError, match="Each row is a whole run, which run name names"):
        whole.refuse_runs(table("run~name bleu out_accuracy", lambda k: (f"run_{k}", k / 7, k / 9)))
    whole.refuse_runs(table("run~name bleu other", lambda k: (f"run_{k}", k / 7, k / 9)))
    whole.refuse_runs(table("run~name bleu id", lambda k: (f"run_{k}", k / 7, k)))
    whole.refuse_runs(table("run_id bleu", lambda k: (f"run_{k}", k / 7)))
    whole.refuse_runs(table("run~name note", lambda k: (f"run_{k}", f"n{k}")))


def board(heads: str, cells: Cells = lambda k: (f"m{k % 3}", f"t{k // 3}", k / 7, k / 9)) -> list[str]:
    try:
        whole.refuse_board(table(heads, cells))
    except Unclear as asked:
        return [roles for _, roles in asked.ways if "and no scores of segments" in asked.what]
    return ["none"]


def test_a_row_for_each_system_and_test_set_is_asked_about() -> None:
    """Each test set may count as a question, by one measure; more than three measures are offered together."""
    said = "model=system task=question"
    assert board("model task bleu note") == [f"{said} bleu=score"]
    assert board("model task bleu chrf") == [f"{said} bleu=score", f"{said} chrf=score"]
    assert board("model language bleu note") == ["model=system language=question bleu=score"]
    for heads in (
        "thing task bleu A",
        "model thing bleu A",
        "model task A B",
        "model task bleu id",
        "model task bleu score",
    ):
        assert board(heads) == ["none"]
    # rows of several questions, and one row for each system
    assert board("model task bleu A", lambda k: (f"m{k % 3}", f"t{k // 6}", k / 7, k / 9)) == ["none"]
    assert board("model task bleu A", lambda k: (f"m{k}", f"t{k // 3}", k / 7, k / 9)) == ["none"]
    many = board("model task bleu chrf ter comet", lambda k: (f"m{k % 3}", f"t{k // 3}", k, k, k, k))
    assert many == [f"{said} bleu=score chrf=score ter=score comet=score"]
    # what is filled in most comes first
    gaps = board("model task bleu chrf", lambda k: (f"m{k % 3}", f"t{k // 3}", "" if k == 5 else k, k))
    assert gaps[0] == f"{said} chrf=score"


def test_names_that_nearly_all_differ_are_of_whole_systems() -> None:
    """One was run twice; below `name` beside measures stand systems, unless these are files or ids."""
    told = "one row per system"
    assert told in refused("model A B", lambda k: (f"m{max(k, 2)}", k / 7, k / 9))  # 10 of 12
    assert refused("model A B", lambda k: (f"m{max(k, 3)}", k / 7, k / 9)) == ""
    assert told not in refused("model A B", lambda k: (f"m{max(k, 1)}", k / 7, k / 9), 5)
    assert told in refused("name bleu B", lambda k: (f"m{k}x", k / 7, k / 9))
    assert told in refused("name bleu B", lambda k: (f"m{max(k, 2)}x", k / 7, k / 9))
    assert told in refused("name bleu B", lambda k: ("m " * 8 + f"x{k}y", k / 7, k / 9))
    assert refused("name A B", lambda k: (f"m{k}x", k / 7, k / 9)) == ""
    assert refused("name bleu B", lambda k: (f"m{k}", k / 7, k / 9)) == ""
    assert refused("name bleu B", lambda k: (f"m{k}.wav", k / 7, k / 9)) == ""
    assert told in refused("name bleu B", lambda k: (f"m{k}x", k / 7, k / 9), 29)
    assert refused("name bleu B", lambda k: (f"m{k}x", k / 7, k / 9), 30) == ""


def test_rows_that_sum_up_others_may_be_questions_of_two_systems() -> None:
    def ways_of(heads: str) -> list[str]:
        with pytest.raises(Unclear, match="Each row sums up others") as asked:
            whole.refuse(table(heads, lambda k: (f"l{k}", *(k / 7 for _ in heads.split()[1:]))), False)
        return [roles for _, roles in asked.value.ways]

    said = "x=question f1_A=system f1_B=system stderr=ignored"
    assert ways_of("x f1_A f1_B stderr") == [said]
    assert ways_of("x f1_A A stderr") == []
    assert ways_of("x f1_A f1_B acc_A acc_B stderr") == []


def test_rows_of_runs_of_a_system() -> None:
    def runs(heads: str, cells: Cells) -> bool:
        return whole.runs(table(heads, cells), 0) is not None

    assert runs("system run bleu", lambda k: (f"s{k % 3}", k // 3, k))
    assert not runs("system run bleu", lambda k: (f"s{k % 3}", k // 6, k))
    assert runs("system run task", lambda k: (f"s{k % 3}", k // 6, f"t{k // 3 % 2}"))
    assert not runs("system thing bleu", lambda k: (f"s{k % 3}", k // 3, k))


def test_columns_in_which_nothing_was_filled_in() -> None:
    def told(heads: str, cells: Cells = lambda k: (k, "")) -> str:
        return outcomes.unfilled(table(heads, cells, 3))

    assert told("id score") == " Nothing is filled in below score."
    assert told("id summary_1_Fluency") == " Nothing is filled in below summary_1_Fluency."
    assert told("id winner") == " Nothing is filled in below winner."
    assert told("id colour") == ""
    assert told("id score", lambda k: (k, k or "")) == ""
    assert outcomes.unfilled(table("id score", lambda k: (), 0)) == ""


# Rankings.


@pytest.mark.parametrize(
    ("cells", "is_one"),
    [
        ("1 2 3", True), ("3 1 2", True), ("1 1 2", True), ("1 1 3", True), ("1 2 2", True), ("1 3 3", False), ("2 3 4", False),
        ("1 2 x", False), ("0 1 2", False), ("1 1 1", True), ("1.0 2.0", True), ("1 1.5", False), ("1 2 4", False),
    ],
)  # fmt: skip
def test_ranks_begin_with_one(cells: str, is_one: bool) -> None:
    """Of equal systems all have the best rank, and the next may be left out."""
    assert ranked.is_ranking(cells.split()) is is_one


def test_systems_with_their_ranks() -> None:
    heads = "srcIndex judge system1Id system1rank system2Id system2rank system3Id system3rank"
    places = ranked.columns(heads.split())
    assert places == [(2, 3), (4, 5), (6, 7)]
    assert ranked.columns(heads.split()[:4]) == []
    assert ranked.columns(["model_1", "model_2", "rank_1", "rank_2"]) == [(0, 2), (1, 3)]
    result = Found()
    of = Table(
        "t.csv",
        heads.split(),
        [["7", "ann", "A", "1", "B", "2", "C", "2"], ["8", "ann", "A", "-1", "B", "2", "C", "1"]],
        [2, 3],
    )
    assert ranked.found(of, result, alone=True)
    (judged,) = result.preferences
    rows = zip(judged.first, judged.second, judged.outcome, judged.question, judged.judge, strict=True)
    assert [(str(a), str(b), float(c), str(d), str(e)) for a, b, c, d, e in rows] == [
        ("A", "B", 1.0, "7", "ann"), ("A", "C", 1.0, "7", "ann"), ("B", "C", 0.5, "7", "ann"), ("B", "C", 0.0, "8", "ann"),
    ]  # fmt: skip
    assert result.notices[0].message == (
        "It has rankings of 3 systems, rank 1 the best, which compare all pairs of a row; questions: srcIndex."
    )


def test_rankings_of_several_language_pairs() -> None:
    heads = ["srclang", "trglang", "system1Id", "system1rank", "system2Id", "system2rank"]
    result = Found()
    of = Table("t.csv", heads, [["de", "en", "A", "1", "B", "2"], ["en", "de", "A", "2", "B", "1"]], [2, 3])
    assert ranked.found(of, result, alone=False)
    assert [one.name for one in result.preferences] == ["t de-en", "t en-de"]
    assert "each row is one" in result.notices[0].message
    with pytest.raises(ReadError, match="No row ranks two systems"):
        ranked.found(Table("t.csv", heads, [["de", "en", "A", "1", "B", ""]], [2]), Found(), alone=True)
    with pytest.raises(ReadError, match="column system2rank: 'x' is no rank") as error:
        ranked.found(Table("t.csv", heads, [["de", "en", "A", "1", "B", "x"]], [2]), Found(), alone=True)
    assert error.value.line == 2


def test_ranks_in_a_column_for_each_system() -> None:
    def measures(*columns: tuple[str, str], role: str | None = None) -> list[str]:
        of = table("x", lambda k: (k,), 2)
        of = Table(of.file, of.headings, of.rows, of.places, role=role)  # type: ignore[arg-type]
        return [
            one.measure for one in ranked.as_ranks(of, [item(name, cells.split()) for name, cells in columns], Found())
        ]

    assert measures(("A rank", "1 2"), ("rank_B", "2 1")) == ["mean rank"] * 2
    assert measures(("A rank", "1 2"), ("B", "2 1")) == ["", ""]
    assert measures(("A rank", "1 2"), ("rank_B", "2 2")) == ["mean rank"] * 2  # places from 1 on
    assert measures(("A rank", "1 2"), ("rank_B", "0 2")) == ["", ""]
    assert measures(("A rank", "1 2"), ("rank_B", "1.5 2")) == ["", ""]
    assert measures(("A rank", "1 1")) == [""]
    assert measures(("A rank", "1 2"), ("rank_B", "2 1"), role="system") == ["", ""]


def test_ranks_in_one_column() -> None:
    def found(heads: str, cells: Cells) -> list[int]:
        return ranked.column_of(table(heads, cells, 6), [2], [0])

    assert found("id system rank", lambda k: (k // 2, "AB"[k % 2], k % 2 + 1)) == [2]
    assert found("id system place_x", lambda k: (k // 2, "AB"[k % 2], k % 2 + 1)) == [2]
    assert found("id system score", lambda k: (k // 2, "AB"[k % 2], k % 2 + 1)) == []
    assert found("id system rank", lambda k: (k // 2, "AB"[k % 2], k % 2 + 2)) == []
    assert found("id system rank", lambda k: (k, "AB"[k % 2], 1)) == []


# Texts that share their words.


def text(*words: str) -> str:
    return " ".join(words)


def test_the_share_of_words_of_the_first_hundred_rows() -> None:
    one, other = item("A", ["a b c d"] * 100 + ["x"], "text"), item("B", ["A b y z"] * 100 + ["x"], "text")
    assert likeness.shared(one, other) == 0.5
    assert likeness.shared(item("A", ["a b"], "text"), item("B", ["a"], "text")) == pytest.approx(2 / 3)
    assert likeness.shared(item("A", ["a", ""], "text"), item("B", ["a", "b"], "text")) == 1
    assert likeness.shared(item("A", [""], "text"), item("B", ["a"], "text")) == 0


def right(*items: Item, role: str | None = None) -> int | None:
    of = table("x", lambda k: (k,), 2)
    of = Table(of.file, of.headings, of.rows, of.places, role=role)  # type: ignore[arg-type]
    return likeness.right_text(of, dict(enumerate(items)))


SAID, HEARD, OTHER = (
    item("A", [text(f"a{k}", f"b{k}", *more) for k in range(12)], "text")
    for more in (("c", "d"), ("c", "e"), ("x", "y"))
)


def called(one: Item, name: str) -> Item:
    return replace(one, name=name)


def test_a_sentence_that_shares_half_of_its_words_with_outputs_is_right() -> None:
    assert right(called(SAID, "sentence"), called(HEARD, "whisper")) == 0
    assert right(called(SAID, "sentence"), called(OTHER, "whisper")) == 0  # half of them
    far = item("far", [text(f"a{k}", "x", "y", "z") for k in range(12)], "text")
    assert right(called(SAID, "sentence"), called(far, "whisper")) is None
    assert right(called(SAID, "text"), called(HEARD, "whisper")) is None
    assert right(called(SAID, "text"), called(HEARD, "output")) == 0
    assert right(called(SAID, "transcription"), called(HEARD, "transcription_whisper")) == 0
    assert right(called(SAID, "sentence")) is None
    assert right(called(SAID, "sentence"), called(HEARD, "whisper"), role="system") is None
    gold = item("gold", SAID.segments, "text", "reference")
    assert right(called(SAID, "sentence"), called(HEARD, "whisper"), gold) is None


@pytest.mark.parametrize(("marks", "are"), [(11, True), (12, False)])
def test_up_to_eleven_whole_numbers_are_marks_of_people(marks: int, are: bool) -> None:
    of = table("ann bob", lambda k: (k % marks, k % marks), 24)
    shown = ways.of_long(of, [], [0, 1])
    assert (
        [what for what, _ in shown] == ["ann, bob are people, whose ratings are averaged", "each is a measure"]
    ) is are
    assert ways.of_long(of, [0], [1]) == []
    assert ways.of_long(of, [], [1]) == []
    assert ways.of_long(table("bleu bob", lambda k: (k % 5, k % 5)), [], [0, 1]) == []
    assert ways.of_long(table("ann bob", lambda k: (k % 5 / 2, k % 5)), [], [0, 1]) == []
