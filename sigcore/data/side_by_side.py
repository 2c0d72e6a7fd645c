"""One segment of trees, word links, entities or a ranking, part by part: gold and every system side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sigcore.data import checks
from sigcore.readers import Item
from sigcore.text import links, rankings, spans, trees

OTHER = "≠ "  # marks a difference from gold
BY_WORD = ("trees", "alignments", "spans", "rankings")
RANKS = 10  # that are shown

SegmentRow = dict[str, str]


def word_rows(
    kind: str, gold: str, systems: Mapping[str, str], source: Sequence[str] = (), target: Sequence[str] = ()
) -> list[SegmentRow]:
    """One row per word of a segment, or per place of an entity: the word, its annotation in gold ("reference") and in each system.

    Trees: "label of head"; another head or label (subtypes aside) is marked. Word links: the target words of each
    source word, counted from 0, with a question mark if a link is only possible; extra links, and missing sure links,
    are marked. Entities: the types of the entities at a place; other types, and none, are marked. Rankings: the first
    documents, each with its judgment; those that are not relevant are marked. `source` and `target`
    are the words of links, if they are known.
    """
    if kind == "trees":
        return _of_trees(gold, systems)
    if kind == "spans":
        return _of_spans(gold, systems)
    if kind == "rankings":
        return _of_rankings(gold, systems)
    return _of_links(gold, systems, source, target)


def words_of(items: Iterable[Item], side: str, n: int, segment: int) -> tuple[str, ...]:
    """The words of a segment (from 0) in the "source" or "target" text of word links; () without such a text."""
    text = checks.text_of([item for item in items if item.kind == "text" and len(item.segments) == n], side)
    return () if text is None else tuple(text.segments[segment].split())


def _of_trees(gold: str, systems: Mapping[str, str]) -> list[SegmentRow]:
    out, tree = [], trees.read_tree(gold, 1)
    parsed = {name: trees.read_tree(segment, 1) for name, segment in systems.items()}
    for k, word in enumerate(tree):
        row = {"word": f"{k + 1} {word[0]}", "reference": _edge(tree, k)}
        for name, other in parsed.items():
            same = k < len(other) and (other[k][2], trees.universal(other[k][3])) == (word[2], trees.universal(word[3]))
            row[name] = _marked(_edge(other, k), same) if k < len(other) else ""
        out.append(row)
    return out


def _edge(tree: Sequence[trees.Word], k: int) -> str:
    """The label and the head of a word, as "nsubj of 2 flies"; "root" if it has no head."""
    _, _, head, label = tree[k]
    if head == "0":
        return label
    form = tree[int(head) - 1][0] if head.isdigit() and int(head) <= len(tree) else ""
    return f"{label} of {head} {form}".rstrip()


def _marked(text: str, agrees: bool) -> str:
    return text if agrees else f"{OTHER}{text}".rstrip()


def _of_links(gold: str, systems: Mapping[str, str], source: Sequence[str], target: Sequence[str]) -> list[SegmentRow]:
    sure, possible = _by_source(gold)
    linked_in = {name: _by_source(segment)[1] for name, segment in systems.items()}
    last = max([len(source) - 1, *possible, *(word for linked in linked_in.values() for word in linked)])
    out = []
    for word in range(last + 1):
        must, may = sure.get(word, set()), possible.get(word, set())
        row = {"word": _named(word, source), "reference": _targets(may, target, may - must)}
        for name, linked in linked_in.items():
            said = linked.get(word, set())
            row[name] = _marked(_targets(said, target), must <= said <= may)
        out.append(row)
    return out


def _by_source(segment: str) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """The target words of each source word: by sure links, and by all."""
    sorted_in: tuple[dict[int, set[int]], dict[int, set[int]]] = ({}, {})
    for by_word, group in zip(sorted_in, links.read_links(segment, 1), strict=True):
        for link in group:
            word, _, other = link.partition("-")
            by_word.setdefault(int(word), set()).add(int(other))
    return sorted_in


def _targets(words: Iterable[int], target: Sequence[str], only_possible: Iterable[int] = ()) -> str:
    unsure = set(only_possible)
    return ", ".join(_named(word, target) + "?" * (word in unsure) for word in sorted(words))


def _named(word: int, known: Sequence[str]) -> str:
    return f"{word} {known[word]}" if word < len(known) else str(word)


def _of_spans(gold: str, systems: Mapping[str, str]) -> list[SegmentRow]:
    types = {name: _types(segment) for name, segment in {"": gold, **systems}.items()}
    out = []
    for place in dict.fromkeys(
        sorted((span.start, span.end, span.of_words) for found in types.values() for span in found)
    ):
        start, end, of_words = place
        one = spans.Span(start, end, of_words, "")
        right = types[""].get(one, "")
        row = {"word": f"{start}{'-' if of_words else ':'}{end} {spans.covered(gold, one)}", "reference": right}
        row |= {name: _marked(types[name].get(one, ""), types[name].get(one, "") == right) for name in systems}
        out.append(row)
    return out


def _types(segment: str) -> dict[spans.Span, str]:
    """The types of the entities at each place, which has no type itself."""
    found: dict[spans.Span, str] = {}
    for span in spans.all_of(segment):
        place = span._replace(type="")
        found[place] = ", ".join(filter(None, (found.get(place, ""), span.type)))
    return found


def _of_rankings(gold: str, systems: Mapping[str, str]) -> list[SegmentRow]:
    """The first documents, with their judgments in brackets; what is not relevant is marked."""
    judged = rankings.read_judgments(gold, 1)
    columns = {"reference": list(judged), **{name: rankings.read_ranking(one) for name, one in systems.items()}}
    out = []
    for rank in range(min(RANKS, max(map(len, columns.values())))):
        row = {"word": str(rank + 1)}
        for name, documents in columns.items():
            document = documents[rank] if rank < len(documents) else ""
            shown = f"{document} ({judged.get(document, '-')})" if document else ""
            row[name] = _marked(shown, not document or name == "reference" or judged.get(document, 0) > 0)
        out.append(row)
    return out
