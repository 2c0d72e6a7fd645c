"""The fixed list of changes: a file, a piece of one of its lines, what replaces it, and the tests that are run."""

from __future__ import annotations

from typing import NamedTuple


class Change(NamedTuple):
    """One change; `old` occurs once in the file."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]


RESAMPLING = "tests/unit/sigcore/resampling"
CONTRACT = (f"{RESAMPLING}/test_seed_contract.py",)
P = (f"{RESAMPLING}/test_pvalues.py",)
GOLD = ("tests/unit/sigcore/studies/human/test_gold.py",)
ARCHIVES = ("tests/unit/sigcore/readers/test_archives.py",)
LINES = ("tests/unit/sigcore/readers/test_lines.py",)
BOUNDS = ("tests/unit/sigcore/text/test_bounds.py",)
KERNELS = ("tests/unit/sigcore/text/test_kernel_files.py",)
ATOMIC = ("tests/unit/sigcore/storage/test_atomic.py",)
DISK = ("tests/unit/sigcore/storage/test_disk.py",)
METEOR = ("tests/unit/sigcore/metrics/meteor/test_meteor.py",)
SCORES = ("tests/unit/sigcore/metrics/test_metric_scores.py",)
CORRECTIONS = ("tests/contract/test_corrections.py",)
UNITS = ("tests/unit/sigcore/studies/test_units.py",)
ALIGN = ("tests/unit/sigcore/data/test_align.py",)
FORMATTING = ("tests/unit/sigcore/test_formatting.py", "tests/property/test_formatting.py")
COMPILED = ("tests/unit/sigcore/text/test_compiled.py",)
FORMATS = ("tests/unit/sigcore/readers/test_formats.py",)
PROCESSES = ("tests/unit/sigboard/ui/test_processes.py",)
TERMINAL = ("tests/unit/sigboard/commands/test_terminal.py",)
UNIT = "tests/unit/sigcore"
TASKS = (f"{UNIT}/studies/test_tasks_corrected.py",)
SIGNIFICANCE = (f"{UNIT}/test_significance.py",)
CENTRE = (f"{UNIT}/test_centre.py",)
STORE = ("tests/unit/sigboard/ui/test_store.py",)
DAMAGED = ("tests/unit/sigcore/storage/test_store.py",)
TABLES = ("tests/unit/sigboard/reports/test_tables.py",)
ASSEMBLE = (f"{UNIT}/data/test_assemble.py",)
NUMBERS = (f"{UNIT}/readers/test_numbers.py",)

MEASURES = ("tests/unit/sigcore/test_measures.py",)
DIRECTION = ("tests/unit/sigcore/data/test_direction.py",)
SENTINELS = ("tests/unit/sigcore/data/test_sentinels.py",)

CHANGES = (
    # which scores are better, and which numbers are none
    Change(
        "sigcore/measures.py", "OPPOSITE[one.better] if _turned(words, one) else one.better", "one.better", MEASURES
    ),
    Change("sigcore/data/direction.py", "    if 1 not in signs:", "    if True:", DIRECTION),
    Change("sigcore/data/sentinels.py", "TIMES = 2", "TIMES = 1", SENTINELS),
    Change("sigcore/data/sentinels.py", "or min(rest) < 0", "or False", SENTINELS),
    # which numbers a seed draws
    Change("sigcore/resampling/blocks.py", "BLOCK = 512", "BLOCK = 511", CONTRACT),
    Change("sigcore/resampling/blocks.py", '"hybrid": 2,', '"hybrid": 1,', CONTRACT),
    Change("sigcore/resampling/blocks.py", "AT_ONCE = 250_000", "AT_ONCE = 249_000", CONTRACT),
    Change("sigcore/resampling/blocks.py", "np.uint16 if n <= 65_536", "np.uint16 if n <= 32_768", CONTRACT),
    Change("sigcore/resampling/blocks.py", "np.uint16 if 2 * n <= 65_536", "np.uint16 if n <= 65_536", CONTRACT),
    Change("sigcore/resampling/blocks.py", "width = -(-n // 8)", "width = n // 8 + 1", CONTRACT),
    # from counts to p
    Change("sigcore/resampling/pvalues.py", "(count + 1) / (resamples + 1)", "(count + 1) / resamples", P),
    Change("sigcore/resampling/pvalues.py", "counts > 0, ", "counts > 1, ", P),
    Change(
        "sigcore/resampling/pvalues.py",
        "some, rest = counts > 0, counts < trials",
        "some, rest = counts > 0, counts < trials - 1",
        P,
    ),
    Change("sigcore/resampling/pvalues.py", "2.0 * np.minimum(first, second)", "np.minimum(first, second)", P),
    Change("sigcore/corrections/holm.py", "(m - np.arange(m))", "(m - 1 - np.arange(m))", CORRECTIONS),
    Change("sigcore/corrections/holm.py", "np.maximum.accumulate(p", "np.asarray(p", CORRECTIONS),
    Change("sigcore/corrections/hommel.py", '"hommel")', '"simes-hochberg")', CORRECTIONS),
    # people
    Change("sigcore/studies/human/gold.py", "reached = p <= alpha", "reached = p < alpha", GOLD),
    Change("sigcore/studies/human/gold.py", "np.where(p <= alpha, 1,", "np.where(p < alpha, 1,", GOLD),
    Change("sigcore/studies/human/gold.py", "np.where(alpha >= p.T, -1, 0)", "np.where(alpha > p.T, -1, 0)", GOLD),
    # units
    Change("sigcore/studies/units.py", "np.asarray((n - 1) / n * (centred", "np.asarray((centred", UNITS),
    Change("sigcore/study.py", "if documents < LEAST_DOCUMENTS:", "if documents <= LEAST_DOCUMENTS:", UNITS),
    # metrics
    Change("sigcore/text/meteor_score.py", '"cs": MeteorParameters(0.95', '"cs": MeteorParameters(0.85', METEOR),
    Change("sigcore/text/meteor_score.py", "0.55, 0.55, (1.0, 0.8, 0.2)", "0.55, 0.50, (1.0, 0.8, 0.2)", METEOR),
    Change("sigcore/text/meteor_score.py", "(0.65, 1.30, 0.50, 0.80", "(0.65, 1.20, 0.50, 0.80", METEOR),
    Change("sigcore/text/meteor_score.py", '"ru": MeteorParameters(0.75', '"ru": MeteorParameters(0.70', METEOR),
    Change("sigcore/metrics/options.toml", 'default = "english"', 'default = "own"', METEOR),
    Change("sigcore/metrics/meteor/words.py", "ï|(?<!gu)ë", "ï|ë", METEOR),
    Change("sigcore/text/bleu.py", "np.fmin(0.0, shortfall)", "np.fmin(0.1, shortfall)", SCORES),
    Change("sigcore/metrics/chrf.py", "(1 + factor) * precision * recall", "factor * precision * recall", SCORES),
    # readers
    Change("sigcore/readers/archives.py", "if self.bytes_left < 0:", "if self.bytes_left < -CHUNK:", ARCHIVES),
    Change("sigcore/readers/archives.py", "if self.lines_left < 0:", "if self.lines_left < -9:", ARCHIVES),
    Change("sigcore/readers/archives.py", "        if min(budget.left) < 0:", "        if False:", ARCHIVES),
    Change("sigcore/readers/archives.py", "number > 4 * budget.limits.members", "False", ARCHIVES),
    Change("sigcore/readers/lines.py", "nuls * 10 > len(data)", "nuls * 10 >= len(data)", LINES),
    Change("sigcore/readers/lines.py", "nuls >= 4 and", "nuls >= 5 and", LINES),
    Change("sigcore/readers/lines.py", ">= 0.95 * nuls", ">= 0.9 * nuls", LINES),
    Change("sigcore/data/matching.py", 'keys[0] not in ("0", "1")', 'keys[0] not in ("0", "1", "2")', ALIGN),
    Change("sigcore/readers/marked.py", "outside := sorted(set(marked.outside))", "outside := list[int]()", FORMATS),
    # bounds, files, processes, the terminal
    Change("sigcore/text/chunks.py", "stop = max(start + 1, ", "stop = max(start + 64, ", COMPILED),
    Change("sigcore/text/chunks.py", "letters * references.sum(axis=1)", "letters", COMPILED),
    Change("sigboard/server/worker.py", "resource.setrlimit(resource.RLIMIT_DATA, (most, most))", "pass", PROCESSES),
    Change("sigboard/server/processes.py", "        process.kill()", "        pass", PROCESSES),
    Change("sigboard/server/processes.py", "if code in TOO_LITTLE", "if code == 1", PROCESSES),
    Change("sigcore/text/bounds.py", "costs > bound.most", "costs >= bound.most", BOUNDS),
    Change("sigcore/text/bounds.py", 'f"segment {segment + 1}"', 'f"segment {segment}"', BOUNDS),
    Change("sigcore/metrics/meteor/search.py", "stages * costs[", "costs[", BOUNDS),
    Change("sigcore/text/compiled.py", "shutil.rmtree(mark.parent, ignore_errors=True)", "pass", KERNELS),
    Change("sigcore/storage/location.py", "state.st_mode & stat.S_IWOTH or", "False or", KERNELS),
    Change("sigcore/storage/atomic.py", "part = target.parent /", "part = target or", ATOMIC),
    Change("sigcore/storage/atomic.py", "os.chmod(part, stat.S_IMODE(mode))", "pass", ATOMIC),
    Change("sigcore/storage/disk.py", "if content != seal(name, data):", "if False:", DISK),
    Change("sigcore/storage/disk.py", "if len(content) > self.most:", "if len(content) > 2 * self.most:", DISK),
    Change("sigcore/formatting.py", "DIGITS = 2", "DIGITS = 3", FORMATTING),
    Change(
        "sigcore/formatting.py", "if not any(x > alpha >= float(text)", "if not any(x > alpha > float(text)", FORMATTING
    ),
    Change("sigboard/terminal/start.py", "INTERRUPTED = 130", "INTERRUPTED = 1", TERMINAL),
    Change("sigboard/terminal/output.py", 'errors="backslashreplace"', 'errors="strict"', TERMINAL),
    Change("sigboard/terminal/__init__.py", "            output.flush()", "            pass", TERMINAL),
    # families of several tasks, few units, a pair without a gain, the centre of the bootstrap
    Change("sigcore/studies/tasks/result.py", "adjusted[-1] = adjust(p[-1])", "adjusted[-1] = p[-1]", TASKS),
    Change(
        "sigcore/studies/tasks/result.py",
        "adjust(p[:-1].ravel()).reshape(p[:-1].shape)",
        "np.array([adjust(row) for row in p[:-1]])",
        TASKS,
    ),
    Change(
        "sigcore/significance/__init__.py",
        "ndtri((1 + level) / 2) * ((n - 1) / n)",
        "ndtri((1 + level) / 2) * 1",
        SIGNIFICANCE,
    ),
    Change(
        "sigcore/significance/paired_bootstrap.py",
        "np.where(gain >= 0, zero, low)",
        "np.where(gain > 0, zero, low)",
        SIGNIFICANCE,
    ),
    Change("sigcore/significance/engine.py", "AGREE = 4.0", "AGREE = 40.0", CENTRE),
    Change("sigcore/significance/engine.py", "SURE = 2.0", "SURE = 0.0", CENTRE),
    Change("sigcore/significance/engine.py", "ROUNDING = 1e-9", "ROUNDING = 0.0", CENTRE),
    Change("sigcore/significance/engine.py", "- 2 * covariance[left, right]", "- covariance[left, right]", CENTRE),
    # tables, and what is kept
    Change("sigboard/render/tables.py", '[r"\\midrule"] if k in rules', '[r"\\midrule"] if k + 1 in rules', TABLES),
    Change("sigboard/render/tables.py", "{column + width - 1}}}", "{column + width}}}", TABLES),
    Change("sigboard/server/store.py", "self._seen = began", "self._seen = time.time()", STORE),
    Change(
        "sigboard/server/store.py", "self.store.changes(self._seen - SLACK)", "self.store.changes(self._seen)", STORE
    ),
    Change("sigboard/server/store.py", "!= stamp and token not in self._notes:", "!= stamp:", STORE),
    Change("sigboard/server/store.py", "self._notes.get(token) is note and", "token in self._notes and", STORE),
    Change("sigboard/server/store.py", "(own.grid is None or own.grid == known.grid)", "own.grid == known.grid", STORE),
    Change("sigboard/server/store.py", "elif note.grid is not None and known.grid", "elif known.grid", STORE),
    Change("sigboard/server/store.py", "if found is None or not found[1].withdraw(token):", "if True:", STORE),
    Change("sigboard/server/visits.py", "if mark in self.shared[token]", "if mark", STORE),
    Change("sigcore/storage/store.py", "self._rests = 0.0  # there is nothing to wait for", "pass", DAMAGED),
    Change("sigcore/storage/database.py", "in DAMAGED", "in (11,)", DAMAGED),
    # lengths, numbers and scales of what is loaded
    Change(
        "sigcore/data/select.py",
        'item.role == "reference" for item in as_is), n',
        'item.role == "reference" for item in as_is), -n',
        ASSEMBLE,
    ),
    Change("sigcore/data/select.py", "return n - 1 if n > 1 and", "return n - 1 if", ASSEMBLE),
    Change("sigcore/data/gaps.py", "gaps |= set(without_score)", "gaps = set(without_score)", ASSEMBLE),
    Change("sigcore/readers/tables/numbers.py", "FAR = 20.0", "FAR = 25.0", NUMBERS),
    Change("sigcore/readers/tables/numbers.py", "FEWEST = 3", "FEWEST = 4", NUMBERS),
    Change("sigcore/readers/tables/numbers.py", "if one.values[-1] <= 0]", "if one.values[-1] < 0]", NUMBERS),
    Change("sigcore/readers/tables/numbers.py", "numeric >= 0.5 * n and", "", NUMBERS),
    Change("sigcore/readers/tables/numbers.py", "> n // 10", "> n // 20", NUMBERS),
    Change("sigcore/readers/archives.py", "longest = line + first", "longest = first", ARCHIVES),
    Change("sigcore/readers/archives.py", "times <= DENSE and", "", ARCHIVES),
)
