"""Options as data, and the members of a plugin family: one file or folder in its package is one member."""

from __future__ import annotations

import importlib
import math
import pkgutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from sigcore.errors import OptionError, SigError, UnknownMember
from sigcore.types import Value

# Modules of a plugin family that are not members.
NOT_MEMBERS = ("contract", "engine")

PROVE = "Give its record `proof`, with worked examples or an oracle: see the guide of its family in CONTRIBUTING.md."

# Words that a command line may give for true and false.
TRUTH = dict.fromkeys(("true", "yes", "1", "on"), True) | dict.fromkeys(("false", "no", "0", "off"), False)


@dataclass(frozen=True)
class Option:
    """One setting of a member, from which its widget, command-line flag and part of the signature are made."""

    name: str
    default: Value
    help: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Value, ...] = ()
    optional: bool = False  # None is allowed and means that the member chooses

    def read(self, value: object) -> Value:
        """The value in this option's type; text is read as on a command line.

        Raises: OptionError for a value of the wrong type or out of range.
        """
        # "none" may be one of the choices (BLEU without tokenization)
        if self.optional and value not in self.choices and (value is None or str(value).lower() in ("none", "")):
            return None
        parsed = self._typed(value)
        if self.choices and parsed not in self.choices:
            fix = f"Choose from: {', '.join(map(str, self.choices))}."
            raise OptionError(f"{self.name} = {value!r} is not one of its choices.", "", fix)
        self._check_range(parsed)
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
            return self._truth(value)
        return str(value) if self.type is str else self._number(value)

    def _truth(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        if str(value).lower() not in TRUTH:
            raise OptionError(f"{self.name} = {value!r} is neither true nor false.", "", "Write true or false.")
        return TRUTH[str(value).lower()]

    def _number(self, value: object) -> int | float:
        try:
            number = float(str(value))
            if self.type is int and number != int(number):
                raise ValueError
        except (ValueError, OverflowError):
            kind = "a whole number" if self.type is int else "a number"
            raise OptionError(f"{self.name} = {value!r} is not {kind}.", "", f"Write {kind}.") from None
        return int(number) if self.type is int else number

    def _check_range(self, value: Value) -> None:
        """Raise OptionError for a number that is not finite, below `low` or above `high`."""
        if not isinstance(value, int | float):
            return
        if not math.isfinite(value):
            raise OptionError(f"{self.name} = {value} is not a finite number.", "", "Write a finite number.")
        too_low, too_high = self.low is not None and value < self.low, self.high is not None and value > self.high
        if too_low or too_high:
            least = [] if self.low is None else [f"at least {self.low}"]
            most = [] if self.high is None else [f"at most {self.high}"]
            fix = f"It must be {' and '.join(least + most)}."
            raise OptionError(f"{self.name} = {value} is out of range.", "", fix)


# The one place for what a seed may be. Up to here every whole number is a float too, as in JSON and in an address.
SEED = Option("seed", 12345, low=0, high=2**53 - 1, help="The same seed gives the same numbers again.")


def read_options(owner: str, options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its value, in declared order: the given values, else the defaults.

    Raises: OptionError for an option that the owner does not have, or a value that cannot be read.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            fix = f"Its options are: {', '.join(known)}." if known else "It has no options."
            raise OptionError(f"{owner} has no option {name!r}.", "", fix)
    return {name: option.read(given[name]) if name in given else option.default for name, option in known.items()}


def number_of(options: Mapping[str, Value], name: str) -> float:
    """The value of an option that is a number.

    Raises: OptionError if it is not a number, or not set.
    """
    value = options[name]
    if not isinstance(value, int | float):
        raise OptionError(f"{name} = {value!r} is not a number.", "", "Set it to a number.")
    return value


def format_options(options: Sequence[Option], values: Mapping[str, Value]) -> str:
    """The options that differ from their defaults as `name:value|...`; "" if none does."""
    return "|".join(f"{o.name}:{values[o.name]}" for o in options if values[o.name] != o.default)


@cache
def _records(path: Path) -> Mapping[str, Any]:  # Any: texts, flags and lists, as TOML has them
    """The records in a TOML file, which is read once for all of its records."""
    return tomllib.loads(path.read_text("utf-8"))


def described(path: Path, name: str) -> Mapping[str, Any]:  # Any: texts, for a record of mixed fields
    """The name of a member, and what the TOML file of its family says of it; lists as tuples."""
    own = _records(path)[name]
    return {"name": name, **{key: tuple(one) if isinstance(one, list) else one for key, one in own.items()}}


def options_of(path: Path, name: str, **choices: tuple[Value, ...]) -> tuple[Option, ...]:
    """The options of a member, as the TOML file of its family has them; `choices` are those that its code knows."""
    own = ({"default": None, **one, "choices": tuple(one.get("choices", ()))} for one in _records(path)[name])
    return tuple(Option(**one | ({"choices": choices[one["name"]]} if one["name"] in choices else {})) for one in own)


@cache
def _members(package: str, record: str) -> dict[str, Any]:  # Any: the record of the family
    by_name = dict[str, Any]()  # Any: the same
    for origin, member in (*_own_members(package, record), *_members_elsewhere(package)):
        if member.name in by_name:
            raise SigError(f"Two members are named {member.name!r}.", origin, "Give each its own name.")
        if not getattr(member, "proof", True):  # records of a family whose members need none have no such field
            raise SigError(f"{member.name!r} has no proof: nothing checks its numbers.", origin, PROVE)
        by_name[member.name] = member
    return by_name


def _own_members(package: str, record: str) -> Iterator[tuple[str, Any]]:
    """(module, member) of the family's own modules, sorted by name; a folder may hold several members, in a record with a plural name."""
    family: ModuleType = importlib.import_module(package)
    for info in sorted(pkgutil.iter_modules(family.__path__), key=lambda i: i.name):
        if info.name in NOT_MEMBERS:
            continue
        module = importlib.import_module(f"{package}.{info.name}")
        several = getattr(module, f"{record}S", None) if info.ispkg else None
        members = several if several is not None else (getattr(module, record, None),)
        for member in members:
            if member is None:
                file = f"{info.name}/__init__.py" if info.ispkg else f"{info.name}.py"
                raise SigError(f"{file} has no {record}.", package, f"End the file with {record} = ....")
            yield module.__name__, member


def _members_elsewhere(package: str) -> Iterator[tuple[str, Any]]:
    """(entry point, member) of the members that other installed packages add to the family.

    Such a package declares its record as an entry point of the group "sigboard.metrics" (or "sigboard.significance",
    "sigboard.corrections" ...).
    """
    group = f"sigboard.{package.removeprefix('sigcore.')}"
    for point in sorted(entry_points(group=group), key=lambda p: p.name):
        yield f"{group}: {point.value}", point.load()


def members(package: str, record: str) -> dict[str, Any]:  # Any: the record of the family
    """All members of a plugin family by name; each module of its package ends with a `record`.

    Raises: SigError for a module without the record, for a member without a proof, and for two members with the same name.
    """
    return dict(_members(package, record))


def forget() -> None:
    """Forget the members that were found, so that the next call also finds files added since."""
    _members.cache_clear()


def member(package: str, record: str, family: str, name: str) -> Any:  # Any: the record of the family
    """The member with that name.

    Raises: UnknownMember, with the nearest names.
    """
    known = members(package, record)
    if name not in known:
        raise UnknownMember(family, name, known)
    return known[name]
