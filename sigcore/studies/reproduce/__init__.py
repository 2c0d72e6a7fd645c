"""Does a claim of a paper hold here? The claims of four papers as records, run on samples or on a person's data.

A new claim is one record in the file of its paper; a new paper is one file with `CLAIMS`, and its name in PAPERS.
"""

from __future__ import annotations

from sigcore.errors import UnknownMember
from sigcore.studies.reproduce import berg_kirkpatrick, chen, graham, rankel
from sigcore.studies.reproduce.bench import EACH, RUNS, SAMPLES, USUAL_SAMPLE, Bench, Material, of_collection, sample
from sigcore.studies.reproduce.record import (
    NEED_WORDS,
    NEEDS,
    PAPERS,
    Claim,
    Found,
    Need,
    Outcome,
    Panel,
    Series,
    number,
    with_unit,
)
from sigcore.types import Row

CLAIMS: tuple[Claim, ...] = (*graham.CLAIMS, *berg_kirkpatrick.CLAIMS, *rankel.CLAIMS, *chen.CLAIMS)


def get(name: str) -> Claim:
    """The claim of that id.

    Raises: UnknownMember, with the nearest ids.
    """
    by_id = {claim.id: claim for claim in CLAIMS}
    if name not in by_id:
        raise UnknownMember("claim", name, by_id)
    return by_id[name]


def chosen(names: list[str]) -> tuple[Claim, ...]:
    """The claims that the words name, each once: ids, the start of ids (a paper, as graham), or all.

    Raises: UnknownMember for a word that names none.
    """
    found = list[Claim]()
    for name in names:
        own = [claim for claim in CLAIMS if name == "all" or claim.id == name]
        own = own or [claim for claim in CLAIMS if claim.id.startswith(f"{name}-")]
        found += own or [get(name)]
    return tuple(dict.fromkeys(found))


def run(claim: Claim | str, bench: Bench | None = None) -> Outcome:
    """The paper's number beside ours.

    Raises: UnknownMember for a claim that does not exist; SigError for data that lack what it needs; Undefined and
    OptionError as its studies do.
    """
    claim, bench = get(claim) if isinstance(claim, str) else claim, bench or Bench()
    found = claim.run(bench, claim)
    own = bench.own.name if bench.own is not None else f"the sample {SAMPLES.get(claim.needs, USUAL_SAMPLE)}"
    data = "no data" if claim.needs == "nothing" else own
    return Outcome(claim, found, data, bench.resamples, bench.seed)


def rows(outcomes: list[Outcome]) -> list[Row]:
    """One row for each claim that was run, as a table."""
    keys = ("claim", "paper", "place", "paper_value", "value", "low", "high", "same_conclusion", "unit", "data", "why")
    return [{key: item.as_dict()[key] for key in keys} for item in outcomes]
