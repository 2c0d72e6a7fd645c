"""`make soak`: visitors with different files and jobs come to two servers with one store; a table of clicks and of memory.

They come whether or not the earlier ones have left. With --faults a server is killed, a disk is full, and a worker dies.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event, Thread

import numpy as np
import requests
from websockets.exceptions import WebSocketException

from sigboard import terminal
from sigcore.formatting import format_p
from tests import waiting
from tests.soak.site import Site, site
from tests.soak.visitor import Visitor

ALPHAS = {"": "0.01", "compare": "0.1", "gain": "0.001"}  # chosen on each page
MOST_SHOWN = 20  # faults
# s for 95% of the clicks of a kind, and MB of a server
SLOWEST, LARGEST = {"alpha": 1.0, "first grid": 5.0, "settled": 10.0}, 2_000.0
TITLES = {"alpha": "the changes of alpha", "first grid": "the first grids after a drop", "settled": "the settled grids"}
PAUSES = 10  # of a visit, in each of which a visitor thinks
FOLLOWED = 5  # of so many visits, the link of one is opened on the other server
BROKEN = (OSError, WebSocketException, requests.RequestException)  # the line of a visitor whose server was killed
WORDS = ("red", "blue", "green", "small", "big", "old", "new", "tall")


@dataclass(frozen=True)
class Soaked:
    """What every click was and its seconds, what was wrong, the number of visits, the memory of the largest server in MB as
    it went, how many scores and p were compared with those of the command, what befell the servers, and how many visits
    were broken off by that."""

    clicks: Sequence[tuple[str, float]]
    faults: Sequence[str]
    visits: int
    memory: Sequence[float]
    compared: int = 0
    befell: Sequence[str] = ()
    broken: int = 0

    def __str__(self) -> str:
        rows = [("visits", f"{self.visits:,}"), ("clicks", f"{len(self.clicks):,}")]
        for kind in dict.fromkeys(kind for kind, _ in self.clicks):
            took = [seconds for one, seconds in self.clicks if one == kind]
            p50, p95 = np.percentile(took, [50, 95])
            rows.append((f"{kind}: p50, p95, slowest", f"{p50:.2f}, {p95:.2f}, {max(took):.2f} s"))
        rows += [(f"memory {place}", f"{self.memory[k]:,.0f} MB") for k, place in self._places().items()]
        rows += [("scores and p compared", f"{self.compared:,}"), ("wrong answers", str(len(self.faults)))]
        rows += [("visits that a kill broke off", str(self.broken))] if self.befell else []
        return "\n".join([*(f"{name:32}{value:>24}" for name, value in rows), *self.befell])

    def beyond(self, slowest: Mapping[str, float] = SLOWEST, largest: float = LARGEST) -> list[str]:
        """A sentence for each bound that does not hold: of 95% of the clicks of a kind, and of memory."""
        p95 = {kind: self._slow(kind) for kind in slowest}
        found = [
            f"5% of {TITLES[kind]} take more than {p95[kind]:.2f} s; the bound is {bound:g} s"
            for kind, bound in slowest.items()
            if p95[kind] > bound
        ]
        most = max(self.memory)
        return [*found, *([f"a server has {most:,.0f} MB; the bound is {largest:,.0f} MB"] if most > largest else [])]

    def _slow(self, kind: str) -> float:
        """The seconds within which 95% of the clicks of this kind were answered."""
        return float(np.percentile([seconds for one, seconds in self.clicks if one == kind] or [0.0], 95))

    def _places(self) -> dict[int, str]:
        """Where the memory is shown: at the start, and after up to six shares of the time."""
        last = len(self.memory) - 1
        places = dict.fromkeys(int(k) for k in np.linspace(min(1, last), last, 6))
        return {0: "before"} | {k: f"after {k / last:.0%} of the time" for k in places if k}


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


def visit(url: str, number: int, thinks: float, other: str = "") -> Seen:
    """One visit: the sample, own files, three pages with another alpha on each, a question that is dropped, Clear everything.
    The link is opened on the `other` server, if one is named."""
    faults, numbers = list[str](), dict[str, str]()
    with Visitor(url, f"resamples=10000&seed={number}", thinks, number) as person:
        person.open()
        person.settle()
        person.drop(files_of(number))
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
        if other:
            faults += differs_on(other, person.address, number, numbers)
        person.press("Clear everything")
        if person.shows(f"one{number}"):
            faults.append(f"visitor {number}: the files are still shown")
        clicks = person.clicks
    with Visitor(url, f"resamples=10000000&seed={number}") as hasty:
        hasty.open()  # a large question, left alone at once
    return Seen(number, clicks, faults, numbers)


def differs_on(url: str, address: str, number: int, numbers: dict[str, str]) -> list[str]:
    """A sentence if the link of a visit shows other numbers on another server, once the store has it there."""
    found = list[dict[str, str]]()

    def arrives() -> bool:
        # each time somebody else: who came too early has an analysis of their own since then
        with Visitor(url, address) as second:
            second.open()
            second.settle()
            found.extend([second.numbers()] if second.shows(f"one{number}") else [])
        return bool(found)

    waiting.until(arrives, "the other server has the link")
    return [] if found[-1] == numbers else [f"visitor {number}: the link shows other numbers on another server"]


def visited(place: Site, number: int, thinks: float, other: str) -> tuple[Seen, int]:
    """One visit, which begins again as long as kills break it off, and how often that was."""
    broken = 0
    while True:
        kills, url = place.kills, place.url(number)
        try:
            return visit(url, number, thinks, other), broken
        except BROKEN as error:
            place.url(number)  # waits for a server that starts again
            if place.kills == kills:
                return Seen(number, [], [f"visitor {number}: {type(error).__name__}: {error}"], {}), broken
            broken += 1


def soak(
    seconds: float, visitors: int, thinks: float, visits: int = 10**9, servers: int = 1, faults: bool = False
) -> Soaked:
    """Visitors come to servers of this machine until the time, or the number of visits, is over: so many are there at once if
    no answer takes time, and they come by chance, whether or not the earlier ones have left."""
    chance, found, memory, over = Random(visitors), list[Future[tuple[Seen, int]]](), list[float](), Event()
    with tempfile.TemporaryDirectory() as home, site(Path(home), servers, faults) as place:
        memory.append(place.memory())
        misfortune = Thread(target=place.befall, args=(seconds, over))
        end = time.monotonic() + seconds
        if faults:
            misfortune.start()
        with ThreadPoolExecutor(10 * visitors) as pool:
            while time.monotonic() < end and len(found) < visits:
                number = len(found)
                follows = servers > 1 and not faults and number % FOLLOWED == 0
                other = place.url(number + 1) if follows else ""
                found.append(pool.submit(visited, place, number, thinks, other))
                time.sleep(chance.expovariate(visitors / max(PAUSES * thinks, 1.0)))
                memory.append(place.memory())
            over.set()
            if faults:
                misfortune.join()
        every = [each.result() for each in found]
        if servers > 1:  # after all faults the store still hands a visit over
            number = len(found)
            every.append(visited(place, number, 0, place.url(number + 1)))
        memory.append(place.memory())
    seen = [each for each, _ in every]
    # afterwards, so that the commands take no time from the servers
    wrong = [fault for each in seen for fault in [*each.faults, *wrong_numbers(each)]]
    clicks = [click for each in seen for click in each.clicks]
    compared, broken = sum(len(each.numbers) for each in seen), sum(times for _, times in every)
    return Soaked(clicks, [*wrong, *place.faults], len(seen), memory, compared, tuple(place.befell), broken)


def main() -> int:
    """Print the table; 1 if an answer was wrong or a bound does not hold."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0, help="how long visitors come (default: 300)")
    parser.add_argument("--visitors", type=int, default=20, help="visitors at once (default: 20)")
    parser.add_argument(
        "--thinks", type=float, default=3.0, help="seconds that each thinks before a click (default: 3)"
    )
    parser.add_argument("--servers", type=int, default=2, help="servers that share a store (default: 2)")
    parser.add_argument(
        "--faults", action="store_true", help="kill a server, fill its disk, kill a worker of a cluster"
    )
    parser.add_argument(
        "--slowest", type=float, default=1.0, help="multiplies the bounds of time, on a slower machine (default: 1)"
    )
    args = parser.parse_args()
    soaked = soak(args.seconds, args.visitors, args.thinks, servers=args.servers, faults=args.faults)
    # who comes while a server starts again has to wait for it
    beyond = [] if args.faults else soaked.beyond({kind: args.slowest * bound for kind, bound in SLOWEST.items()})
    print(soaked)
    print(*soaked.faults[:MOST_SHOWN], *beyond, sep="\n")
    return int(bool(soaked.faults or beyond))


if __name__ == "__main__":
    raise SystemExit(main())
