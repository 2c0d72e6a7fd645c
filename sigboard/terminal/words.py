"""Names of metrics, tests and corrections as people write them: in any case, by their title, or by a usual synonym."""

from __future__ import annotations

import argparse
import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from sigcore import SigError, UnknownMember, corrections, metrics, significance

RECORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _by_name(meant: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {name: meaning for meaning, names in meant.items() for name in names}


# What other words for a member mean: an answer, never a silent choice.
MEANINGS = {kind: _by_name(meant) for kind, meant in RECORDS["meant"].items()}
# Metrics of retrieval, whose values trec_eval and ir_measures write for each query.
RETRIEVAL = re.compile(
    r"(?:ndcg|dcg|map|ap|mrr|rr|err|rbp|infap|bpref|recip_?rank|p|r|recall|precision|success|judged)(?:(?:@|_|_cut_)?\d+)?",
    re.IGNORECASE,
)
OF_QUERIES = "own_scores: run trec_eval -q or ir_measures -q, and load the values of each query, a file for each system"


COMMANDS = _by_name(RECORDS["command"])  # what people type for a command


def unknown_command(name: str, known: Sequence[str]) -> NoReturn:
    """Raises: SigError with the command that a usual word means, or with the nearest commands."""
    meaning = COMMANDS.get(plain(name))
    near = ", ".join(difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5))
    fix = f"It may mean: {meaning or near}." if meaning or near else f"Choose from: {', '.join(known)}."
    raise SigError(f"There is no command {name!r}.", "", f"{fix} See: sigboard --help.")


ELSEWHERE = _by_name(RECORDS["elsewhere"])  # options of other commands
MEANT = _by_name(RECORDS["option"])  # options that people type and no command has, and the ones that do it


def is_ambiguous(name: str, known: Sequence[str]) -> bool:
    """Whether the option is the beginning of several; argparse takes the beginning of one for it."""
    return name.startswith("--") and name not in known and sum(one.startswith(name) for one in known) > 1


def unknown_option(name: str, command: str, known: Sequence[str]) -> NoReturn:
    """Raises: SigError with the option of the command that is meant, if it has one, and the nearest ones."""
    meant = [one for one in known if one == MEANT.get(name)]
    near = ", ".join(dict.fromkeys([*meant, *difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.6)]))
    fix = f"Did you mean {near}? " if near and name not in ELSEWHERE else ""
    fix = f"{ELSEWHERE[name]} " if name in ELSEWHERE else fix
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
    meaning = {plain(word): means for word, means in MEANINGS[family].items()}.get(plain(name))
    # a title of one member may be the usual name of several: F1
    fitting = [
        one
        for one, title in known.items()
        if plain(name) == plain(one) or (not meaning and plain(name) == plain(title))
    ]
    if len(fitting) == 1:
        return fitting[0]
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


# Examples at the end of every --help; tests run them. Their files are texts, scores of two systems, ratings, logs.
PAIR = "--reference ref.txt --systems A.txt B.txt"
EXAMPLES = {name: tuple(one.replace("PAIR", PAIR) for one in own) for name, own in RECORDS["examples"].items()}
EXIT_CODES = tuple((int(code), meaning) for code, meaning in RECORDS["exit_codes"].items())


def of(command: str) -> str:
    """The examples of a command, as --help prints them; % is doubled there."""
    lines = "\n".join(f"  sigboard {command} {words}".rstrip() for words in EXAMPLES[command])
    return f"examples:\n{lines}"


def exit_codes() -> str:
    """What the exit codes mean, as --help prints them."""
    lines = "\n".join(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES)
    return f"exit codes:\n{lines}\n\nA file named - is standard input or output. sigboard COMMAND --help has examples."
