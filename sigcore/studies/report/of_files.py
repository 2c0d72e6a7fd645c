"""Questions about the files: soundness, equal outputs, runs, what the test set was used for, the metric."""

from __future__ import annotations

from sigcore import data, metrics
from sigcore.formatting import count, listed
from sigcore.studies.report.contract import Case, Check, State
from sigcore.testset import Outputs, identical

NEAR = 0.95  # from this share of identical segments on, two outputs are reported as nearly identical


def files(case: Case) -> Check:
    """Whether the data checks found something."""
    asked = "Are the files sound?"
    states: tuple[tuple[str, State], ...] = (("error", "red"), ("warning", "amber"))
    for severity, state in states:
        found = [finding for finding in case.findings if finding.severity == severity]
        if found:
            more = f" ({count(len(found), severity)} in all)" if len(found) > 1 else ""
            return Check("data", asked, state, f"{found[0].what}{more}", found[0].fix or "See the data page.")
    return Check("data", asked, "green", "The data checks found no error and no warning.")


def outputs(case: Case) -> Check:
    """Whether outputs are identical, or nearly."""
    asked = "Are all outputs different?"
    same = identical(case.outputs)
    if same:
        words = f"No: the outputs of {' and '.join(listed(names) for names in same)} are identical."
        return Check("outputs", asked, "red", words, "Check the files: was one loaded twice?")
    near = [
        f"{one.system} and {other.system} ({share:.0%} of segments are identical)".replace("%", " %")
        for k, one in enumerate(case.outputs)
        for other in case.outputs[k + 1 :]
        if case.testset.kind == "text"
        and not case.is_one_system(one.system, other.system)
        and (share := _alike(one, other)) >= NEAR
    ]
    if near:
        fix = "Check that they are different systems. Only the other segments can decide between them."
        return Check("outputs", asked, "amber", f"Nearly identical: {listed(near, separator='; ')}.", fix)
    return Check("outputs", asked, "green", "Yes.")


def _alike(one: Outputs, other: Outputs) -> float:
    """The share of segments that are the same in both."""
    return sum(map(str.__eq__, one.segments, other.segments)) / max(one.n, 1)


def tuning(case: Case) -> Check:
    """Whether the test set was kept apart: only the author knows."""
    asked = "Was the test set kept out of training, tuning and selection?"
    if case.unseen:
        return Check("tuning", asked, "green", "Yes, as the author says. The files cannot show it.")
    return Check(
        "tuning",
        asked,
        "unknown",
        "The files cannot show it: you must say. A system that was tuned or selected on a test set looks better there than "
        "elsewhere, and p does not account for that.",
        "Say in the paper what the test set was used for.",
    )


def metric(case: Case) -> Check:
    """Whether every metric is described by its signature, and fits the language."""
    asked = "Is every metric fully described?"
    wrong = [_tokenizer(case, name) for name in dict.fromkeys(result.setup.metric for result in case.results)]
    for words, setting in filter(None, wrong):
        return Check("metric", asked, "amber", words, "Set the tokenizer of this language.", setting)
    titles = list(dict.fromkeys(result.setup.metric_title for result in case.results))
    if case.testset.kind in ("scores", "statistics"):
        words = f"{listed(titles)}: the numbers come from another program, which the signature does not name."
        return Check("metric", asked, "unknown", words, "Give its name, its model and its version in the paper.")
    signatures = list(dict.fromkeys(result.setup.signature.partition("|test")[0] for result in case.results))
    return Check("metric", asked, "green", f"Yes, by the signature: {listed(signatures, separator='; ')}.")


def _tokenizer(case: Case, metric: str) -> tuple[str, tuple[str, str] | None] | None:
    """What is wrong with the tokenizer of a metric for the language of the references; None if nothing is known."""
    options = {option.name for option in metrics.get(metric).options}
    used = next(result.setup.signature for result in case.results if result.setup.metric == metric)
    if "tokenize" not in options or not case.testset.references or "tok:13a" not in used:
        return None
    language, right = data.writing(case.testset.references[0])
    words = f"The references appear to be {language}, and the tokenizer 13a does not separate the words of such text."
    return (words, (f"{metric}.tokenize", right.partition(" ")[0])) if language else None


def runs(case: Case) -> Check:
    """Whether there are several runs of each system, and whether they agree."""
    asked = "Are there several runs (seeds) of each system?"
    if case.runs:
        return _of_runs(case, asked)
    alike = data.run_names.like_runs(item.system for item in case.outputs)
    if alike:
        names = listed(next(iter(alike.values())))
        words = f"These names look like runs of one system: {names}. They are compared as different systems."
        return Check("runs", asked, "amber", words, "Test runs as runs: sigboard report --runs-from-names.")
    return Check(
        "runs",
        asked,
        "unknown",
        "One output of each system is loaded. The test is about these outputs: it does not say what another training or "
        "tuning run would give.",
        "Say that there is one run, or test several: sigboard report --runs.",
    )


def _of_runs(case: Case, asked: str) -> Check:
    single = [name for name, own in case.runs.items() if len(own) < 2]
    if single:
        words = f"Not of every system: there is only one run of {listed(single)}."
        return Check("runs", asked, "amber", words, "Say so, or add runs of the same system from other seeds.")
    sizes = sorted({len(own) for own in case.runs.values()})
    number = f"{sizes[0]} runs" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} runs"
    if case.unstable:
        words = f"Yes, {number}; those of {listed(case.unstable)} differ so much that p promises too much."
        return Check("runs", asked, "amber", words, "Give the hierarchical bootstrap or the t test beside p.")
    return Check("runs", asked, "green", f"Yes: {number} of each. p is about these runs; the t test is about others.")
