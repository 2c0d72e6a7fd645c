"""The settings in the address: what a new entry of the history begins with, and what a shared link holds."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from sigboard.shell import address, links, pair, settings


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


def test_further_metrics_are_others_than_the_main_one(st: SimpleNamespace) -> None:
    """Of those in the address, the ones for this kind of test set; the metric of the sidebar is none of them."""
    st.session_state[address.SETTINGS] = {settings.ALSO: "ter,bleu,las,chrf"}
    assert settings.more_of("text", "bleu") == ("chrf", "ter")


def test_a_bar_belongs_to_its_metric_and_test(st: SimpleNamespace) -> None:
    """The gains of the bar that was clicked; under another metric or test there is none."""
    filters = pair.filters_of(("A", "B", "bleu", "bootstrap_shift"), (-1.5, 0.25))
    st.session_state[address.SETTINGS] = filters
    assert (filters["order"], pair.bar_of("bleu", "bootstrap_shift")) == ("loss", (-1.5, 0.25))
    assert pair.bar_of("ter", "bootstrap_shift") is pair.bar_of("bleu", "paired_bootstrap") is None


@pytest.mark.parametrize(("ends", "order"), [((-0.05, 0.15), "gain"), ((-0.15, 0.05), "loss"), ((-2.0, -1.0), "loss")])
def test_a_bar_is_sorted_by_the_side_on_which_most_of_it_is(ends: tuple[float, float], order: str) -> None:
    assert pair.filters_of(("A", "B", "bleu", "bootstrap_shift"), ends)["order"] == order
