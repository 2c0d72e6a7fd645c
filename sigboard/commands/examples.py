"""Examples at the end of every --help; tests run them."""

from __future__ import annotations

# Files in the examples: texts, scores of two systems, ratings, logs.
PAIR = "--reference ref.txt --systems A.txt B.txt"
EXAMPLES: dict[str, tuple[str, ...]] = {
    "matrix": (
        "--reference ref.txt --systems A.txt B.txt C.txt --metric bleu chrf",
        "--systems scores.csv --resamples 1e4 --csv pairs.csv --quiet",
    ),
    "data": ("ref.txt A.txt B.txt scores.csv", "scores.csv --score-field comet --json -"),
    "compare": (f"{PAIR} --metric chrf", f"{PAIR} --test paired_bootstrap --latex -"),
    "gain": ("--reference ref.txt --systems A.txt B.txt C.txt --resamples 1000",),
    "size": (f"{PAIR} --sizes 10 20 --gain 2 --resamples 1000",),
    "domains": (f"{PAIR} --domains domains.txt --draws 0 --resamples 1000",),
    "scores": ("--matrix matrix.csv --human A", "--matrix matrix.csv --csv -"),
    "human": (f"{PAIR} --assessments ratings.csv --metric bleu --resamples 1000",),
    "pairwise": ("judgments.csv", "judgments.csv --csv - --quiet", "right_A.txt right_B.txt --correction none"),
    "tasks": ("logs/ --measure acc", "logs/ --measure acc --latex -"),
    "tuning": (f"{PAIR} --method listnet --iterations 1 --replicates 2 --size 4 --resamples 1000",),
    "report": (f"{PAIR} --out report.html", f"{PAIR} --json - --resamples 1000"),
    "learn": ("", "1"),
    "list": ("",),
    "app": ("--port 8600",),
    "completion": ("bash",),
}
EXIT_CODES = (
    (0, "done"),
    (1, "report --check: a check is red"),
    (2, "wrong arguments, or files that cannot be used; standard error says what, where, and how to fix it"),
    (130, "interrupted (Ctrl+C)"),
)


def of(command: str) -> str:
    """The examples of a command, as --help prints them; % is doubled there."""
    lines = "\n".join(f"  sigboard {command} {words}".rstrip() for words in EXAMPLES[command])
    return f"examples:\n{lines}"


def exit_codes() -> str:
    """What the exit codes mean, as --help prints them."""
    lines = "\n".join(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES)
    return f"exit codes:\n{lines}\n\nA file named - is standard input or output. sigboard COMMAND --help has examples."
