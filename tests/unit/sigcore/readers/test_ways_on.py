"""Files that ended in a refusal without a way on: what is said of them now, and where it leads."""

from __future__ import annotations

import json

import pytest

from sigcore import metrics, readers
from sigcore.data import assemble, choices
from sigcore.readers.contract import Content
from sigcore.readers.tables import entries as parts_inside
from sigcore.readers.tables import jsontext, sides
from sigcore.readers.tables.numbers import as_numbers
from sigcore.readers.tables.table import Table
from tests.effort import at_most
from tests.made_tables import N, asked, means, roles, rows, scored, value


def deep(questions: int = 5) -> str:
    """One object of summaries, with the scores of each prompt two levels below."""
    prompts = [
        {"id": f"p-{k}", "scores": {"one": value(k, 0), "two": value(k, 1), "three": value(k, 2)}}
        for k in range(questions)
    ]
    whole = {"one": {"avg": 0.5, "best": 0.9}, "two": {"avg": 0.4, "best": 0.8}}
    pairs = [{"left": "one", "right": "two", "wins": 3}] * 2
    return json.dumps({"meta": {"date": "today"}, "quality": whole, "headToHead": {"prompts": prompts, "pairs": pairs}})


def test_a_list_deep_in_an_object_is_offered_and_read() -> None:
    """The offer names the list with points between the levels; lists of fewer than three are none."""
    (problem,) = scored(deep(), "all.json").problems
    assert (
        "Is each entry below headToHead.prompts a row? Then read them so: --explode headToHead.prompts." in problem.fix
    )
    assert "pairs" not in problem.fix
    found = means(scored(deep(), "all.json", explode="headToHead.prompts"))
    assert found == pytest.approx(
        {f"scores.{n}": sum(value(k, i) for k in range(5)) / 5 for i, n in enumerate(("one", "two", "three"))}
    )
    (few,) = scored(deep(2), "all.json").problems
    assert "--explode" not in few.fix


def test_another_list_is_none_of_the_object() -> None:
    """A name that leads nowhere is refused as before, and a list of words has no rows."""
    (problem,) = scored(deep(), "all.json", explode="headToHead.nothing").problems
    assert "It is one object" in problem.what
    words = json.dumps({"meta": {"a": 1, "b": {"c": 2}}, "below": {"list": ["x", "y", "z"], "more": {"n": 3}}})
    (problem,) = scored(words, "all.json").problems
    assert "--explode" not in problem.fix


def test_a_list_of_runs_inside_an_object_is_not_offered() -> None:
    """Its columns are what one system did in each run: nothing would be compared."""
    runs = [{"bleu": 18 + k / 7, "sys_len": 67_000 + k, "ref_len": 66_000} for k in range(6)]
    (problem,) = scored(
        json.dumps({"baseline": {"runs": runs, "seed": 1}, "about": {"date": "today"}}), "r.json"
    ).problems
    assert "--explode" not in problem.fix
    one = [{"id": f"q{k}", "model": "A", "acc": k % 2} for k in range(6)]
    (problem,) = scored(json.dumps({"part": {"rows": one, "seed": 1}, "about": {"date": "today"}}), "r.json").problems
    assert "--explode" not in problem.fix
    two = [{"id": f"q{k}", "model": name, "acc": k % (i + 2)} for i, name in enumerate("AB") for k in range(6)]
    (problem,) = scored(json.dumps({"part": {"rows": two, "seed": 1}, "about": {"date": "today"}}), "r.json").problems
    assert "--explode part.rows" in problem.fix


def test_lists_are_looked_for_five_levels_down() -> None:
    prompts = json.loads(deep())["headToHead"]["prompts"]

    def below(levels: int) -> str:
        value: object = prompts
        for k in range(levels):
            value = {f"l{k}": value, "n": {"x": 1}}
        return json.dumps(value)

    assert "--explode l4.l3.l2.l1.l0." in scored(below(5), "a.json").problems[0].fix
    assert "--explode" not in scored(below(6), "a.json").problems[0].fix


RUNS = ("ict-bert", "tua-1")
TABLE = rows(
    "runid,topic,compat", *(f"{name},{100 + k},{value(k, i)}" for i, name in enumerate(RUNS) for k in range(N))
)


@pytest.mark.parametrize("name", ["runs.compat", "runs.txt", "runs", "runs.csv"])
def test_a_table_is_one_under_any_ending(name: str) -> None:
    """None of its headings says what it is, but a column of numbers below a name in as many cells as there are."""
    problem = asked(TABLE, name)
    assert problem.what.startswith("Does runid name systems?")
    found = scored(TABLE, name, columns="runid=system")
    assert means(found) == pytest.approx({n: sum(value(k, i) for k in range(N)) / N for i, n in enumerate(RUNS)})


@pytest.mark.parametrize(
    "text",
    [
        "one,two\n1,2\n3,4\n",  # two names
        "one,two,one\n1,2,3\n3,4,3\n",  # a name again
        "one,two,3\n1,2,3\n3,4,3\n",  # a number
        "one,two,a b\n1,2,3\n3,4,3\n",  # words
        "one,two,six\n1,2,3\n",  # one row
        "one,two,six\nx,y,z\nu,v,w\n",  # no numbers
        "one,two,six\nx,y,1\nu,v,w\n",
        "one,two,six\nx,y,1\nu,v\n",
    ],
)
def test_text_with_commas_is_no_table(text: str) -> None:
    found = scored(text, "a.hyp")
    assert ([one.reader for one in found.items], found.problems) == (["plain"], ())


