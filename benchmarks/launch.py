"""Runs one command and writes its time and memory: `launch.py RESULT COMMAND ...`; a separate file to be small.

On Linux, a new process starts with the peak memory of its parent, so a large process would pass its own peak on to every
child. Therefore the benchmarks start this small process, and it starts the command.
"""

import json
import os
import subprocess
import sys
import time


def main(result: str, command: list[str]) -> int:
    """The exit code of the command; its CPU and wall seconds and its peak bytes are written as JSON."""
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
