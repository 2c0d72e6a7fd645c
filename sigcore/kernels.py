"""All compiled kernels: those of the metrics, and those that count draws and pairs."""

from __future__ import annotations

from sigcore import metrics
from sigcore.resampling import pair_counts, scatter
from sigcore.text.compiled import Kernels, compiler, disk_cache, kept


def every() -> list[Kernels]:
    """The kernels of all modules; what is compiled in the shortest time first."""
    every_metric = metrics.members().values()
    pairs = [metric.swapped.kernels for metric in every_metric if metric.swapped]
    known = [*(metric.kernels for metric in every_metric), *pairs, scatter.KERNELS, pair_counts.KERNELS]
    return sorted({each.module: each for each in known if each}.values(), key=lambda each: each.seconds)


def compile_in_idle_time() -> None:
    """Let another process of the lowest priority compile the kernels that are not on disk yet; return at once. Where it has
    not come to a metric that somebody asks for, `prepare` compiles that one first."""
    missing = [kernels for kernels in every() if not kept(kernels)]
    if missing and disk_cache() is not None:
        compiler(missing, idle=True)
