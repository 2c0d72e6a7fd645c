"""How long a person waits, as ratios to an empty Streamlit page in the same run: the first grid, files of one's own,
a click.

Cold is a machine on which no kernel has been compiled and nothing is kept, warm one on which everything has. Needs a
browser (make chromium); uses the real data beside the project, and the sample where it is missing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks import common, visit
from benchmarks.common import Goal, Spread, Took
from sigboard import catalogue
from tests.browser.actions import goto, settle

ALPHAS = ("0.1", "0.01", "0.005", "0.001")
COLD, CLICK, OWN = 2.0, 3.0, 1.5  # the most times the time, or the CPU time, of what it is compared with

Rounds = dict[str, list[tuple[Took, Took]]]  # (ours, what it is compared with)


def starts(browser: Browser, dropped: list[Path], home: Path) -> Rounds:
    """First grid and first drop on a new server: cold, then warm."""
    with visit.empty_app(home / "empty") as server:
        empty = wall(visit.first_words(server, browser))
    rounds: Rounds = {}
    for state in ("cold", "warm"):
        if state == "warm":
            common.compile_all(home / "cache", home)
        with visit.sigboard(home) as server:
            rounds[f"first grid of the sample, {state}"] = [(wall(visit.first_grid(server, browser)), empty)]
        # another server: libraries are not loaded yet, as on a machine whose first visitor drops files at once
        with visit.sigboard(home) as server:
            own = wall(visit.drop(server, browser, dropped))
        rounds[f"drop to grid, {state}"] = [(own, empty)]
        forget_statistics(home)
    cold, warm = (rounds[f"drop to grid, {state}"][0][0] for state in ("cold", "warm"))
    return rounds | {"drop to grid, cold against warm": [(cold, warm)]}


def wall(seconds: float) -> Took:
    """Seconds on the clock; the CPU time is not known."""
    return Took(float("nan"), seconds)


def forget_statistics(home: Path) -> None:
    """Remove the statistics that were extracted; kernels stay."""
    for file in (home / "cache" / "statistics").glob("*"):
        file.unlink()


def clicks(browser: Browser, home: Path) -> Rounds:
    """Changes of alpha and of the page, on every page, with the sample; the first visit to each page is not timed."""
    asked = list(catalogue.QUESTIONS)
    rounds: Rounds = {}
    with visit.empty_app(home / "empty") as server, visit.fresh_page(browser) as page:
        goto(page, server.url)
        changes = [visit.measured(server, page, visit.choose_alpha(page, alpha)) for alpha in ALPHAS]
    empty = Took(*(Spread.of([getattr(item, clock) for item in changes]).median for clock in ("cpu", "wall")))
    with visit.sigboard(home) as server, visit.fresh_page(browser) as page:
        # a fixed number: with an automatic one, another alpha may need more resamples, drawn in the background
        goto(page, f"{server.url}/?resamples=10000")
        for question in asked:
            visit.open_page(page, question.title)
            settle(page)
        for question, before in zip(asked, [asked[-1], *asked], strict=False):
            visit.open_page(page, before.title)
            taken = visit.measured(server, page, lambda title=question.title: visit.open_page(page, title))  # type: ignore[misc]
            rounds[f"switch to {question.title}"] = [(taken, empty)]
            if "alpha" not in question.settings:
                continue
            taken_all = [visit.measured(server, page, visit.choose_alpha(page, alpha)) for alpha in ALPHAS]
            rounds[f"alpha on {question.title}"] = [(taken, empty) for taken in taken_all]
    return rounds


def goals(rounds: Rounds) -> list[Goal]:
    """The rows of the table: first visits by the clock on the wall, clicks by the server's CPU time."""
    out = []
    for name, pairs in rounds.items():
        first = name.startswith(("first", "drop"))
        free = (
            name.startswith("drop") and "against" not in name
        )  # no goal: it waits for as many resamples as Holm needs
        wanted = None if free else CLICK if not first else OWN if "against" in name else COLD
        ratio = common.ratios(pairs, "wall" if first else "cpu", inverse=True)
        seconds = Spread.of([ours.wall for ours, _ in pairs])
        unit = "times an empty page" if free else "times"
        out.append(Goal(f"screen: {name}", wanted, unit, ratio, f"{seconds.text()} s"))
    return out


def merged(all_rounds: Sequence[Rounds]) -> Rounds:
    """The rounds of all repeats."""
    names = all_rounds[0]
    return {name: [pair for rounds in all_rounds for pair in rounds[name]] for name in names}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write results/screen.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    print(corpus.title())
    dropped, repeats = [corpus.reference, *corpus.files], 1 if args.quick else 3
    with visit.chrome() as browser, tempfile.TemporaryDirectory() as folder:
        homes = [Path(folder) / str(k) for k in range(repeats)]
        begun = merged([starts(browser, dropped, home) for home in homes])
        clicked = merged([clicks(browser, home) for home in homes])
    common.write("screen", args, corpus.title(), goals(begun | clicked))


if __name__ == "__main__":
    main()
