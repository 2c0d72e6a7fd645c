"""The report: its JSON, its HTML file, its tables and its BibTeX, with names that mean something to each format."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from sigboard.questions.report.report import Report, report_html, report_json
from sigboard.render import bibtex, paper, tables
from sigcore import OptionError, corrections, metrics, significance
from sigcore.studies.report import Check, Of
from tests.unit import factories

HOSTILE = ("sys_a%&<b>", '"><script>alert(1)</script>', "a|b$^{x}~")
CHECKS = (
    Check("sides", "Is the test two-sided?", "green", "Yes."),
    Check("outputs", "Are all outputs different?", "red", f"No: {HOSTILE[0]}.", "Check the files."),
)


def made(**changes: Any) -> Report:
    """A report on three systems with hostile names, and a histogram of one pair."""
    result = factories.matrix(systems=HOSTILE, p=[[1, 0.001, 0.2], [0.001, 1, 0.03], [0.2, 0.03, 1]])
    one = factories.one_test(system=HOSTILE[0], baseline=HOSTILE[1])
    pictures = {Of("bleu", "approximate_randomization", HOSTILE[0], HOSTILE[1]): one}
    usual = {
        "title": "t <i>",
        "results": (result,),
        "checks": CHECKS,
        "alpha": 0.05,
        "command": "sigboard report 'a&b'",
    }
    return Report(**{**usual, "pictures": pictures, **changes})


class Parsed(HTMLParser):
    """The tags, their attributes and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_page_requests_nothing_and_runs_nothing() -> None:
    """The file has no script, no element that loads something, and no address but its own anchors."""
    page = report_html(made())
    parsed = Parsed(page)
    assert not {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & {tag for tag, _ in parsed.tags}
    assert all(not {"src", "srcset", "action", "onclick", "onload"} & attrs.keys() for _, attrs in parsed.tags)
    assert all((attrs["href"] or "").startswith("#") for _, attrs in parsed.tags if "href" in attrs)
    style = page[page.index("<style>") : page.index("</style>")]
    assert not re.search(r"url\(|@import|http", style)
    assert "default-src 'none'" in page


def test_names_are_literal_in_the_page() -> None:
    """Every hostile name is in the text of the page as it is, and makes no tag."""
    parsed = Parsed(report_html(made()))
    text = "".join(parsed.text)
    assert all(name in text for name in HOSTILE)
    assert "b" in {tag for tag, _ in parsed.tags}  # our own bold numbers
    assert "i" in {tag for tag, _ in parsed.tags}
    assert not any("alert" in str(attrs) for _, attrs in parsed.tags)


def test_every_cell_opens_a_pair_that_exists() -> None:
    """Each of the six cells leads to the details of its pair; the pair with a histogram shows it."""
    parsed = Parsed(report_html(made()))
    ids = {attrs["id"] for _, attrs in parsed.tags if "id" in attrs}
    links = [str(attrs["href"])[1:] for tag, attrs in parsed.tags if tag == "a"]
    assert len([link for link in links if link.startswith("pair")]) == 6
    assert set(links) <= ids
    assert [tag for tag, _ in parsed.tags].count("svg") == 1


def test_table_of_p_equals_the_json() -> None:
    """The p in the details of every pair is that of the JSON, as it is written everywhere."""
    report = made()
    content = report_json(report)["results"][0]
    page = report_html(report)
    for i, j in ((1, 0), (1, 2), (2, 0)):
        section = page[page.index(f'id="pair0-{i}-{j}"') :]
        p = re.search(r"<th>p</th><td>([^<]*)</td>", section)
        adjusted = re.search(r"<th>adjusted p \(Holm\)</th><td>([^<]*)</td>", section)
        assert p is not None
        assert adjusted is not None
        assert float(p[1]) == pytest.approx(content["p_values"][i][j], rel=0.01)
        assert float(adjusted[1]) == pytest.approx(content["adjusted"][i][j], rel=0.01)


def test_json_has_what_the_command_promises() -> None:
    """The JSON is that of the matrix with checks, sentences and the command."""
    content = report_json(made())
    assert {"checks", "sentences", "command", "results", "systems", "warnings"} <= content.keys()
    assert content["checks"][1] == {
        "name": "outputs",
        "state": "red",
        "question": CHECKS[1].question,
        "answer": CHECKS[1].answer,
        "fix": "Check the files.",
        "setting": None,
        "acknowledged": None,
    }
    assert set(content["sentences"]) == {"verdict", "methods"}


def test_latex_escapes_names() -> None:
    """No special character of a name is left as it is; the table has the rules of booktabs."""
    text = paper.latex(made().results, 0.05, HOSTILE[0])
    assert r"sys\_a\%\&\textless{}b\textgreater{}" in text
    assert r"a\textbar{}b\$\textasciicircum{}\{x\}\textasciitilde{}" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 2
    assert not re.search(r"(?<!\\)[_&%#](?! )(?!needs)", re.sub(r"% needs.*|\\label.*", "", text).replace(" & ", " "))


def test_markdown_escapes_names() -> None:
    """A bar in a name does not end its cell, and no name is a tag."""
    lines = paper.scores_markdown(paper.scores(made().results, 0.05)).split("\n")
    cells = [len(re.findall(r"(?<!\\)\|", line)) for line in lines[:5]]
    assert len(set(cells)) == 1
    assert tables.markdown_escape("<b>|_*") == r"\<b\>\|\_\*"


def test_daggers_bold_and_clusters() -> None:
    """Against sys0: sys1 is better (dagger), sys2 is not; sys1 is the best; it is alone in the first cluster."""
    result = factories.matrix((40.0, 42.0, 41.0), p=[[1, 0.001, 0.2], [0.001, 1, 0.03], [0.2, 0.03, 1]])
    table = paper.scores([result], 0.05, "sys0")
    assert table.systems == ("sys1", "sys2", "sys0")
    assert [(cells[0].text, cells[0].best, cells[0].mark) for cells in table.cells] == [
        ("42.00", True, paper.BETTER),
        ("41.00", False, ""),
        ("40.00", False, ""),
    ]
    assert table.clusters == (0,)
    # the best is alone in its cluster, the others share the next one
    assert [line.split("|")[-2].strip() for line in paper.scores_markdown(table).split("\n")[2:5]] == ["1", "2", "2"]
    assert r"\textbf{42.00}$^{\dagger}$" in paper.scores_latex(table)
    worse = paper.scores([result], 0.05, "sys1").cells[2][0]
    assert worse.mark == paper.WORSE


def test_systems_with_the_best_printed_score_are_all_bold() -> None:
    """42.004 and 42.001 are both printed as 42.00."""
    table = paper.scores([factories.matrix((42.001, 40.0, 42.004))], 0.05)
    assert [(cells[0].text, cells[0].best) for cells in table.cells] == [
        ("42.00", True),
        ("42.00", True),
        ("40.00", False),
    ]


def test_the_smallest_error_rate_is_bold() -> None:
    """Where lower is better the best score is the smallest one."""
    result = factories.matrix((42.0, 40.0, 41.0), better="lower")
    assert [cells[0].best for cells in paper.scores([result], 0.05).cells] == [True, False, False]


def test_the_command_line_of_a_result_has_its_numbers_to_the_last_digit() -> None:
    """A level or margin with more than six digits is not rounded; what changes no number is left out."""
    given = {
        "command": "compare",
        "alpha": 0.0123456789,
        "margin": 0.5,
        "workers": 4,
        "pair": [("A b", "C")],
        "metric": "ter",
    }
    text = "sigboard compare --alpha 0.0123456789 --margin 0.5 --pair 'A b' C --metric ter"
    assert bibtex.command_line(given) == text


def test_clusters_need_every_pair() -> None:
    """One pair across a line that is not significant joins the clusters; without verdicts there are none."""
    p = np.array([[1, 0.001, 0.001], [0.001, 1, 0.2], [0.001, 0.2, 1]])
    assert paper.clusters(factories.matrix((40.0, 42.0, 41.5), p=p), 0.05) == (1,)
    p[0, 2] = p[2, 0] = 0.3
    assert paper.clusters(factories.matrix((40.0, 42.0, 41.5), p=p), 0.05) == ()
    assert paper.clusters(factories.matrix((40.0, 42.0, 41.5), p=p * 0, estimator="paper"), 0.05) == ()


def test_a_baseline_must_be_a_system() -> None:
    """Another name is refused."""
    with pytest.raises(OptionError, match="no system named 'x'"):
        made(baseline="x")


def test_bibtex_names_what_was_used() -> None:
    """BLEU, randomization and Holm give their papers, each once, with balanced braces."""
    text = bibtex.of_results([*made().results, *made().results])
    keys = re.findall(r"@\w+\{(\w+),", text)
    assert keys == ["papineni2002", "post2018", "riezler2005", "noreen1989", "graham2014", "holm1979"]
    assert text.count("{") == text.count("}")


def test_every_test_and_correction_has_an_entry() -> None:
    """Each member that names a paper has an entry, or is one of the few without."""
    members = [*significance.members().values(), *corrections.members().values(), *metrics.members().values()]
    missing = {m.name for m in members if m.source and not any(bibtex.cites(m.source, key) for key in bibtex.papers())}
    assert missing <= {"accuracy", "own_scores", "own_statistics", "macro_f1", "wer", "cer", "constituency_f1"} | {
        member.name for member in metrics.members().values() if member.kind == "statistics"
    }
