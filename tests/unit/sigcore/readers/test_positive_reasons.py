"""What is a system, and what a question, needs a reason: layouts of public files in which a guess would have made a wrong table."""

from __future__ import annotations

import json

import pytest

from sigcore.preferences import Preferences
from sigcore.readers import Intake, Unclear, read, read_ratings
from tests.made_tables import N, asked, means, roles, rows, scored, told, value


def confirmed(text: str, what: str) -> Intake:
    """The table with the roles of the way that is called so."""
    return scored(text, columns=dict(asked(text).ways)[what].replace(" ", "\n"))


# Marks by people.

CRITERIA = ("Plaus", "Coher", "CultFit")


def marked(heads: tuple[str, ...], cells: tuple[int, ...] = (1, 3, 4)) -> str:
    """Marks from 1 to 5 by three raters of each text, below these headings."""
    lines = ((k, j, [1 + (k + c * j) % 5 for c in cells[: len(heads)]]) for k in range(N) for j in range(3))
    return rows(f"text_id,rater,{','.join(heads)}", *(f"t{k},r{j},{','.join(map(str, own))}" for k, j, own in lines))


def test_marks_below_words_may_be_criteria() -> None:
    """A column for each criterion looks like one for each system: which it is, is asked, in every command."""
    why = "Are Plaus, Coher, CultFit systems, or criteria? Their marks are by the people below rater."
    assert asked(marked(CRITERIA)).why == why
    (problem,) = read_ratings([("t.csv", marked(CRITERIA).encode())]).problems
    assert isinstance(problem, Unclear)
    assert problem.why == why
    found = confirmed(marked(CRITERIA), "Plaus, Coher, CultFit are systems")
    assert means(found).keys() == {*CRITERIA}


@pytest.mark.parametrize(
    "heads", [("A", "B", "C"), ("gpt4", "t5", "bart"), ("our model", "old", "new"), ("baseline", "first", "second")]
)
def test_marks_below_names_of_systems_are_theirs(heads: tuple[str, ...]) -> None:
    """Letters, numbers, and a word that says system are a reason."""
    assert means(scored(marked(heads))).keys() == {*heads}


def test_whoever_ranks_ranks_systems() -> None:
    """Each row has each place once, so its columns compete."""
    lines = [f"t{k},r{j},{k % 2 + 1},{2 - k % 2},3" for k in range(N) for j in range(2)]
    assert not scored(rows("text_id,rater,plain,fancy,short", *lines)).problems
    assert asked(rows("text_id,rater,plain,fancy,short", *lines, "tx,r0,1,1,3")).why.startswith("Are plain, fancy")


def test_numbers_that_are_no_marks_are_not_asked_about() -> None:
    """Fractions and wide scales are scores of systems."""
    lines = [f"t{k},r{j},{value(k, 0)},{value(k, 1 + j)}" for k in range(N) for j in range(2)]
    assert means(scored(rows("text_id,rater,plain,fancy", *lines))).keys() == {"plain", "fancy"}
    wide = [f"t{k},r0,{k * 5 % 23},{(k * 7) % 50}" for k in range(N)]
    assert not scored(rows("text_id,rater,plain,fancy", *wide)).problems


# Questions of votes.


def votes(text: str, name: str = "t.csv") -> Preferences:
    found = read([(name, text.encode())])
    assert not found.problems, found.problems
    return found.preferences[0]


def battles(order: int, more: str = "") -> str:
    """Three systems that meet on each of several briefs, in one order or in both."""
    pairs = [("X", "Y"), ("X", "Z"), ("Y", "Z")]
    met = [(a, b) for a, b in pairs] + [(b, a) for a, b in pairs] * (order == 2)
    lines = [f"{k},{a},{b},{a if (k + len(b)) % 3 else b},{a}-{b}{more}" for k in range(N) for a, b in met]
    return rows("brief_id,model_a,model_b,winner,battle_id", *lines)


@pytest.mark.parametrize("order", [1, 2])
def test_an_id_that_comes_again_with_each_pair_is_the_question(order: int) -> None:
    """Rows of one brief are no questions of their own; the id of a battle, which has all briefs, is none."""
    assert {*votes(battles(order)).question.tolist()} == {str(k) for k in range(N)}


