"""All compiled kernels: those of the metrics, and those that count draws and pairs."""

from __future__ import annotations

from sigcore import metrics
from sigcore.resampling import pair_counts, scatter
from sigcore.text import compiled
from sigcore.text.compiled import Kernels


def every() -> list[Kernels]:
    """The kernels of all modules; what is compiled in the shortest time first."""
    wanted = [metric.kernels for metric in metrics.members().values()]
    each = {
        kernels.module: kernels for kernels in (*wanted, scatter.KERNELS, pair_counts.KERNELS) if kernels is not None
    }
    return sorted(each.values(), key=lambda kernels: kernels.seconds)


def compile_in_idle_time() -> None:
    """Let another process of the lowest priority compile the kernels that are not on disk yet; return at once.

    It ends with this process. Where it has not come to a metric that somebody asks for, `prepare` compiles that one first.
    """
    compiled.in_idle_time(every())
