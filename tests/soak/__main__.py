"""`make soak`: visitors with different files and jobs on one server of this machine; a table of clicks and of memory."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from sigboard import terminal
from sigcore.formatting import format_p
from tests.browser.server import ROOT, serve
from tests.soak.visitor import Visitor

ALPHAS = {"": "0.01", "compare": "0.1", "gain": "0.001"}  # chosen on each page
MOST_SHOWN = 20  # faults
WORDS = ("red", "blue", "green", "small", "big", "old", "new", "tall")


@dataclass(frozen=True)
class Soaked:
    """What every click was and its seconds, what was wrong, the number of visits, the memory of the server in MB as it
    went, and how many scores and p were compared with those of the command."""

    clicks: Sequence[tuple[str, float]]
    faults: Sequence[str]
    visits: int
    memory: Sequence[float]
    compared: int = 0

    def __str__(self) -> str:
        rows = [("visits", f"{self.visits:,}"), ("clicks", f"{len(self.clicks):,}")]
        for kind in dict.fromkeys(kind for kind, _ in self.clicks):
            took = [seconds for one, seconds in self.clicks if one == kind]
            p50, p95 = np.percentile(took, [50, 95])
            rows.append((f"{kind}: p50, p95, slowest", f"{p50:.2f}, {p95:.2f}, {max(took):.2f} s"))
        rows += [(f"memory {place}", f"{self.memory[k]:,.0f} MB") for k, place in self._places().items()]
        rows += [("scores and p compared", f"{self.compared:,}"), ("wrong answers", str(len(self.faults)))]
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
    # nearly equally many faults, so that p is anything from the smallest to 1 and moves with every seed
    changed = text.replace(WORDS[number % 8], "r", 10 + number % 5)
    return {
        "ref.txt": text.encode(),
        f"one{number}.txt": changed.encode(),
        f"two{number}.txt": text.replace("sails", "goes", 6 + number % 9).encode(),
    }


def by_command(number: int, resamples: int = 10_000) -> dict[str, str]:
    """What the command prints of this visitor's files and seed, as `Visitor.numbers` has it."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in files_of(number)}
        for name, content in files_of(number).items():
            paths[name].write_bytes(content)
        reference, *systems = map(str, paths.values())
        asked = ["--resamples", str(resamples), "--seed", str(number), "--json", f"{folder}/out.json", "--quiet"]
        assert terminal.main(["matrix", "--reference", reference, "--systems", *systems, *asked]) == 0
        grid = json.loads(Path(folder, "out.json").read_text(encoding="utf-8"))
    (result,) = grid["results"]
    found: dict[str, str] = {}
    for i, name in enumerate(grid["systems"]):
        found |= {name: f"{result['scores'][i]:.2f}", f"{name} in full": repr(result["scores"][i])}
        for j, other in enumerate(grid["systems"]):
            if i != j:
                found[f"{name} - {other}"] = format_p(result["p_values"][i][j], resamples)
    return found


@dataclass(frozen=True)
class Seen:
    """One visit: its clicks, what was wrong, and the numbers of the grid of its own files."""

    number: int
    clicks: list[tuple[str, float]]
    faults: list[str]
    numbers: dict[str, str]


def wrong_numbers(seen: Seen) -> list[str]:
    """A sentence for each number that the page lacked, or showed otherwise than the command does."""
    expected = by_command(seen.number)
    return [
        f"visitor {seen.number}: {name} is {seen.numbers.get(name, 'not shown')}, and the command says {value}"
        for name, value in expected.items()
        if seen.numbers.get(name) != value
    ]


def visit(url: str, number: int, thinks: float) -> Seen:
    """One visit: the sample, own files, three pages with another alpha on each, a question that is dropped, Clear everything."""
    faults, numbers = list[str](), dict[str, str]()
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
            if not page:
                numbers = person.numbers()
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
    return Seen(number, clicks, faults, numbers)


def soak(seconds: float, visitors: int, thinks: float, visits: int = 10**9) -> Soaked:
    """Visitors come and go on a server of this machine until the time, or the number of visits, is over."""
    with tempfile.TemporaryDirectory() as home, serve(ROOT / "app.py", Path(home)) as server:
        process, visited = psutil.Process(server.process.pid), list[Seen]()
        clicks, faults, done = list[tuple[str, float]](), list[str](), 0
        memory, end = [process.memory_info().rss / 1e6], time.monotonic() + seconds
        with ThreadPoolExecutor(visitors) as pool:
            while time.monotonic() < end and done < visits:
                for seen in pool.map(lambda k: visit(server.url, k, thinks), range(done, done + visitors)):
                    clicks += seen.clicks
                    faults += seen.faults
                    visited.append(seen)
                done += visitors
                memory.append(process.memory_info().rss / 1e6)
        faults += server.tracebacks()
    # afterwards, so that the commands take no time from the server
    faults += [fault for seen in visited for fault in wrong_numbers(seen)]
    return Soaked(clicks, faults, done, memory, sum(len(seen.numbers) for seen in visited))


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