def test_an_id_of_each_row_is_no_question_of_several() -> None:
    """An id that never comes again, and one that has the same pair twice, leave each row a question."""
    once = rows("vote_ref_id,model_a,model_b,winner", *(f"v{k},X,Y,X" for k in range(N)))
    assert len({*votes(once).question.tolist()}) == N
    twice = rows("group_id,model_a,model_b,winner", *(f"g{k // 2},X,Y,{'XY'[k % 2]}" for k in range(N)))
    assert len({*votes(twice).question.tolist()}) == N


# Who is on which side.


def test_the_winner_is_one_of_two_columns() -> None:
    """shown_as_a and shown_as_b say nothing of systems, but every winner is the name in one of them."""
    names = ("X", "Y", "Z")
    lines = [f"q{k},{names[k % 3]},{names[(k + 1) % 3]},{names[(k + (k % 2)) % 3]},clear" for k in range(N)]
    text = rows("qid,fw_a,fw_b,winner,margin", *lines, "qx,X,Y,tie,none")
    judged = votes(text)
    assert sorted({*judged.first.tolist(), *judged.second.tolist()}) == ["X", "Y", "Z"]
    assert [float(one) for one in judged.outcome] == [1.0 - k % 2 for k in range(N)] + [0.5]
    other = text.replace("q3,X,Y,Y", "q3,X,Y,Z")  # one winner is neither
    assert not read([("t.csv", other.encode())]).preferences
    empty = text.replace("qx,X,Y,tie,none", "qx,X,Y,,none")  # perhaps a tie, which another column says
    assert not read([("t.csv", empty.encode())]).preferences
    never = rows(
        "qid,fw_a,fw_b,winner", *(f"q{k},X,Y,X" for k in range(N))
    )  # the second never wins: a baseline column?
    assert not read([("t.csv", never.encode())]).preferences


def test_places_beside_names_in_two_columns() -> None:
    """format_a and format_b hold the same few names, and the final one of several verdicts says which place won."""
    sides = [("prose", "bullet"), ("bullet", "header"), ("header", "prose")]
    lines = [f"{k},{a},{b},A,{'AB'[k % 2]},{'AB'[k % 2]}" for k in range(N) for a, b in sides]
    judged = votes(rows("id,format_a,format_b,winner_ab,winner_ba,final_winner", *lines))
    assert {*judged.first.tolist()} == {"prose", "bullet", "header"}
    assert [float(one) for one in judged.outcome] == [1.0 - k % 2 for k in range(N) for _ in sides]


# What names the systems.


def test_splits_of_data_are_no_systems() -> None:
    """train and valid have the same kinds of questions, and are parts of the data of one system."""
    lines = [f"{split},k{k},{100 + (7 * k + i) % 13}" for i, split in enumerate(("train", "valid")) for k in range(N)]
    text = rows("data_type,kind_id,perplexity", *lines)
    assert "data_type=system" not in " ".join(str(one) for one in scored(text).problems)
    named = text.replace("train", "small").replace("valid", "large")
    assert "data_type=system" in " ".join(str(one) for one in scored(named).problems)


def test_methods_on_languages_or_data_sets() -> None:
    """A column headed method names the systems, and what it was tried on the questions, also beside a group of them."""
    methods, groups = ("naive", "long", "short", "both"), ("low", "high")
    lines = [f"{groups[k % 2]},l{k},{m},{value(k, i)}" for k in range(8) for i, m in enumerate(methods)]
    problem = asked(rows("resource_group,dataset,method,core_pass", *lines))
    assert {name: role for name, role in roles(problem).items() if role in ("system", "question", "task")} != {}
    assert roles(problem)["method"] == "system"
    assert roles(problem)["resource_group"] != "system"


def test_a_method_beside_a_model_of_one_value() -> None:
    """One model was tried with several methods on data sets, which were split as tasks before anything was asked."""
    methods = [f"m{i}" for i in range(10)]
    lines = [f"Llama,d{k},{m},{value(k, i)}" for k in range(8) for i, m in enumerate(methods)]
    problem = asked(rows("model,dataset,method,score_x", *lines))
    assert problem.why == "Does method name what is compared? The column of systems has one value."
    assert roles(problem)["dataset"] == "question"


