"""The signature of a result: its settings and what its numbers depend on, in one string."""

from __future__ import annotations

from collections.abc import Mapping

from sigcore.resampling.blocks import BLOCK
from sigcore.version import __version__


def signature(settings: Mapping[str, object]) -> str:
    """ "name:value" for each setting, the size of a block and the version, separated by "|".

    Equal results have equal signatures on any machine: no number depends on the versions of Python and numpy.
    """
    return "|".join(f"{name}:{value}" for name, value in {**settings, "block": BLOCK, "sigcore": __version__}.items())
