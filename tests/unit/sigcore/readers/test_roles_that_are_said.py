"""Roles that somebody says are what is read: names of systems however few rows each has, labels beside what is right, rows that are
left out, sides that are numbers; and what is offered where nothing is said."""

from __future__ import annotations

import json
from statistics import mean

import pytest

from sigcore.formatting import in_lines
from sigcore.measures import better_of
from sigcore.readers import Choice, Intake, read, read_ratings
from tests.made_tables import N, asked, means, of_people, rows, scored, told, value

PAIR = ("A", "B")


def one_problem(found: Intake) -> str:
    """What is wrong with a file, and how it is mended."""
    (problem,) = found.problems
    return f"{problem.what} {problem.fix}"


def ratings(text: str, **options: str) -> Intake:
    return read_ratings([("human.csv", text.encode())], Choice(options=options).options)


# Systems.


@pytest.mark.parametrize("scores", [("recall",), ("recall", "mrr")])
def test_a_system_in_each_row_has_scores_of_whole_systems(scores: tuple[str, ...]) -> None:
    """The measures were rivals, and the systems the questions."""
    text = rows("arm,recall,mrr", *(f"arm {k},{value(k, 0)},{value(k, 1)}" for k in range(N)))
    said = "\n".join(["arm=system", *(f"{name}=score" for name in scores)])
    assert "arm has another name in each row: if these are systems, the scores are of whole systems." in one_problem(
        scored(text, columns=said)
    )


