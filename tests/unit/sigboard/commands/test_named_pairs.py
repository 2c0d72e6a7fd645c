"""Families on the command line: a pair or a baseline among several systems, and what the report acknowledges."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal
from sigcore import readers

HARBOUR = readers.known.ROOT / "harbour"
SYSTEMS = sorted(map(str, (HARBOUR / "systems").glob("*.en")))[:4]
NAMES = [Path(path).stem for path in SYSTEMS]
CALL = ["--reference", str(HARBOUR / "ref.A.en"), "--systems", *SYSTEMS, "--resamples", "500"]


def written(out: Path, command: str, *words: str) -> dict[str, Any]:
    assert terminal.main([command, *CALL, *words, "--json", str(out)]) == 0
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_a_pair_among_several_is_one_of_the_grid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its p is that of the grid, corrected as there; the sentence says of how many pairs it is one."""
    grid = written(tmp_path / "grid.json", "matrix")["results"][0]
    one = written(tmp_path / "one.json", "compare", "--pair", NAMES[2], NAMES[0])
    assert one["systems"] == [NAMES[2], NAMES[0]]
    assert one["results"][0]["p_values"][0][1] == grid["p_values"][2][0]
    assert one["results"][0]["adjusted"][0][1] == grid["adjusted"][2][0]
    assert one["results"][0]["family"] == grid["family"]
    assert terminal.main(["compare", *CALL, "--pair", NAMES[2], NAMES[0]]) == 0
    assert "; this is 1 of 6 pairs; p = " in capsys.readouterr().out


def test_a_pair_that_was_planned_is_alone(tmp_path: Path) -> None:
    """With --planned nothing is corrected, and the family says so."""
    one = written(tmp_path / "one.json", "compare", "--pair", NAMES[2], NAMES[0], "--planned")["results"][0]
    assert one["adjusted"] == one["p_values"]
    assert one["family"]["kind"] == "one planned pair"


def test_one_baseline_is_the_same_in_both_commands(tmp_path: Path) -> None:
    """`compare --baseline` has a document for each other system; p and adjusted p are those of `matrix --baseline`."""
    grid = written(tmp_path / "grid.json", "matrix", "--baseline", NAMES[1])
    result, place = grid["results"][0], {name: k for k, name in enumerate(grid["systems"])}
    assert (result["family"]["kind"], result["family"]["tests"]) == ("one baseline", 3)
    assert result["family"]["what"] == f"3 systems against {NAMES[1]}"
    assert result["p_values"][place[NAMES[0]]][place[NAMES[2]]] is None
    each = written(tmp_path / "each.json", "compare", "--baseline", NAMES[1])["comparisons"]
    assert [one["systems"] for one in each] == [[name, NAMES[1]] for name in NAMES if name != NAMES[1]]
    for one in each:
        here, there = (place[name] for name in one["systems"])
        assert one["results"][0]["adjusted"][0][1] == result["adjusted"][here][there]
        assert one["results"][0]["family"] == result["family"]


def test_chosen_pairs_and_when_they_were_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two pairs are two tests; --late is in the family and in every sentence."""
    words = ["--pair", NAMES[0], NAMES[1], "--pair", NAMES[2], NAMES[3], "--late"]
    family = written(tmp_path / "a.json", "matrix", *words)["results"][0]["family"]
    assert (family["tests"], family["late"]) == (2, True)
    assert terminal.main(["matrix", *CALL, *words, "--methods"]) == 0
    assert capsys.readouterr().out.count("chosen after scores were shown") == 2  # the verdict, and the methods


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare"], "Name the pair: --pair SYSTEM BASELINE"),
        (["compare", "--pair", "nobody", NAMES[0]], "nobody is not among the systems"),
        (["compare", "--pair", NAMES[0], NAMES[0]], "is compared with itself"),
        (["compare", "--planned"], "--planned belongs to one pair"),
        (["compare", "--planned", "--baseline", NAMES[0]], "--planned belongs to one pair"),
        (["compare", "--pair", NAMES[0], NAMES[1], "--pair", NAMES[2], NAMES[1]], "compare shows one --pair"),
        (["matrix", "--baseline", "nobody"], "nobody is not among the systems"),
        (["matrix", "--baseline", NAMES[0], "--pair", NAMES[0], NAMES[1]], "were given together"),
        (["report", "--family", "baseline"], "--family baseline has no baseline"),
        (["report", "--acknowledge", "size"], "acknowledges no check"),
        (["report", "--acknowledge", "sizes=small"], "the checks are data, outputs, runs"),
    ],
)
def test_what_cannot_be_meant_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what is wrong and how to say it."""
    command, *rest = words
    assert terminal.main([command, *CALL, *rest]) == 2
    assert said in capsys.readouterr().err


def test_a_reason_goes_into_every_form_of_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON, HTML, terminal and workbook have it, and its command gives it again."""
    reason = "the test set is from 2031 <b>"
    words = ["--acknowledge", f"tuning={reason}", "--out", str(tmp_path / "r.html"), str(tmp_path / "r.xlsx")]
    content = written(tmp_path / "r.json", "report", *words)
    found = {check["name"]: check for check in content["checks"]}
    assert found["tuning"]["acknowledged"] == reason
    assert found["runs"]["acknowledged"] is None
    assert found["tuning"]["state"] == "unknown"
    assert "Acknowledged:</b> the test set is from 2031 &lt;b&gt;" in (tmp_path / "r.html").read_text(encoding="utf-8")
    given = shlex.split(content["command"])
    assert given[given.index("--acknowledge") + 1] == f"tuning={reason}"
    assert terminal.main(["report", *CALL, *words[:2]]) == 0
    assert f"acknowledged: {reason}" in capsys.readouterr().out


def test_an_acknowledged_red_check_does_not_fail(tmp_path: Path) -> None:
    """--check ends with 1 where a red check has no reason; a green one takes none."""
    words = ["report", *CALL, "--correction", "none", "--check", "--json", str(tmp_path / "r.json")]
    with pytest.raises(SystemExit):
        terminal.main(words)
    assert terminal.main([*words, "--acknowledge", "correction=as in the paper", "--acknowledge", "sides=yes"]) == 0
    checks = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["checks"]
    assert {check["name"] for check in checks if check["acknowledged"]} == {"correction"}


def test_a_report_against_one_baseline(tmp_path: Path) -> None:
    """--family baseline tests against the baseline alone; without it the baseline is that of the daggers."""
    plain = written(tmp_path / "a.json", "report", "--baseline", NAMES[0])["results"][0]["family"]
    alone = written(tmp_path / "b.json", "report", "--baseline", NAMES[0], "--family", "baseline")["results"][0][
        "family"
    ]
    assert (plain["kind"], alone["kind"], alone["tests"]) == ("all pairs", "one baseline", 3)
