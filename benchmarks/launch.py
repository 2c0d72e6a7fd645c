"""Runs one command and writes what it took: `launch.py RESULT COMMAND ...`; kept apart from the benchmarks to be small.

Linux hands a new program the peak memory of whoever started it, so a large process would lend its own peak to every
child: the benchmarks start this small one instead, and it starts the command.
"""

import json
import os
import subprocess
import sys
import time


def main(result: str, command: list[str]) -> int:
    """Writes CPU and wall seconds and peak bytes as JSON; the command's exit code."""
    began = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    unit = 1 if sys.platform == "darwin" else 1024
    took = {"cpu": usage.ru_utime + usage.ru_stime, "wall": wall, "peak": usage.ru_maxrss * unit}
    with open(result, "w", encoding="utf-8") as file:
        json.dump(took, file)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
