"""`make soak`: visitors with different files and jobs on one server of this machine; a table of clicks and of memory."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from tests.browser.server import ROOT, serve
from tests.soak.visitor import Visitor

ALPHAS = {"": "0.01", "compare": "0.1", "gain": "0.001"}  # chosen on each page
MOST_SHOWN = 20  # faults
WORDS = ("red", "blue", "green", "small", "big", "old", "new", "tall")


@dataclass(frozen=True)
class Soaked:
    """What every click was and its seconds, what was wrong, the number of visits, and the memory of the server in MB as
    it went."""

    clicks: Sequence[tuple[str, float]]
    faults: Sequence[str]
    visits: int
    memory: Sequence[float]

    def __str__(self) -> str:
        rows = [("visits", f"{self.visits:,}"), ("clicks", f"{len(self.clicks):,}")]
        for kind in dict.fromkeys(kind for kind, _ in self.clicks):
            took = [seconds for one, seconds in self.clicks if one == kind]
            p50, p95 = np.percentile(took, [50, 95])
            rows.append((f"{kind}: p50, p95, slowest", f"{p50:.2f}, {p95:.2f}, {max(took):.2f} s"))
        rows += [(f"memory {place}", f"{self.memory[k]:,.0f} MB") for k, place in self._places().items()]
        rows += [("wrong answers", str(len(self.faults)))]
        return "\n".join(f"{name:32}{value:>24}" for name, value in rows)

    def _places(self) -> dict[int, str]:
        """Where the memory is shown: at the start, and after up to six numbers of visits."""
        last = len(self.memory) - 1
        places = dict.fromkeys(int(k) for k in np.linspace(min(1, last), last, 6))
        each = self.visits // max(last, 1)
        return {0: "before"} | {k: f"after {k * each:,} visits" for k in places if k}


def files_of(number: int) -> dict[str, bytes]:
    """A reference and two systems that only this visitor has."""
    lines = [f"the {WORDS[(k + number) % 8]} boat {number} sails home on day {k}" for k in range(200)]
    text = "\n".join(lines) + "\n"
    changed = text.replace(WORDS[number % 8], "r", 10 + number % 5)
    return {
        "ref.txt": text.encode(),
        f"one{number}.txt": changed.encode(),
        f"two{number}.txt": text.replace("boat", "ship").encode(),
    }


def visit(url: str, number: int, thinks: float) -> tuple[list[tuple[str, float]], list[str]]:
    """One visit: the sample, own files, three pages with another alpha on each, a question that is dropped, Clear everything.
    (clicks, faults)"""
    faults = []
    with Visitor(url, f"resamples=10000&seed={number}", thinks, number) as person:
        person.open()
        person.settle()
        person.drop(files_of(number))
        person.settle()
        for page in ("", "compare", "gain", "data"):
            person.open(page)
            person.settle()
            if page != "data":
                person.choose("alpha", ALPHAS[page])
                if f"alpha={ALPHAS[page]}" not in person.address:
                    faults.append(f"visitor {number}: alpha {ALPHAS[page]} is not in the address of {page or 'matrix'}")
            if not person.shows(f"one{number}"):
                faults.append(f"visitor {number}: own systems are not on the page {page or 'matrix'}")
            if person.shows("unexpected error"):
                faults.append(f"visitor {number}: an unexpected error on the page {page or 'matrix'}")
        person.press("Clear everything")
        if person.shows(f"one{number}"):
            faults.append(f"visitor {number}: the files are still shown")
        clicks = person.clicks
    with Visitor(url, f"resamples=10000000&seed={number}") as hasty:
        hasty.open()  # a large question, left alone at once
    return clicks, faults


def soak(seconds: float, visitors: int, thinks: float, visits: int = 10**9) -> Soaked:
    """Visitors come and go on a server of this machine until the time, or the number of visits, is over."""
    with tempfile.TemporaryDirectory() as home, serve(ROOT / "app.py", Path(home)) as server:
        process = psutil.Process(server.process.pid)
        clicks, faults, done = list[tuple[str, float]](), list[str](), 0
        memory, end = [process.memory_info().rss / 1e6], time.monotonic() + seconds
        with ThreadPoolExecutor(visitors) as pool:
            while time.monotonic() < end and done < visits:
                for seen, wrong in pool.map(lambda k: visit(server.url, k, thinks), range(done, done + visitors)):
                    clicks += seen
                    faults += wrong
                done += visitors
                memory.append(process.memory_info().rss / 1e6)
        faults += server.tracebacks()
        return Soaked(clicks, faults, done, memory)


def main() -> int:
    """Print the table; 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="how long visitors come (default: 300)")
    parser.add_argument("--visitors", type=int, default=20, help="visitors at once (default: 20)")
    parser.add_argument(
        "--thinks", type=float, default=3.0, help="seconds that each thinks before a click (default: 3)"
    )
    args = parser.parse_args()
    soaked = soak(args.seconds, args.visitors, args.thinks)
    print(soaked)
    print(*soaked.faults[:MOST_SHOWN], sep="\n")
    return int(bool(soaked.faults))


if __name__ == "__main__":
    raise SystemExit(main())