def test_headings_that_come_again_are_not_in_the_way() -> None:
    parts = [
        rows("runid,topic,compat", *(f"{n},{100 + k},{value(k, i)}" for k in range(N))) for i, n in enumerate(RUNS)
    ]
    found = scored("".join(parts), "runs.compat", columns="runid=system")
    assert means(found) == pytest.approx({n: sum(value(k, i) for k in range(N)) / N for i, n in enumerate(RUNS)})


def by_provider(*lines: str) -> str:
    return rows("provider,model_display,prompt_id,score_fit", *lines)


def test_another_word_for_the_system_is_no_task() -> None:
    """Each provider has one model: the model is the system, and the command leads to both."""
    models = {"acme": "Large 2", "zeta": "Z-mini"}
    text = by_provider(*(f"{p},{m},p-{k},{value(k, i)}" for i, (p, m) in enumerate(models.items()) for k in range(N)))
    problem = asked(text)
    assert (roles(problem)["provider"], roles(problem)["model_display"]) == ("ignored", "system")
    found = scored(text, columns="\n".join(f"{name}={role}" for name, role in problem.plan.items()))
    assert means(found) == pytest.approx(
        {m: sum(value(k, i) for k in range(N)) / N for i, m in enumerate(models.values())}
    )
    # a provider with two models tells runs or tasks of one system apart, as before
    several = by_provider(
        *(
            f"folder{j},{m},p-{k},{value(k, i + j)}"
            for i, m in enumerate(("Large", "Mini"))
            for j in range(2 * i, 2 * i + 2)
            for k in range(N)
        )
    )
    assert roles(asked(several))["provider"] in ("run", "task")


@pytest.mark.parametrize(("counts", "told"), [((5, 4, 5), "4 to 5 rows"), ((4, 4, 4), "4 rows")])
def test_ids_that_may_be_systems_say_what_is_missing(counts: tuple[int, ...], told: str) -> None:
    """No heading names the questions, and the rows of a system are its answers in some order."""
    text = rows(
        "index,answer,cos_score",
        *(f"m-{'abc'[i]},Well done {i}{k},{value(k, i)}" for i, n in enumerate(counts) for k in range(n)),
    )
    problem = asked(text)
    assert (
        f"If these are systems, they have {told} each, and no column names the questions: add one with their ids."
        in problem.what
    )


def test_a_few_rows_of_an_id_are_no_systems() -> None:
    text = rows(
        "index,answer,cos_score", *(f"m-{i},Well done {i}{k},{value(k, i)}" for i in range(4) for k in range(3))
    )
    assert "If these are systems" not in asked(text).what
    numbered = rows(
        "index,answer,cos_score", *(f"{i},Well done {i}{k},{value(k, i)}" for i in range(4) for k in range(5))
    )
    assert "If these are systems" not in asked(numbered).what
    named = rows(
        "index,turn_id,cos_score", *(f"m-{'abc'[i]},t{i}{k},{value(k, i)}" for i in range(3) for k in range(5))
    )
    assert "If these are systems" not in asked(named).what


def test_a_table_in_html_is_named() -> None:
    """It is not read, and to copy it to a Markdown file would lead nowhere."""
    page = (
        "# Results\n\nSome words.\n\n<table>\n<tr><th>id</th><th>A</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n"
    )
    (error,) = assemble(scored(page, "README.md").items).of("error")
    assert "line 5 begins a table in HTML, which is not read)." in error.fix
    assert "save it as CSV, with a row for each question and a column for each system." in error.fix
    assert "scores.md" not in error.fix


# Files of the exam after that one.


def texts(*heads: str) -> str:
    """Four texts in each record, below these names."""
    words = ("calm", "wide", "cold", "blue", "deep", "grey", "full", "near", "salt", "warm", "loud", "dark")
    cells = [(f"The sea is {w}.", f"La mer est {w}.", f"Le mer est {w}.", f"L'eau est {w}.") for w in words]
    return "".join(json.dumps(dict(zip(heads, own, strict=True))) + "\n" for own in cells)


NAMED = ("English-Original", "Human-Translated", "One-Translated", "Two-Translated")


def test_the_column_of_people_is_offered_as_the_right_one() -> None:
    """Its heading says human; the original is the source. Without such a word, or with two of them, nothing is offered."""
    (error,) = assemble(scored(texts(*NAMED), "t.jsonl").items).of("error")
    assert error.fix.endswith(
        "If Human-Translated is right: --columns Human-Translated=reference English-Original=source."
    )
    said = scored(texts(*NAMED), "t.jsonl", columns="Human-Translated=reference\nEnglish-Original=source")
    assert [one.role for one in said.items] == ["source", "reference", "system", "system"]
    for heads in (("English", "Human-A", "Human-B", "Two"), ("English", "One", "Two", "Three")):
        (error,) = assemble(scored(texts(*heads), "t.jsonl").items).of("error")
        assert "is right" not in error.fix


def test_a_last_column_of_numbers_is_not_offered_as_the_right_one() -> None:
    """Tables of means, one below another, are no texts with a reference; a title and a blank line stand above each."""
    table = ["Metric,One,Two", "Tone,4.7,4.8", "Clarity,4.5,4.6"]
    stacked = "\n".join(["Mean scores,,", *table, ",,", "Shares,,", "Kind,One,Two", "x,37.1%,46.1%", ""])
    (problem,) = scored(stacked).problems
    assert problem.what == "It has 2 tables, one below another: their titles are in lines 1, 6."
    assert "Save the one with the scores of every question as a file of its own." in problem.fix
    alone = scored("\n".join(["Mean scores,,", *table]) + "\n")
    assert not any("one below another" in one.what for one in alone.problems)
    mixed = [("column 1", "a b"), ("column 2", "3.5"), ("column 3", "4.5")]
    numbers = rows(",".join(cell for _, cell in mixed), *("c d,4.5,n/a" for _ in range(3)))
    assert "If it is the last one" not in " ".join(one.fix for one in assemble(scored(numbers).items).of("error"))


