"""Options as data, and members(): one file in a wing's folder = one member."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from sigcore.errors import OptionError, SigError, UnknownMember

# Files of a wing's folder that are not members.
NOT_MEMBERS = ("contract", "passes")

Value = bool | int | float | str | None


@dataclass(frozen=True)
class Option:
    """One setting of a member: widgets, command-line flags and signatures are made from it."""

    name: str
    default: Value
    help: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Value, ...] = ()
    optional: bool = False  # None is allowed and means "the member's own choice"

    def read(self, value: object) -> Value:
        """The value in this option's type; text is understood as on a command line.

        Raises: OptionError for a value of the wrong type or out of range.
        """
        # "none" may be a choice of its own (BLEU without tokenization)
        if self.optional and value not in self.choices and (value is None or str(value).lower() in ("none", "")):
            return None
        parsed = self._typed(value)
        if self.choices and parsed not in self.choices:
            raise OptionError(
                f"{value!r} is no choice for {self.name}.", "", f"Choose from: {', '.join(map(str, self.choices))}."
            )
        if isinstance(parsed, float) and not math.isfinite(parsed):
            raise OptionError(f"{self.name} = {value} is not a finite number.")
        if isinstance(parsed, int | float) and not (
            (self.low is None or parsed >= self.low) and (self.high is None or parsed <= self.high)
        ):
            least = "" if self.low is None else f" at least {self.low}"
            most = "" if self.high is None else f" at most {self.high}"
            mend = f"It must be{least}{' and' if least and most else ''}{most}."
            raise OptionError(f"{self.name} = {value} is out of range.", "", mend)
        return parsed

    @property
    def type(self) -> type:
        """bool, int, float or str: the type of the default, or of the first choice where the default is None."""
        known = self.default if self.default is not None else next((c for c in self.choices if c is not None), None)
        if known is None:
            return float if self.low is not None or self.high is not None else str
        return type(known)

    def _typed(self, value: object) -> Value:
        if self.type is bool:
            words = {
                "true": True,
                "yes": True,
                "1": True,
                "on": True,
                "false": False,
                "no": False,
                "0": False,
                "off": False,
            }
            if isinstance(value, bool):
                return value
            if str(value).lower() in words:
                return words[str(value).lower()]
            raise OptionError(f"{self.name} = {value!r} is neither true nor false.", "", "Write true or false.")
        if self.type is str:
            return str(value)
        try:
            number = float(str(value))
            if self.type is int and number != int(number):
                raise ValueError
        except (ValueError, OverflowError):
            kind = "a whole number" if self.type is int else "a number"
            raise OptionError(f"{self.name} = {value!r} is not {kind}.", "", f"Write {kind}.") from None
        return int(number) if self.type is int else number


def read_options(owner: str, options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its value, in declared order: the given ones read, the others at their default.

    Raises: OptionError for a name that is not declared or a value that cannot be read.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            mend = f"It has: {', '.join(known)}." if known else "It has no options."
            raise OptionError(f"{owner} has no option {name!r}.", "", mend)
    return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}


def format_options(options: Sequence[Option], values: Mapping[str, Value]) -> str:
    """The options that differ from their defaults as `name:value|...`; "" where none does."""
    return "|".join(f"{o.name}:{values[o.name]}" for o in options if values[o.name] != o.default)


@cache
def _members(package: str, record: str) -> dict[str, Any]:
    module: ModuleType = importlib.import_module(package)
    found: dict[str, Any] = {}
    for info in sorted(pkgutil.iter_modules(module.__path__), key=lambda i: i.name):
        if info.name in NOT_MEMBERS:
            continue
        member = getattr(importlib.import_module(f"{package}.{info.name}"), record, None)
        if member is None:
            raise SigError(f"{info.name}.py has no {record}.", package, f"End the file with {record} = ....")
        if member.name in found:
            raise SigError(f"Two members are named {member.name!r}.", package, "Give each a name of its own.")
        found[member.name] = member
    return found


def members(package: str, record: str) -> dict[str, Any]:
    """All members of a wing by name: one file in its folder = one member with a `record`.

    Raises: SigError for a file without the record, and for two members of one name.
    """
    return dict(_members(package, record))


def forget() -> None:
    """Read the wings' folders again at the next call (a file was added while the program runs)."""
    _members.cache_clear()


def member(package: str, record: str, wing: str, name: str) -> Any:
    """The member of that name.

    Raises: UnknownMember, with the nearest names.
    """
    found = members(package, record)
    if name not in found:
        raise UnknownMember(wing, name, found)
    return found[name]
