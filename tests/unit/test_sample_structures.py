"""The samples of trees, brackets, links and summaries are sound, belong together, and their READMEs tell their scores."""

import json
import re

import pytest

from sigcore import metrics, readers
from sigcore.data import Collection, Loaded
from sigcore.metrics import extractor
from sigcore.studies import tasks
from tests.unit.test_samples import SAMPLES, STRUCTURES, lines, rows

KINDS = {
    "harbour-brackets": ("brackets", 108, 5),
    "harbour-links": ("alignments", 108, 6),
    "harbour-summaries": ("text", 40, 6),
    "harbour-trees": ("trees", 108, 6),
}
STRICT = {"labels": "strict"}
# the columns of scores in a README
README_SCORES = {
    "harbour-brackets": [("constituency_f1", {"average": a}) for a in ("f", "precision", "recall")]
    + [("constituency_f1", {"count_failures": True})],
    "harbour-links": [("aer", {}), ("alignment_precision", {}), ("alignment_recall", {})],
    "harbour-summaries": [("rouge_1", {}), ("rouge_2", {}), ("rouge_l", {}), ("rouge_1", {"score": "recall"})],
    "harbour-trees": [("uas", {}), ("las", {}), ("las", STRICT)],
}


def loaded(name: str) -> Loaded:
    """The sample as a person loads it."""
    collection = Collection()
    collection.add_sample(name)
    return collection.loaded()


@pytest.mark.parametrize("name", STRUCTURES)
def test_a_sample_is_loaded_without_a_complaint(name):
    """Kind, length, systems with groups, documents or domains; no error and no warning."""
    kind, n, systems = KINDS[name]
    ready = loaded(name)
    assert ready.findings == ()
    assert (ready.testset.kind, ready.testset.n, len(ready.outputs)) == (kind, n, systems)
    assert len(ready.testset.references) == (2 if kind == "text" else 1)
    assert len(set(ready.testset.domains if kind == "text" else ready.testset.documents)) in (5, 9)
    table = rows(SAMPLES / name / "groups.tsv")
    assert sorted((o.system, o.group) for o in ready.outputs) == sorted((r["system"], r["group"]) for r in table)
    assert 2 <= len({row["group"] for row in table}) < len(table)


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_readme_tells_the_scores(name):
    """The table of a set's README has every system with its scores, best and worst well apart."""
    ready, columns = loaded(name), []
    for metric, given in README_SCORES[name]:
        member = metrics.get(metric)
        extract = extractor(member, ready.testset, member.chosen(given), len(ready.outputs))
        columns.append({item.system: extract(item).corpus_score for item in ready.outputs})
    for row in rows(SAMPLES / name / "groups.tsv"):
        scores = " | ".join(f"{column[row['system']]:.2f}" for column in columns)
        row_start = f"| {row['system']} | {row['group']} | {scores} | "
        assert sum(line.startswith(row_start) for line in lines(SAMPLES / name / "README.md")) == 1, row_start
    assert max(columns[0].values()) - min(columns[0].values()) > 5


def test_the_quiz_is_loaded_as_three_tasks() -> None:
    """Without an error or a warning, with the README's scores and conclusions: the tuned system gains on one task alone."""
    collection = Collection()
    collection.add_sample("harbour-quiz")
    result = tasks.read(tasks.run(tasks.of_collection(collection), resamples=2000, seed=1), 0.05, "holm")
    assert [task.name for task in result.run.tasks] == ["knots", "ledger", "tides"]
    assert not collection.loaded().of("error")
    scores = {(one.task, one.system): 100 * one.score for one in result.scores}
    for row in rows(SAMPLES / "harbour-quiz" / "groups.tsv"):
        shown = [scores[task, row["system"]] for task in ("tides", "knots", "ledger", tasks.MACRO)]
        start = f"| {row['system']} | {row['group']} | {' | '.join(f'{score:.2f}' for score in shown)} | "
        assert sum(line.startswith(start) for line in lines(SAMPLES / "harbour-quiz" / "README.md")) == 1, start
    found = {one.task: one for one in result.gains if {one.system, one.baseline} == {"Herring", "Herring-tuned"}}
    assert [task for task, one in found.items() if one.adjusted <= 0.05] == ["ledger", tasks.MACRO]
    assert all(one.adjusted > 0.05 for one in result.gains if {one.system, one.baseline} == {"Herring", "Sprat"})


def trees(path) -> list[list[list[str]]]:
    """The rows of every sentence of a CoNLL-U file, without comments."""
    blocks = path.read_text(encoding="utf-8").split("\n\n")[:-1]
    return [[line.split("\t") for line in block.split("\n") if line[0] != "#"] for block in blocks]


