"""Commands that a question prints lead to the table that is meant, or there is none: what real files were asked about."""

from __future__ import annotations

import json
import shlex

import pytest

from sigcore.data import assemble
from sigcore.readers import Choice, Unclear, read, read_ratings
from sigcore.types import QUESTION
from tests.made_tables import N, asked, means, of_people, roles, rows, scored, told, value


def lead(text: str, way: int = 0, name: str = "t.csv") -> dict[str, float]:
    """The means after the command of one reading."""
    command = shlex.split(asked(text, name).ways[way][1].partition(" --cells ")[0])
    return means(scored(text, name, columns="\n".join(command)))


def mean(i: int, n: int = N) -> float:
    return sum(value(k, i) for k in range(n)) / n


# Columns that tell rows apart.


@pytest.mark.parametrize("beside", ["rater", "seed", "repeat", "run"])
@pytest.mark.parametrize(
    "said", ["A=system\nB=system", "id=question\nA=system\nB=system", "{}=judge\nA=system\nB=system"]
)
def test_who_rated_and_which_run_it_was_never_compete(beside: str, said: str) -> None:
    """Adding such a column changes no result: its numbers were the best system."""
    own = [f"q{k},{k % 3 + 1},{value(k, 0)},{value(k, 1)}" for k in range(N)]
    if "judge" in said and beside != "rater":
        return
    assert means(scored(rows(f"id,{beside},A,B", *own), columns=said.format(beside))) == {"A": mean(0), "B": mean(1)}


def test_raters_of_the_same_items_stay() -> None:
    own = [f"q{k},{j},{value(k, 0)},{value(k, 1)}" for k in range(N) for j in (1, 2)]
    found = scored(rows("id,rater,A,B", *own), columns="A=system\nB=system")
    assert {item.name for item in found.items if item.role == "system"} == {"A", "B"}
    assert means(found) == {"A": pytest.approx(mean(0)), "B": pytest.approx(mean(1))}


def test_repeats_of_systems_in_columns_are_what_is_paired() -> None:
    """Without questions; each measure has rows of its own."""
    own = [f"p,{k},{m},{value(k, i)},{value(k, i + 1)}" for i, m in enumerate(("acc", "prec")) for k in range(N)]
    text = rows("project,repeat,metric,NB,XGB", *own)
    problem = asked(text)
    assert "--columns project=ignored repeat=run NB=system XGB=system" in problem.fix
    found = scored(text, columns="NB=system\nXGB=system")
    assert "repeat names what is paired: runs of whole systems, and no questions." in told(found)
    assert {(i.name, i.measure) for i in found.items if i.role == "system"} == {
        (s, m) for s in ("NB", "XGB") for m in ("acc", "prec")
    }
    assert found.items[0].keys[:3] == ("0", "1", "2")


def test_two_columns_that_name_the_systems_together() -> None:
    own = [
        f"{m},{f},{k},{value(k, 2 * i + j)}"
        for i, m in enumerate(("tfidf", "bm25"))
        for j, f in enumerate(("raw", "stem"))
        for k in range(N)
    ]
    text = rows("model,field,query,AP", *own)
    (problem,) = scored(text).problems
    assert problem.fix.startswith(
        "If model and field name the systems together: --columns model=system field=system query=question AP=score."
    )
    found = means(scored(text, columns="model=system\nfield=system\nquery=question\nAP=score"))
    assert found == {
        f"{m}, {f}": pytest.approx(mean(2 * i + j))
        for i, m in enumerate(("tfidf", "bm25"))
        for j, f in enumerate(("raw", "stem"))
    }


def test_rows_of_one_id_may_be_its_runs() -> None:
    """The id was left out as what was labelled, and the answer was that nothing names the segments."""
    own = [
        f"essay_{k},{'AB'[k % 2]},{m},p0,{'AB'[(k + i + j * (k < 2)) % 2]}"
        for k in range(6)
        for j in range(2)
        for i, m in enumerate(("gpt", "phi"))
    ]
    problem = asked(rows("essay_id,true_label,model,prompt_name,prediction", *own))
    roles = "model=system essay_id=question true_label=reference prediction=text rows=run"
    assert [said for _, said in problem.ways][:1] == [roles]