def test_numbers_beside_questions_stay_scores_of_systems_in_columns() -> None:
    text = rows("id,x,y", *(f"q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)))
    assert [*means(scored(text, columns="id=question\nx=system\ny=system"))] == ["x", "y"]


# Labels.


@pytest.mark.parametrize("labels", [("0", "1"), ("-1", "3"), ("yes", "no")])
@pytest.mark.parametrize("columns", [("p",), ("p", "q")])
def test_labels_beside_what_is_right_are_compared_with_it(labels: tuple[str, str], columns: tuple[str, ...]) -> None:
    """Numbers were scores, of which the mean was shown; the column of words named the systems."""
    lines = [[labels[k % 2], labels[k % 3 % 2], labels[k % 5 % 2]] for k in range(N)]
    text = rows("id,gold,p,q", *(f"q{k},{','.join(one)}" for k, one in enumerate(lines)))
    said = "\n".join(["id=question", "gold=reference", *(f"{name}=system" for name in columns)])
    found = scored(text, columns=said)
    assert not found.problems
    texts = {one.name: [*one.segments] for one in found.items if one.role == "system"}
    names = columns if len(columns) > 1 else ("t",)  # one output is that of the file
    assert texts == {name: [one[k + 1] for one in lines] for k, name in enumerate(names)}
    assert {one.kind for one in found.items} == {"text"}


def test_fractions_beside_a_reference_are_no_labels() -> None:
    lines = [f"q{k},{value(k, 0)},{value(k, 1)},{value(k, 2)}" for k in range(N)]
    found = scored(rows("id,gold,p,q", *lines), columns="id=question\ngold=reference\np=system\nq=system")
    assert "text" not in {one.kind for one in found.items if one.role == "system"}


# Rows that are left out.


def summed(name: str) -> str:
    own = [f"part{k % 3},q{k},{system},{value(k, i)}" for k in range(N) for i, system in enumerate(PAIR)]
    return rows("part,item,model,accuracy", *(f"all,{name},{system},0.7" for system in PAIR), *own)


def test_a_row_that_sums_up_others_is_no_question_of_two_columns() -> None:
    """Together with a second column its name was one of a question."""
    roles = "part=question\nitem=question\nmodel=system\naccuracy=score"
    problem = one_problem(scored(summed("Overall"), columns=roles))
    assert "it sums up the others" in problem
    assert "--cells Overall=missing" in problem
    found = scored(summed("Overall"), columns=roles, cells="Overall=missing")
    expected = {name: pytest.approx(mean(value(k, i) for k in range(N))) for i, name in enumerate(PAIR)}
    assert means(found) == expected
    assert "2 rows called overall left out, as it was said." in told(found)


def test_what_is_missing_among_scores_is_no_name() -> None:
    """A word for a missing score leaves its row where it is."""
    own = [f"q{k},{'none' if k == 3 else value(k, 0)},{value(k, 1)}" for k in range(N)]
    found = scored(rows("id,A,B", *own), columns="id=question\nA=system\nB=system", cells="none=missing")
    assert {len(one.segments) for one in found.items} == {N}
    assert "left out, as it was said" not in told(found)


def test_a_task_without_a_name_has_a_way_on() -> None:
    own = [f"q{k},{'' if k < 3 else 'x'},{name},{value(k, i)}" for k in range(N) for i, name in enumerate(PAIR)]
    text = rows("id,subset,model,accuracy", *own)
    problem = one_problem(scored(text))
    assert "A row does not name its task: " in problem
    assert "If it names no test sets: --columns subset=ignored." in problem
    assert {*means(scored(text, columns="subset=ignored"))} == {*PAIR}


def test_practice_items_without_a_system_are_left_out_where_somebody_says_which_column_names_it() -> None:
    own = [f"w{k % 3},q{k // 3},{name},{(k + i) % 5 + 1}" for k in range(3 * N) for i, name in enumerate(PAIR)]
    text = rows("worker,item,condition,rating", *own, *(f"w{k},t{k},,5" for k in range(3)))
    assert "Practice items without one are left out" in one_problem(ratings(text.replace("condition", "system")))
    found = ratings(text, columns="condition=system\nitem=question\nrating=score\nworker=judge")
    (people,) = found.judgments
    assert of_people(people, people.dimensions[0]) == {
        name: pytest.approx(mean((k + i) % 5 + 1 for k in range(3 * N))) for i, name in enumerate(PAIR)
    }
    assert f"3 ratings of {6 * N + 3} without a system left out." in told(found)


# Sides.


def test_a_number_beside_names_is_one_itself() -> None:
    """Item 0 against items 1 to 12: the second side was one system of outputs, which lost 27 times."""
    text = rows("step,idx1,idx2,preference", *(f"{k},0,{k + 1},{k % 2}" for k in range(N)))
    said = "idx1=first\nidx2=second\npreference=winner"
    asked = one_problem(scored(text, columns=said))
    assert "--cells 0=second 1=first" in asked
    assert "--cells 0=first 1=second" in asked
    (part,) = scored(text, columns=said, cells="1=first\n0=second").preferences
    assert {*part.first.tolist()} == {"0"}
    assert part.second.tolist() == [str(k + 1) for k in range(N)]
    assert part.outcome.tolist() == [float(k % 2) for k in range(N)]


def test_three_votes_are_no_two_sides_and_a_winner() -> None:
    """Three people voted for one of the systems or a tie: the tie was a system."""
    own = [",".join([f"q{k}", *(["ours", "base", "tie"][(k * (i + 1) + i) % 3] for i in range(3))]) for k in range(N)]
    (problem,) = scored(
        rows("id,ours vs. system.Fluency 1,ours vs. system.Fluency 2,ours vs. system.Fluency 3", *own)
    ).problems
    assert "=first" not in problem.fix


def test_numbers_beside_two_named_systems_may_say_who_won() -> None:
    """What a program writes before its headings may be said, or not."""
    own = [f"p{k // 2},{'ab'[k % 2]},{'ba'[k % 2]},{k % 3 % 2 + 1}" for k in range(N)]
    text = rows("INPUT:plan,INPUT:system_a,INPUT:system_b,OUTPUT:category,ASSIGNMENT:task_id,ASSIGNMENT:worker_id",
                *(f"{one},t{k},w{k % 3}" for k, one in enumerate(own)))  # fmt: skip
    problem = asked(text)
    assert "system_a=first system_b=second category=winner" in problem.fix
    for before in ("", "INPUT:"):
        said = f"{before}plan=question\n{before}system_a=first\n{before}system_b=second\ncategory=winner"
        (part,) = scored(text, columns=said).preferences
        assert part.outcome.tolist() == [1.0 - k % 3 % 2 for k in range(N)]
        assert part.first.tolist() == ["ab"[k % 2] for k in range(N)]


def test_words_in_several_lines_are_said_in_one() -> None:
    own = [
        {"q": f"q{k}", "x": f"text {k}", "y": f"other {k}", "won": "yes\nyes" if k % 2 else "no\n yes"}
        for k in range(N)
    ]
    said, cells = "q=question\nx=first\ny=second\nwon=winner", "yes yes=first\nno yes=tie"
    assert "--cells 'no yes=WHO' 'yes yes=WHO'" in one_problem(scored(json.dumps(own), "t.json", columns=said))
    (part,) = scored(json.dumps(own), "t.json", columns=said, cells=cells).preferences
    assert part.outcome.tolist() == [1.0 if k % 2 else 0.5 for k in range(N)]


# What is known without a word.


def test_the_table_of_promptfoo_has_a_score_for_each_prompt() -> None:
    outputs = [[{"pass": k % (i + 2) > 0, "score": value(k, i), "text": "so"} for i in range(2)] for k in range(N)]
    prompts = [{"label": f"Config {name}", "provider": "python:x.py"} for name in PAIR]
    body = [{"vars": {"id": f"q{k}"}, "outputs": own} for k, own in enumerate(outputs)]
    text = json.dumps({"results": {"version": 3, "table": {"head": {"prompts": prompts}, "body": body}}})
    found = scored(text, "output.json")
    assert not found.problems
    own = {(one.name, one.measure): [*map(float, one.segments)] for one in found.items}
    assert own == {
        (f"Config {name}", what): [float(row[i][key]) for row in outputs]
        for i, name in enumerate(PAIR)
        for what, key in (("success", "pass"), ("score", "score"))
    }


@pytest.mark.parametrize("said", [{}, {"columns": "metric=question\nA=system\nB=system"}])
def test_a_row_for_each_measure_is_of_whole_systems(said: dict[str, str]) -> None:
    """Said to be questions, word counts and shares were averaged."""
    names = ("precision", "recall", "f1", "bleu", "rouge1", "length")
    text = rows("scorer,metric,A,B", *(f"s{k % 2},{name},{value(k, 0)},{value(k, 1)}" for k, name in enumerate(names)))
    assert "one row per measure (precision, recall, f1, bleu, rouge1)" in one_problem(scored(text, **said))


def test_ids_that_look_like_measures_are_questions() -> None:
    text = rows("id,A,B", *(f"f{k},{value(k, 0)},{value(k, 1)}" for k in range(N)))
    assert {*means(scored(text))} == {*PAIR}


def test_a_success_beside_attacks_is_theirs() -> None:
    """Under a defense it is better if it is lower; where attacks are compared, it is their own."""
    own = [f"{name},{k},pair,{(k + i) % 2}" for k in range(N) for i, name in enumerate(PAIR)]
    text = rows("defense,advbench_index,attack,success", *own)
    found = scored(text, columns="defense=system\nadvbench_index=question\nsuccess=score")
    assert {one.measure for one in found.items} == {"attack success"}
    assert better_of("attack success") == "lower"
    turned = scored(
        text.replace("attack", "by").replace("defense", "attack"),
        columns="attack=system\nadvbench_index=question\nsuccess=score",
    )
    assert {one.measure for one in turned.items} == {"success"}


@pytest.mark.parametrize(
    ("name", "better"), [("n_hits", None), ("number of hits", None), ("hits", "higher"), ("hits@10", "higher")]
)
def test_a_count_of_hits_may_be_good_or_bad(name: str, better: str | None) -> None:
    assert better_of(name) == better


def test_all_numbers_of_an_object_of_ratings_are_ratings() -> None:
    """Two of three criteria have names that are known; the third and the total were left out."""
    own = [
        {"id": f"q{k // 2}", "system": PAIR[k % 2], "rater": "x", "scores": {"tone": k % 5 + 1, "solves": k % 3 + 1, "overall": k % 4 + 1}, "rank": k % 2 + 1}
        for k in range(2 * N)
    ]  # fmt: skip
    (people,) = read_ratings([("scores.jsonl", "\n".join(map(json.dumps, own)).encode())]).judgments
    assert {*people.dimension.tolist()} == {"tone", "solves", "overall"}


def test_what_an_answer_cost_may_be_compared() -> None:
    """Neither outputs that are compared nor scores: the column that may be compared is named."""
    own = [f"{name},q{k},{100 * value(k, i)}," for k in range(N) for i, name in enumerate(PAIR)]
    text = rows("model,question,duration_s,error", *own)
    assert "If duration_s is compared: --columns duration_s=score." in one_problem(scored(text))
    found = scored(text, columns="duration_s=score")
    assert means(found) == {
        name: pytest.approx(mean(100 * value(k, i) for k in range(N))) for i, name in enumerate(PAIR)
    }


# How it is printed.


def test_each_command_has_a_line_of_its_own() -> None:
    fix = "Seen: 1. If a. b names it: --columns 'a. b=system' c.d=question --cells 'x, y=1' z=0. Write one. Or, if e is: --columns e=system."
    assert in_lines(fix) == [
        "Seen: 1. If a. b names it:",
        "    --columns 'a. b=system' c.d=question --cells 'x, y=1' z=0",
        "Write one.",
        "Or, if e is:",
        "    --columns e=system",
    ]


@pytest.mark.parametrize(
    "fix", ["Load it.", "Say three columns: --columns LEFT=first RIGHT=second, with your headings.", ""]
)
def test_advice_without_a_command_stays_as_it_is(fix: str) -> None:
    assert in_lines(fix) == [fix] * bool(fix)


# Ids that join a system and a question.

SHAPES = {
    "behind a mark": lambda k, name: f"gsm-{k:03}|{name}",
    "before a mark": lambda k, name: f"{name}_{k:05}",
    "behind digits": lambda k, name: f"57{k:04}_{k % 3}{name}",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_ids_that_join_a_system_and_a_question_are_taken_apart(shape: str) -> None:
    """What is asked has a command; before it somebody had to write the file anew."""
    ids = [(k, i, SHAPES[shape](k, name)) for k in range(N) for i, name in enumerate(("llama", "gpt4"))]
    text = rows("custom_id,accuracy,f1", *(f"{one},{value(k, i)},{value(k, i + 2)}" for k, i, one in ids))
    before = scored(text)
    if shape != "before a mark":  # there the names in front are those of whole systems, too
        assert "--columns custom_id=joined" in told(before) + "".join(one.fix for one in before.problems)
    found = scored(text, columns="custom_id=joined")
    assert not found.problems
    own = {(one.name, one.measure): [*map(float, one.segments)] for one in found.items if one.kind == "scores"}
    assert own == {
        (name, what): [value(k, i + more) for k in range(N)]
        for i, name in enumerate(("llama", "gpt4"))
        for what, more in (("accuracy", 0), ("f1", 2))
    }


def test_ids_of_ratings_may_join_both_and_lack_some() -> None:
    """Most systems of most stories are there; rows without an id are of neither."""
    own = [
        f"{k}01_{k}{name},w{k % 4},{(k + i) % 5 + 1},{(k * 2 + i) % 4 + 1}"
        for k in range(N)
        for i, name in enumerate(PAIR)
    ]
    text = rows("SummID,UserID,Faithfulness,Interpretation", *own[1:], ",w1,,")
    assert "--columns SummID=joined" in one_problem(ratings(text))
    (people,) = ratings(text, columns="SummID=joined").judgments
    assert {*people.system.tolist()} == {*PAIR}
    assert {*people.segment.tolist()} == {f"{k}01_{k}" for k in range(N)}


def test_ids_that_join_nothing_are_refused() -> None:
    text = rows("id,accuracy", *(f"q{k},{value(k, 0)}" for k in range(N)))
    assert "The ids below id are not the same segments for each of several systems." in one_problem(
        scored(text, columns="id=joined")
    )


# What a hostile reader wrote.


@pytest.mark.parametrize("head", ["run", "Lauf", "x"])
def test_runs_of_systems_in_columns_are_those_of_a_question(head: str) -> None:
    """Each was a question of its own: 36 for 12. In any order of the rows, as scores or as labels beside what is right."""
    order = [(k, r) for r in range(3) for k in range(N)]
    text = rows(f"id,{head},Sys A,Sys B", *(f"q{k},r{r},{value(k, r)},{value(k + r, 3)}" for k, r in order))
    said = f"id=question\n{head}=run\nSys A=system\nSys B=system"
    found = scored(text, columns=said)
    expected = {
        "Sys A": mean(value(k, r) for k, r in order),
        "Sys B": mean(value(k + r, 3) for k, r in order),
    }
    assert means(found) == pytest.approx(expected)
    assert f"{N} questions with several rows each" in told(found)
    assert means(scored(text, columns=said.replace(f"{head}=run", "rows=run"))) == pytest.approx(expected)
    if head == "x":
        problem = one_problem(scored(text, columns=said.replace(f"{head}=run\n", "")))
        assert "q0 stands in 3 rows of id. If x names their runs or people:" in problem
        assert "--columns id=question 'Sys A=system' 'Sys B=system' rows=run." in problem


@pytest.mark.parametrize("names", [("BLEU", "chrF"), ("source", "model"), ("text", "seed"), ("prediction", "ours")])
@pytest.mark.parametrize("labelled", [False, True])
def test_systems_keep_the_names_that_were_said(names: tuple[str, str], labelled: bool) -> None:
    """Words that mean something else, and measures: one was left out, or called source score, or both were measures of one."""
    said_ = [[["yes", "no", "maybe"][(k * (i + 1)) % 3] for i in range(3)] for k in range(N)]
    cells = said_ if labelled else [[str(value(k, i)) for i in range(3)] for k in range(N)]
    text = rows(f"id,gold,{names[0]},{names[1]}", *(f"q{k},{','.join(one)}" for k, one in enumerate(cells)))
    said = f"id=question\n{names[0]}=system\n{names[1]}=system\ngold={'reference' if labelled else 'ignored'}"
    found = scored(text, columns=said)
    assert not found.problems
    assert {one.name for one in found.items if one.role == "system"} == {*names}
    assert {one.kind for one in found.items if one.role == "system"} == {"text" if labelled else "scores"}


@pytest.mark.parametrize(
    ("codes", "asked_for"),
    [(("1", "-1"), "-1=second 1=first"), (("-2", "1"), "-2=WHO 1=WHO"), (("0", "1"), "0=first 1=second"), (("5", "1"), "1=second 5=first"), (("X", "Y"), "X=WHO Y=WHO")],
)  # fmt: skip
def test_codes_of_winners_are_all_asked_about(codes: tuple[str, str], asked_for: str) -> None:
    """-1 was 1, and the first; what is printed left out the codes that were guessed."""
    text = rows("id,one,two,won", *(f"q{k},ours,base,{codes[k % 3 % 2]}" for k in range(N)))
    said = "id=question\none=first\ntwo=second\nwon=winner"
    assert f"--cells {asked_for}" in one_problem(scored(text, columns=said))
    for one, other in (("first", "second"), ("second", "first")):
        (part,) = scored(text, columns=said, cells=f"{codes[0]}={one}\n{codes[1]}={other}").preferences
        assert part.outcome.tolist() == [float((k % 3 % 2 == 0) == (one == "first")) for k in range(N)]


def test_codes_are_asked_about_where_the_columns_are_said() -> None:
    """0 may be a tie or the first: the columns were asked about again."""
    text = rows("id,x,y,won", *(f"q{k},ours,base,{k % 3}" for k in range(N)))
    said = "id=question\nx=first\ny=second\nwon=winner"
    problem = one_problem(scored(text, columns=said))
    assert (
        "If 0 is a tie: --cells 0=tie 1=first 2=second. If 0 is the first system: --cells 0=first 1=second 2=tie."
        in problem
    )


def test_tasks_that_are_said_are_sets_of_ratings_of_their_own() -> None:
    """The same id in two tasks was one item."""
    own = [(s, d, k) for s in PAIR for d in ("med", "law") for k in range(N)]
    text = rows("sys,part,nr,fluency", *(f"{s},{d},{k},{(k + len(d) * PAIR.index(s)) % 5 + 1}" for s, d, k in own))
    found = ratings(text, columns="sys=system\npart=task\nnr=question\nfluency=score")
    assert [one.name for one in found.judgments] == ["human law", "human med"] or len(found.judgments) == 2
    assert all(len(one.score) == 2 * N for one in found.judgments)


def test_labels_that_are_called_scores_are_asked_about() -> None:
    own = [f"{s},{k},{'ABCD'[(k + i) % 4]},{'ABCD'[k % 4]}" for k in range(N) for i, s in enumerate(PAIR)]
    text = rows("bot,nr,said,gold", *own)
    roles = "bot=system\nnr=question\nsaid=score\ngold=reference"
    assert "To compare them with what is right: --columns said=text." in one_problem(scored(text, columns=roles))
    found = scored(text, columns=f"{roles}\nsaid=text")
    assert not found.problems
    assert {one.name for one in found.items if one.role == "system"} == {*PAIR}


def test_a_code_is_the_number_that_it_is() -> None:
    """pandas writes -1.0 where a column of whole numbers has gaps: what was said of -1 was not said of it."""
    own = [(k % 5 + 1, "-1.0" if k == 3 else f"{k % 4 + 1}.0") for k in range(2 * N)]
    text = rows("id,system,rater1,rater2", *(f"q{k // 2},{PAIR[k % 2]},{a},{b}" for k, (a, b) in enumerate(own)))
    assert means(scored(text, cells="-1=missing")) == means(scored(text.replace("-1.0", "-1"), cells="-1=missing"))


def test_numbers_beside_ratings_are_criteria_on_their_scale_alone() -> None:
    """The order in which outputs were shown made a difference between two equal systems."""
    own = [
        {"item": f"q{k // 2}", "system": PAIR[k % 2], "judge": f"w{k % 3}",
         "ratings": {"fluency": k % 5 + 1, "adequacy": k % 4 + 1, "position": k % 2 + 1, "time_spent": k % 5 + 1}}
        for k in range(3 * N)
    ]  # fmt: skip
    (people,) = read_ratings([("r.jsonl", "\n".join(map(json.dumps, own)).encode())]).judgments
    assert {*people.dimension.tolist()} == {"fluency", "adequacy"}


def test_a_failed_call_of_promptfoo_has_no_score_and_repeats_are_runs() -> None:
    outputs = [
        [
            {"pass": True, "score": 1.0},
            {"pass": k != 1, "score": 1.0, **({"text": "429", "error": "429"} if k == 1 else {})},
        ]
        for k in range(N)
    ]
    body = [{"vars": {"id": f"q{k}"}, "outputs": own} for k, own in enumerate(outputs)]
    table = {"head": {"prompts": [{"label": name} for name in PAIR]}, "body": body}
    found = scored(json.dumps({"results": {"table": table}}), "output.json")
    assert [one.segments[1] for one in found.items if one.measure == "success"] == ["1", ""]
    again = {
        "results": {
            "table": {**table, "body": [*body, *({**one, "outputs": outputs[k - 1]} for k, one in enumerate(body))]}
        }
    }
    assert "a second time" in one_problem(scored(json.dumps(again), "output.json"))


def test_words_of_texts_are_no_sums_of_them() -> None:
    """The word mean has 4 instances: it is a word, and no mean."""
    own = [
        f"{word},{k},{value(k, i)},{value(k, i + 1)}"
        for i, word in enumerate(("mean", "bank", "total"))
        for k in range(4)
    ]
    found = scored(rows("lemma,instance,A,B", *own), columns="lemma=question\ninstance=question\nA=system\nB=system")
    assert {len(one.segments) for one in found.items} == {12}


def test_three_systems_in_a_row_are_no_pair() -> None:
    own = [",".join([f"q{k}", *("abc"[(k + i) % 3] * 2 for i in range(3)), "abc"[k % 3] * 2]) for k in range(N)]
    text = rows("q,response_1_model,response_2_model,response_3_model,winner", *own)
    assert "compares three systems or more" in one_problem(scored(text))


@pytest.mark.parametrize("heading", ["round", "annotator", "run"])
def test_a_round_is_no_winner(heading: str) -> None:
    own = [f"q{k},{'ab'[k % 2]},{'ba'[k % 2]},{k % 2 + 1}" for k in range(N)]
    (problem,) = scored(rows(f"q,system_a,system_b,{heading}", *own)).problems
    assert f"{heading}=winner" not in problem.fix


# What an exam of unseen files showed.


def test_counts_of_a_cross_table_are_no_scores() -> None:
    labels = ("Neutral", "Positive", "Negative")
    own = [f"{gold},{given},{k * 3 + j + 1}" for k, gold in enumerate(labels) for j, given in enumerate(labels)]
    problem = one_problem(scored(rows("Sentiment,VADER_Sentiment,count", *own)))
    assert "Each row counts how often Sentiment, VADER_Sentiment come together: count is no score." in problem


def test_rows_of_several_questions_are_means() -> None:
    own = [
        f"{s},{part},{8 + k},{value(k, i)}"
        for k, part in enumerate(("hop", "text", "visual", "table"))
        for i, s in enumerate(PAIR)
    ]
    assert "Each row is of several questions (n_questions), so its scores are means." in one_problem(
        scored(rows("system,segment,n_questions,recall", *own))
    )
    once = [f"{s},q{k},1,{value(k, i)}" for k in range(N) for i, s in enumerate(PAIR)]
    assert {*means(scored(rows("system,segment,n_questions,recall", *once)))} == {*PAIR}


def test_a_label_with_what_it_is_about_is_no_rival() -> None:
    """label_included and zero_shot_proba were two systems."""
    own = [f"W{k},{k % 2},{value(k, 0)}" for k in range(N)]
    assert "label_included holds labels" in asked(rows("id,label_included,zero_shot_proba", *own)).what


def test_files_of_predictions_beside_what_is_right_are_no_rivals() -> None:
    """The highest predictions were the best ones."""
    numbers = {name: "\n".join(str(value(k, i)) for k in range(N)) + "\n" for i, name in enumerate(("a", "b", "c"))}
    files = [("test.hter", numbers["a"]), ("test.pred.base", numbers["b"]), ("test.pred.xlmr", numbers["c"])]
    found = read([(name, text.encode()) for name, text in files])
    assert any(
        "test.hter seems to hold what test.pred.base, test.pred.xlmr predict" in one.what for one in found.problems
    )
    assert not read([(name, text.encode()) for name, text in files[1:]]).problems


def test_a_key_of_conditions_names_the_systems_of_both_sides() -> None:
    """Its columns are A_condition and B_condition; the criteria of the sheet are measures, and no systems."""
    order = [("old", "new") if k % 3 % 2 else ("new", "old") for k in range(N)]
    marks = [[(k * (j + 2) + j) % 5 + 1 for j in range(4)] for k in range(N)]
    sheet = rows(
        "id,A_calm,A_depth,B_calm,B_depth", *(f"P{k},{','.join(map(str, one))}" for k, one in enumerate(marks))
    )
    key = rows("id,A_condition,B_condition", *(f"P{k},{a},{b}" for k, (a, b) in enumerate(order)))
    files = [("sheet.csv", sheet.encode()), ("blind_key.csv", key.encode())]
    (problem,) = read_ratings(files).problems
    assert "=score" in problem.fix
    (people,) = read_ratings(files, {"columns": "calm=score\ndepth=score"}).judgments
    for j, what in enumerate(("calm", "depth")):
        expected = {
            name: mean(marks[k][j if order[k][0] == name else j + 2] for k in range(N)) for name in ("old", "new")
        }
        assert of_people(people, what) == pytest.approx(expected)


def test_a_plan_never_contradicts_what_was_said() -> None:
    """A column with the same text in every row led to a plan in which what is right was a system."""
    own = [f"Q{k},{k % 5 + 1},{value(k, 0) * 5},10.0,Hybrid (LLM)" for k in range(N)]
    text = rows("question_id,human_score,ai_score,max_marks,method", *own)
    found = scored(text, columns="question_id=question\nhuman_score=reference\nai_score=text\nmax_marks=ignored")
    assert "human_score=system" not in "".join(one.fix for one in found.problems)


def test_what_a_second_search_finds_is_offered_where_all_of_the_first_is_refused() -> None:
    """An index that comes again seemed to name the questions, and each system lacked most of them; what numbers them does."""
    own = [
        f"{k},{s},{(k * k) % 7 + 20},{143 + k},{value(k, i)}"
        for k in range(N)
        for i, s in enumerate(("full", "none", "half"))
    ]
    problem = asked(rows("act,variant,token_index,n_orig,jaccard", *own))
    assert {"variant=system", "act=question", "jaccard=score"} <= set(problem.fix.replace(".", " ").split())


# What a second hostile reader wrote.


@pytest.mark.parametrize("names", [("prediction", "baseline"), ("bert", "xlnet")])
@pytest.mark.parametrize(
    "labels",
    [("0", "1"), ("0.0", "1.0"), ("yes", "no"), tuple(map(str, range(40))), ("neg", "neu", "pos"), ("0", "1", "2")],
)
@pytest.mark.parametrize("said", [True, False])
def test_labels_are_compared_with_gold_whatever_they_look_like(
    names: tuple[str, str], labels: tuple[str, ...], said: bool
) -> None:
    """As scores the worse system won: the mean of labels is higher where there are more of the higher one."""
    right = [labels[k * 7 % len(labels)] for k in range(60)]
    good = [one if k % 9 else labels[0] for k, one in enumerate(right)]
    bad = [labels[-1] if k % 2 else one for k, one in enumerate(right)]
    text = rows(
        f"id,gold,{names[0]},{names[1]}",
        *(f"q{k},{','.join(one)}" for k, one in enumerate(zip(right, good, bad, strict=True))),
    )
    roles = "\n".join(["id=question", *(f"{name}=system" for name in names), *["gold=reference"] * said])
    found = scored(text, columns=roles)
    if not said and (len(labels) > 20 or len(labels) == 2):  # 0 and 1, or yes and no, may say who was right
        assert "Is gold what is right for" in one_problem(found)
        return
    assert not found.problems
    own = {one.name.removesuffix(" score"): [*one.segments] for one in found.items if one.role == "system"}
    assert own == {names[0]: good, names[1]: bad}
    assert {one.kind for one in found.items} == {"text"}


def test_a_measure_in_headings_stays_where_rows_are_runs() -> None:
    """base_wer and ours_wer have a lower error; as scores of no measure the higher one won."""
    own = [f"u{k},{r},{0.3 + value(k, r) / 10},{0.1 + value(k, r) / 10}" for k in range(N) for r in range(3)]
    found = scored(rows("utt,seed,base_wer,ours_wer", *own), columns="utt=question\nbase_wer=system\nours_wer=system")
    assert {(one.name, one.measure) for one in found.items if one.role == "system"} == {
        ("base", "wer"),
        ("ours", "wer"),
    }
    both = scored(rows("utt,seed,CER,WER", *own), columns="utt=question\nseed=run\nCER=system\nWER=system")
    assert {better_of(one.measure) for one in both.items if one.role == "system"} == {"lower"}


def test_what_tells_rows_of_a_question_apart_is_named() -> None:
    own = [
        f"i{k},{who},{value(k, j)},{value(k, j + 1)}" for k in range(N) for j, who in enumerate(("ann", "ben", "cy"))
    ]
    problem = one_problem(scored(rows("item,who,gpt,llama", *own), columns="item=question\ngpt=system\nllama=system"))
    assert "--columns item=question gpt=system llama=system who=run." in problem
    assert "--columns item=question gpt=system llama=system rows=run." in problem


@pytest.mark.parametrize("heading", ["agree", "valid", "ok", "exact"])
def test_verdicts_beside_labels_of_0_and_1_are_scores(heading: str) -> None:
    own = [f"q{k},{name},{(k + i) % 2},{k % 3 % 2}" for k in range(N) for i, name in enumerate(PAIR)]
    found = scored(
        rows(f"id,model,{heading},label", *own),
        columns=f"id=question\nmodel=system\n{heading}=score\nlabel=reference",
    )
    assert means(found) == {name: mean((k + i) % 2 for k in range(N)) for i, name in enumerate(PAIR)}


@pytest.mark.parametrize("people", [False, True])
def test_a_word_among_scores_is_no_name_of_a_system(people: bool) -> None:
    """The system none, without retrieval, was left out as well as one score that was none."""
    own = [
        f"q{k},{s},{'none' if k == 3 and s == 'dpr' else k % 5 + 1}" for k in range(N) for s in ("none", "bm25", "dpr")
    ]
    text = rows("qid,system,fluency", *own)
    if people:
        (judged,) = ratings(text, cells="none=missing").judgments
        systems = {*judged.system.tolist()}
    else:
        systems = {one.name for one in scored(text, cells="none=missing").items if one.role == "system"}
    assert systems == {"none", "bm25", "dpr"}


def test_numbered_parts_of_ids_are_questions() -> None:
    """Eight systems and five questions: the questions were the systems. The notice says how the ids were cut."""
    names = [f"m{letter}" for letter in "abcdefgh"]
    text = rows("output_id,score", *(f"{name}_q{k},{value(k, i)}" for i, name in enumerate(names) for k in range(5)))
    found = scored(text, columns="output_id=joined")
    assert {one.name for one in found.items if one.role == "system"} == {*names}
    assert "The ids below output_id were cut into systems (ma, mb, mc, md, me, mf and 2 more) and segments" in told(
        found
    )


def test_merged_cells_are_not_practice_items() -> None:
    own = [f"{s if k % 5 == 0 else ''},d{i}s{k},{k % 5 + 1}" for i, s in enumerate(PAIR) for k in range(20)]
    problem = one_problem(
        ratings(rows("system,segment,score", *own), columns="system=system\nsegment=question\nscore=score")
    )
    assert "A rating names no system." in problem


def test_errors_of_each_document_are_scores_and_no_counts_of_a_cross_table() -> None:
    own = [f"d{k},{s},{(k + i) % 4}" for k in range(N) for i, s in enumerate(PAIR)]
    assert "come together" not in "".join(one.what for one in scored(rows("document,model,n", *own)).problems)
    dialogs = [f"d{k},{s},{2 + k % 3},{(k + i) % 2}" for k in range(N) for i, s in enumerate(PAIR)]
    assert {*means(scored(rows("dialog_id,system,n_tasks,success", *dialogs)))} == {*PAIR}


@pytest.mark.parametrize("heading", ["batch", "education", "difficulty"])
def test_what_stands_beside_criteria_is_none_of_them(heading: str) -> None:
    own = [
        f"i{k},{s},w{k % 3},{k % 5 + 1},{(k + i) % 5 + 1},{(k * 2 + i) % 5 + 1}"
        for k in range(2 * N)
        for i, s in enumerate(PAIR)
    ]
    (people,) = ratings(rows(f"item,system,annotator,fluency,adequacy,{heading}", *own)).judgments
    assert {*people.dimension.tolist()} == {"fluency", "adequacy"}


def test_lengths_and_outputs_are_no_names_of_two_systems() -> None:
    own = [f"q{k},{10 + k},{20 + k},{'ab'[k % 2]},{'ba'[k % 2]},{k % 2 + 1}" for k in range(N)]
    (part,) = scored(rows("id,system_1_length,system_2_length,system_1_id,system_2_id,winner", *own)).preferences
    assert {*part.first.tolist()} == {"a", "b"}


def test_texts_of_two_models_are_no_names() -> None:
    """Each output was a system of its own, with one comparison."""
    own = [f"p{k},out {k} a b,other {k} c d,{k % 2 + 1}" for k in range(N)]
    found = scored(rows("prompt,model_1_output,model_2_output,preference", *own))
    assert all(len({*part.first.tolist()}) == 1 for part in found.preferences)


@pytest.mark.parametrize("more", ["confidence_x", "second"])
def test_numbers_beside_an_output_that_was_said_are_no_rivals(more: str) -> None:
    own = [f"q{k},{k % 4 + 1},{(k + k // 5) % 4 + 1},{value(k, 1)}" for k in range(2 * N)]
    found = scored(rows(f"id,gold,pred,{more}", *own), columns="id=question\ngold=reference\npred=text")
    assert [one.kind for one in found.items if one.role == "system"] == ["text"]


def test_a_word_with_instances_is_no_sum() -> None:
    words = ("mean", *(f"word{k}" for k in range(N)))
    own = [f"{word},{k},{value(k, i)},{value(k + i, 2)}" for i, word in enumerate(words) for k in range(3)]
    found = scored(rows("lemma,instance,A,B", *own), columns="lemma=question\ninstance=question\nA=system\nB=system")
    assert {len(one.segments) for one in found.items} == {3 * len(words)}


@pytest.mark.parametrize("times", [1, 2])
def test_a_number_of_what_each_system_has_once_is_a_question(times: int) -> None:
    """Where systems have some of them twice it is none that is known: a setting, or a score."""
    own = [f"{k},{s},{(k * k) % 7 + 20},{value(k, i)}" for k in range(N) for i, s in enumerate(PAIR)]
    own += [f"0,{s},90,0.5" for s in PAIR] * (times - 1)
    found = scored(rows("act,variant,token_index,jaccard", *own))
    said = "".join(one.fix for one in found.problems)
    assert ("act=question" in said and "variant=system" in said) == (times == 1)


def test_columns_that_say_who_was_right_are_scores_beside_what_was() -> None:
    own = [f"q{k},{k % 7},{value(k, 0) > 0.4:d},{value(k, 1) > 0.3:d}" for k in range(N)]
    found = scored(
        rows("id,gold_answer,plain_correct,tuned_correct", *own),
        columns="id=question\nplain_correct=system\ntuned_correct=system",
    )
    assert sorted(means(found).values()) == sorted(mean(int(one.split(",")[j]) for one in own) for j in (2, 3))
