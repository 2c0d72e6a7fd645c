"""What must hold for all trees, word links and bracketings: what is written comes back, and twins agree."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from sigcore import metrics, readers
from sigcore.metrics import extractor
from sigcore.readers import Choice
from sigcore.testset import Outputs, Testset
from tests.oracles import structures

# no TAB, no line break, and no blank at the ends that a person could not see
FORMS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=8).filter(
    lambda form: form.strip() == form
)
LABELS = st.text(string.ascii_letters + ":_", min_size=1, max_size=8)
LINKS = st.dictionaries(st.tuples(st.integers(0, 12), st.integers(0, 12)), st.booleans(), max_size=12)


@st.composite
def trees(draw: st.DrawFn) -> list[tuple[str, str, int, str]]:
    """A sentence with any heads."""
    forms = draw(st.lists(FORMS, min_size=1, max_size=6))
    heads = [draw(st.integers(0, len(forms))) for _ in forms]
    return [(form, draw(LABELS), head, draw(LABELS)) for form, head in zip(forms, heads, strict=True)]


def conllu(sentences: list[list[tuple[str, str, int, str]]]) -> str:
    """The sentences as a CoNLL-U file."""
    rows = [
        [f"{k}\t{form}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_" for k, (form, tag, head, label) in enumerate(tree, 1)]
        for tree in sentences
    ]
    return "\n\n".join("\n".join(tree) for tree in rows) + "\n"


def segments(name: str, text: str, reader: str, **options: object) -> tuple[str, ...]:
    """What the reader gives, without a problem."""
    intake = readers.read([(name, text.encode())], chosen={name: Choice(reader, options)})
    assert intake.problems == ()
    return intake.items[0].segments


@given(st.lists(trees(), min_size=1, max_size=5))
def test_trees_come_back(sentences):
    """Any words, tags, heads and labels that are written as CoNLL-U are read as they are."""
    tags = [[word[1] for word in tree] for tree in sentences]
    if all(tag == "_" for tree in tags for tag in tree):
        return  # then the other column is looked at
    expected = tuple("\n".join("\t".join(map(str, word)) for word in tree) for tree in sentences)
    assert segments("a.conllu", conllu(sentences), "conll") == expected


@given(
    st.lists(LINKS, min_size=1, max_size=6),
    st.sampled_from([0, 1]),
    st.booleans(),
    st.sampled_from(["p", "?", "P", ":P"]),
)
def test_links_come_back_in_every_format(sentences, base, reverse, mark):
    """The same links in Pharaoh's, Talp's and NAACL's form are the same segments, from any base and direction."""
    expected = tuple(
        " ".join(f"{i}{'p' if possible else '-'}{j}" for (i, j), possible in sorted(links.items()))
        for links in sentences
    )
    lines, naacl = [], []
    for number, links in enumerate(sentences, 1):
        words = []
        for (i, j), possible in links.items():
            left, right = (j, i) if reverse else (i, j)
            inner, outer = ("-", mark if possible else "") if "P" in mark else (mark if possible else "-", "")
            words.append(f"{left + base}{inner}{right + base}{outer}")
            naacl.append(f"{number:04} {left + 1} {right + 1} {'P' if possible else 'S'}\n")
        lines.append(" ".join(words) + "\n")
    assert segments("a.txt", "".join(lines), "pharaoh", base=base, reverse=reverse) == expected
    if base == 1:
        assert segments("a.txt", "".join(lines), "talp", reverse=reverse) == expected
    if naacl:
        assert segments("a.txt", "".join(naacl), "naacl", reverse=reverse, sentences=len(sentences)) == expected


NODES = st.sampled_from(["TOP", "S", "NP", "NP-SBJ", "PRT", "ADVP=2", "", "X"])
TAGS = st.sampled_from(["NN", "VB", ",", ".", "-NONE-", "''", "NN-X"])
WORDS = st.sampled_from(["a", "b", ",", "-LRB-", "é"])
BRACKETS = st.recursive(
    st.tuples(TAGS, WORDS).map(lambda leaf: f"({leaf[0]} {leaf[1]})"),
    lambda inner: st.tuples(NODES, st.lists(inner, min_size=1, max_size=3)).map(
        lambda node: f"({node[0]} {' '.join(node[1])})"
    ),
    max_leaves=8,
)


@given(st.lists(st.tuples(BRACKETS, BRACKETS), min_size=1, max_size=4))
def test_bracket_counts_are_those_of_the_slow_twin(pairs):
    """Any two trees: with function tags, traces, punctuation, empty labels, and brackets that are emptied."""
    member = metrics.get("constituency_f1")
    gold, own = (tuple(side) for side in zip(*pairs, strict=True))
    found = extractor(member, Testset("t", "brackets", len(gold), (gold,)), member.chosen())(Outputs("s", own))
    assert found.values.tolist() == [list(structures.bracket_counts(*pair)) for pair in pairs]


@given(BRACKETS, st.sampled_from(["NP", "S", "X"]))
def test_relabelling_is_an_error_of_both_sides(tree, label):
    """A tree against itself matches whole; with other labels it has as many brackets, and matches at most as many."""
    member = metrics.get("constituency_f1")
    other = tree.replace("(S ", f"({label} ")
    found = extractor(member, Testset("t", "brackets", 2, ((tree, tree),)), member.chosen())(
        Outputs("s", (tree, other))
    )
    same, changed = found.values
    assert same[0] == same[1] == same[2]
    assert changed[1] == changed[2] == same[1]
    assert changed[0] <= same[0]


@given(st.lists(BRACKETS, min_size=1, max_size=4), st.booleans())
def test_bracketings_come_back(trees_, over_lines):
    """Trees on one line or broken over many give the same segments, and the same counts against the original."""
    text = "\n".join(tree.replace(" (", "\n    (") if over_lines else tree for tree in trees_) + "\n"
    got = segments("a.txt", text, "brackets")
    member = metrics.get("constituency_f1")
    assert len(got) == len(trees_)
    extract = extractor(member, Testset("t", "brackets", len(got), (tuple(trees_),)), member.chosen())
    assert extract(Outputs("s", got)).values.tolist() == extract(Outputs("s", tuple(trees_))).values.tolist()


@given(st.lists(st.tuples(LINKS, LINKS), min_size=1, max_size=4))
def test_link_counts_are_those_of_the_slow_twin(pairs):
    """Any gold and own links; and no count exceeds what holds it."""

    def written(links):
        return " ".join(f"{i}{'p' if possible else '-'}{j}" for (i, j), possible in links.items())

    gold, own = (tuple(map(written, side)) for side in zip(*pairs, strict=True))
    member = metrics.get("aer")
    found = extractor(member, Testset("t", "alignments", len(gold), (gold,)), member.chosen())(Outputs("s", own))
    assert found.values.tolist() == [list(structures.link_counts(*pair)) for pair in zip(gold, own, strict=True)]
    assert (found.values[:, 2] <= found.values[:, 3]).all()
    assert (found.values[:, 3] <= found.values[:, 0]).all()