def test_settings_name_systems_where_nothing_else_does() -> None:
    """k is 3 or 5 on each question; a number of documents, equally often, is none."""
    lines = [f"q{i},{k},{value(i, k)}" for k in (3, 5) for i in range(N)]
    assert (
        "If k names the systems, and id the questions"
        in asked(rows("id,k,reciprocal_rank,hit", *(f"{x},1" for x in lines))).fix
    )
    assert "block names" not in asked(rows("id,block,reciprocal_rank,hit", *(f"{x},1" for x in lines))).fix


def test_columns_of_one_model_may_be_the_systems() -> None:
    """Where the column of systems has one value, scores of several kinds beside it are asked about."""
    lines = [f"llama3,{k},{value(k, 0)},{value(k, 1)},{value(k, 2)}" for k in range(N)]
    text = rows("model,doc,score_base,score_corr,kl", *lines)
    problem = asked(text)
    assert problem.why == "model is llama3 in every row: are score_base, score_corr systems, or measures of it?"
    assert means(confirmed(text, "score_base, score_corr are systems")).keys() == {"score_base", "score_corr"}
    measured = confirmed(text, "they are measures")
    assert {one.measure for one in measured.items if one.kind == "scores"} == {"score_base", "score_corr"}


def test_rows_of_known_models_are_systems() -> None:
    """A column without a known heading above names of large models: its columns are tasks, and no systems."""
    models = [
        "baichuan-13b",
        "chatglm2",
        "chatgpt",
        "gpt-4",
        "llama2-7b",
        "mistral-7b",
        "vicuna-13b",
        "oasst-12b",
        "koala",
    ]
    text = rows(",ideology,lifestyle", *(f"{name},{value(k, 0)},{value(k, 1)}" for k, name in enumerate(models)))
    (problem,) = scored(text).problems
    assert "has one row per system: scores of whole systems" in str(problem)
    people = ["Bertha", "Phil", "Bartek", "Opta", "Claudette", "Yimin"]  # begin like models
    text = rows(",A,B", *(f"{name},{value(k, 0)},{value(k, 1)}" for k, name in enumerate(people)))
    assert "has one row per system" not in " ".join(map(str, scored(text).problems))
    words = ["rain", "snow", "sun", "wind", "fog", "hail", "ice", "dew", "storm"]
    problems = scored(rows(",A,B", *(f"{name},{value(k, 0)},{value(k, 1)}" for k, name in enumerate(words)))).problems
    assert "has one row per system" not in " ".join(map(str, problems))


def test_two_kinds_of_numbers_are_two_readings() -> None:
    """Right and wrong answers beside levels: one kind competes, not both."""
    text = rows(
        "q_x,q_y,chosen_first,taken_later", *(f"{1 + k % 5},{1 + k * 3 % 5},{k % 2},{k % 3 % 2}" for k in range(N))
    )
    assert [what for what, _ in asked(text).ways] == ["chosen_first, taken_later are systems", "q_x, q_y are systems"]
    assert means(confirmed(text, "q_x, q_y are systems")).keys() == {"q_x", "q_y"}


def test_texts_that_were_read_are_no_outputs() -> None:
    """An excerpt of the article, the sentence in its language, and a term of it."""
    line = "t{0},some article {0} of many words here and there,the sentence {0} is it,term {0},a right text {0},out one {0} text,out two {0} text"
    heads = "id,article_excerpt,english_sentence,target_term,reference,baseline_prediction,tuned_prediction"
    found = roles(asked(rows(heads, *(line.format(k) for k in range(N)))))
    assert found["article_excerpt"] == "source"
    assert found["english_sentence"] == "source"
    assert found["target_term"] == "ignored"


# Files of one question each, runs, reports and headings in several lines.


def test_means_below_each_system_are_left_out() -> None:
    """A row AVERAGE closes the rows of each system; one that is no mean is refused, as before."""
    own = {m: [round(value(k, i) / 1.1, 4) for k in range(10)] for i, m in enumerate(("X", "Y"))}
    lines = []
    for m, scores in own.items():
        lines += [f"{m},s{k},{x},{x}" for k, x in enumerate(scores)]
        lines.append(f"{m},AVERAGE,{sum(scores) / 10:.4f},{sum(scores) / 10:.4f}")
    found = scored(rows("model,scenario_id,accuracy,f1", *lines))
    assert means(found) == pytest.approx({m: sum(scores) / 10 for m, scores in own.items()})
    assert "2 rows sum up others (AVERAGE): they were left out." in told(found)
    lines[-1] = "Y,AVERAGE,0.99,0.98"
    assert "sums up the others" in " ".join(map(str, scored(rows("model,scenario_id,accuracy,f1", *lines)).problems))