def test_levels_that_name_rows_together_are_offered_and_seeds_are_not() -> None:
    own = [
        f"{m},{s},{t},{b},{value(b, i)}"
        for i, m in enumerate(("svm", "fast"))
        for s in ("test", "val")
        for t in ("de", "en", "fr")
        for b in (3, 5)
    ]
    (problem,) = scored(rows("model,split,language,length,accuracy", *own)).problems
    assert problem.fix == "If split, language and length name it together, say so: --id-field split,language,length."
    seeds = [
        f"{m},squad,{w},{s},{value(s, i)}"
        for i, m in enumerate(("llama", "qwen"))
        for w in ("old", "new")
        for s in range(3)
    ]
    (problem,) = scored(rows("model,benchmark,method,seed,score", *seeds)).problems
    assert "Each row is a whole run of a system" in str(problem)
    assert "--id-field" not in str(problem)


def test_results_of_models_on_sets_under_conditions() -> None:
    own = [
        f"{m},{d},{c},{40 + i},{30 + i},{value(j, i)}"
        for i, m in enumerate(("a", "b", "c"))
        for j, (d, c) in enumerate((d, c) for d in ("x", "y", "z") for c in ("quiet", "loud"))
    ]
    problem = asked(rows("model,dataset,condition,n_entities,n_hits,entity_recall", *own))
    assert problem.why.startswith("Each row is the result of one model on one dataset and condition")
    assert problem.ways[0][1] == "model=system dataset=question condition=question entity_recall=score"
    assert lead(rows("model,dataset,condition,n_entities,n_hits,entity_recall", *own)) == {
        m: pytest.approx(mean(i, 6)) for i, m in enumerate("abc")
    }


def test_agents_are_compared_seed_by_seed_on_one_task() -> None:
    own = [
        f"T1,{a},{s},{value(s, i)},{100 * value(s, i)}" for i, a in enumerate(("random", "greedy")) for s in range(8)
    ]
    (problem,) = scored(rows("task,agent,seed,simple_regret,total_regret", *own)).problems
    assert "seed by seed:\n    --columns agent=system seed=question simple_regret=score" in str(problem)


def test_modes_of_a_system_with_texts_and_references() -> None:
    own = [f"u{k},{m},say {k},say {k + i % 2}" for k in range(N) for i, m in enumerate(("speech", "song"))]
    way = "--columns mode=system utterance_id=question reference=reference prediction=text"
    assert way in asked(rows("utterance_id,mode,reference,prediction", *own)).fix
    more = (f"{line},en,short" for line in own)
    assert (
        way.removeprefix("--columns ")
        in asked(rows("utterance_id,mode,reference,prediction,language_code,size", *more)).fix
    )


# Scores.


def test_answers_to_one_question_are_never_drawn_alone() -> None:
    """Five questions with three runs were 15 segments, with a p of .0001."""
    from sigcore.study import chosen_unit

    own = [
        f"{r},o{q},{k},{(q + 1) * (i + 1) + k / 7}"
        for i, r in enumerate(("elk", "own"))
        for q in range(5)
        for k in range(3)
    ]
    said = "Reasoner=system\nOntology=question\nRepetition=run\nRuntime (s)=score"
    found = assemble(list(scored(rows("Reasoner,Ontology,Repetition,Runtime (s)", *own), columns=said).items))
    assert found.testset is not None
    assert chosen_unit(found.testset, "auto") == (QUESTION, "")
    assert found.testset.by_document.called == ("question", "answer")