@pytest.mark.parametrize("path", [*SAMPLES.glob("harbour-trees/*.conllu"), *SAMPLES.glob("harbour-trees/systems/*")])
def test_trees_are_trees(path):
    """One root, and every word comes to it; the text of a sentence is that of its tokens."""
    texts = re.findall(r"^# text = (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    for text, sentence in zip(texts, trees(path), strict=True):
        words = [row for row in sentence if row[0].isdigit()]
        assert [row[0] for row in words] == [str(k) for k in range(1, len(words) + 1)]
        heads = [0, *(int(row[6]) for row in words)]
        assert heads[1:].count(0) == 1
        for word in range(1, len(heads)):
            steps = 0
            while word:
                word, steps = heads[word], steps + 1
                assert steps <= len(words), text
        ranges = {row[0].split("-")[0]: row for row in sentence if "-" in row[0]}
        inside = {str(int(start) + 1) for start in ranges}
        tokens = [ranges.get(row[0], row) for row in words if row[0] not in inside]
        assert "".join(t[1] + ("" if t[9] == "SpaceAfter=No" else " ") for t in tokens).strip() == text


def test_the_gold_trees_have_what_readers_meet():
    """Tokens of two words, verbs left out, labels with subtypes, and arcs that a system does not have."""
    gold = [row for sentence in trees(SAMPLES / "harbour-trees" / "gold.conllu") for row in sentence]
    assert sum("-" in row[0] for row in gold) == 12
    assert sum("." in row[0] for row in gold) == 4
    assert {row[7] for row in gold} >= {"acl:relcl", "nsubj:pass", "obl:agent", "nmod:poss", "orphan", "conj", "appos"}
    clove = [row for sentence in trees(SAMPLES / "harbour-trees" / "systems" / "Clove.conllu") for row in sentence]
    assert not [row for row in clove if ":" in row[7]]


def test_trees_brackets_and_links_have_the_same_words():
    """The three layers are of the same sentences; words in brackets are those of gold, but for traces and failures."""
    words = [[row[1] for row in s if row[0].isdigit()] for s in trees(SAMPLES / "harbour-trees" / "gold.conllu")]
    for path in [SAMPLES / "harbour-brackets" / "gold.mrg", *SAMPLES.glob("harbour-brackets/systems/*")]:
        for own, line in zip(words, lines(path), strict=True):
            assert line.count("(") == line.count(")")
            leaves = [word for tag, word in re.findall(r"\(([^()\s]+) ([^()\s]+)\)", line) if tag != "-NONE-"]
            assert leaves == own or (line == "(TOP )" and path.stem in ("Jib", "Dinghy"))
            assert path.stem == "gold" or not re.search("-NONE-|-SBJ", line)
    pairs = [line.split(" | ") for line in lines(SAMPLES / "harbour-links" / "pairs.md")[6:]]
    assert [pair[1].split(" ") for pair in pairs] == words


def test_links_are_between_the_words_of_their_sentences():
    """No link leaves its sentence, every word has a gold link, and the Hawsers belong together."""
    pairs = [line.split(" | ") for line in lines(SAMPLES / "harbour-links" / "pairs.md")[6:]]
    lengths = [(len(one.split(" ")), len(other.removesuffix(" |").split(" "))) for _, one, other in pairs]
    linked = {}
    for path in [SAMPLES / "harbour-links" / "gold.pharaoh", *SAMPLES.glob("harbour-links/systems/*")]:
        found = [{tuple(map(int, re.split("[-p]", link))) for link in line.split()} for line in lines(path)]
        assert all(i < n and j < m for links, (n, m) in zip(found, lengths, strict=True) for i, j in links)
        linked[path.stem] = found
    for links, (n, m) in zip(linked["gold"], lengths, strict=True):
        assert ({i for i, _ in links}, {j for _, j in links}) == (set(range(n)), set(range(m)))
    forward, reverse = linked["Hawser-forward"], linked["Hawser-reverse"]
    assert linked["Hawser-intersection"] == [a & b for a, b in zip(forward, reverse, strict=True)]
    assert linked["Hawser-union"] == [a | b for a, b in zip(forward, reverse, strict=True)]
    assert all(len({j for _, j in links}) == len(links) for links in forward)


def test_summaries_are_sentences_of_their_documents():
    """Every summary has sentences without blanks around them; the extracts are the sentences that they should be."""
    documents: dict[str, list[str]] = {}
    for name in ("harbour", "kitchen-radio"):
        table = rows(SAMPLES / name / "documents.tsv")
        for row, sentence in zip(table, lines(SAMPLES / name / "ref.A.en"), strict=True):
            documents.setdefault(row["document"], []).append(sentence)
    ids = [row["id"] for row in rows(SAMPLES / "harbour-summaries" / "domains.tsv")]
    for path in SAMPLES.glob("harbour-summaries/**/*.jsonl"):
        records = [json.loads(line) for line in lines(path)]
        assert [record["id"] for record in records] == ids
        for record in records:
            sentences = record.get("output", record.get("reference")).split("\n")
            assert 1 <= len(sentences) <= 4
            assert all(s and s == s.strip() for s in sentences)
            document = documents[record["id"]]
            if path.stem == "Cockle":
                assert sentences == document[:3]
            elif path.stem == "Limpet":
                assert sentences == [document[0], *document[-2:]]
            elif path.stem == "Whelk":
                assert [s for s in document if s in sentences] == sentences


def test_every_sample_is_in_the_list():
    """The README of the samples and the wheel have every sample."""
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    project = (SAMPLES.parent / "pyproject.toml").read_text(encoding="utf-8")
    for name in readers.sample_names():
        assert f"[{name}]({name}/README.md)" in readme
        assert f'"samples/{name}" = "sigcore/samples/{name}"' in project