@pytest.mark.parametrize("name", ["t.tsv", "t.csv"])
def test_a_separator_behind_each_row_is_no_column(name: str) -> None:
    """All rows but the headings have one more cell, which is empty; with something in it the file is refused."""
    mark = "\t" if name == "t.tsv" else ","
    lines = [mark.join([f"q{k}", str(value(k, 0)), str(value(k, 1)), ""]) for k in range(N)]
    text = rows(mark.join(["id", "A", "B"]), *lines)
    assert means(scored(text, name)) == pytest.approx(
        {n: sum(value(k, i) for k in range(N)) / N for i, n in enumerate("AB")}
    )
    (problem,) = scored(text.replace(f"q3{mark}", f"q3{mark}x", 1).replace(f"{mark}\n", f"{mark}x\n", 1), name).problems
    assert "cells" in problem.what


def test_points_with_their_share_are_shares() -> None:
    """15/21 (71%) is 15 of 21."""
    text = rows(
        "| voice | one | two |",
        "|---|---|---|",
        *(f"| v-{'abcdefghijkl'[k]} | {k}/21 ({k / 0.21:.0f}%) | {k}/20 ({k * 5}%) |" for k in range(12)),
    )
    problem = asked(text, "scores.md")
    assert roles(problem) == {"voice": "question", "one": "system", "two": "system"}
    found = means(scored(text, "scores.md", columns="\n".join(f"{n}={r}" for n, r in roles(problem).items())))
    assert found == pytest.approx({"one": 5.5 / 21, "two": 5.5 / 20})


@pytest.mark.parametrize(
    ("cells", "told"), [(("8.23s", "6.1s", "n/a"), "8.23 6.1 "), (("812 ms", "90 ms", "7 ms"), "812 90 7")]
)
def test_numbers_with_one_unit_are_numbers(cells: tuple[str, ...], told: str) -> None:
    own, how = as_numbers("t.csv", cells)
    assert (" ".join(own), how.startswith("their unit, ")) == (told, True)


@pytest.mark.parametrize("cells", [("8.23s", "61ms"), ("8.23s", "x"), ("8.23s", "7"), ("8 x", "9 x"), ("1s1", "2s1")])
def test_numbers_with_several_units_or_without_are_text(cells: tuple[str, ...]) -> None:
    assert as_numbers("t.csv", cells) == ((), "")


def by_file(end: str = ".flac") -> str:
    own = {f"00{k}_29{k}_0{k}{end}": {"ground": f"the sea is {k}", "transcript": f"the see is {k}"} for k in range(12)}
    return json.dumps(own)


@pytest.mark.parametrize("end", [".flac", ".wav", ""])
def test_objects_by_recording_are_records(end: str) -> None:
    """Their names are ids with the ending of a file; ground is what was said."""
    found = scored(by_file(end), "one_transcripts.json")
    assert [(one.role, len(one.segments)) for one in found.items] == [("reference", 12), ("system", 12)]
    assert found.items[0].keys[:2] == (f"000_290_00{end}", f"001_291_01{end}")


def test_a_markdown_table_needs_no_bars_at_its_ends() -> None:
    """As GitHub reads it: a | b above --- | ---."""
    body = [f"q{k} | {value(k, 0)} | {value(k, 1)}" for k in range(N)]
    text = rows("# Scores", "", "id | A | B", "--- | --- | ---", *body, "", "Words | and more.")
    assert means(scored(text, "scores.md")) == pytest.approx(
        {n: sum(value(k, i) for k in range(N)) / N for i, n in enumerate("AB")}
    )


HEAD = "HITId,WorkerId,Input.system1,Input.system2,Input.text1,Input.text2,Answer.best"


@pytest.mark.parametrize(("hits", "questions"), [(("h1", "h1"), 1), (("h1", "h2"), 2)])
def test_one_hit_is_one_question(hits: tuple[str, str], questions: int) -> None:
    """Two people who judged the same HIT are two judgments of one question."""
    text = rows(HEAD, *(f"{hit},w{k},sysA,sysB,He won {k}.,He lost {k}.,A" for k, hit in enumerate(hits)))
    (found,) = scored(text, "batch.csv").preferences
    assert len({*found.question.tolist()}) == questions


def test_the_final_score_is_the_first_of_many() -> None:
    """Of nested scores of experts and a moderator, in which each expert has an overall score, too."""
    experts = [f"expert.e{k}.overall_score" for k in range(14)]
    text = rows(
        ",".join(["translation_engine", "segment_id", *experts, "moderator.final_score"]),
        *(",".join([n, f"s{k}", *(str(value(k + j, i)) for j in range(15))]) for i, n in enumerate(("goo", "yan")) for k in range(N)),
    )  # fmt: skip
    found = scored(text, columns="translation_engine=system\nsegment_id=question\nmoderator.final_score=score")
    assert {one.measure for one in found.items} == {"moderator.final_score"}
    assert choices(scored(text, columns="translation_engine=system").items).measures[0] == "moderator.final_score"


