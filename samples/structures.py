"""The files of the samples of trees, brackets, word links, summaries and answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import bracketers
import linkers
import parsers
import summarisers
import translations
import treebank
from coins import Coins, Profile, coin

HERE = Path(__file__).resolve().parent
PAPERS = ("harbour", "kitchen-radio")  # the sets whose documents are summarised
RADIO = "radio"


def coins_of(profile: Profile, segment: int, seed: str) -> Coins:
    """The coins of a system in a segment; segments differ in difficulty, for all systems alike."""
    return Coins(profile, segment, (0.25 + 1.5 * coin(seed, "hard", segment)) * profile.level, seed)


def of_answers(systems: Sequence[Profile], tasks: Mapping[str, int], seed: str) -> dict[str, str]:
    """Whether each system answers each question of each task rightly; some questions are harder for all systems."""

    def is_right(profile: Profile, task: str, k: int) -> bool:
        hard = (0.25 + 1.5 * coin(seed, "hard", task, k)) * profile.level * profile.domains.get(task, 1.0)
        return Coins(profile, k, hard, seed).toss(task) >= hard

    return {
        f"systems/{profile.name}.csv": "task,correct\n"
        + "".join(f"{task},{int(is_right(profile, task, k))}\n" for task, n in tasks.items() for k in range(n))
        for profile in systems
    }


def of_treebank(kind: str, systems: Sequence[Profile], seed: str) -> dict[str, str]:
    """The gold file, the outputs and the documents of a sample made from the treebank."""
    bank = treebank.sentences(seed)
    made = {"trees": _trees, "brackets": _brackets, "links": _links}[kind](bank, systems, seed)
    rows = [f"{k}\t{sentence.document}\n" for k, sentence in enumerate(bank, 1)]
    return made | {"documents.tsv": "segment\tdocument\n" + "".join(rows)}


def _trees(bank: Sequence[treebank.Sentence], systems: Sequence[Profile], seed: str) -> dict[str, str]:
    texts = {"gold.conllu": treebank.conllu(bank, [treebank.gold(sentence) for sentence in bank])}
    for profile in systems:
        arcs = [parsers.parsed(sentence, coins_of(profile, k, seed)) for k, sentence in enumerate(bank)]
        texts[f"systems/{profile.name}.conllu"] = treebank.conllu(bank, arcs)
    return texts


def _by_line(
    systems: Sequence[Profile], seed: str, n: int, suffix: str, line: Callable[[int, Coins], str]
) -> dict[str, str]:
    """One file per system with a line per sentence."""
    return {
        f"systems/{p.name}.{suffix}": "".join(f"{line(k, coins_of(p, k, seed))}\n" for k in range(n)) for p in systems
    }


def _brackets(bank: Sequence[treebank.Sentence], systems: Sequence[Profile], seed: str) -> dict[str, str]:
    texts = {"gold.mrg": "".join(f"{bracketers.gold_line(sentence)}\n" for sentence in bank)}
    return texts | _by_line(systems, seed, len(bank), "mrg", lambda k, coins: bracketers.line(bank[k], coins))


def _links(bank: Sequence[treebank.Sentence], systems: Sequence[Profile], seed: str) -> dict[str, str]:
    turned = [translations.translation(sentence) for sentence in bank]
    english = [" ".join(word.form for word in sentence.words) for sentence in bank]
    other = [" ".join(unit.form for unit in units) for units in turned]
    texts = {"gold.pharaoh": "".join(f"{translations.gold_line(units)}\n" for units in turned)}
    texts |= {"pairs.md": _pairs(english, other)}

    def line(k: int, coins: Coins) -> str:
        return linkers.line(turned[k], len(bank[k].words), coins)

    return texts | _by_line(systems, seed, len(bank), "pharaoh", line)


def _pairs(english: Sequence[str], other: Sequence[str]) -> str:
    head = "# The sentence pairs\n\nWords are separated by spaces, and links count them from 0.\n\n"
    table = "| | English | the language of Sull |\n|---|---|---|\n"
    rows = [f"| {k} | {one} | {two} |\n" for k, (one, two) in enumerate(zip(english, other, strict=True), 1)]
    return head + table + "".join(rows)


def of_summaries(folder: Path, systems: Sequence[Profile], seed: str) -> dict[str, str]:
    """The summaries of all systems, and the domains of the documents; the references are not generated."""
    references = [_records(path) for path in sorted(folder.glob("ref.*.jsonl"))]
    documents, domains = _documents()
    texts = {}
    for profile in systems:
        rows = []
        for k, name in enumerate(references[0]):
            own = [wording[name] for wording in references]
            found = summarisers.summary(documents[name], own, coins_of(profile, k, seed))
            rows.append(json.dumps({"id": name, "output": found}, ensure_ascii=False) + "\n")
        texts[f"systems/{profile.name}.jsonl"] = "".join(rows)
    return texts | {"domains.tsv": "id\tdomain\n" + "".join(f"{name}\t{domains[name]}\n" for name in references[0])}


def _records(path: Path) -> dict[str, str]:
    """Document -> summary, from a file with a record per line."""
    records = map(json.loads, path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))
    return {record["id"]: record["reference"] for record in records}


def _documents() -> tuple[dict[str, list[str]], dict[str, str]]:
    """Document -> its sentences, and document -> its domain, from the sets of translations."""
    documents: dict[str, list[str]] = {}
    domains: dict[str, str] = {}
    for name in PAPERS:
        folder = HERE / name
        text = (folder / "ref.A.en").read_text(encoding="utf-8").removesuffix("\n").split("\n")
        table = (folder / "documents.tsv").read_text(encoding="utf-8").removesuffix("\n").split("\n")[1:]
        for sentence, row in zip(text, table, strict=True):
            _, document, domain = row.split("\t")
            documents.setdefault(document, []).append(sentence)
            domains[document] = domain if name == PAPERS[0] else RADIO
    return documents, domains