def test_what_was_asked_may_be_a_total() -> None:
    """Receipts were asked for their date and their total: rows called total are none of sums."""
    lines = [f"X,q{k},{('date', 'total')[k % 2]},{k % 3 % 2},{(k % 4) // 2}" for k in range(2 * N)]
    lines += [line.replace("X,", "Y,").replace(",1,", ",0,") for line in lines]
    found = scored(rows("model,qid,field,accuracy,f1", *lines))
    assert not found.problems
    assert {len(one.segments) for one in found.items if one.role == "system"} == {2 * N}


def test_a_data_frame_with_two_levels_and_two_columns_of_names() -> None:
    """The names of the index stand in the third line, so each column has the two lines above it as its heading."""
    heads = ["prompt,,control,control,basic,basic", "metric,,acc,f1,acc,f1", "dataset,model,,,,"]
    lines = [f"d{k},m,{value(k, 0)},{value(k, 1)},{value(k, 2)},{value(k, 3)}" for k in range(N)]
    problem = asked(rows(heads[0], *heads[1:], *lines))
    assert [*roles(problem)] == ["dataset", "model", "control acc", "control f1", "basic acc", "basic f1"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("".join(f"Epoch {k}/9\n19/19 - 12s - loss: 1.{k} - accuracy: 0.8\n" for k in range(9)), "a log of a training"),
        (
            "runid   \tall\tr1\nnum_q   \tall\t48\nnum_ret \tall\t900\nmap     \tall\t0.16\n-\n" * 2,
            "a report on a whole run",
        ),
    ],
)
def test_logs_and_summaries_are_no_outputs(text: str, what: str) -> None:
    """Their lines are no segments."""
    (problem,) = read([("log.txt", text.encode())]).problems
    assert what in str(problem)
    story = "".join(f"The loss of line {k} was great, and the epoch ended.\n" for k in range(9))
    assert not read([("story.txt", story.encode())]).problems


def test_runs_of_a_model_in_several_ways_are_whole_runs() -> None:
    """A name and a seed tell the rows apart: each is a whole run, and no column names segments."""
    lines = [
        f"jobbert,{name},{seed},{value(i, seed)}" for i, name in enumerate(("skill", "linear")) for seed in (1, 2, 3)
    ]
    (problem,) = scored(rows("model,name,seed,test_f1", *lines)).problems
    assert "Each row is a whole run of a system: 3 runs by seed" in str(problem)


def test_what_a_winner_comes_from_may_be_texts() -> None:
    """Beside a reference the outputs can be scored, whatever scores and winners the file has."""
    words = [f"the right text {k} of this row" for k in range(N)]
    lines = [
        f"{w},{w} too,other {k},{value(k, 0)},{value(k, 1)},{('Direct', 'Noisy')[k % 2]}" for k, w in enumerate(words)
    ]
    text = rows("reference,direct_translation,noisy_translation,direct_bleu,noisy_bleu,winner", *lines)
    found = confirmed(text, "direct_translation, noisy_translation are outputs, whose text is to be scored")
    outputs = {one.name: one.segments for one in found.items if one.role == "system" and one.kind == "text"}
    assert outputs["direct_translation"] == tuple(f"{w} too" for w in words)


def test_headings_in_other_languages() -> None:
    """modelo, métrica, repetición and pregunta say what model, metric, repetition and question say."""
    lines = [f"{m},p{k},{value(k, i)}" for i, m in enumerate(("X", "Y")) for k in range(N)]
    for system, question in (("modelo", "pregunta"), ("modèle", "question"), ("Modell", "Frage")):
        assert means(scored(rows(f"{system},{question},accuracy", *lines))).keys() == {"X", "Y"}
    values = [{"modelo": m, "pregunta": f"p{k}", "métrica": "f1", "valor": value(k, 1)} for m in "XY" for k in range(N)]
    assert not scored(json.dumps(values), "t.json").problems


