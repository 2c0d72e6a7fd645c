"""A study: its keys, and what it refuses. How it runs: progress, partial results, and the end of an unwanted run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import Cancelled, OptionError
from sigcore.executors import Serial
from sigcore.studies.matrix.compute import pairs_of
from sigcore.study import LOCAL, Runtime, Settings, Study, digest_of
from sigcore.testset import Outputs, Testset
from sigcore.types import ALL_PAIRS, PLANNED_PAIR, QUESTION, Comparisons

TEST = Testset("news", "text", 2, (("a b", "c"),), ("A", "B"), ("d", "d"), ("x", "y"))
PAIR = (Outputs("one", ("a b", "d")), Outputs("two", ("a", "c")))
THIRD = Outputs("three", ("b", "c"))
STUDY = Study(TEST, PAIR)

# Another value of every field: a new field without one fails.
OTHER: dict[str, Any] = {
    "testset": replace(TEST, name="other"),
    "outputs": PAIR[::-1],
    "metrics": (("bleu", {"tokenize": "char"}),),
    "tests": ("paired_bootstrap",),
    "unit": "document",
    "settings": Settings("greater"),
    "family": PLANNED_PAIR,
    "alpha": 0.01,
    "resamples": 20_000,
    "seed": 1,
    "among": 5,
}
OF_TESTSET: dict[str, Any] = {
    "name": "other",
    "kind": "trees",
    "references": (("a b", "e"),),
    "sources": ("A", "C"),
    "domains": ("d", "e"),
    "documents": ("x", "x"),
    "by_document": QUESTION,
    "digest": "another digest",
}
OF_OUTPUTS: dict[str, Any] = {"system": "x", "segments": ("a b", "e"), "run": "2", "group": "g", "digest": "another"}
OF_SETTINGS: dict[str, Any] = {
    "side": "less",
    "estimator": "paper",
    "ties": "strict",
    "correction": "bonferroni",
    "exact": True,
}


@pytest.mark.parametrize("name", [one.name for one in fields(Study)])
def test_every_field_changes_the_digest(name: str) -> None:
    """Two studies that differ in any field have different keys, and equal ones the same."""
    other = replace(STUDY, **{name: OTHER[name]})
    assert other.digest != STUDY.digest
    assert replace(other, **{name: getattr(STUDY, name)}).digest == STUDY.digest


@pytest.mark.parametrize("name", [one.name for one in fields(Settings)])
def test_every_setting_changes_the_digest(name: str) -> None:
    """How counts are read is part of the key."""
    settings = replace(Settings(), **{name: OF_SETTINGS[name]})
    assert replace(STUDY, settings=settings).digest != STUDY.digest


@pytest.mark.parametrize("name", [one.name for one in fields(Testset) if one.name != "n"])
def test_everything_in_a_test_set_changes_the_digest(name: str) -> None:
    """Its references by the digest of their contents; documents, domains and sources too, since notes speak of them."""
    fresh = {"digest": ""} if name == "references" else {}
    assert replace(STUDY, testset=replace(TEST, **{name: OF_TESTSET[name], **fresh})).digest != STUDY.digest


def test_the_number_of_segments_changes_the_digest() -> None:
    """A test set of scores has nothing else."""
    assert digest_of(Testset("t", "scores", 3)) != digest_of(Testset("t", "scores", 4))


@pytest.mark.parametrize("name", [one.name for one in fields(Outputs)])
def test_everything_in_the_outputs_changes_the_digest(name: str) -> None:
    """Names and groups as well as segments."""
    fresh = {"digest": ""} if name == "segments" else {}
    other = replace(PAIR[0], **{name: OF_OUTPUTS[name], **fresh})
    assert replace(STUDY, outputs=(other, PAIR[1])).digest != STUDY.digest


FREE = {"alpha", "family", "settings", "among"}  # the last three change what is drawn only where they change the unit


@pytest.mark.parametrize("name", [one.name for one in fields(Study)])
def test_only_what_is_drawn_changes_the_draws(name: str) -> None:
    """Alpha, the side, the estimator, ties and the family are applied to the same counts; all else draws again."""
    assert (replace(STUDY, **{name: OTHER[name]}).draws == STUDY.draws) == (name in FREE)


@pytest.mark.parametrize(
    ("test", "correction", "joint"),
    [
        ("approximate_randomization", "auto", ("joint",)),
        ("approximate_randomization", "bonferroni", ()),
        ("paired_bootstrap", "bonferroni", ()),
        ("paired_bootstrap", "auto", ("joint",)),
        ("paired_bootstrap", "joint", ("joint",)),
    ],
)
def test_a_correction_draws_again_only_if_it_needs_the_joint_null(
    test: str, correction: str, joint: tuple[str, ...]
) -> None:
    """Holm and its like are computed from the same counts; max-T is prepared while they are drawn."""
    plain = replace(STUDY, outputs=(*PAIR, THIRD), tests=[test], settings=Settings(correction="none"))
    other = replace(plain, settings=Settings(correction=correction))
    assert other.joint == joint
    assert (other.draws == plain.draws) == (not joint)
    assert replace(other, outputs=PAIR, family=PLANNED_PAIR).joint == ()


@pytest.mark.parametrize("name", ["estimator", "side", "ties"])
def test_how_p_is_read_draws_nothing_again(name: str) -> None:
    """Each of them alone leaves the key of the counts as it is, also beside a joint null."""
    for correction in ("holm", "joint"):
        plain = replace(STUDY, outputs=(*PAIR, THIRD), tests=["paired_bootstrap"])
        plain = replace(plain, settings=Settings(correction=correction))
        assert replace(plain, settings=replace(plain.settings, **{name: OF_SETTINGS[name]})).draws == plain.draws


def test_a_family_has_draws_of_its_own_whenever_it_was_chosen() -> None:
    """Another baseline is another key; that it was chosen after scores were shown is part of the result, not of the draws."""
    study = replace(STUDY, outputs=(*PAIR, THIRD))
    one = replace(study, family=Comparisons("one baseline", "one"))
    late = replace(study, family=Comparisons("one baseline", "one", late=True))
    assert len({study.draws, one.draws, replace(study, family=Comparisons("one baseline", "two")).draws}) == 3
    assert late.draws == one.draws
    assert late.digest != one.digest


def test_a_key_is_the_same_in_every_process() -> None:
    """Neither the addresses of objects nor the seed of hashes are part of it."""
    code = (
        "from sigcore.study import *; from sigcore.testset import *;"
        "t = Testset('news', 'text', 2, (('a b', 'c'),), ('A', 'B'), ('d', 'd'), ('x', 'y'));"
        "s = Study(t, [Outputs('one', ('a b', 'd')), Outputs('two', ('a', 'c'))]);"
        "print(s.digest, s.draws, digest_of({'b': 1, 'a': {3, 1, 2}}))"
    )
    mine = f"{STUDY.digest} {STUDY.draws} {digest_of({'a': {2, 1, 3}, 'b': 1})}"
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        assert done.stdout.strip() == mine


def test_the_order_of_options_is_no_other_question() -> None:
    """Options are named, so their order says nothing."""
    one, other = ({"tokenize": "none", "lowercase": True}, {"lowercase": True, "tokenize": "none"})
    assert replace(STUDY, metrics=[("bleu", one)]).digest == replace(STUDY, metrics=[("bleu", other)]).digest


@dataclass(frozen=True)
class Plan:
    """A plan beside a study."""

    draws: int = 3
    names: tuple[str, ...] = ()
    known: Mapping[str, object] = field(default_factory=dict)


def test_a_plan_beside_a_study_is_part_of_the_key() -> None:
    """Every field of it counts, and so does where one value ends and the next begins."""
    records = [Plan(), Plan(4), Plan(names=("a",)), Plan(names=("", "a")), Plan(names=("a", "")), Plan(known={"a": 1})]
    records += [Plan(known={"a": "1"}), Plan(known={"a": None}), Plan(known={"a": np.arange(3)})]
    records += [Plan(known={"a": np.arange(3.0)}), Plan(known={"a": np.arange(4)}), Plan(known={"a": True})]
    keys = [digest_of(STUDY, record) for record in records]
    assert len(set(keys)) == len(keys)
    assert digest_of(STUDY, Plan()) != digest_of(Plan(), STUDY)
    assert digest_of(b"1bytes 2", b"") != digest_of(b"1", b"2bytes ")
    assert len({digest_of(zeros) for zeros in (np.zeros(4), np.zeros((2, 2)), np.zeros(4, dtype=np.int64))}) == 3
    assert digest_of(Plan()) == digest_of(Plan())


def test_what_has_no_contents_is_refused() -> None:
    """A function in a key would be its address, which is another one in every process."""
    for bad in (lambda: 1, object(), Plan):
        with pytest.raises(TypeError, match="no contents"):
            digest_of(bad)


def test_a_member_is_known_by_its_name() -> None:
    """Metrics hold functions; their names say which they are."""
    assert digest_of(metrics.get("bleu")) != digest_of(metrics.get("ter"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": 1.0}, "alpha"),
        ({"resamples": 0}, "resamples"),
        ({"resamples": "many"}, "auto"),
        ({"seed": -1}, "seed"),
        ({"unit": "words"}, "unit"),
        ({"family": PLANNED_PAIR, "outputs": PAIR[:1]}, "planned pair"),
        ({"family": Comparisons("one baseline", "nobody")}, "nobody"),
        ({"family": Comparisons("chosen pairs", pairs=(("one", "one"),))}, "itself"),
    ],
)
def test_impossible_studies_are_refused(changes: dict[str, Any], words: str) -> None:
    """A study that exists can be computed, as far as its own fields say."""
    with pytest.raises(OptionError, match=words):
        replace(STUDY, **changes)


def test_a_study_keeps_what_it_was_given() -> None:
    """Lists become tuples, so that nobody changes them afterwards."""
    systems = list(PAIR)
    study = Study(TEST, systems, [("bleu", {})], ["paired_bootstrap"])
    systems.clear()
    assert (study.outputs, study.metrics, study.tests) == (PAIR, (("bleu", {}),), ("paired_bootstrap",))
    assert study.of_pair(*PAIR[::-1]).outputs == PAIR[::-1]


def test_the_executor_is_that_of_this_machine_unless_one_is_given():
    """Without an executor there is one; a given one is used as it is."""
    mine = Serial()
    assert Runtime(executor=mine).mapper is mine
    assert list(LOCAL.mapper.map(abs, [-1, 2])) == [1, 2]


def test_nobody_is_told_where_nobody_waits():
    """Without progress and cancel there is no callback, and a stage adds none."""
    assert LOCAL.report is None
    assert LOCAL.staged("parts", 1, 2) is LOCAL
    LOCAL.show("a partial result that nobody looks at")


def test_a_stage_reports_the_runs_that_are_done():
    """Within one of several runs the outer count is reported, not that of the run."""
    told: list[tuple[str, int, int]] = []
    inner = Runtime(progress=lambda *now: told.append(now)).staged("parts", 3, 7)
    assert inner.report is not None
    inner.report("resampling", 20, 90)
    assert told == [("parts", 3, 7)]


def test_a_run_ends_at_its_next_report():
    """`cancel` is asked at every report, inside a stage too, and nothing is reported afterwards."""
    told: list[str] = []
    stop = [False]
    runtime = Runtime(progress=lambda stage, *_: told.append(stage), cancel=lambda: stop[0])
    for one in (runtime, runtime.staged("parts", 0, 1)):
        stop[0] = False
        assert one.report is not None
        one.report("drawing", 0, 1)
        stop[0] = True
        with pytest.raises(Cancelled):
            one.report("drawing", 1, 1)
    assert told == ["drawing", "parts"]
    with pytest.raises(Cancelled):
        Runtime(cancel=lambda: True).report("drawing", 0, 1)  # type: ignore[misc]


def test_partial_results_are_published():
    """What a study shows reaches the one who looks at it."""
    seen: list[object] = []
    Runtime(publish=seen.append).show(3)
    assert seen == [3]


def test_the_usual_correction_of_thousands_of_systems_is_holm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Max-T over millions of pairs takes hours; who asks for it gets it."""
    outputs, usual = (*PAIR, THIRD), Settings(correction="auto")
    assert Study(TEST, outputs, settings=usual).joint == ("joint",)
    monkeypatch.setattr("sigcore.corrections.MOST_JOINT", 2)
    large = Study(TEST, outputs, settings=usual)
    assert (large.settings.correction, large.joint) == ("holm", ())
    assert Study(TEST, outputs, settings=Settings(correction="joint")).joint == ("joint",)
    assert Study(TEST, PAIR, settings=usual).settings.correction == "auto"


@pytest.mark.parametrize(
    "family", [ALL_PAIRS, Comparisons("one baseline", "b"), Comparisons("chosen pairs", pairs=(("c", "a"), ("a", "d")))]
)
def test_the_size_of_a_family_is_the_number_of_its_tests(family: Comparisons) -> None:
    """Without a list of them, which is long for thousands of systems; its pairs are in order, each once."""
    for systems in ("abcd", "abcdefg"):
        directed = family.directed(systems)
        assert family.size(systems) == len(directed)
        assert pairs_of(family, systems).tolist() == sorted(map(sorted, directed.tolist()))
    with pytest.raises(OptionError, match="is not among the systems"):
        Comparisons("one baseline", "z").size("abc")