def test_a_time_is_a_measure_where_nothing_else_is_known() -> None:
    own = [
        f"{r},o{q},{k},{0.1 * 900**i + k / 97},{q + k % 2}"
        for i, r in enumerate(("elk", "own"))
        for q in range(6)
        for k in range(3)
    ]
    text = rows("Reasoner,Ontology,Repetition,Runtime (s),Subsumers Found", *own)
    assert (
        asked(text).ways[0][1]
        == "Reasoner=system Ontology=question Repetition=run 'Runtime (s)=score' 'Subsumers Found=score'"
    )
    found = scored(text, columns="Reasoner=system\nOntology=question\nRepetition=run\nRuntime (s)=score")
    far = [one for one in assemble(list(found.items)).findings if "very different scales" in one.what]
    assert {one.severity for one in far} == {"warning"}


def test_success_in_words_is_a_score() -> None:
    own = [f"{c},t{k},{(k + i) % 3 > 0}" for i, c in enumerate(("base", "tuned")) for k in range(N)]
    assert roles(asked(rows("condition,task_id,success", *own)))["success"] == "score"


def test_a_score_without_a_direction_is_asked_for_it() -> None:
    own = [f"{c},prompt {k},{value(k, i)}" for i, c in enumerate(("static", "bandit")) for k in range(N)]
    assert asked(rows("policy,prompt,score", *own)).fix.endswith(
        "Nothing says which score is better: add --better higher or --better lower."
    )
    assert "--better" not in asked(rows("policy,prompt,accuracy", *own)).fix


def test_what_sums_up_others_is_no_question() -> None:
    """A question has no interval, so what has one is a mean; others are left out by name."""
    heads = ["q1_a", "q2_b", "q3_c", "q4_d", "q5_e", "q6_f", "cat_x", "valid_rate", "cat_x_lo", "cat_x_hi"]
    text = rows(
        ",".join(["model", *heads]),
        *(f"{m},{','.join(str(value(k, i)) for k in range(len(heads)))}" for i, m in enumerate("abc")),
    )
    found = scored(text, columns="rows=system")
    assert {len(item.segments) for item in found.items} == {7}
    found = scored(text, columns="rows=system\nvalid_rate=ignored")
    assert means(found) == {m: pytest.approx(sum(value(k, i) for k in range(6)) / 6) for i, m in enumerate("abc")}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (",A,B\nrouge1,0.1,0.2\nrouge2,0.2,0.3\nbleu,0.3,0.1\nexecution_time,9.5,3.5\n", "one row per measure"),
        ("k,bm25_recall,dense_recall\n1,0.7,0.8\n3,0.8,0.9\n5,0.9,0.95\n10,0.95,0.97\n", "Each row is a cut-off (k)"),
    ],
)
def test_measures_and_cut_offs_in_rows_are_no_questions(text: str, why: str) -> None:
    assert why in str(scored(text).problems[0])


def test_marks_and_units_name_no_systems() -> None:
    own = [f"s{k},q{j},SCORE-{(k + j) % 3},{value(k, j)}" for k in range(N) for j in range(4)]
    problem = asked(rows("Student ID,Question ID,Best Matching Score,Cosine Similarity", *own))
    assert "'Best Matching Score=system'" not in problem.fix


def test_a_method_in_all_rows_names_the_system() -> None:
    def of(name: str, i: int) -> tuple[str, bytes]:
        own = (f"{name},q{k},{value(k, i)},{value(k, i + 2)}" for k in range(N))
        return f"{name}_results.csv", rows("method,example_id,recall_at_5,mrr_at_10", *own).encode()

    found = read([of("bm25", 0), of("rerank", 1)])
    assert not found.problems
    assert {item.name for item in found.items if item.role == "system"} == {"bm25", "rerank"}
    other = rows("method,id,A,B", *(f"x,q{k},{value(k, 0)},{value(k, 1)}" for k in range(N)))
    assert {one.name for one in scored(other).items if one.role == "system"} <= {"A", "B"}, "A and B are no measures"


def test_one_system_in_several_files_is_called_after_them() -> None:
    def of(i: int) -> bytes:
        return rows("model,id,accuracy", *(f"gpt-4,q{k},{value(k, i)}" for k in range(N))).encode()

    found = read([("gpt-4_closed.csv", of(0)), ("gpt-4_oracle.csv", of(1))])
    assert {item.name for item in found.items if item.role == "system"} == {"gpt-4_closed", "gpt-4_oracle"}
    found = read([("closed.csv", of(0)), ("oracle.csv", of(1))])
    assert {item.name for item in found.items if item.role == "system"} == {"gpt-4 closed", "gpt-4 oracle"}


