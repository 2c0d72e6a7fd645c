"""The contract of methods of tuning: a listwise loss, an optimizer, or a choice without weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from sigcore import registry
from sigcore.errors import SigError
from sigcore.kbest.instances import Instances
from sigcore.proof import NONE, Proof
from sigcore.registry import Option, number_of, read_options
from sigcore.types import Floats, Ints, Value

Options = Mapping[str, Value]


@dataclass(frozen=True)
class Step:
    """The state after one epoch (or one step of an optimizer): the loss per list, nan where the method has none, and the
    oriented metric of the best hypotheses of the lists it learns from."""

    epoch: int
    loss: float
    value: float


StepReport = Callable[[Step], None]


@dataclass(frozen=True, eq=False)
class Tuned:
    """The weights (F,) that a method found, the course of it, and sentences on what happened."""

    weights: Floats
    course: tuple[Step, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Batch:
    """Some lists as rows (B, k), each in the order of quality, best first (equal ones in the order of the list).

    `quality` is `permutations.NOWHERE` behind the end of a list; `lengths` (B,) are the true lengths.
    """

    quality: Floats
    lengths: Ints


Loss = Callable[[Floats, Batch, Options, np.random.Generator], tuple[Floats, Floats]]
Tune = Callable[[Instances, Floats, Options, np.random.Generator, StepReport], Tuned]


@dataclass(frozen=True, kw_only=True)
class Method:
    """One method. It works in one of three ways.

    - `loss(scores (B, k), batch, options, rng)` returns the loss of each list (B,) and its gradient with respect to the
      scores (B, k); the engine minimises it over all lists.
    - `tune(instances, start, options, rng, report)` finds weights itself, from the weights `start`, and reports its steps.
    - `column(options)` names a column of the hypotheses: the one with the highest value is chosen, and nothing is tuned.

    `aggregates` says that lists of several iterations may be separate instances; otherwise they are merged. `most` is the
    number of features above which the method is known to be slow or unreliable. `proof` is the second route to its numbers;
    a method without one is refused.

    Raises: SigError for a method that does none of these, or several.
    """

    name: str
    title: str
    source: str
    help: str
    options: tuple[Option, ...] = ()
    loss: Loss | None = None
    tune: Tune | None = None
    column: Callable[[Options], str] | None = None
    most: int | None = None
    proof: Proof = field(default=NONE, repr=False, compare=False)

    def __post_init__(self) -> None:
        if sum(part is not None for part in (self.loss, self.tune, self.column)) != 1:
            raise SigError(f"The method {self.name!r} must have exactly one of `loss`, `tune` and `column`.")

    @property
    def aggregates(self) -> bool:
        """Whether lists of several iterations may be separate instances."""
        return self.loss is not None

    def chosen(self, given: Mapping[str, object] | None = None) -> dict[str, Value]:
        """All options with their values.

        Raises: OptionError for an unknown option or a bad value.
        """
        return read_options(self.name, self.options, given or {})


def whole(options: Options, name: str) -> int:
    """The value of an option that is a whole number."""
    return int(number_of(options, name))


def training(epochs: int) -> tuple[Option, ...]:
    """The options of every listwise loss; the paper chose the number of epochs on its development set."""
    return (
        Option("epochs", epochs, low=1, high=10_000, help="Passes over all lists."),
        Option("batch", 10, low=1, high=10_000, help="Lists in one step."),
    )


KAPPA = Option(
    "kappa",
    100.0,
    low=0,
    high=10_000,
    help="What the quality (0 to 1) is multiplied by before it becomes a probability; 1 makes all nearly equal.",
)


# The options of the methods, as options.toml has them.
options_of = partial(registry.options_of, Path(__file__).with_name("options.toml"))
