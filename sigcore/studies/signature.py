"""The signature of a result: its settings, and the versions that its numbers may depend on, in one string."""

from __future__ import annotations

import platform
from collections.abc import Mapping

import numpy as np

from sigcore.resampling.blocks import BLOCK
from sigcore.version import __version__


def signature(settings: Mapping[str, object]) -> str:
    """ "name:value" for each setting, the size of a block and the versions, separated by "|"."""
    versions: Mapping[str, object] = {
        "block": BLOCK,
        "sigcore": __version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    return "|".join(f"{name}:{value}" for name, value in {**settings, **versions}.items())
