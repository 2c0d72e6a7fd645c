"""Members that are wrong on purpose are refused by the contract tests, and the right ones beside them are not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from sigcore import corrections, metrics, readers, registry, significance, tuning
from sigcore.errors import SigError
from sigcore.proof import Parsed, Proof, Scored
from tests import proofs
from tests.broken import hochberg, jaccard, sign_test
from tests.proofs import of_corrections, of_methods, of_metrics, of_readers, of_tests

CHECKS: dict[Any, dict[str, Callable[[Any], list[str]]]] = {
    hochberg: {
        "faults": lambda member: [*of_corrections.faults(member)],
        "unnoticed": of_corrections.unnoticed,
        "errors": lambda member: [*of_corrections.errors(member)],
    },
    sign_test: {
        "faults": lambda member: [*of_tests.faults(member)],
        "unnoticed": of_tests.unnoticed,
        "levels": lambda member: [*of_tests.wrong_levels(member)],
    },
    jaccard: {"faults": lambda member: [*of_metrics.faults(member)], "unnoticed": of_metrics.unnoticed},
}
# What refuses each of them: all that does, so that a check that goes blind is missed here.
REFUSED = {
    (hochberg, "it returns p"): {"faults", "errors"},
    (hochberg, "it returns p, and its example does not show it"): {"errors", "unnoticed"},
    (hochberg, "it returns p, and claims nothing"): {"errors", "unnoticed"},
    (hochberg, "it has no proof"): {"unfounded", "unnoticed"},
    (sign_test, "1 is added to both counts"): {"faults", "levels"},
    (sign_test, "1 is added to both counts, and its example does not show it"): {"levels", "unnoticed"},
    (sign_test, "1 is added to both counts, and p is called approximate"): {"unnoticed"},
    (sign_test, "it has no proof"): {"unfounded", "unnoticed"},
    (jaccard, "it divides by the larger side"): {"faults"},
    (jaccard, "it divides by both sides together"): {"faults"},
    (jaccard, "it divides by the larger side, and its examples do not show it"): {"unnoticed"},
    (jaccard, "it has no proof"): {"unfounded", "unnoticed"},
}


def refused_by(family: Any, member: Any) -> dict[str, list[str]]:
    """The checks that a member does not pass, with what they found. What a proof would notice is asked of one that holds."""
    checks = {"unfounded": proofs.unfounded, **CHECKS[family]}
    found = {name: check(member) for name, check in checks.items() if name != "unnoticed"}
    if not found["faults"]:
        found["unnoticed"] = checks["unnoticed"](member)
    return {name: sentences for name, sentences in found.items() if sentences}


@pytest.mark.parametrize("family", CHECKS, ids=lambda module: module.RIGHT.name)
def test_the_right_member_passes(family):
    """The right member has nothing to answer for."""
    assert refused_by(family, family.RIGHT) == {}


def test_every_broken_member_is_tried():
    """All broken members are listed."""
    assert {(family, name) for family in CHECKS for name in family.BROKEN} == set(REFUSED)


@pytest.mark.parametrize(
    ("family", "name"), REFUSED, ids=lambda part: part if isinstance(part, str) else part.RIGHT.name
)
def test_a_broken_member_is_refused(family, name):
    """A broken member is refused by exactly the checks that can see what is wrong."""
    assert set(refused_by(family, family.BROKEN[name])) == REFUSED[family, name]


@pytest.mark.parametrize(
    "family", [of_metrics, of_corrections, of_tests, of_methods], ids=lambda module: module.__name__
)
def test_every_break_shows_on_some_member(family):
    """No break is idle: each changes the numbers of at least one member, whatever the column, or it would test nothing."""
    shown: dict[str, bool] = {}
    for member in MEMBERS[family]:
        for one in family.breaks(member):
            kind = re.sub(r"\d+", "k", one.name)
            shown[kind] = shown.get(kind, False) or not _same(family, member, one.member)
    assert [kind for kind, shows in shown.items() if not shows] == []


MEMBERS: dict[Any, list[Any]] = {
    of_metrics: [metrics.get(name) for name in ("wer", "token_f1", "bleu")] + [jaccard.RIGHT],
    of_corrections: [corrections.get(name) for name in ("holm", "bonferroni", "joint")],
    of_tests: [*significance.members().values(), sign_test.RIGHT],
    of_methods: [*tuning.members().values()],
}


def _same(family: Any, member: Any, broken: Any) -> bool:
    """Whether a break changes nothing; one that cannot be run changes all."""
    try:
        return bool(family.same(member, broken))
    except Exception:
        return False


FOUND = (("reference", "reference", ("It rains.",)), ("system", "One", ("It is raining.",)))
READ = (*FOUND, ("system", "Two", ("Rain falls.",)))


@pytest.mark.parametrize(
    ("streams", "right"),
    [
        (READ, True),
        (FOUND, False),
        ((*FOUND, ("reference", "Two", ("Rain falls.",))), False),
        ((*FOUND, ("system", "2", ("Rain falls.",))), False),
        ((*FOUND, ("system", "Two", ("Rain falls.", ""))), False),
        ((READ[1], READ[0], READ[2]), False),
    ],
)
def test_a_reader_whose_example_contains_something_else_is_refused(streams, right):
    """A lost stream, another role, another name, another segment and another order are all noticed."""
    reader = replace(readers.members()["tsv"], proof=Proof((Parsed(streams),)))
    assert bool([*of_readers.faults(reader)]) is not right


FACES = [(metrics, jaccard), (significance, sign_test), (corrections, hochberg)]


@pytest.mark.parametrize(("face", "family"), FACES, ids=lambda module: module.__name__)
def test_a_member_of_another_package_without_a_proof_is_refused(face, family, monkeypatch):
    """The registry says which entry point has no proof and what to give it, and takes the right one."""
    found = {"right": family.RIGHT, "no_proof": family.BROKEN["it has no proof"]}
    for name, member in found.items():
        point = EntryPoint(name, f"package:{name}", f"sigboard.{face.__name__.removeprefix('sigcore.')}")
        monkeypatch.setattr(EntryPoint, "load", lambda self, member=member: member)
        monkeypatch.setattr(
            registry, "entry_points", lambda group, point=point: [point] if group == point.group else []
        )
        registry.forget()
        if name == "right":
            assert member.name in face.members()
            continue
        with pytest.raises(SigError, match="has no proof") as error:
            face.members()
        assert "package:no_proof" in error.value.where
        assert "worked examples" in error.value.fix
    monkeypatch.undo()
    registry.forget()


@pytest.mark.parametrize(
    ("figure", "value", "meets"),
    [
        ("100 * 3 / 7", 42.857142857142854, True),
        ("100 * 3 / 7", 42.857, False),
        ("42.86", 42.857, True),
        ("42.86", 42.866, False),
        ("-0.5", -0.5, True),
        ("exp(log(2)) ** 2", 4.0, True),
    ],
)
def test_figures(figure, value, meets):
    """A calculation holds exactly, a printed figure up to its last decimal."""
    assert proofs.meets(value, figure) is meets


@pytest.mark.parametrize("figure", ["score", "__import__('os')", "[1]", "'1'"])
def test_a_figure_is_a_calculation_with_numbers(figure):
    """Nothing but numbers and a few functions is computed."""
    with pytest.raises(ValueError, match="not a calculation"):
        proofs.number(figure)


def test_an_oracle_that_uses_what_it_checks_is_no_oracle():
    """An oracle whose module imports the members is refused, through another oracle too."""
    assert proofs.unfounded(jaccard.RIGHT) == []
    (found,) = proofs.unfounded(made(oracle="fuzz_kernels:check"))
    assert "no second route" in found


def test_figures_that_no_test_compares_are_refused():
    """Printed figures count only where there is a file of them and a test that reads it for this member."""
    assert proofs.compared(metrics.get("wer"), "jiwer")
    assert not proofs.compared(metrics.get("bleu"), "jiwer")
    assert not proofs.compared(metrics.get("wer"), "nothing")


def test_an_example_without_an_origin_is_refused():
    """An example says where its number comes from."""
    (found,) = proofs.unfounded(made((Scored((("a", "a"),), "100.0", ""),)))
    assert "does not say where" in found


def made(*examples: Any, **more: Any) -> Any:
    """A member with another proof."""
    return replace(jaccard.RIGHT, proof=Proof(*examples, **more))
