"""Generates the outputs of the invented systems, and the ratings of the invented judges, byte for byte, from the
references, the tables and the profiles; the treebank with its layers; and the finished grid of each set of translations,
which the first page opens with."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import candidates
import structures
from coins import Coins, Profile, coin
from judges import table
from slips import output

HERE = Path(__file__).resolve().parent
TRANSLATIONS = "translations"


def outputs(profile: Profile, wordings: Sequence[Sequence[str]], domains: Sequence[str], seed: str) -> list[str]:
    """The output of the system for every segment; segments differ in difficulty, for all systems alike."""
    lines = []
    for i, domain in enumerate(domains):
        hard = 0.25 + 1.5 * coin(seed, "hard", i)
        coins = Coins(profile, i, hard * profile.level * profile.domains.get(domain, 1.0), seed)
        second = len(wordings) > 1 and coins.toss("second_wording") < profile.rates.get("second_wording", 0.0)
        lines.append(output(wordings[second][i], coins))
    return lines


def twin(lines: Sequence[str], redrawn: Sequence[str], number: int, name: str) -> list[str]:
    """The lines of the first twin, except for `number` segments, which come from a second draw."""
    other = [i for i, line in enumerate(lines) if line != redrawn[i]]
    chosen = set(sorted(other, key=lambda i: coin("twin", name, number, i))[:number])
    return [redrawn[i] if i in chosen else line for i, line in enumerate(lines)]


def lines_of(path: Path) -> list[str]:
    """The lines of a file, split on the line feed only."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def kind_of(folder: Path) -> str:
    """What a set contains, from its profiles.toml."""
    return str(tomllib.loads((folder / "profiles.toml").read_text(encoding="utf-8")).get("kind", TRANSLATIONS))


def profiles(folder: Path) -> tuple[str, list[Profile], dict[str, int], str]:
    """The seed, the systems, the plan for the judges ({} = no judges) and the system with candidates ("" = none) of a
    set, from its profiles.toml."""
    data = tomllib.loads((folder / "profiles.toml").read_text(encoding="utf-8"))
    common = data["rates"]
    made = [Profile(**{**row, "rates": {**common, **row.get("rates", {})}}) for row in data["system"]]
    return data["seed"], made, data.get("judges", {}), data.get("candidates", "")


def files(folder: Path) -> dict[str, str]:
    """Path in the set -> text, for every generated file: one per system, groups.tsv, assessments.tsv if there are judges,
    candidates.nbest if a system has candidates; for trees, brackets and links the gold file and documents.tsv too."""
    kind, (seed, systems, plan, sampled) = kind_of(folder), profiles(folder)
    if kind == TRANSLATIONS:
        texts = translations(folder, seed, systems, plan, sampled)
    elif kind == "summaries":
        texts = structures.of_summaries(folder, systems, seed)
    elif kind == "answers":
        tasks = tomllib.loads((folder / "profiles.toml").read_text(encoding="utf-8"))["tasks"]
        texts = structures.of_answers(systems, tasks, seed)
    else:
        texts = structures.of_treebank(kind, systems, seed)
    return texts | {"groups.tsv": "system\tgroup\n" + "".join(f"{p.name}\t{p.group}\n" for p in systems)}


def translations(
    folder: Path, seed: str, systems: Sequence[Profile], plan: dict[str, int], sampled: str
) -> dict[str, str]:
    """The generated files of a set of translations."""
    wordings = [lines_of(path) for path in sorted(folder.glob("ref.*.en"))]
    domains = [line.split("\t")[2] for line in lines_of(folder / "documents.tsv")[1:]]
    made: dict[str, list[str]] = {}
    for profile in systems:
        if profile.twin_of:
            elder = next(p for p in systems if p.name == profile.twin_of)
            redrawn = outputs(replace(elder, name=profile.name, share=0.0), wordings, domains, seed)
            made[profile.name] = twin(made[elder.name], redrawn, profile.redraw, profile.name)
        else:
            made[profile.name] = outputs(profile, wordings, domains, seed)
    texts = {f"systems/{name}.en": "\n".join(lines) + "\n" for name, lines in made.items()}
    if plan:
        texts["assessments.tsv"] = table(made, wordings, plan, seed)
    if sampled:
        profile = next(p for p in systems if p.name == sampled)
        texts["candidates.nbest"] = candidates.table(profile, wordings, domains, seed)
    return texts


def grid(name: str) -> bytes:
    """The finished grid of a set under the settings that a visitor starts with: every run on the way to the last."""
    sys.path.insert(0, str(HERE.parent))
    from sigcore.data import Collection
    from sigcore.studies import enough, matrix
    from sigcore.study import Settings, Study

    collection = Collection()
    collection.add_sample(name)
    loaded, runs = collection.sound(), list[matrix.MatrixRun]()

    def work(study: Study) -> matrix.MatrixRun:
        runs.append(matrix.run(study))
        return runs[-1]

    settings = Settings(correction="auto")
    study = Study(loaded.testset, loaded.outputs, settings=settings, resamples="auto")
    enough.draw(study, work, lambda run: [matrix.read(run, "bleu", "approximate_randomization", settings)])
    return matrix.save(runs)


def main() -> None:
    """Write every generated file, and remove outputs of systems that are no longer listed."""
    for folder in sorted(path.parent for path in HERE.glob("*/profiles.toml")):
        made = files(folder)
        (folder / "systems").mkdir(exist_ok=True)
        for path in folder.glob("systems/*"):
            if f"systems/{path.name}" not in made:
                path.unlink()
        for name, text in made.items():
            (folder / name).write_bytes(text.encode("utf-8"))
        if kind_of(folder) == TRANSLATIONS:
            (folder / "grid.npz").write_bytes(grid(folder.name))


if __name__ == "__main__":
    main()