def test_what_all_systems_have_alike_in_a_question_is_no_measure() -> None:
    """A tolerance beside whether the answer is right."""
    own = [
        f"{n},q{k},{(k % 3) / 10},{str((k + i) % 2 == 0).lower()},m"
        for k in range(N)
        for i, n in enumerate(("bad", "good"))
    ]
    text = rows("category,qid,tolerance,is_correct,model", *own)
    commands = [command for _, command in asked(text).ways]
    assert any("is_correct=score" in command for command in commands)
    assert not any("tolerance=score" in command for command in commands)


def test_a_column_that_counts_the_rows_is_no_measure() -> None:
    own = [f"{3 * k + i + 1},p{k},{n},No issue" for k in range(N) for i, n in enumerate(("A1", "B2", "C3"))]
    text = rows("gid,prompt_file,model,rating", *own)
    assert roles(asked(text))["gid"] == "ignored"
    said = scored(text, columns="model=system\nprompt_file=question")
    assert not any(one.measure == "gid" for one in said.items)
    # where it is said to be one it is used
    said = scored(text, columns="model=system\nprompt_file=question\ngid=score")
    assert {one.measure for one in said.items if one.kind == "scores"} == {"gid"}


@pytest.mark.parametrize("cost", ["memory_usage", "peak_memory_mb", "gpu_util", "cpu_percent"])
def test_what_a_machine_needed_is_no_measure_beside_a_score(cost: str) -> None:
    text = json.dumps(
        [{"prompt": f"Q{k}?", "response": f"R{k}", cost: 242_540_544 + k * k, "score": value(k, 1)} for k in range(N)]
    )
    found = scored(text, "gpt_qa.json")
    assert f"Not used beside score: {cost}." in [one.message for one in found.notices]


def test_memory_alone_may_be_a_setting() -> None:
    text = rows(
        "memory,qid,acc", *(f"{n},q{k},{(k + i) % 2}" for i, n in enumerate(("with", "without")) for k in range(N))
    )
    assert roles(asked(text))["memory"] == "system"


def test_empty_ids_name_what_else_was_asked() -> None:
    """The command leads on where the prompts tell the rows of a system apart."""
    own = [
        f"{n},Why is it {k}?,{f'x{k}' if k < 4 else ''},{value(k, i)}"
        for i, n in enumerate(("m1", "m2"))
        for k in range(N)
    ]
    (problem,) = scored(rows("model,prompt,question_id,acc_x", *own)).problems
    assert problem.what == "question_id is empty: nothing names the question of this row."
    assert problem.fix.startswith("If prompt names the questions: --columns question_id=ignored prompt=question.")
    led = scored(
        rows("model,prompt,question_id,acc_x", *own), columns="question_id=ignored\nprompt=question\nacc_x=score"
    )
    assert means(led) == pytest.approx({n: sum(value(k, i) for k in range(N)) / N for i, n in enumerate(("m1", "m2"))})


def test_metrics_are_no_questions() -> None:
    """Averages of each model by type and metric: the metrics are measures."""
    own = [f"{n},{t},{m},{value(k, i)}" for i, n in enumerate(("A1", "B2")) for k, (t, m) in enumerate((t, m) for t in ("saq", "mcq", "blq") for m in ("relevance", "clarity", "depth"))]  # fmt: skip
    text = rows("LLM,Question Type,Metrics,Average", *own)
    (problem,) = scored(text).problems
    assert "Metrics" not in problem.fix.partition("Otherwise")[0]


PAIRS = (("base", "wr"), ("base", "sft"), ("wr", "sft"))


def by_criterion(*more: str) -> str:
    """Both systems in one cell, and below each criterion one of them, or same."""
    own = []
    for k in range(24):
        pair = PAIRS[k % 3]
        cells = [(*pair, "same")[(k * step) % 5 % 3] for step in (1, 2, 3)]
        own.append(",".join([*cells, f'"{pair[0]},{pair[1]}"', *more]))
    return rows(",".join(["plot", "style", "overall_quality", "options", *(f"m{k}" for k in range(len(more)))]), *own)


def test_a_pair_in_one_cell_and_who_won_by_criterion() -> None:
    """Each criterion is offered; with one of them the judgments are read."""
    problem = asked(by_criterion())
    assert problem.what.startswith(
        "Does each of plot, style, overall_quality say which of the two in options is better?"
    )
    assert [command for _, command in problem.ways] == ["plot=winner", "style=winner", "overall_quality=winner"]
    (found,) = scored(by_criterion(), columns="style=winner").preferences
    outcomes = [("first", "second", "tie")[(k * 2) % 5 % 3] for k in range(24)]
    assert found.outcome.tolist() == [{"first": 1.0, "second": 0.0, "tie": 0.5}[one] for one in outcomes]
    assert {*found.systems} == {"base", "wr", "sft"}


def test_one_criterion_beside_a_pair_is_not_asked_about() -> None:
    """Another file: one column of names, or names that are not those of the pair."""
    text = (
        by_criterion()
        .replace("same", "other")
        .replace('"base,wr"', "x")
        .replace('"base,sft"', "y")
        .replace('"wr,sft"', "z")
    )
    assert not any("say which of the two" in one.what for one in scored(text).problems)


# Notebooks, and runs below systems in two lines of headings.


def notebook(*printed: str, sources: bool = True) -> str:
    """A notebook whose cells printed these texts, one as a stream and the next as a value, behind a cell of words."""
    outputs = [
        {"output_type": "stream", "text": text.splitlines(keepends=True)} if k % 2 == 0 else {"output_type": "execute_result", "data": {"text/plain": text}}
        for k, text in enumerate(printed)
    ]  # fmt: skip
    cells = [
        {"cell_type": "markdown", "source": ["# Errors"]},
        *({"cell_type": "code", "source": ["x"] * sources, "outputs": [one]} for one in outputs),
    ]
    return json.dumps({"cells": cells, "nbformat": 4})