@pytest.mark.parametrize("one", ["{}", "doc_{}"])
@pytest.mark.parametrize("total", ["AVG_50_ARTICLES", "mean (all)", "Total", "average"])
def test_a_row_that_sums_up_numbered_ones_is_none_of_them(one: str, total: str) -> None:
    """Ids that end in digits, and one row that begins with average: it is refused, also where no heading says id."""
    lines = [f"{one.format(k + 1)},title {k},{value(k, 0)},{value(k, 1)}" for k in range(20)]
    for heads in ("Article_ID,Article_Title,TextRank_R1,BERT_R1", "id,name,A,B"):
        found = scored(rows(heads, *lines, f"{total},of all,0.91,0.13"))
        if one == "{}" or heads.startswith("id"):
            assert "sums up the others" in str(found.problems[0])
        assert not any(len(item.segments) == 21 and item.kind == "scores" for item in found.items)
    titles = ["Total Recall", "Rocky 2", *(f"film {'abcdefghijklmnopqr'[k]}" for k in range(18))]
    lines = [f"{name},{value(k, 0)},{value(k, 1)}" for k, name in enumerate(titles)]
    assert not scored(rows("id,A,B", *lines)).problems


def test_scores_of_one_system_may_be_of_several() -> None:
    """Where the plan finds no systems, a column below a heading of systems is offered: only the questions are missing."""
    names = ("full", "short")
    lines = [f"{k},{v},{value(k, i)},{value(k, 3)},{k + 3}" for i, v in enumerate(names) for k in range(N)]
    text = rows("act,variant,fve_A,jaccard,n_tokens", *(f"{line}" for line in lines), "99,none,0.1,0.2,7")
    problem = asked(text)
    assert "variant" in f"{problem.why} {problem.fix}"
    if "scores of one system" in problem.fix:
        assert "If variant names systems, say so: --system-field variant. Otherwise: " in problem.fix


def test_columns_without_headings_are_no_systems_beside_names() -> None:
    """A table of results without a first line of headings: nothing says which of its numbers compete."""
    lines = [f"Llama,{k}-shot,lang{k % 3},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    problem = asked("\n".join(lines) + "\n", "rouge_results.csv")
    assert problem.fix.startswith("Write a first line with a heading for each column")


def test_the_place_of_an_answer_is_no_question() -> None:
    """The first of a system's own answers and the first of another one's have nothing in common."""
    lines = [f"{m},{k},text {m} {k},{value(k, i)}" for i, m in enumerate("XYZ") for k in range(1, 6)]
    assert "suggestion_rank=question" not in str(
        asked(rows("model_name,suggestion_rank,answer_text,similarity", *lines))
    )


def test_the_best_of_three_is_no_pair_also_where_one_never_wins() -> None:
    """Base never wins, and stands beside the two that do."""
    text = "an answer of some length to question {} by {}"
    lines = [
        f"p{k},{text.format(k, 1)},{text.format(k, 2)},{text.format(k, 3)},{('SFT', 'DPO')[k % 2]}" for k in range(N)
    ]
    (problem,) = scored(rows("prompt,Base,SFT,DPO,winner", *lines)).problems
    assert "compares three systems or more" in str(problem)
    two = [f"p{k},{text.format(k, 2)},{text.format(k, 3)},{('SFT', 'DPO')[k % 2]}" for k in range(N)]
    assert "three systems" not in " ".join(map(str, scored(rows("prompt,SFT,DPO,winner", *two)).problems))


def test_ids_and_counts_beside_a_log_are_no_systems() -> None:
    """HITId numbers tasks, and NumberOfSimilarHITs counts them."""
    lines = [f"{k // 4},{84 + k % 3},{k + 20},w{k % 5}" for k in range(N)]
    found = scored(rows("HITId,NumberOfSimilarHITs,WorkTimeInSeconds,WorkerId", *lines)).problems
    assert "HITId=system" not in " ".join(map(str, found))
    assert "NumberOfSimilarHITs=system" not in " ".join(map(str, found))


def test_many_rows_beside_few_columns_are_hardly_systems() -> None:
    """Rows are offered as systems where they are at most twice as many as the columns."""
    benchmark = [f"b{k} - hi,{value(k, 0)},{value(k, 1)},{value(k, 2)},{value(k, 3)}" for k in range(N)]
    heads = "benchmark,2x,HQ-2x,base,it"
    assert "rows=system" not in str(asked(rows(heads, *benchmark[:9])))
    assert "rows=system" in str(scored(rows(heads, *benchmark[:8])).problems[0])
