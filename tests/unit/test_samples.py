"""The sample sets are sound, alive, and made reproducibly."""

import csv
import hashlib
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SETS = ("harbour", "kitchen-radio")
STRUCTURES = (
    "harbour-brackets",
    "harbour-links",
    "harbour-summaries",
    "harbour-trees",
)  # tests/unit/test_sample_structures.py
TWINS = {"harbour": ("Albatross-1", "Albatross-2"), "kitchen-radio": ("Ladle", "Ladle-tuned")}
PRINT_MADE = """
import hashlib, make
for folder in sorted(path.parent for path in make.HERE.glob("*/profiles.toml")):
    for name, text in make.files(folder).items():
        print(folder.name, name, hashlib.sha256(text.encode("utf-8")).hexdigest(), sep="\\t")
"""


def lines(path: Path) -> list[str]:
    """The segments of a file, which must end with a line feed."""
    text = path.read_bytes().decode("utf-8")
    assert text.endswith("\n"), path
    return text.removesuffix("\n").split("\n")


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table with a head."""
    return list(csv.DictReader(lines(path), delimiter="\t", quoting=csv.QUOTE_NONE))


def texts(name: str) -> dict[str, list[str]]:
    """Every file of segments of a set, by its stem."""
    folder = SAMPLES / name
    return {path.stem: lines(path) for path in [*folder.glob("ref.*.en"), *folder.glob("systems/*.en")]}


@pytest.mark.parametrize("name", SETS)
def test_every_file_has_the_same_number_of_segments(name):
    """References, outputs and the table of documents must be parallel, with about 300 segments."""
    lengths = {len(segments) for segments in texts(name).values()}
    assert lengths == {len(rows(SAMPLES / name / "documents.tsv"))}
    assert 280 <= lengths.pop() <= 340


@pytest.mark.parametrize("name", SETS)
def test_segments_are_clean(name):
    """No segment may be empty, padded, or hold a control, format or line-breaking character."""
    for stem, segments in texts(name).items():
        for number, segment in enumerate(segments, start=1):
            where = f"{stem}, line {number}: {segment!r}"
            assert segment, where
            assert segment == segment.strip(), where
            assert "  " not in segment, where
            assert all(unicodedata.category(sign) not in ("Cc", "Cf", "Zl", "Zp") for sign in segment), where


@pytest.mark.parametrize("name", SETS)
def test_references_read_as_text(name):
    """No segment of a reference may occur twice, and the wordings of one segment must differ."""
    references = [segments for stem, segments in texts(name).items() if stem.startswith("ref.")]
    for segments in references:
        assert len(set(segments)) == len(segments)
    assert all(len(set(wordings)) == len(references) for wordings in zip(*references, strict=True))


@pytest.mark.parametrize("name", SETS)
def test_every_system_has_a_group(name):
    """groups.tsv must name every system once, and nothing else; some group must hold several systems."""
    table = rows(SAMPLES / name / "groups.tsv")
    assert sorted(row["system"] for row in table) == sorted(path.stem for path in SAMPLES.glob(f"{name}/systems/*.en"))
    assert 6 <= len(table) <= 8
    groups = [row["group"] for row in table]
    assert all(groups)
    assert 2 <= len(set(groups)) < len(groups)


@pytest.mark.parametrize("name", SETS)
def test_documents_are_numbered_and_connected(name):
    """documents.tsv must number the segments from 1, keep a document together and in one domain."""
    table = rows(SAMPLES / name / "documents.tsv")
    assert [row["segment"] for row in table] == [str(k + 1) for k in range(len(table))]
    order = [row["document"] for row in table]
    starts = [here for before, here in zip(["", *order], order, strict=False) if before != here]
    assert len(starts) == len(set(starts)) >= 20
    assert len({(row["document"], row["domain"]) for row in table}) == len(starts)
    assert all(8 <= order.count(document) <= 15 for document in starts)


@pytest.mark.parametrize("name", SETS)
def test_only_the_twins_are_nearly_alike(name):
    """The twins must differ on 1 to 10 segments; every other pair on more than a quarter of the set."""
    systems = {stem: segments for stem, segments in texts(name).items() if not stem.startswith("ref.")}
    for a in systems:
        for b in systems:
            if a >= b:
                continue
            differing = sum(one != other for one, other in zip(systems[a], systems[b], strict=True))
            if (a, b) == TWINS[name]:
                assert 1 <= differing <= 10
            else:
                assert differing > len(systems[a]) / 4, (a, b)


def test_make_rewrites_every_file_byte_for_byte():
    """What make.py makes must be what is kept, and nothing that is kept may be missing from it."""
    run = subprocess.run([sys.executable, "-c", PRINT_MADE], cwd=SAMPLES, capture_output=True, text=True, check=True)
    made = {tuple(line.split("\t")[:2]): line.split("\t")[2] for line in run.stdout.splitlines()}
    kept = {}
    for name in (*SETS, *STRUCTURES, "harbour-quiz"):
        folder = SAMPLES / name
        tables = ("groups.tsv", "assessments.tsv") if name in SETS else ("*.tsv", "gold.*", "pairs.md")
        for path in [*folder.glob("systems/*"), *folder.glob("*.nbest"), *(p for t in tables for p in folder.glob(t))]:
            kept[name, path.relative_to(SAMPLES / name).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    assert made == kept


def test_tables_are_sound():
    """Every table must be sorted out: two columns, no key twice, no word that stands for itself."""
    for path in SAMPLES.glob("tables/*.tsv"):
        table = [line.split("\t") for line in lines(path)[1:]]
        assert all(len(row) == 2 for row in table), path
        assert len({row[0] for row in table}) == len(table), path
        assert not [row for row in table if row[0] in row[1].split("|") or not all(row[1].split("|"))], path


@pytest.mark.parametrize("name", SETS)
def test_the_readme_tells_the_scores_sacrebleu_gives(name):
    """The table of scores in a set's README must hold every system, with the scores of sacreBLEU."""
    segments = texts(name)
    references = [segments[stem] for stem in sorted(segments) if stem.startswith("ref.")]
    metrics = [(BLEU(), 1), (CHRF(), 1), (TER(), 1)] + [(BLEU(), 2)] * (len(references) > 1)
    for row in rows(SAMPLES / name / "groups.tsv"):
        scores = [metric.corpus_score(segments[row["system"]], references[:k]).score for metric, k in metrics]
        told = f"| {row['system']} | {row['group']} | " + " | ".join(f"{score:.2f}" for score in scores) + " | "
        assert sum(line.startswith(told) for line in lines(SAMPLES / name / "README.md")) == 1, told
        assert 30 < scores[0] < 75


