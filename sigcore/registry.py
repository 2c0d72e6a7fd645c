"""Options as data, and members(): one file (or folder) in a plugin family's package = one member."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from sigcore.errors import OptionError, SigError, UnknownMember

# Modules of a plugin family that are not members.
NOT_MEMBERS = ("contract", "engine")

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
            fix = f"It must be{least}{' and' if least and most else ''}{most}."
            raise OptionError(f"{self.name} = {value} is out of range.", "", fix)
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
            fix = f"It has: {', '.join(known)}." if known else "It has no options."
            raise OptionError(f"{owner} has no option {name!r}.", "", fix)
    return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}


def format_options(options: Sequence[Option], values: Mapping[str, Value]) -> str:
    """The options that differ from their defaults as `name:value|...`; "" where none does."""
    return "|".join(f"{o.name}:{values[o.name]}" for o in options if values[o.name] != o.default)


@cache
def _members(package: str, record: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for origin, member in (*_own_members(package, record), *_members_elsewhere(package)):
        if member.name in found:
            raise SigError(f"Two members are named {member.name!r}.", origin, "Give each its own name.")
        found[member.name] = member
    return found


def _own_members(package: str, record: str) -> Iterator[tuple[str, Any]]:
    """(module, member) of the family's own modules, by module name; a folder may hold several in a plural record."""
    family: ModuleType = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(family.__path__), key=lambda i: i.name):
        if info.name in NOT_MEMBERS:
            continue
        module = importlib.import_module(f"{package}.{info.name}")
        several = getattr(module, f"{record}S", None) if info.ispkg else None
        members = several if several is not None else (getattr(module, record, None),)
        for member in members:
            if member is None:
                raise SigError(f"{info.name}.py has no {record}.", package, f"End the file with {record} = ....")
            yield module.__name__, member


def _members_elsewhere(package: str) -> Iterator[tuple[str, Any]]:
    """(entry point, member) of the members that other installed packages add to the family.

    Such a package names its record in an entry point of the group "sigboard.metrics" (or "sigboard.significance",
    "sigboard.corrections" ...).
    """
    group = f"sigboard.{package.removeprefix('sigcore.')}"
    for point in sorted(entry_points(group=group), key=lambda p: p.name):
        yield f"{group}: {point.value}", point.load()


def members(package: str, record: str) -> dict[str, Any]:
    """All members of a plugin family by name: one module in its package = one member with a `record`.

    Raises: SigError for a module without the record, and for two members of one name.
    """
    return dict(_members(package, record))


def forget() -> None:
    """Look for members again at the next call (a file was added while the program runs)."""
    _members.cache_clear()


def member(package: str, record: str, family: str, name: str) -> Any:
    """The member of that name.

    Raises: UnknownMember, with the nearest names.
    """
    found = members(package, record)
    if name not in found:
        raise UnknownMember(family, name, found)
    return found[name]