def frame(n: int = N) -> str:
    """A data frame as pandas prints it."""
    lines = [f"{'path':>12} {'wer_a':>8} {'wer_b':>8}"]
    return "\n".join([*(f"{'':2} {line}" for line in lines), *(f"{k:2} {f'clip_{k}.mp3':>12} {value(k, 0):8.4f} {value(k, 1):8.4f}" for k in range(n))])  # fmt: skip


@pytest.mark.parametrize("place", [0, 1])
def test_the_one_table_that_a_notebook_printed_is_read(place: int) -> None:
    """As a stream or as a value, beside a bar of progress and a few means."""
    texts = ["100%|####| 12/12 [00:12<00:00]\n", "wer_a    0.12\nwer_b    0.10\ndtype: float64"]
    texts.insert(place, frame())
    found = scored(notebook(*texts), "errors.ipynb")
    assert f"It is a notebook: the table that cell {place + 2} printed was read." in [
        one.message for one in found.notices
    ]
    assert means(found) == pytest.approx(
        {f"wer_{n}": sum(value(k, i) for k in range(N)) / N for i, n in enumerate("ab")}
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (notebook("done"), "It is a notebook with no table in its outputs."),
        (notebook(frame(), frame(11)), "It is a notebook with 2 tables printed by cells 2, 3."),
        (json.dumps({"cells": []}), "It is a notebook with no table in its outputs."),
        ("[1, 2]", "It is no notebook of Jupyter"),
        (json.dumps({"cells": 3}), "It is no notebook of Jupyter"),
        (json.dumps({"cells": ["x"]}), "It is no notebook of Jupyter"),
        ("{", "It is no notebook of Jupyter"),
    ],
)
def test_other_notebooks_say_what_to_save(text: str, told: str) -> None:
    (problem,) = scored(text, "errors.ipynb").problems
    assert problem.what.startswith(told)
    assert problem.fix.startswith("Save ")


@pytest.mark.parametrize(("level", "runs"), [("seed", True), ("run", True), ("", False)])
def test_runs_below_systems_in_two_lines_of_headings(level: str, runs: bool) -> None:
    """As pandas writes columns of two levels; numbers below no name of a run are rows as before."""
    systems = [name for name in ("mbert", "xlmr") for _ in range(3)]
    lines = [f"UD_{k},{','.join(str(value(k, i)) for i in range(6))}" for k in range(N)]
    text = rows(f"model,{','.join(systems)}", f"{level},13,42,77,13,42,77", f"treebank{',' * 6}", *lines)
    columns = {one.column for one in getattr(scored(text).problems[0], "claims", ())}
    assert ({f"{name}_{level}{k}" for name in systems for k in (13, 42, 77)} <= columns) is runs


def ticks(*last: str) -> str:
    """A table of Markdown with a tick for each answer of two systems."""
    body = [f"| {k + 1} | Which \\| is it, {k}? | {'✅❌'[k % 2]} | {'✅❌'[k % 3 > 0]} |" for k in range(N)]
    return rows("| # | Question | One | Two |", "|--:|:---|:-:|:-:|", *body, *last)


def test_a_bar_behind_a_backslash_is_text_and_a_total_no_question() -> None:
    """The last row says how many of the others each system has."""
    found = scored(ticks("| | **Total** | **6/12** | **4/12** |"), "scores.md")
    assert means(found) == {"One": 0.5, "Two": pytest.approx(1 / 3)}
    assert any("Its last row, Total, sums up the others: left out." in one.message for one in found.notices)
    assert {len(one.segments) for one in found.items if one.kind == "scores"} == {N}


@pytest.mark.parametrize(
    "last",
    ["| 13 | Sum up | 6/12 | 4/12 |", "| | Total | ✅ | ❌ |"],
)
def test_other_last_rows_are_questions(last: str) -> None:
    found = scored(ticks(last), "scores.md")
    assert not any("Its last row" in one.message for one in found.notices)


def test_both_encodings_of_windows_have_their_command() -> None:
    (problem,) = scored("Modell,Punkte\nGröße,1\n".encode("cp1252")).problems
    assert (
        "Western European: iconv -f WINDOWS-1252 -t UTF-8. Central European: iconv -f WINDOWS-1250 -t UTF-8."
        in problem.fix
    )


def test_pairs_are_not_looked_for_in_every_two_of_many_columns() -> None:
    """Four hundred columns of words, none of which says that it holds pairs: half a megabyte took more than five minutes."""
    heads = [f"c{k}" for k in range(400)]
    table = Table("t.csv", heads, [[f"{'ab'[(k + i) % 2]},x" for k in range(400)] for i in range(20)], list(range(20)))
    with at_most(lines=20_000):
        assert sides._of_pairs(table) is None


def test_of_many_lists_inside_an_object_the_longest_are_tried() -> None:
    """In their order; each try reads the file again."""
    lists = {f"l{k}": [{"x": i} for i in range(3 + (7 * k) % 11)] for k in range(11)}
    found = jsontext.lists_inside(
        Content(
            "a.json",
            json.dumps({"whole": lists}).encode(),
            lambda _, data: (data.decode(), []),
            lambda _, text: (tuple(text.split("\n")), []),
        )
    )
    assert all(listed for _, listed in found)
    paths = [name for name, _ in found]
    sizes = {f"whole.{name}": len(own) for name, own in lists.items()}
    assert len(found) == jsontext.MOST_LISTS
    assert {*paths} == {*sorted(sizes, key=sizes.__getitem__)[-jsontext.MOST_LISTS :]}
    assert paths == [name for name in sizes if name in paths]