def test_the_judges_are_sound():
    """harbour: ten judges of both dimensions with controls, two without a scale, every system on the same segments."""
    table = rows(SAMPLES / "harbour" / "assessments.tsv")
    judges = {row["judge"] for row in table}
    assert len(judges) == 12
    assert {row["dimension"] for row in table} == {"adequacy", "fluency"}
    assert {row["type"] for row in table} == {"SYSTEM", "REPEAT", "REF", "BAD_REF"}
    assert all(0 <= int(row["score"]) <= 100 for row in table)
    systems = {row["system"] for row in rows(SAMPLES / "harbour" / "groups.tsv")}
    rated = {row["system"] for row in table}
    assert rated - systems == {"Port-Averil-Press"}
    assert systems <= rated
    for dimension in ("adequacy", "fluency"):
        regular = [
            r for r in table if (r["type"], r["dimension"]) == ("SYSTEM", dimension) and r["judge"][1:].isdigit()
        ]
        seen = {system: sorted(r["segment"] for r in regular if r["system"] == system) for system in rated}
        assert len({tuple(found) for found in seen.values()}) == 1
    alone = [row for row in table if row["judge"] == "J-once"]
    same = {row["score"] for row in table if row["judge"] == "J-fifty"}
    assert (len(alone), len(same)) == (1, 1)