# What is right, and what was predicted.


def test_numbers_of_people_may_be_what_the_others_predict() -> None:
    own = [f"w{k},{value(k, 0)},{value(k, 1) + 0.05}" for k in range(N)]
    problem = asked(rows("word1,human_similarity,model_similarity", *own))
    assert problem.ways[0] == (
        "human_similarity is what people said, and the rest are predictions of it",
        "human_similarity=reference model_similarity=system word1=question",
    )
    assert problem.ways[1][1] == "similarity=measure word1=question"
    assert not scored(rows("word1,gpt_similarity,model_similarity", *own)).problems


def test_labels_with_their_kind_behind_them() -> None:
    """label_true is right; hypothesis is what was labelled, and the raw response no rival."""
    labels = ("yes", "no", "maybe")

    def of(i: int) -> bytes:
        own = (
            f"{k},m{i},so {k} it is,it is {k} so,{labels[k % 3]},{labels[(k + (k % 4 < i)) % 3]},It is {labels[(k + (k % 4 < i)) % 3]}"
            for k in range(2 * N)
        )
        return rows("idx,model,premise,hypothesis,label_true,predicted_label,raw_response", *own).encode()

    found = read([("a.csv", of(1)), ("b.csv", of(2))])
    assert not found.problems
    assert {(i.name, i.role) for i in found.items if i.kind == "text" and i.role == "system"} == {
        ("m1", "system"),
        ("m2", "system"),
    }
    one = rows(
        "id,trial,answer,pred,response",
        *(f"q{k},0,{'ABCD'[k % 4]},{'ABCD'[(k + (k > 8)) % 4]},{'ABCD'[(k + (k > 8)) % 4]}" for k in range(N)),
    )
    assert roles(asked(one))["response"] == "ignored"


def test_classes_that_were_predicted_are_no_outcomes() -> None:
    """The share of Yes was compared. The headings had spaces between them, the rows TABs."""
    text = "id  class_label run_id\n" + "".join(f"{k}\t{('Yes', 'No')[k % 2]}\tours\n" for k in range(N))
    (problem,) = read([("run.tsv", text.encode())]).problems
    assert isinstance(problem, Unclear)
    assert roles(problem) == {"id": "question", "class_label": "text", "run_id": "ignored"}


def test_texts_in_another_language_than_the_reference_are_left_out() -> None:
    own = [f"zo {k} ndi,that is {k} so,that is {k},woh {k} hai" for k in range(N)]
    problem = asked(rows("chichewa,reference_en,predicted_en,predicted_hi", *own))
    assert roles(problem) == {
        "chichewa": "source",
        "reference_en": "reference",
        "predicted_en": "text",
        "predicted_hi": "ignored",
    }
    same = scored(
        rows("reference_en,predicted_en,second_en", *(f"that is {k} so,that is {k},this {k} is so" for k in range(N)))
    )
    assert "another language" not in told(same)


def test_references_and_sources_keep_their_names_in_a_folder_of_outputs() -> None:
    found = read(
        [
            (f"outputs/{name}", f"{name} says one\nand two\n".encode())
            for name in ("ref.en", "src.de", "opus.en", "nllb.en")
        ]
    )
    assert {item.role: item.name for item in found.items if item.role != "system"} == {
        "reference": "ref",
        "source": "src",
    }


