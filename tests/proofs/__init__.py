"""Whether the proof of a member holds, and whether it would notice a member that is broken in a usual way.

For each family: `faults(member)` are sentences about what its proof finds wrong, none for a good member; `breaks(member)`
are ways to break it; `unnoticed(member)` are those that its proof does not see.
"""

from __future__ import annotations

import ast
import importlib
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sigcore.proof import Figure, Proof

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("metrics", "significance", "corrections", "tuning", "studies", "resampling", "text", "kbest")
CLOSE = 1e-9  # rounding of double precision, where two routes add in another order
FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "min": min,
    "max": max,
}


class Member(Protocol):
    """A member of any family."""

    name: str
    proof: Proof


@dataclass(frozen=True)
class Break:
    """One usual way to break a member: its name, and the broken member."""

    name: str
    member: Any


def number(figure: Figure) -> float:
    """The value of a calculation with numbers and a few functions.

    Raises: ValueError for anything else.
    """
    return _value(ast.parse(figure, mode="eval").body)


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.Call(func=ast.Name(id=name), args=args) if name in FUNCTIONS:
            return float(FUNCTIONS[name](*map(_value, args)))
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _value(left), _value(right)
            match op:
                case ast.Add():
                    return one + other
                case ast.Sub():
                    return one - other
                case ast.Mult():
                    return one * other
                case ast.Div():
                    return one / other
                case ast.Pow():
                    return float(one**other)
    raise ValueError(f"{ast.unparse(node)} is not a calculation with numbers.")


def slack(figure: Figure) -> float:
    """How far a value may be from the figure: half of the last decimal of a printed one, only rounding for a calculation."""
    text = figure.strip().removeprefix("-")
    if text.replace(".", "", 1).isdigit() and "." in text:
        return 0.5 * 10.0 ** -len(text.partition(".")[2]) + CLOSE
    return CLOSE * max(1.0, abs(number(figure)))


def meets(value: float, figure: Figure, more: float = 0.0) -> bool:
    """Whether the value is the figure, up to its slack and `more`."""
    return abs(value - number(figure)) <= slack(figure) + more


def near(one: float, other: float) -> bool:
    """Whether two routes gave one number; nan equals nan."""
    return math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE) or (one != one and other != other)


def oracle(name: str) -> Callable[..., Any]:
    """The function of tests/oracles that a proof names."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(f"tests.oracles.{module}"), function)
    return found


def imported(name: str) -> set[str]:
    """All modules that the oracle's module imports, through other oracles too."""
    seen, left = set[str](), [f"tests.oracles.{name.partition(':')[0]}"]
    while left:
        module = left.pop()
        for found in _imports(module):
            if found not in seen:
                seen.add(found)
                left += [found] if (ROOT / (found.replace(".", "/") + ".py")).exists() and "oracles" in found else []
    return seen


def _imports(module: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((ROOT / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module.endswith("oracles"))


def unfounded(member: Member) -> list[str]:
    """What is wrong with the names in a proof: no proof at all, an oracle that uses what it checks, figures not compared."""
    proof = member.proof
    if not proof:
        return [f"{member.name} has neither worked examples nor an oracle."]
    found = [
        f"An example of {member.name} does not say where it comes from." for e in proof.examples if len(e.origin) < 10
    ]
    if proof.oracle:
        own = [name for name in imported(proof.oracle) if name.startswith(tuple(f"sigcore.{f}" for f in FAMILIES))]
        found += [f"The oracle {proof.oracle} imports {', '.join(own)}, so it is no second route."] if own else []
    return found + [
        f"No test compares {member.name} with {name}." for name in proof.golden if not compared(member, name)
    ]


def compared(member: Member, printed: str) -> bool:
    """Whether there are files of printed figures of that name, and a test that reads them and names the member."""
    folder = ROOT / "tests" / "golden"
    files = [path for path in folder.rglob("*.json") if path.name.startswith(printed)]
    tests = [path.read_text(encoding="utf-8") for path in folder.glob("test_*.py")]
    first, _, rest = map(re.escape, printed.partition("."))
    read = re.compile(rf'"{first}(\.({rest}|{{))?')  # the program may be a variable of the test
    return bool(files) and any(read.search(text) and re.search(rf'"{member.name}"', text) for text in tests)


def unnoticed(
    member: Member,
    breaks: Sequence[Break],
    faults: Callable[[Any], Iterator[str]],
    same: Callable[[Any, Any], bool],
) -> list[str]:
    """The names of the breaks that change numbers and that the proof does not notice. A broken member that cannot even be
    run is noticed."""
    return [one.name for one in breaks if not _noticed(one.member, faults) and not same(member, one.member)]


def _noticed(broken: Any, faults: Callable[[Any], Iterator[str]]) -> bool:
    try:
        return next(iter(faults(broken)), None) is not None
    except Exception:  # whatever it is, a person who runs the tests sees it
        return True