def in_windows(codec: str, head: str = "Frage,Système A,Größe B") -> bytes:
    """A table of scores in an encoding of Windows."""
    rows = [f"{k},{0.5 + 0.01 * k:.2f},{0.6 + 0.01 * (k * 7 % 11):.2f}" for k in range(20)]
    return "\n".join([head, *rows, ""]).encode(codec)


def test_numbers_are_read_whatever_the_encoding_of_their_names() -> None:
    found = scored(in_windows("cp1252"))
    assert not found.problems
    assert [item.name for item in found.items] == ["Système A", "Größe B"]
    assert found.items[0].segments[1] == "0.51"
    assert found.notices[0].message == (
        "It is not UTF-8. Its numbers do not depend on that, and its letters were read as Windows-1252."
    )


def test_the_encoding_of_another_script_is_named_where_its_letters_show_it() -> None:
    found = scored(in_windows("cp932", "id,あたらしいシステム,まえのシステム"))
    assert [item.name for item in found.items] == ["あたらしいシステム", "まえのシステム"]
    assert "read as CP932" in found.notices[0].message


@pytest.mark.parametrize(
    "data",
    [
        "source,reference,A,B\nein Tür,a door,a döör,a dör\n".encode("cp1252"),  # its scores depend on letters
        "".join(
            [
                "id,reference,output,score\n",
                *(f"{k},Tür Nummer {k} da,Tor Nummer {k} hier,{k / 9:.2f}\n" for k in range(9)),
            ]
        ).encode("cp1252"),  # texts beside scores
        in_windows("cp1252").replace(b"\xf6", b"\x81"),  # no letter in Windows-1252
    ],
)
def test_text_in_an_unknown_encoding_stays_refused(data: bytes) -> None:
    found = scored(data)
    assert not found.items
    assert "is not UTF-8" in found.problems[0].what


def test_a_question_about_numbers_in_another_encoding_is_asked() -> None:
    rows = [f"{k};Frage {k // 2};{'AB'[k % 2]};{3 + k % 4},5;{1 + k % 7},3;schön" for k in range(30)]
    found = scored("\n".join(["Nr;Frage;Modell;Punkte;Zeit;Größe", *rows, ""]).encode("cp1252"))
    assert "=score" in found.problems[0].fix
    assert "not UTF-8" in found.notices[0].message


def of_labels(start: int, *above: str) -> bytes:
    """A label for each of 40 ids, without a heading unless one is given."""
    return "\n".join([*above, *(f"A{7 * k},{'NOT' if (k + start) % 3 else 'OFF'}" for k in range(40)), ""]).encode()


def test_two_columns_without_headings_get_their_command() -> None:
    files = [("one.csv", of_labels(0)), ("two.csv", of_labels(1, "id,label")), ("goldlabels.csv", of_labels(0))]
    asked = readers.read(files)
    assert "--columns 'column 1=question' 'column 2=text'" in asked.problems[0].fix
    found = readers.read(files, every=readers.Choice(options={"columns": "column 1=question\ncolumn 2=text"}))
    assert not found.problems
    assert [(item.name, item.role, len(item.segments)) for item in found.items] == [
        ("one", "system", 40),
        ("two", "system", 40),  # its first line is a heading, though the others have none
        ("goldlabels", "reference", 40),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [f"{k % 3},{'AB'[k % 2]}" for k in range(30)],  # ids that come again name no questions
        [f"A{k},text number {k} of many" for k in range(30)],  # texts are no labels
        [f"A{k},{'AB'[k % 2]},{'AB'[k % 2]}" for k in range(30)],
    ],
)
def test_other_columns_without_headings_do_not(rows: list[str]) -> None:
    (problem,) = scored("\n".join([*rows, ""]).encode()).problems[:1] or [None]
    assert problem is None or "'column 2=text'" not in problem.fix


def graded(*labels: str) -> bytes:
    """A completion of each of 30 prompts, and a label of it."""
    lines = [f"p{k},what is {k} and why?,it is {k} since {k},{labels[k % len(labels)]}" for k in range(30)]
    return "\n".join(["id,prompt,completion,final_label", *lines, ""]).encode()


def test_few_words_are_offered_each_as_the_right_one() -> None:
    files = [("one.csv", graded("full", "poor", "part")), ("two.csv", graded("full", "poor"))]
    problems = readers.read(files).problems
    assert problems[0].fix == problems[1].fix  # one command answers for both files
    assert "If only part is right, and the other words count as 0" in problems[0].fix
    assert "--columns final_label=score --cells full=1 part=0 poor=0" in problems[0].fix
    found = scored(graded("full", "poor", "part"), columns="final_label=score", cells="poor=1\nfull=0\npart=0")
    (item,) = [one for one in found.items if one.kind == "scores"]
    assert sum(map(float, item.segments)) == 10


def test_many_words_keep_a_number_to_fill_in() -> None:
    (problem,) = scored(graded("full", "poor", "part", "late", "odd")).problems
    assert "full=NUMBER" in problem.fix
    assert "If only" not in problem.fix


def test_files_with_other_words_keep_their_own_commands() -> None:
    files = [("one.csv", graded("full", "poor", "part")), ("two.csv", graded("yea", "nay"))]
    first, second = readers.read(files).problems
    assert "full=1" in first.fix
    assert "full=1" not in second.fix


