"""Scripts with which bash, zsh or fish complete commands and their arguments, made from the parsers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

PROGRAM = "sigboard"
HOW = {
    "bash": f"{PROGRAM} completion bash > ~/.local/share/bash-completion/completions/{PROGRAM}",
    "zsh": f'{PROGRAM} completion zsh > "${{fpath[1]}}/_{PROGRAM}"',
    "fish": f"{PROGRAM} completion fish > ~/.config/fish/completions/{PROGRAM}.fish",
}


@dataclass(frozen=True)
class Flag:
    """One option of a command: its words, what it means, and its values ((): any file or text, None: it takes none)."""

    words: tuple[str, ...]
    help: str
    values: tuple[str, ...] | None


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The shell."""
    command.add_argument("shell", choices=tuple(HOW), help="the shell that the script is for")


def run(args: argparse.Namespace) -> None:
    """Print the script."""
    from sigboard import terminal

    flags = {name: list(flags_of(parser)) for name, parser in terminal.parsers(terminal.parser()).items()}
    summaries = terminal.summaries()
    write: dict[str, Callable[[dict[str, list[Flag]], dict[str, str]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
    print(write[args.shell](flags, summaries), end="")


def flags_of(parser: argparse.ArgumentParser) -> Iterator[Flag]:
    """The options of a command."""
    for action in parser._actions:
        if not action.option_strings or action.help == argparse.SUPPRESS:
            continue
        text = (
            (action.help or "") % {**vars(action), "prog": parser.prog} if "%" in (action.help or "") else action.help
        )
        first = re.split(r"[;(]", text or "", maxsplit=1)[0].strip()
        values = None if action.nargs == 0 else tuple(str(choice) for choice in action.choices or () if str(choice))
        yield Flag(tuple(action.option_strings), first, values)


def bash(flags: dict[str, list[Flag]], summaries: dict[str, str]) -> str:
    """A function for `complete -F`: commands first, then the options of the command, and the values of one option."""
    cases = []
    for name, own in flags.items():
        words = " ".join(word for flag in own for word in flag.words)
        values = [
            f'    {"|".join(f.words)}) COMPREPLY=($(compgen -W "{" ".join(f.values)}" -- "$word")); return ;;'
            for f in own
            if f.values
        ]
        inner = ["    case $before in", *(f"  {line}" for line in values), "    esac"] if values else []
        cases += [f"  {name})", *inner, f'    words="{words}" ;;']
    return "\n".join(
        [
            f"# {HOW['bash']}",
            f"_{PROGRAM}() {{",
            "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=",
            "  COMPREPLY=()",
            "  if [ $COMP_CWORD -eq 1 ]; then",
            f'    COMPREPLY=($(compgen -W "{" ".join(summaries)} --help --version" -- "$word")); return',
            "  fi",
            "  case ${COMP_WORDS[1]} in",
            *cases,
            "  esac",
            '  case $word in -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;; esac',
            "}",
            f"complete -o default -F _{PROGRAM} {PROGRAM}",
            "",
        ]
    )


def zsh(flags: dict[str, list[Flag]], summaries: dict[str, str]) -> str:
    """A function of zsh's completion system."""
    cases = []
    for name, own in flags.items():
        specs = [_zsh_spec(flag) for flag in own]
        cases += [
            f"    {name})",
            "      _arguments \\",
            *(f"        {spec} \\" for spec in specs),
            "        '*:file:_files' ;;",
        ]
    commands = " ".join(f"'{name}:{_plain(summary)}'" for name, summary in summaries.items())
    return "\n".join(
        [
            f"#compdef {PROGRAM}",
            f"# {HOW['zsh']}",
            f"_{PROGRAM}() {{",
            f"  local -a commands=({commands})",
            "  if (( CURRENT == 2 )); then _describe command commands; return; fi",
            "  local command=$words[2]",
            "  shift words; (( CURRENT-- ))",
            "  case $command in",
            *cases,
            "  esac",
            "}",
            f'_{PROGRAM} "$@"',
            "",
        ]
    )


def _zsh_spec(flag: Flag) -> str:
    after = "" if flag.values is None else f":value:({' '.join(flag.values)})" if flag.values else ":value:_files"
    return f"'*{flag.words[-1]}[{_plain(flag.help)}]{after}'"


def _plain(text: str) -> str:
    """The text without what a shell would read as something else."""
    return re.sub(r"['\":\[\]\\$`\n]+", " ", text).strip()


def fish(flags: dict[str, list[Flag]], summaries: dict[str, str]) -> str:
    """A line of `complete` for each command and each option."""
    lines = [f"# {HOW['fish']}"]
    for name, summary in summaries.items():
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -f -a {name} -d '{_plain(summary)}'")
    for name, own in flags.items():
        for flag in own:
            named = " ".join(f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}" for word in flag.words)
            values = f" -x -a '{' '.join(flag.values)}'" if flag.values else "" if flag.values is None else " -r"
            condition = f"-n '__fish_seen_subcommand_from {name}'"
            lines.append(f"complete -c {PROGRAM} {condition} {named}{values} -d '{_plain(flag.help)}'")
    return "\n".join(lines) + "\n"
