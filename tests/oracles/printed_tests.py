"""The counts of the published tests, loop by loop as their figures print them, from a list of pseudo-gains."""

from __future__ import annotations

from collections.abc import Sequence


def graham_figure_1(pseudo: Sequence[float], gain: float) -> int:
    """Two-sided bootstrap with shift."""
    tau = sum(pseudo) / len(pseudo)
    c = 0
    for d in pseudo:
        if abs(d - tau) >= abs(gain):
            c = c + 1
    return c


def graham_figure_2(pseudo: Sequence[float], gain: float) -> int:
    """One-sided approximate randomization."""
    c = 0
    for d in pseudo:
        if d >= gain:
            c = c + 1
    return c


def two_sided_randomization(pseudo: Sequence[float], gain: float) -> int:
    """Figure 2 by absolute value."""
    return graham_figure_2([abs(d) for d in pseudo], abs(gain))


def graham_figure_3(pseudo: Sequence[float], gain: float) -> int:
    """One-sided bootstrap with shift."""
    tau = sum(pseudo) / len(pseudo)
    c = 0
    for d in pseudo:
        if d - tau >= gain:
            c = c + 1
    return c


def graham_figure_4(pseudo: Sequence[float], gain: float) -> int:
    """Paired bootstrap: the first system scores below the second."""
    c = 0
    for d in pseudo:
        if d < 0:
            c = c + 1
    return c


def berg_kirkpatrick_figure_1(pseudo: Sequence[float], gain: float) -> int:
    """Bootstrap gains above twice the observed gain."""
    s = 0
    for d in pseudo:
        if d > 2 * gain:
            s = s + 1
    return s


def abs_before_shift(pseudo: Sequence[float], gain: float) -> int:
    """The flawed two-sided bootstrap of Riezler & Maxwell 2005 (and sacrebleu): the mean is taken off after |d|."""
    sizes = [abs(d) for d in pseudo]
    mean = sum(sizes) / len(sizes)
    c = 0
    for size in sizes:
        if size - mean >= abs(gain):
            c = c + 1
    return c