def long_answers(name: str, said: str) -> bytes:
    """A short target and a longer output of each of 20 stories, of four questions that come again with another answer."""
    places = ("hallway", "garden", "office", "kitchen", "attic")
    lines = [
        f'{k},{places[k % 5]},"{said.format(places[(k + (k % 4 == 0)) % 5])}",Where is {"ABCD"[k % 4]} now?'
        for k in range(40)
    ]
    return "\n".join([",target,output,question", *lines, ""]).encode()


def test_a_target_beside_an_output_is_what_is_right() -> None:
    files = [(f"{name}/qa1.csv", long_answers(name, f"Well, {name} says that it is in the {{}}.")) for name in "AB"]
    found = readers.read(files)
    assert not found.problems
    assert {(item.name, item.role) for item in found.items} >= {("A", "system"), ("B", "system")}
    assert [item.name for item in found.items if item.role == "reference"] == ["target", "target (2)"]
    # the same question with another answer is no run of it
    assert not any("its runs" in one.message for one in found.notices)
    loaded = assemble(found.items, "t")
    assert loaded.texts.kind == "long answers"
    assert metrics.usual("text", loaded.texts.kind) == "cover_em"


def test_a_prompt_with_one_answer_has_samples() -> None:
    rows = [f"w{k % 6},I think {k} is w{k % 5},What is the word number {k % 6}?" for k in range(24)]
    found = scored("\n".join(["target,output,question", *rows, ""]).encode())
    assert any("its runs" in one.message for one in found.notices)


def test_a_target_alone_is_an_output() -> None:
    found = scored(b"target,reference\n" + b"".join(b"it rains %d,it rained %d\n" % (k, k) for k in range(12)))
    assert [item.name for item in found.items if item.role == "reference"] == ["reference"]
    assert [item.role for item in found.items].count("system") == 1


def test_answers_of_one_word_are_right_or_wrong() -> None:
    rows = [f"word{k},word{k + k % 3},What is {k}?" for k in range(20)]
    found = readers.read([(f"{n}/qa.csv", "\n".join(["target,output,question", *rows, ""]).encode()) for n in "AB"])
    assert assemble(found.items, "t").texts.kind == "single words"


def test_columns_that_are_not_used_do_not_keep_numbers_from_being_read() -> None:
    rows = [f"{k},{0.5 + k / 99:.2f},{0.6 + (k * 7 % 11) / 99:.2f},schön" for k in range(20)]
    text = "\n".join(["id,A,B,Bemerkung", *rows, ""]).encode("cp1252")
    found = scored(text, columns="A=system\nB=system\nBemerkung=ignored")
    assert {item.name for item in found.items if item.kind == "scores"} == {"A", "B"}


def test_answers_of_many_words_are_no_short_ones() -> None:
    from sigcore.data import nature
    from sigcore.readers import Item
    from sigcore.readers.contract import ASKED
    from sigcore.testset import Outputs, Testset

    def kind(words: int) -> str:
        gold = tuple(" ".join(f"w{k}x{i}" for i in range(words)) for k in range(9))
        own = tuple(f"{one} " * 4 for one in gold)
        items = [Item("r", "reference", "text", gold, "r", ASKED), Item("A", "system", "text", own, "a", "")]
        return nature.texts_of(Testset("t", "text", 9, (gold,)), [Outputs("A", own)], items).kind

    assert [kind(n) for n in (1, 5, 6)] == ["long answers", "long answers", "answers"]


def test_an_object_of_records_by_id_may_have_an_error_in_a_few() -> None:
    def records(*odd: str) -> dict[str, dict[str, object]]:
        own: dict[str, dict[str, object]] = {
            f"{k}": {"pid": f"{k}", "question": f"what is {k}?", "answer": "x", "true_false": k % 3 > 0, "precision": 1}
            for k in range(1, 13)
        }
        for name in odd:
            own["5"][name] = "lost"
        return own

    for one in (records(), records("error")):
        found = scored(json.dumps(one), "bard.json")
        assert found.items or "true_false=score" in found.problems[0].fix
    assert "one object, not one record" in str(scored(json.dumps(records("a", "b", "c")), "bard.json").problems[0])


def test_totals_that_several_folders_have_stand_beside_what_is_asked_about() -> None:
    runs = "".join(
        json.dumps({"index": k, "output": {"result": {"result": k % 3 > 0}}, "time": {"timestamp": 9 * k}}) + "\n"
        for k in range(12)
    )
    whole = json.dumps({"total": 12, "validation": {"completed": 1.0}, "custom": {"overall": 0.5}})
    files = [
        (f"out/{name}/os/{file}", text.encode())
        for name in "AB"
        for file, text in (("runs.jsonl", runs), ("overall.json", whole))
    ]
    found = readers.read(files)
    assert {getattr(problem, "file", "") for problem in found.problems} <= {
        "out/A/os/runs.jsonl",
        "out/B/os/runs.jsonl",
    }
    assert sum("It was set aside" in one.message for one in found.notices) == 2


def test_senses_of_words_are_no_transcripts() -> None:
    """Any of several right ones counts; the error rate of words took them for a sentence."""
    gold = "".join(f"d0.t{k} run%2:38:0{k % 3}::" + (" go%2:38:00::" if k % 4 == 0 else "") + "\n" for k in range(12))
    own = "".join(f"d0.t{k} {'go%2:38:00::' if k % 4 == 0 else f'run%2:38:0{k % 2}::'}\n" for k in range(12))
    found = readers.read([("gold.key.txt", gold.encode()), ("A.key.txt", own.encode())])
    right = [item for item in found.items if item.role == "reference"]
    assert len(right) == 2
    loaded = assemble(found.items, "t")
    assert loaded.texts.kind == "single words"
    assert loaded.testset is not None
    measured = metrics.extractor(metrics.get("accuracy"), loaded.testset, metrics.get("accuracy").chosen())(
        loaded.outputs[0]
    )
    share = sum(k % 4 == 0 or k % 3 == k % 2 for k in range(12)) / 12
    assert measured.corpus_score == pytest.approx(100 * share)


