"""What was made from a result before: its figures and readings are made once for each way to show it, for all visitors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

Made = TypeVar("Made")
Key = tuple[Hashable, ...]

MOST = 256  # the least recently used are dropped

_made: OrderedDict[Key, tuple[Any, tuple[Any, ...]]] = OrderedDict()
_lock = Lock()


def once(make: Callable[..., Made], *given: Any, **settings: Any) -> Made:
    """`make(*given, **settings)`, made once; all who ask for the same share it, so it must not be changed.

    `make` is a function of a module, and depends on nothing but its arguments. Results and arrays are the same only if
    they are one object, everything else if it is equal.
    """
    arguments = (*given, *settings.values())
    key = (make, *map(_mark, given), *settings, *map(_mark, settings.values()))
    with _lock:
        if key in _made:
            _made.move_to_end(key)
            kept: Made = _made[key][0]
            return kept
    new = make(*given, **settings)
    with _lock:
        # the arguments are kept, too: no other object can get their identity
        shared: Made = _made.setdefault(key, (new, arguments))[0]
        while len(_made) > MOST:
            _made.popitem(last=False)
    return shared


def _mark(value: Any) -> Hashable:
    # 1 and True are equal, and are written differently
    return (type(value), value) if isinstance(value, Hashable) else ("object", id(value))
