"""What the check before submission takes and returns: a case, and one answer for each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from sigcore.data import Finding
from sigcore.results import MatrixResult
from sigcore.testset import Outputs, Testset

# green: as it should be; amber: say it in the paper, or change it; unknown: the data do not say, so the author must;
# red: change it, the result cannot be published as it is.
State = Literal["green", "amber", "unknown", "red"]
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True)
class Check:
    """One question of a reviewer with its answer.

    `fix` says what to do ("" if nothing is to be done); `setting` is the name and the value of the setting that does it,
    where one does.
    """

    name: str
    question: str
    state: State
    answer: str
    fix: str = ""
    setting: tuple[str, str] | None = None


@dataclass(frozen=True, eq=False)
class Case:
    """What is to be handed in: the data, the results under every metric and test, and what the author says.

    `metrics` and `tests` count what was tried; `where` is the place of that count ("this command", "this visit").
    `runs`: the names of the outputs that are the runs of each system, {} where each output is a system; `unstable`: the
    systems whose runs differ so much that p promises too much. `unseen`: the author says that the test set was not used to build or tune a system. `findings` are those of the data
    checks.
    """

    testset: Testset
    outputs: Sequence[Outputs]
    results: Sequence[MatrixResult]
    alpha: float
    metrics: int = 1
    tests: int = 1
    where: str = "this command"
    unseen: bool = False
    findings: Sequence[Finding] = ()
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unstable: Sequence[str] = ()

    def is_one_system(self, one: str, other: str) -> bool:
        """Whether two outputs are runs of one system."""
        return any(one in own and other in own for own in self.runs.values())
