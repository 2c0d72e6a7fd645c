"""The scores of the metrics by their oracles, one function for each: the outputs and the streams of references, and the
score of the whole test set. A metric's proof names its function here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tests.oracles import answers, edit_grid, entities, nist_counts, retrieval, rouge_definition, structures
from tests.oracles.segment_scores import scorer

Outputs = Sequence[str]
Streams = Sequence[Sequence[str]]


def _of_sacrebleu(name: str, outputs: Outputs, references: Streams) -> float:
    return float(scorer(name, {}).corpus_score(list(outputs), [list(stream) for stream in references]).score)


def _share(counts: Sequence[Sequence[float]]) -> float:
    """The sums of the first column in percent of those of the second."""
    return 100 * sum(row[0] for row in counts) / sum(row[1] for row in counts)


def _errors(units: Callable[[str], list[str]], outputs: Outputs, references: Streams) -> float:
    golds = zip(*references, strict=True)
    return _share([edit_grid.row(units(o), [units(g) for g in gold]) for o, gold in zip(outputs, golds, strict=True)])


def _answers(one: Callable[[str, Sequence[str]], float], outputs: Outputs, references: Streams) -> float:
    golds = zip(*references, strict=True)
    return _share([(one(output, gold), 1) for output, gold in zip(outputs, golds, strict=True)])


def _equal(output: str, references: Sequence[str]) -> float:
    return float(output.strip() in [reference.strip() for reference in references])


bleu = partial(_of_sacrebleu, "bleu")
chrf = partial(_of_sacrebleu, "chrf")
ter = partial(_of_sacrebleu, "ter")
wer = partial(_errors, edit_grid.words)
cer = partial(_errors, edit_grid.characters)
accuracy = partial(_answers, _equal)
exact_match = partial(_answers, answers.exact)
cover_em = partial(_answers, answers.covered)
token_f1 = partial(_answers, answers.f1)
rouge_1, rouge_2, rouge_l, rouge_su4 = (
    partial(rouge_definition.rouge, f"rouge_{kind}") for kind in ("1", "2", "l", "su4")
)


def macro_f1(outputs: Outputs, references: Streams) -> float:
    """Over the labels of the references; of several references the one that the output equals."""
    own = [output.strip() for output in outputs]
    golds = [[text.strip() for text in texts] for texts in zip(*references, strict=True)]
    fitting = [output if output in gold else gold[0] for output, gold in zip(own, golds, strict=True)]
    return answers.macro_f1(own, fitting, sorted({label for gold in golds for label in gold}))


def nist(outputs: Outputs, references: Streams) -> float:
    """By the sums of its counts."""
    rows = nist_counts.rows(outputs, references)
    return nist_counts.score([sum(column) for column in zip(*rows, strict=True)])


def uas(outputs: Outputs, references: Streams) -> float:
    """Of all words."""
    (golds,) = references
    return _share([structures.attachment(gold, own, "all", None) for gold, own in zip(golds, outputs, strict=True)])


def las(outputs: Outputs, references: Streams) -> float:
    """Of all words; labels without their subtypes."""
    (golds,) = references
    return _share(
        [structures.attachment(gold, own, "all", "universal") for gold, own in zip(golds, outputs, strict=True)]
    )


def _links(outputs: Outputs, references: Streams) -> tuple[int, int, int, int]:
    """|A|, |S|, |A and S|, |A and P| of all segments."""
    (golds,) = references
    rows = [structures.link_counts(gold, own) for gold, own in zip(golds, outputs, strict=True)]
    links, sure, both, possible = (sum(column) for column in zip(*rows, strict=True))
    return links, sure, both, possible


def aer(outputs: Outputs, references: Streams) -> float:
    """1 - (|A and S| + |A and P|) / (|A| + |S|), in percent."""
    links, sure, both, possible = _links(outputs, references)
    return 100 * (1 - (both + possible) / (links + sure))


def alignment_precision(outputs: Outputs, references: Streams) -> float:
    """|A and P| / |A|, in percent."""
    links, _, _, possible = _links(outputs, references)
    return 100 * possible / links


def alignment_recall(outputs: Outputs, references: Streams) -> float:
    """|A and S| / |S|, in percent."""
    _, sure, both, _ = _links(outputs, references)
    return 100 * both / sure


def alignment_f1(outputs: Outputs, references: Streams) -> float:
    """The harmonic mean of precision and recall."""
    precision, recall = alignment_precision(outputs, references), alignment_recall(outputs, references)
    return 2 * precision * recall / (precision + recall)


def constituency_f1(outputs: Outputs, references: Streams) -> float:
    """The F of all brackets, in percent."""
    (golds,) = references
    rows = [structures.bracket_counts(gold, own) for gold, own in zip(golds, outputs, strict=True)]
    matched, gold, own, _ = (sum(column) for column in zip(*rows, strict=True))
    precision, recall = matched / own, matched / gold
    return 100 * 2 * precision * recall / (precision + recall)


def entity_f1(outputs: Outputs, references: Streams) -> float:
    """2 tp / (found + gold), in percent."""
    (golds,) = references
    rows = [entities.counts(own, gold) for own, gold in zip(outputs, golds, strict=True)]
    hits, found, right = (sum(column) for column in zip(*rows, strict=True))
    return 100 * 2 * hits / (found + right)


def _of_questions(one: Callable[..., float], outputs: Outputs, references: Streams) -> float:
    """The mean of the questions."""
    (golds,) = references
    scores = []
    for own, gold in zip(outputs, golds, strict=True):
        judged = {line.split("\t")[0]: int(line.split("\t")[1]) for line in gold.split("\n")}
        scores.append(one([line.split("\t")[0] for line in own.split("\n") if line], judged))
    return sum(scores) / len(scores)


ndcg = partial(_of_questions, retrieval.ndcg)
average_precision = partial(_of_questions, retrieval.average_precision)
reciprocal_rank = partial(_of_questions, retrieval.reciprocal_rank)
precision_at = partial(_of_questions, retrieval.precision)
recall_at = partial(_of_questions, retrieval.recall)