def test_differences_of_many_columns_are_found_by_their_measure() -> None:
    systems, measures = ("E0", "E1", "E2"), ("UFR", "CR", "n_a", "n_b", "n_c")
    heads = [f"{s}_{m}" for s in systems for m in measures] + ["delta_UFR", "E2_delta_UFR"]

    def own(k: int) -> list[float]:
        cells = [value(k, 3 * i + j) / 3 for i in range(3) for j in range(5)]
        return [*cells, cells[5] - cells[0], cells[10] - cells[0]]

    text = rows(",".join(["id", *heads]), *(f"q{k},{','.join(map(repr, own(k)))}" for k in range(N)))
    assert "Not used, the difference of two others: delta_UFR, E2_delta_UFR" in told(scored(text)) + str(
        scored(text).problems
    ) or {roles(asked(text))[h] for h in ("delta_UFR", "E2_delta_UFR")} == {"ignored"}


def test_pairs_of_labels_in_records_are_no_ratings() -> None:
    """lm-eval keeps the right and the given label of each answer for the F1 of all: their mean was a measure."""
    record = (
        {
            "doc_id": k,
            "doc": {"q": f"is it {k}?"},
            "target": k % 4,
            "arguments": {},
            "resps": [["A"]],
            "filtered_resps": ["A"],
        }
        | {"acc": float(k % 3 > 0), "f1": [k % 4, (k + 1) % 4]}
        for k in range(N)
    )
    found = read([("run/m/samples_t_2025-01-21T11-40-07.905113.jsonl", "\n".join(map(json.dumps, record)).encode())])
    assert {item.measure for item in found.items if item.role == "system"} == {"acc"}


# Ratings.


def test_marked_errors_below_other_headings_are_mqm() -> None:
    head = "SEG_ID\tDoc\tMT\tError Category\tSeverity\tAnnotator_ID\n"

    def of(name: str, *errors: str) -> tuple[str, bytes]:
        return f"{name}.tsv", (
            head + "".join(f"{k}\td\t{name}\t{one and 'Style'}\t{one}\t7\n" for k, one in enumerate(errors, 1))
        ).encode()

    found = read_ratings([of("one", "Major", "", "Minor"), of("two", "Critical", "Major", "Major")])
    assert not found.problems
    assert [float(part.score.sum()) for part in found.judgments] == [-6.0, -20.0]


def test_marks_that_do_not_apply_may_say_why_and_a_dialogue_beside_its_turns() -> None:
    def record(k: int, i: int, turn: bool) -> dict[str, object]:
        said = {"Fluent": [1, 2, 0], "Overall": [k % 5, "N/A (it said nothing)", 3]}
        whole = {"Coherent": [2, 1, 1], "Overall": [4, 4, k % 5]}
        own: dict[str, object] = {
            "context": f"User: {k} {i}",
            "system": "AB"[i],
            "annotations": said if turn else whole,
        }
        return {**own, "response": f"so {k}"} if turn else own

    records = [record(k, i, turn) for k in range(N) for i in range(2) for turn in (True, False)]
    found = read_ratings([("fed.json", json.dumps(records).encode())])
    assert not found.problems
    (people,) = found.judgments
    assert of_people(people, "Coherent") == {"A": pytest.approx(4 / 3), "B": pytest.approx(4 / 3)}
    assert int((people.dimension == "Overall").sum()) == 2 * N * (2 + 3)


def test_a_command_names_every_column() -> None:
    """ "and 9 more=ignored" is no option."""
    people = [f"rater_{k:02}" for k in range(12)]
    own = [f"q{k},{','.join('nan' if j % 3 else str(1 + (k + j) % 5) for j in range(12))}" for k in range(N)]
    found = read(
        [("t.csv", rows(f"id,{','.join(people)}", *own).encode())],
        every=Choice(options={"columns": "\n".join(f"{one}=judge" for one in people)}),
    )
    assert all("more=ignored" not in str(one) for one in found.problems)


def test_lines_of_numbers_say_how_they_were_read() -> None:
    found = read(
        [(f"{name}/STS.txt", "".join(f"{value(k, i)}\n" for k in range(N)).encode()) for i, name in enumerate("ab")]
    )
    assert (
        "Each line is a number, which was read as the score of its segment. Predicted values need the right ones."
        in told(found)
    )
    assert "Each line is a number" not in told(read([("a.bleu", "".join(f"0.{k + 1}\n" for k in range(9)).encode())]))