def test_a_label_of_texts_beside_predict_is_what_is_right() -> None:
    """As LLaMA-Factory writes it."""

    def lines(label: str, predict: str) -> bytes:
        rows = [{"prompt": f"say {k}", "label": label.format(k=k), "predict": predict.format(k=k)} for k in range(24)]
        return "".join(json.dumps(one) + "\n" for one in rows).encode()

    texts = readers.read([(f"{name}/generated.jsonl", lines("it is {k} now", name + " says {k} now")) for name in "AB"])
    assert not texts.problems
    assert [item.name for item in texts.items if item.role == "system"] == ["A", "B"]
    assert sum(item.role == "reference" for item in texts.items) == 2


def entries(n: int = 12, **more: object) -> str:
    """One object with the results of each task by its name, two levels below."""
    own = {
        f"t{k}_x": {"success": k % 3 == 0, "difficulty": k % 3, "calls": [{"a": 1}, {"a": 2}], **more} for k in range(n)
    }
    return json.dumps({"sums": {"all": 0.3}, "results": {"individual": own, "seed": 1}})


def test_entries_deep_in_an_object_are_rows_and_are_asked_about() -> None:
    """Their names may be of tasks or of whole systems, too; lists of objects in them are left out."""
    (problem,) = scored(entries(), "all.json").problems
    assert {claim.column: claim.role for claim in problem.claims} == {
        "id": "question",
        "success": "score",
        "difficulty": "score",
    }
    assert "--explode" not in problem.fix
    said = "id=question\nsuccess=score\ndifficulty=ignored"
    found = means(scored(entries(), "all.json", columns=said, cells="true=1\nfalse=0"))
    assert found == pytest.approx({"all": 4 / 12})


def test_few_or_different_entries_are_no_rows() -> None:
    for text in (entries(4), json.dumps({"a": {f"t{k}": {f"x{k}": k} for k in range(9)}, "b": {"c": 1}})):
        (problem,) = scored(text, "all.json").problems
        assert "It is one object" in problem.what


def test_of_several_parts_with_entries_each_is_offered() -> None:
    both = json.loads(entries())
    both["again"] = both["results"]["individual"]
    (problem,) = scored(json.dumps(both), "all.json").problems
    assert "--explode results.individual" in problem.fix
    assert scored(json.dumps(both), "all.json", explode="results.individual").problems[0].claims


def test_numbers_of_entries_are_no_systems() -> None:
    """early_score and late_score were rivals."""
    own = {str(k): {"early_score": k * 7 % 11, "late_score": k * 5 % 13} for k in range(20)}
    (problem,) = scored(json.dumps({"model": "A", "raw": {"1": {"scores": own}}}), "a.json").problems
    assert {claim.role for claim in problem.claims} == {"question", "score"}


def test_objects_with_little_in_common_are_no_entries() -> None:
    """Half of the names have to be those of all."""
    for own, fits in ((1, True), (2, False)):
        parts = {f"t{k}_x": {"score": k, **{f"own{k}_{i}": i for i in range(own if k == 3 else 0)}} for k in range(9)}
        whole = {"agent": "A", "results": {"individual": parts, "seed": 1}}
        found = list(parts_inside.inside(whole))
        assert bool(found) is fits


def test_lists_on_other_levels_or_with_other_names_are_not_joined() -> None:
    own = [{"id": k, "score": k} for k in range(5)]
    alike = list(parts_inside.inside({"r": {"a": own, "b": own}}))
    assert [row["key_1"] for row in parts_inside.in_levels(alike)] == ["a"] * 5 + ["b"] * 5
    deeper = list(parts_inside.inside({"r": {"a": own, "b": {"c": own}}}))
    other = list(parts_inside.inside({"r": {"a": own, "b": [{"id": 1}] * 5}}))
    unlike = [alike[0], alike[1]._replace(listed=False)]
    assert parts_inside.in_levels(unlike) == []
    assert parts_inside.in_levels(deeper) == parts_inside.in_levels(other) == parts_inside.in_levels(alike[:1]) == []


def test_entries_that_would_be_read_at_once_are_asked_about() -> None:
    """Names with an accuracy each may be tasks, or whole systems."""
    own = {f"t{k}_x": {"accuracy": (k * 7) % 11 / 10} for k in range(12)}
    (problem,) = scored(
        json.dumps({"sums": {"all": 0.3}, "results": {"individual": own, "seed": 1}}), "a.json"
    ).problems
    assert problem.why == "Is each of its 12 entries (t0_x, t1_x, t2_x ...) a question?"
    said = scored(
        json.dumps({"sums": {"all": 0.3}, "results": {"individual": own, "seed": 1}}),
        "a.json",
        columns="id=question\naccuracy=score",
    )
    assert means(said) == {"a": pytest.approx(sum((k * 7) % 11 / 10 for k in range(12)) / 12)}


def test_one_record_with_objects_by_name_stays_one() -> None:
    own = {"id": "q1", "text": "It rains.", "judges": {name: {"score": k} for k, name in enumerate("abcdef")}}
    found = scored(json.dumps(own), "a.json")
    assert not any("entries" in str(one) for one in found.problems)
