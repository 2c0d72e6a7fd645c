"""The bounds of a server: at home and hosted, each refusal a message."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigboard.server import limits
from sigcore import OptionError, SigError


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hosted server."""
    monkeypatch.setenv(limits.VARIABLE, "1")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server at home, unless a test says otherwise."""
    monkeypatch.delenv(limits.VARIABLE, raising=False)


ALL = [each for each in vars(limits).values() if isinstance(each, limits.Limit)]


def test_no_hosted_bound_is_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hosted server allows at most what one at home does, and the variable chooses between them."""
    assert len(ALL) >= 9
    at_home = [each.most for each in ALL]
    monkeypatch.setenv(limits.VARIABLE, "1")
    assert [each.most for each in ALL] == [each.hosted for each in ALL]
    assert all(each.most <= before for each, before in zip(ALL, at_home, strict=True))
    monkeypatch.setenv(limits.VARIABLE, "0")
    assert [each.most for each in ALL] == at_home == [each.home for each in ALL]


@pytest.mark.usefixtures("hosted")
@pytest.mark.parametrize("limit", ALL, ids=lambda each: each.thing)
def test_the_bound_itself_is_allowed(limit: limits.Limit) -> None:
    """What equals the bound passes; a little more is refused with the bound, the number and a place."""
    limit.check(limit.most, "here.txt")
    with pytest.raises(SigError) as caught:
        limit.check(limit.most + 0.25, "here.txt")
    assert f"at most {limit.most:,.0f} {limit.thing}" in caught.value.what
    assert f"{limit.most + 0.25:,.3f}" in caught.value.what
    assert caught.value.where == "here.txt"
    assert limits.ELSEWHERE in caught.value.fix


def test_a_word_that_is_no_switch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped SIGBOARD_HOSTED does not silently open the server."""
    monkeypatch.setenv(limits.VARIABLE, "yes")
    with pytest.raises(OptionError, match="yes"):
        limits.hosted()


def test_a_hosted_server_needs_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without names, or with any name, a hosted server refuses to work; at home nothing is demanded."""
    limits.check_hosts([])
    monkeypatch.setenv(limits.VARIABLE, "1")
    limits.check_hosts(["sigboard.example.org"])
    for names in ([], ["*"], ["sigboard.example.org", "*"]):
        with pytest.raises(SigError, match="names under which this server is reached"):
            limits.check_hosts(names)


def test_the_time_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Days at home, hours where hosted."""
    assert limits.lifetime() == "30 days"
    monkeypatch.setenv(limits.VARIABLE, "1")
    assert limits.lifetime() == "2 hours"


def test_the_documents_have_these_bounds() -> None:
    """The table of docs/hosting.md has the numbers of both columns."""
    page = (Path(__file__).resolve().parents[4] / "docs" / "hosting.md").read_text(encoding="utf-8")
    for row in (
        f"| resamples | {limits.RESAMPLES.home:,} | {limits.RESAMPLES.hosted:,} |",
        f"| systems | | {limits.SYSTEMS.hosted} |",
        f"| segments | | {limits.SEGMENTS.hosted:,} |",
        f"| characters in one segment | | {limits.LENGTH.hosted:,} |",
        f"| files of one visitor | {limits.FILES.home:,} MB | {limits.FILES.hosted} MB |",
        f"| kept visits in memory, and their files together | {limits.VISITS.home}, {limits.KEPT.home:,} MB | {limits.VISITS.hosted}, {limits.KEPT.hosted:,} MB |",
        f"| analyses in the store: of one visitor, of all | {limits.OWN.home:,} MB, {limits.STORED.home:,} MB | {limits.OWN.hosted} MB, {limits.STORED.hosted:,} MB |",
        f"| they are kept after their last use for | {limits.HOURS.home // 24} days | {limits.HOURS.hosted} hours |",
        f"| files and statistics of more than {limits.APART.hosted} MB, and archives | by the server | by separate processes |",
        f"| memory of such a process (on Linux) | | {limits.MEMORY.hosted:,} MB |",
        f"| processor time of such a process (not on Windows) | | {limits.PROCESSOR.hosted} seconds |",
        f"| time of such a process by the clock | | {limits.WAIT.hosted} seconds |",
        f"| uploads that no page has read | {limits.UNUSED.home / 60:.0f} minutes | {limits.UNUSED.hosted / 60:.0f} minutes |",
    ):
        assert row in page, row
    assert f"{limits.HOURS.home // 24} days after the last use (hosted: {limits.HOURS.hosted} hours)" in page
