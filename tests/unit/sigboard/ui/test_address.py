"""The settings in the address: what a new entry of the history begins with, and what a shared link holds."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from sigboard.shell import address, links


class Parameters(dict[str, str]):
    """Those of an address, with what Streamlit's have more than a dictionary."""

    def to_dict(self) -> dict[str, str]:
        return dict(self)


@pytest.fixture
def st(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The visit and the address of a browser."""
    made = SimpleNamespace(session_state={}, query_params=Parameters())
    monkeypatch.setattr(address, "st", made)
    return made


@pytest.mark.parametrize(("family", "left"), [("gain", None), ("planned", "planned")])
def test_only_the_way_from_gain_keeps_its_family(st: SimpleNamespace, family: str, left: str | None) -> None:
    """A pair is opened from a point, and then the page from the menu: the family of the point does not stay."""
    st.query_params |= {"system": "A", "baseline": "B", "family": family}
    address.begin()
    assert address.text_of("family") == family
    st.query_params.clear()
    address.begin()
    assert address.text_of("family") == st.query_params.get("family") == left


@pytest.mark.parametrize("here", ["http://host/compare?analysis=own", "http://host/"])
def test_a_link_has_the_analysis_and_its_settings(monkeypatch: pytest.MonkeyPatch, here: str) -> None:
    """Who follows the link sees the same page with the same settings, also those with signs of an address."""
    monkeypatch.setattr(links, "st", SimpleNamespace(context=SimpleNamespace(url=here)))
    assert links.link("t", "matrix", {"metric": "chrf", "system": "A & B"}) == (
        "http://host/matrix?analysis=t&metric=chrf&system=A+%26+B"
    )
