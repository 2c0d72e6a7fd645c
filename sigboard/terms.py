"""The terms of the field in two sentences each: the help of every control, and the glossary, are made from these."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A term: its name as people read it, and what it means."""

    name: str
    meaning: str

    @property
    def slug(self) -> str:
        """The name of its heading in the glossary, as links have it."""
        return re.sub(r"[^\w -]", "", self.name.lower()).replace(" ", "-")


TERMS: dict[str, Term] = {
    "metric": Term(
        "metric",
        "The score by which outputs are compared, such as BLEU or accuracy. A test decides about differences in this "
        "score, not about quality in general.",
    ),
    "gain": Term(
        "gain",
        "The score of a system minus the score of its baseline. It is positive where the system is better, also for "
        "metrics such as TER, where a lower score is better.",
    ),
    "baseline": Term(
        "baseline", "The system that another one is compared with. Exchanging the two changes the sign of the gain."
    ),
    "reference": Term(
        "reference",
        "The gold answer for each segment, written by people. Most metrics score an output by how close it is to one or "
        "more references.",
    ),
    "segment": Term(
        "segment",
        "One unit of the test set, usually a line of the file: a sentence, a tree, an answer. All files must have the same "
        "segments in the same order, unless they contain ids.",
    ),
    "null": Term(
        "null hypothesis",
        "The assumption that the two systems do not differ, so that the observed gain is due to chance. A test measures how "
        "surprising the gain would be if this were true.",
    ),
    "p": Term(
        "p",
        "How often a gain at least as extreme as the observed one comes up by chance, if the null hypothesis is true. It is "
        "not the probability that the null hypothesis is true.",
    ),
    "alpha": Term(
        "alpha",
        "The significance level: a pair is called significantly different if its p is at most alpha. It bounds how often a "
        "true null hypothesis is rejected, if the assumptions of the test hold; a change is applied at once.",
    ),
    "significant": Term(
        "significant",
        "p, corrected where several pairs are tested, is at most alpha. It means that chance alone is an unlikely "
        "explanation of the gain, not that the gain is large or important.",
    ),
    "test": Term("test", "The procedure that computes p from the two outputs. The page Pair shows all tests together."),
    "randomization": Term(
        "approximate randomization",
        "A test that exchanges the outputs of the two systems on randomly chosen segments (or units). If the systems do "
        "not differ, such an exchange changes the gain only by chance.",
    ),
    "bootstrap": Term(
        "bootstrap",
        "Drawing segments (or units) from the test set with replacement, to see how much a score varies from test set to "
        "test set. The bootstrap tests differ in how they turn these gains into p.",
    ),
    "sides": Term(
        "sides",
        "Two-sided: is there a difference in either direction? One-sided: is there a difference in the one direction that "
        "was chosen before looking at the data?",
    ),
    "unit": Term(
        "unit",
        "What is drawn or exchanged as one piece: a segment, a whole document, or a block of consecutive segments. Segments "
        "of one document are often similar, and then single segments give p-values that are too small; automatic takes "
        "documents where the files contain enough of them.",
    ),
    "block": Term(
        "block",
        "A number of consecutive segments that are drawn or exchanged together. Blocks are a substitute for documents "
        "where the files do not say where a document ends.",
    ),
    "resamples": Term(
        "resamples",
        "R, the number of artificial test sets that a test draws. More resamples make p more precise, not smaller; "
        "automatic draws as many as the verdicts need at this alpha, up to a million.",
    ),
    "correction": Term(
        "correction",
        "If many pairs are tested, some are significant by chance. A correction adjusts p so that such errors stay rare; a "
        "change is applied at once.",
    ),
    "holm": Term(
        "Holm",
        "A correction that bounds the probability of one or more false findings among all pairs by alpha. It holds for pairs "
        "that depend on each other too, and rejects at least as often as Bonferroni.",
    ),
    "family": Term(
        "family",
        "The tests that are corrected together, usually all pairs of a grid. A paper must name it: p after a correction over "
        "fewer tests is smaller.",
    ),
    "cluster": Term(
        "cluster",
        "A group of systems in a ranking: every system is significantly better than every system of the clusters below. Two "
        "systems of one cluster may still differ significantly.",
    ),
    "ranks": Term(
        "range of ranks",
        "The places that the verdicts leave a system: below all that are significantly better, above all that are "
        "significantly worse. The ranges hold together if the correction bounds the chance of any false verdict.",
    ),
    "tied": Term(
        "tied with the best",
        "A system that no other system beats significantly. The system with the best score is always one of them.",
    ),
    "signature": Term(
        "signature",
        "The settings and the version behind a number, in one line. With the same files it is all that is needed to get the "
        "number again, on any machine.",
    ),
    "interval": Term(
        "interval",
        "A range made by a rule that covers the true value in about 95% of cases, or at another level. The interval of a "
        "gain holds the gains that the two-sided test does not reject. So it excludes 0 exactly where that p, not corrected, is "
        "at most .05. The Monte Carlo interval of p describes how p varies over resamples.",
    ),
    "threshold": Term(
        "threshold of a gain",
        "The gain below which 95% of the borderline pairs are, those with p from .04 to .06. A larger gain is usually "
        "significant on this test set, with systems like these.",
    ),
    "mixture": Term(
        "mixture",
        "A synthetic system that takes each segment from one of two real systems. Mixtures show how confidence grows with "
        "the gain where there are few real systems.",
    ),
    "detectable": Term(
        "detectable gain",
        "The smallest true gain that a test on a number of segments finds with a given probability, the power. It plans a "
        "new test set, and says nothing about an observed gain.",
    ),
    "power": Term(
        "power",
        "The probability that a test finds a true gain of a given size. It is not the probability that a significant gain "
        "is real.",
    ),
    "design effect": Term(
        "design effect",
        "The variance of a gain when whole units are resampled, divided by its variance if segments were independent. Above "
        "1, a test on single segments gives p-values that are too small.",
    ),
    "replicability": Term(
        "replicability",
        "On at least how many domains or test sets a system is better. The count bounds the probability of claiming too "
        "many, unlike the number of significant results.",
    ),
    "seed": Term(
        "seed", "The start of the random numbers. The same seed, files and settings give the same numbers again."
    ),
    "k-best": Term(
        "k-best list",
        "Several hypotheses for one segment, each with features such as the score of a model or of a judge. Reranking chooses "
        "the one with the highest weighted sum of features.",
    ),
    "split": Term(
        "held-out segments",
        "Segments that are not used to find weights. Only on them is a comparison of tuned weights with a baseline fair, "
        "because weights fit the segments that they were tuned on.",
    ),
    "replicates": Term(
        "replicates",
        "Repetitions of tuning, each on its own resample of the segments tuned on. They show how much a result depends on "
        "chance in tuning.",
    ),
    "s_sel": Term(
        "s_sel and s_opt",
        "Two standard deviations of a system with several runs: of a run's score over drawn segments (s_sel), and of the scores "
        "of the runs (s_opt). Where s_opt is large, another run may give another conclusion.",
    ),
    "oracle": Term(
        "oracle",
        "The hypotheses chosen with the references, for a high score. It shows what the lists contain: the true optimum may be "
        "slightly better, and weights usually reach much less.",
    ),
    "aggregate": Term(
        "aggregated and merged lists",
        "Decoding with new weights gives new lists. Aggregated lists are separate instances to learn from, one for each "
        "iteration; merged lists become one list for each segment.",
    ),
    "ties": Term(
        "ties",
        "Resamples whose gain is exactly on a cut-off. Counting them against the gain is the valid rule; the others only "
        "reproduce p-values printed elsewhere.",
    ),
    "pseudo-system": Term(
        "pseudo-system",
        "An artificial system that a resample makes of the real outputs, for example by exchanging some of them. Its score "
        "shows which scores chance alone can give.",
    ),
    "tail": Term(
        "tail",
        "The resamples whose gain is at least as extreme as the cut-off. p is, nearly, their share of all resamples.",
    ),
    "shift": Term(
        "shift to zero",
        "Bootstrap gains vary around the observed gain. Subtracting their centre moves them to where they would be if the "
        "systems did not differ.",
    ),
    "error rate": Term(
        "error rate",
        "How often a test calls a difference significant although there is none, in the long run. A sound test at alpha "
        "0.05 does so in at most 5% of such cases.",
    ),
    "t-test": Term(
        "t-test",
        "A test of the mean of one number per segment. It fits scores that are such a mean, and not scores of a whole "
        "test set, such as BLEU.",
    ),
    "corpus score": Term(
        "corpus score",
        "A score computed once, from counts that are summed over the whole test set. It is in general not the mean of the "
        "scores of the segments.",
    ),
    "estimator": Term(
        "estimator",
        "How the count c of R resamples becomes p. (c + 1) / (R + 1) is valid; c / R can be 0 and is only for comparison "
        "with numbers printed elsewhere.",
    ),
}


def meaning(word: str) -> str | None:
    """What the term means; None for a word that is not a term."""
    term = TERMS.get(word)
    return term.meaning if term else None


def glossary() -> str:
    """All terms in alphabetical order, as Markdown."""
    terms = sorted(TERMS.values(), key=lambda term: term.name.lower())
    return "\n\n".join(f"**{term.name}**: {term.meaning}" for term in terms)
