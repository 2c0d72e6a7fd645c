"""What one visitor may ask of this server: the only table of these bounds, at home and with SIGBOARD_HOSTED=1."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from sigcore import OptionError, SigError

VARIABLE = "SIGBOARD_HOSTED"
MB = 10**6  # bytes
ELSEWHERE = "Run Sigboard on your own machine, where this bound does not apply."


@dataclass(frozen=True)
class Limit:
    """The most of one thing, at home and on a hosted server; `thing` names it in a message."""

    thing: str
    home: float
    hosted: float
    fix: str = ""

    @property
    def most(self) -> float:
        """The bound that holds on this server."""
        return self.hosted if hosted() else self.home

    def check(self, number: float, where: str = "") -> None:
        """Refuse a number above the bound.

        Raises: SigError with the number and the bound.
        """
        refusal = self.refusal(number, where)
        if refusal:
            raise refusal

    def refusal(self, number: float, where: str = "") -> SigError | None:
        """The error for a number above the bound; None for any other."""
        if number <= self.most:
            return None
        what = f"This server allows at most {self.most:,.0f} {self.thing}; requested: {_above(number, self.most)}."
        return SigError(what, where, f"{self.fix} {ELSEWHERE}".strip() if hosted() else self.fix)


RESAMPLES = Limit("resamples", 10_000_000, 100_000, "Choose fewer in the sidebar, or automatic.")
SYSTEMS = Limit("systems", math.inf, 64, "Leave some out on the page Files.")
SEGMENTS = Limit("segments", math.inf, 20_000, "Load a smaller test set.")
LENGTH = Limit("characters in one segment", math.inf, 5_000, "Check that the files have one segment per line.")
FILES = Limit("MB of files for each visitor", 1_000, 50, "Load fewer files, or Clear everything first.")
UNUSED = Limit("seconds for an upload that no page has read", 600, 300)
HOURS = Limit("hours since the last use of kept files", 30 * 24, 2)
VISITS = Limit("kept visits", 64, 64)
KEPT = Limit("MB of files of all kept visits", 4_000, 1_000)
APART = Limit("MB of a question that this process answers itself", math.inf, 1)
MEMORY = Limit("MB of memory for one question", math.inf, 2_000)
PROCESSOR = Limit("seconds of processor time for one question", math.inf, 120)
WAIT = Limit("seconds for one question", math.inf, 600)
STORED = Limit("MB of all analyses in the store", 4_000, 4_000)
OWN = Limit("MB of analyses in the store for each visitor", 1_000, 100)
DOWNLOADS = Limit("downloads of published test sets", math.inf, 0)


def _above(number: float, most: float) -> str:
    """The number, with a decimal if it would otherwise look like the bound."""
    whole = f"{number:,.0f}"
    return whole if whole != f"{most:,.0f}" else f"{number:,.3f}"


def hosted() -> bool:
    """Whether the bounds of a hosted server hold.

    Raises: OptionError for a SIGBOARD_HOSTED that is neither 1 nor 0.
    """
    text = os.environ.get(VARIABLE, "").strip()
    if text not in ("", "0", "1"):
        raise OptionError(f"{VARIABLE} = {text!r} cannot be read.", "", "Write 1 for a hosted server, or 0.")
    return text == "1"


def check_hosts(allowed: list[str]) -> None:
    """Refuse to serve strangers under any name: a foreign page could then open this server in a visitor's browser.

    Raises: SigError unless the hosted server has the names under which it is reached.
    """
    if hosted() and (not allowed or "*" in allowed):
        raise SigError(
            f"{VARIABLE}=1 needs the names under which this server is reached.",
            "server.allowedHosts",
            "Set STREAMLIT_SERVER_ALLOWED_HOSTS=sigboard.example.org (more names after a blank), or give "
            "-- --server.allowedHosts NAME.",
        )


def lifetime() -> str:
    """How long files are kept after their last use, in words."""
    hours = int(HOURS.most)
    return f"{hours} hours" if hours < 48 else f"{hours // 24} days"
