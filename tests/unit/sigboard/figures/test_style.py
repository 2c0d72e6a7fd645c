"""Palettes and literal text."""

from __future__ import annotations

import pytest

from sigboard.render.style import DARK, LIGHT, escape, minus, palette
from sigcore.errors import OptionError
from tests.unit.factories import HOSTILE


def luminance(colour: str) -> float:
    """The relative luminance of a #RRGGBB colour (WCAG 2)."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_a_wrong_theme_is_refused() -> None:
    """A theme that does not exist is an error that names the two that do."""
    with pytest.raises(OptionError, match="light or dark"):
        palette("sepia")  # type: ignore[arg-type]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable(colours: object) -> None:
    """Ink and muted text reach 4.5 : 1 on the paper, the accent 4.5 : 1 as it carries the p-value."""
    assert isinstance(colours, type(LIGHT))
    for colour in (colours.ink, colours.muted, colours.accent):
        assert contrast(colour, colours.paper) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_stronger_verdicts_stand_out_more(colours: object) -> None:
    """The three intensities move away from the paper step by step, on both sides."""
    assert isinstance(colours, type(LIGHT))
    for side in (colours.better, colours.worse):
        steps = [contrast(colour, colours.paper) for colour in (colours.neutral, *side)]
        assert steps == sorted(steps)
        assert len(set(steps)) == 4


def test_blue_is_better_and_orange_is_worse() -> None:
    """The light palette uses the two agreed colours at full strength."""
    assert (LIGHT.verdict(3), LIGHT.verdict(-3), LIGHT.verdict(0)) == ("#0072B2", "#D55E00", LIGHT.neutral)


@pytest.mark.parametrize("name", HOSTILE)
def test_escaped_names_hold_no_markup(name: str) -> None:
    """An escaped name keeps no angle bracket and no bare ampersand."""
    assert not set("<>\"'") & set(escape(name))


def test_real_minus() -> None:
    """Figures use the real minus sign."""
    assert minus("-0.31") == "\u22120.31"
