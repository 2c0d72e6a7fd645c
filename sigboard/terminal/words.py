"""Names of metrics, tests and corrections as people write them: in any case, by their title, or by a usual synonym."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from sigcore import SigError, UnknownMember, corrections, metrics, significance

# What other words for a member mean: an answer, never a silent choice.
MEANINGS: dict[str, dict[str, str]] = {
    "metric": {
        "chrf++": "chrf with --option chrf.word_order=2",
        "sacrebleu": "bleu",
        "spbleu": "bleu with --option bleu.tokenize=flores200",
        "rouge": "rouge_1, rouge_2, rouge_l or rouge_su4",
        "f1": "token_f1, macro_f1, constituency_f1 or alignment_f1",
        "f": "token_f1, macro_f1, constituency_f1 or alignment_f1",
        "acc": "accuracy",
        "pass@1": "own_scores with files of passed and failed, or accuracy",
        "parseval": "constituency_f1",
        "evalb": "constituency_f1",
    }
    | dict.fromkeys(
        ("comet", "xcomet", "cometkiwi", "bleurt", "bertscore", "metricx", "judge", "score", "scores"),
        "own_scores: load the scores that the program wrote",
    ),
    "test": {
        **dict.fromkeys(("ar", "randomization", "permutation", "signflip", "paired-ar"), "approximate_randomization"),
        **dict.fromkeys(("bootstrap", "pbs", "paired-bs", "koehn"), "paired_bootstrap"),
        **dict.fromkeys(
            ("ttest", "t-test", "t", "wilcoxon", "sign", "signtest", "mcnemar"),
            "approximate_randomization, which needs no assumption on the distribution; for scores per document see: "
            "sigboard scores",
        ),
    },
    "correction": {
        **dict.fromkeys(("bh", "fdr", "fdr_bh"), "benjamini_hochberg"),
        **dict.fromkeys(("by", "fdr_by"), "benjamini_yekutieli"),
        **dict.fromkeys(("westfall-young", "romano-wolf", "tukey", "maxt", "max-t"), "joint"),
        **dict.fromkeys(("no", "off", "raw"), "none"),
        **dict.fromkeys(("fwer", "sidak", "holm-bonferroni"), "holm"),
    },
}
# Metrics of retrieval, whose values trec_eval and ir_measures write for each query.
RETRIEVAL = re.compile(
    r"(?:ndcg|dcg|map|ap|mrr|rr|err|rbp|infap|bpref|recip_?rank|p|r|recall|precision|success|judged)(?:(?:@|_|_cut_)?\d+)?",
    re.IGNORECASE,
)
OF_QUERIES = "own_scores: run trec_eval -q or ir_measures -q, and load the values of each query, a file for each system"


# What people type for a command.
COMMANDS: dict[str, str] = {
    **dict.fromkeys(
        ("significance", "test", "bootstrap", "evaluate", "score", "diff"), "compare (one pair) or matrix (all pairs)"
    ),
    **dict.fromkeys(("grid", "pairs", "all"), "matrix"),
    **dict.fromkeys(("ranks", "ranking", "leaderboard", "board", "first", "best", "clusters", "ties"), "rank"),
    **dict.fromkeys(("power", "samplesize", "plan", "n"), "size"),
    **dict.fromkeys(("threshold", "thresholds", "confidence"), "gain"),
    **dict.fromkeys(("examples", "show", "texts", "diffs", "influence", "fragility", "buckets", "slices"), "segments"),
    **dict.fromkeys(("files", "formats", "load", "read", "inspect", "validate"), "data (or list, for all formats)"),
    **dict.fromkeys(("check", "export", "paper"), "report"),
    **dict.fromkeys(("tune", "mert", "pro", "mira", "rerank", "nbest"), "tuning"),
    **dict.fromkeys(("wins", "arena", "elo", "judge", "preferences"), "pairwise"),
    **dict.fromkeys(("run", "serve", "start", "ui", "gui", "web", "dashboard"), "app"),
    **dict.fromkeys(("lesson", "lessons", "teach", "tutorial", "explain"), "learn"),
    **dict.fromkeys(("claim", "claims", "papers", "replicate", "replication", "reproduction"), "reproduce"),
    **dict.fromkeys(("version", "about"), "--version"),
}


def unknown_command(name: str, known: Sequence[str]) -> NoReturn:
    """Raises: SigError with the command that a usual word means, or with the nearest commands."""
    meaning = COMMANDS.get(plain(name))
    near = ", ".join(difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5))
    fix = f"It may mean: {meaning or near}." if meaning or near else f"Choose from: {', '.join(known)}."
    raise SigError(f"There is no command {name!r}.", "", f"{fix} See: sigboard --help.")


# Options that people type and no command has, and the ones that do it.
MEANT = {"--system": "--pair", "--candidate": "--pair", "--hypothesis": "--systems", "--hyp": "--systems"}


def is_ambiguous(name: str, known: Sequence[str]) -> bool:
    """Whether the option is the beginning of several; argparse takes the beginning of one for it."""
    return name.startswith("--") and name not in known and sum(one.startswith(name) for one in known) > 1


def unknown_option(name: str, command: str, known: Sequence[str]) -> NoReturn:
    """Raises: SigError with the option of the command that is meant, if it has one, and the nearest ones."""
    meant = [one for one in known if one == MEANT.get(name)]
    near = ", ".join(dict.fromkeys([*meant, *difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.6)]))
    fix = f"Did you mean {near}? " if near else ""
    raise SigError(f"{command} has no option {name}.", "", f"{fix}See: sigboard {command} --help.")


def unplaced(words: Sequence[str], command: str) -> NoReturn:
    """Raises: SigError for words, such as files, before which no option says what they are in a command without files."""
    known = "Name k-best lists after --nbest; for scores of several runs or seeds: sigboard matrix FILE. "
    fix = f"{known if command == 'tuning' else ''}See: sigboard {command} --help."
    raise SigError(f"{command} takes nothing without an option: {' '.join(words)}.", "", fix)


def plain(name: str) -> str:
    """The name in lower case without spaces, `_` and `-`."""
    return re.sub(r"[\s_\-]+", "", name.lower())


def titles(family: str) -> dict[str, str]:
    """The members of a family with their titles."""
    if family == "metric":
        return {name: member.title_of(member.chosen()) for name, member in metrics.members().items()}
    members = significance.members() if family == "test" else corrections.members()
    return {name: member.title for name, member in members.items()}


def canonical(family: str, name: str) -> str:
    """The name of the member that is called so, in any case, or has this title.

    Raises: SigError with what a usual synonym means; UnknownMember, with the nearest names.
    """
    known = titles(family)
    if name in known:
        return name
    fitting = [one for one, title in known.items() if plain(name) in (plain(one), plain(title))]
    if len(fitting) == 1:
        return fitting[0]
    meaning = {plain(word): means for word, means in MEANINGS[family].items()}.get(plain(name))
    if meaning is None and family == "metric" and RETRIEVAL.fullmatch(name):
        meaning = OF_QUERIES
    if meaning is not None:
        raise SigError(f"There is no {family} named {name!r}.", "", f"It means {meaning}.")
    raise UnknownMember(family, name, known)


def settle(args: argparse.Namespace, keep: Mapping[str, tuple[str, ...]]) -> None:
    """Replace the names in the arguments by those of members; `keep` are other words that are allowed (auto).

    Raises: SigError as `canonical` does.
    """
    for family in MEANINGS:
        given = getattr(args, family, None)
        if isinstance(given, list):
            words = keep.get(family, ())
            setattr(args, family, [name if name in words else canonical(family, name) for name in given])
        elif isinstance(given, str) and given not in keep.get(family, ()):
            setattr(args, family, canonical(family, given))
    if getattr(args, "option", None) and getattr(args, "metric", None):
        args.option = [_of_metric(text, args.metric) for text in args.option]


def _of_metric(text: str, chosen: list[str]) -> str:
    """An option METRIC.NAME=VALUE with the name of a chosen metric, written in any case."""
    name, dot, rest = text.partition(".")
    own = next((one for one in chosen if plain(one) == plain(name)), name)
    return f"{own}{dot}{rest}"


# Examples at the end of every --help; tests run them.

# Files in the examples: texts, scores of two systems, ratings, logs.
PAIR = "--reference ref.txt --systems A.txt B.txt"
EXAMPLES: dict[str, tuple[str, ...]] = {
    "matrix": (
        "--reference ref.txt --systems A.txt B.txt C.txt --metric bleu chrf",
        "scores.csv --resamples 1e4 --csv pairs.csv --quiet",
    ),
    "rank": (
        "--reference ref.txt --systems A.txt B.txt C.txt --metric bleu chrf",
        "scores.csv --resamples 1e4 --latex -",
    ),
    "data": ("ref.txt A.txt B.txt scores.csv", "scores.csv --score-field comet --json -"),
    "compare": (f"{PAIR} --metric chrf", f"{PAIR} --test paired_bootstrap --latex -"),
    "segments": (f"{PAIR} --limit 3", f"{PAIR} --differing --sort loss --html segments.html"),
    "trust": (f"{PAIR} --repetitions 40", f"{PAIR} --test paired_bootstrap --repetitions 40 --json -"),
    "gain": ("--reference ref.txt --systems A.txt B.txt C.txt --resamples 1000",),
    "size": (f"{PAIR} --sizes 10 20 --gain 2 --resamples 1000",),
    "domains": (f"{PAIR} --domains domains.txt --draws 0 --resamples 1000",),
    "scores": ("--matrix matrix.csv --human A", "--matrix matrix.csv --csv -"),
    "human": (f"{PAIR} --assessments ratings.csv --metric bleu --resamples 1000",),
    "pairwise": ("judgments.csv", "judgments.csv --csv - --quiet", "right_A.txt right_B.txt --correction none"),
    "tasks": ("logs/ --measure acc", "logs/ --measure acc --latex -"),
    "tuning": (f"{PAIR} --method listnet --iterations 1 --replicates 2 --size 4 --resamples 1000",),
    "report": (f"{PAIR} --out report.html", f"{PAIR} --json - --resamples 1000"),
    "reproduce": ("--list", "graham-coin-toss --json -"),
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
