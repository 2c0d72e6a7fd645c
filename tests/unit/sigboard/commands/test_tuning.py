"""`sigboard tuning`: both kinds of lists from files to a table and to JSON, and what it refuses."""

from __future__ import annotations

import csv
import json
import re

import openpyxl
import pytest

from sigboard import terminal
from sigboard.questions.tuning.report import moses_weights
from sigcore import compare
from tests.made import text_set
from tests.made_lists import made_lists

QUICK = ["--resamples", "200", "--replicates", "2", "--seed", "1"]


@pytest.fixture
def files(tmp_path):
    """Made lists in Moses' format, their references, and documents of ten segments."""
    made, testset = made_lists(60, 8)
    (tmp_path / "nbest.txt").write_text(
        "".join(
            f"{segment} ||| {text} ||| slips= {row[0]} words= {row[1]} noise= {row[2]} {row[3]} ||| {score}\n"
            for segment, text, row, score in zip(
                made.segment_of, made.texts, made.features.tolist(), made.scores.tolist(), strict=True
            )
        ),
        encoding="utf-8",
    )
    (tmp_path / "ref.en").write_text("\n".join(testset.references[0]) + "\n", encoding="utf-8")
    (tmp_path / "documents.txt").write_text("".join(f"d{i // 10}\n" for i in range(60)), encoding="utf-8")
    return tmp_path


def call(*words):
    """The exit code of the command."""
    return terminal.main(["tuning", *map(str, words), *QUICK])


def test_json_of_the_issue(files, capsys):
    """All methods of the issue give weights per method and replicate, scores on both parts, and tests."""
    names = ["listnet", "listmle", "top_n", "te_listmle", "pro", "kb_mira", "mert"]
    few = [f"{name}.epochs=20" for name in (*names[:4], "kb_mira")] + ["mert.restarts=1"]
    options = [word for option in few for word in ("--method-option", option)]
    out = files / "out.json"
    lists = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--split", "0.5"]
    assert call(*lists, "--method", *names, *options, "--json", out) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert [feature["name"] for feature in content["features"]] == ["slips", "words", "noise_1", "noise_2"]
    assert list(content["weights"]) == names
    for name in names:
        assert [sorted(weights) for weights in content["weights"][name]] == [
            ["noise_1", "noise_2", "slips", "words"]
        ] * 2
        assert len(content["dev"][name]) == len(content["test"][name]) == 2
        test = content["tests"][name]
        assert 0 < test["p_value"] <= test["adjusted"] <= 1
        average = sum(content["test"][name]) / 2
        assert test["multi_run"]["average"] == pytest.approx(average)
        assert test["gain"] == pytest.approx(average - content["test"]["baseline"])
        assert len(test["runs"]) == 2
    for part in ("dev", "test"):
        assert content[part]["worst"] < content[part]["baseline"] < content[part]["oracle"]
        assert content[part]["segments"] == 30
    assert content["fixed_lists"]
    assert (content["n"], content["resamples"], content["seed"]) == (30, 200, 1)
    assert any("30 development segments are few" in warning for warning in content["warnings"])
    printed = capsys.readouterr()
    assert printed.out == f"Wrote {out}.\n"
    assert "only one system" not in printed.err


def test_table(files, capsys):
    """The table shows baseline, oracle and every replicate, the tests, the influence of the features, and the verdict."""
    few = ["--method", "pro", "mbr", "--documents", files / "documents.txt", "--split", "0.3"]
    assert call("--nbest", files / "nbest.txt", "--reference", files / "ref.en", *few) == 0
    shown = capsys.readouterr().out
    for part in (
        "baseline: first of list",
        "oracle",
        "PRO 1",
        "PRO 2",
        "minimum Bayes risk",
        "s_opt",
        "slips",
        "gains",
    ):
        assert part in shown
    # what was chosen is about this run; no line is a remark on how the project was made
    assert "PRO: logistic regression" in shown
    assert "at hand" not in shown
    assert "et al. 2017" not in shown
    assert "40 segments held out" in shown  # two whole documents are tuned on
    assert "Segments were resampled, not documents: the test set has 4 documents" in shown
    assert call("--nbest", files / "nbest.txt", "--reference", files / "ref.en", *few, "--unit", "segment") == 0
    assert "p is too small" in capsys.readouterr().out
    assert call("--nbest", files / "nbest.txt", "--reference", files / "ref.en", *few, "--unit", "document") == 0
    shown = capsys.readouterr().out
    assert "4 documents (40 segments) held out" in shown
    assert "p is too small" not in shown


def test_a_language_model_is_a_feature(files, capsys):
    """With a text both kinds of lists have the feature; a text without words is refused."""
    text, out = files / "text.txt", files / "out.json"
    text.write_text((files / "ref.en").read_text(encoding="utf-8"), encoding="utf-8")
    (files / "empty.txt").write_text("\n\n", encoding="utf-8")
    lists = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--method", "pro", "--json", out]
    assert call(*lists, "--language-model", text) == 0
    names = [feature["name"] for feature in json.loads(out.read_text(encoding="utf-8"))["features"]]
    assert names[-1] == "language_model"
    assert call(*lists, "--language-model", files / "empty.txt") == 2
    assert "no words" in capsys.readouterr().err
    testset, outputs = text_set(40, (0.25, 0.3, 0.3))
    (files / "gold.en").write_text("\n".join(testset.references[0]) + "\n", encoding="utf-8")
    for item in outputs:
        (files / f"{item.system}.txt").write_text("\n".join(item.segments) + "\n", encoding="utf-8")
    systems = ["--systems", *(files / f"{item.system}.txt" for item in outputs), "--reference", files / "gold.en"]
    few = ["--method", "te_listmle", "--method-option", "te_listmle.epochs=5", "--iterations", "2"]
    assert call(*systems, *few, "--language-model", text, "--json", out) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert content["features"][-1]["name"] == "language_model"
    assert content["features"][-1]["mean"] < 0


def test_all_segments(files, capsys):
    """With a split of 1 nothing is tested, and the JSON has no test."""
    out = files / "out.json"
    words = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--method", "pro", "--split", "1.0"]
    assert call(*words, "--json", out) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert (content["test"], content["tests"]) == ({}, {})
    assert len(content["dev"]["pro"]) == 2
    assert call(*words) == 0
    shown = capsys.readouterr().out
    assert "Approximate randomization" not in shown
    assert "too good" in shown


def test_export(files):
    """Exported outputs have the held-out score of the JSON, and exported weights the numbered features together."""
    out, folder = files / "out.json", files / "exported"
    words = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--method", "pro", "mbr"]
    assert call(*words, "--json", out, "--export", folder) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    names = sorted(path.name for path in folder.iterdir())
    runs = ["mbr.1.txt", "pro.1.txt", "pro.1.weights", "pro.2.txt", "pro.2.weights"]
    assert names == ["baseline.txt", *runs, "reference.1.txt"]
    pair = compare(folder / "pro.1.txt", folder / "baseline.txt", folder / "reference.1.txt")
    assert pair.scores[1] == content["test"]["baseline"]
    for k, score in enumerate(content["test"]["pro"], start=1):
        assert compare(folder / f"pro.{k}.txt", folder / "mbr.1.txt", folder / "reference.1.txt").scores[0] == score
    stated = content["weights"]["pro"][0]
    lines = (folder / "pro.1.weights").read_text(encoding="utf-8").split("\n")
    assert lines[0] == f"slips= {stated['slips']}"
    assert lines[2] == f"noise= {stated['noise_1']} {stated['noise_2']}"


def test_names_that_only_look_numbered():
    """A feature whose name ends in _1 is alone unless there is a _2; others keep their names."""
    assert moses_weights(["a_1", "b_2", "c_1", "c_2", "d"], [1.0, 2.0, 3.0, 4.0, 5.0]) == (
        "a_1= 1.0\nb_2= 2.0\nc= 3.0 4.0\nd= 5.0\n"
    )


@pytest.mark.parametrize("better", [[], ["--better", "higher"]])
def test_column_without_references(files, better):
    """A column of the hypotheses can be tuned for without references (by default higher is better); built-in features
    can be added."""
    out = files / "out.json"
    words = ["--column", "slips", *better, "--feature", "words", "consensus_chrf", "--method", "pro"]
    assert call("--nbest", files / "nbest.txt", *words, "--json", out) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert content["metric_title"] == "slips"
    assert [feature["name"] for feature in content["features"]] == ["words", "noise_1", "noise_2", "consensus_chrf"]


def test_same_result_for_any_number_of_workers(files):
    """The number of threads changes nothing."""
    texts = []
    for workers in (1, 3):
        out = files / f"{workers}.json"
        words = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--method", "pro", "kb_mira"]
        assert call(*words, "--method-option", "kb_mira.epochs=3", "--workers", workers, "--json", out) == 0
        texts.append(out.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]


def test_systems_are_combined(tmp_path, capsys):
    """Without lists the systems are combined, and the best single one is the baseline."""
    testset, outputs = text_set(60, (0.25, 0.3, 0.3))
    (tmp_path / "ref.en").write_text("\n".join(testset.references[0]) + "\n", encoding="utf-8")
    for item in outputs:
        (tmp_path / f"{item.system}.en").write_text("\n".join(item.segments) + "\n", encoding="utf-8")
    systems = [tmp_path / f"{item.system}.en" for item in outputs]
    few = ["--iterations", "2", "--size", "5", "--method", "pro"]
    assert call("--systems", *systems, "--reference", tmp_path / "ref.en", *few) == 0
    shown = capsys.readouterr().out
    assert f"baseline: {outputs[0].system}" in shown
    assert f"votes {outputs[1].system}" in shown
    assert call("--systems", *systems, "--reference", tmp_path / "ref.en", *few, "--feature", "words") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "listnett"], "listnet"),
        (["--method", "pro", "--method-option", "mert.restarts=1"], "mert"),
        (["--method", "pro", "--split", "0"], "split"),
        (["--method", "pro", "--metric", "aer"], "Hypotheses are text"),
        (["--method", "pro", "--test", "wrong"], "wrong"),
        (["--method", "pro", "--systems", "x.en"], "systems were given"),
    ],
)
def test_refused(files, words, message, capsys):
    """Unknown names, options of other methods and bad numbers give an error and the exit code 2."""
    assert call("--nbest", files / "nbest.txt", "--reference", files / "ref.en", *words) == 2
    assert message in capsys.readouterr().err


def test_faults_of_the_list_name_their_line(files, capsys):
    """A line that cannot be read is reported with its number; lists for other segments are refused."""
    path = files / "nbest.txt"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("slips= ", "slips= x", 1), encoding="utf-8")
    assert call("--nbest", path, "--reference", files / "ref.en") == 2
    assert "line 1" in capsys.readouterr().err
    path.write_text(text + "60 ||| a ||| slips= 1 words= 1 noise= 1 1 ||| 1\n", encoding="utf-8")
    assert call("--nbest", path, "--reference", files / "ref.en") == 2
    assert "61" in capsys.readouterr().err
    assert call("--nbest", path) == 2
    assert "no reference" in capsys.readouterr().err


def test_list_names_the_methods(capsys):
    """`sigboard list` has every method with its options."""
    assert terminal.main(["list"]) == 0
    shown = capsys.readouterr().out
    assert "--method-option listnet.kappa=" in shown
    assert "te_listmle" in shown


def test_sizes_are_compared(files, capsys):
    """Every method is tuned on lists of each size; table and JSON have the averages under every size."""
    out = files / "out.json"
    lists = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--method", "pro", "te_listmle"]
    few = ["--method-option", "te_listmle.epochs=10", "--compare-sizes", "4", "8"]
    assert call(*lists, *few, "--json", out) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert list(content["weights"]) == ["pro k:4", "pro k:8", "te_listmle k:4", "te_listmle k:8"]
    assert content["plan"]["sizes"] == [4, 8]
    assert [(item["setting"], item["title"]) for item in content["sweeps"]] == [
        ("k", "PRO"),
        ("k", "top-rank enhanced ListMLE"),
    ]
    assert content["sweeps"][0]["values"] == [{"value": 4, "label": "pro k:4"}, {"value": 8, "label": "pro k:8"}]
    capsys.readouterr()
    assert call(*lists, *few) == 0
    shown = capsys.readouterr().out
    table = shown.split("PRO: averages of the runs by k")[1].split("\n\n")[1].splitlines()
    averages = [f"{content['tests'][f'pro k:{k}']['multi_run']['average']:.2f}" for k in (4, 8)]
    assert [line.split()[2] for line in table[-2:]] == averages
    assert call(*lists, "--compare-sizes", "90") == 2
    assert "the longest list to tune on has 8 hypotheses" in capsys.readouterr().err


def test_options_are_compared(files, capsys):
    """A method is tuned with each value of an option, and with each pair of values of two options."""
    out = files / "out.json"
    lists = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--method", "top_n", "pro", "--json", out]
    assert call(*lists, "--compare-options", "top_n.n=1,2", "--method-option", "top_n.epochs=5") == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert list(content["options"]) == ["top_n n:1", "top_n n:2", "pro"]
    assert content["options"]["top_n n:2"]["n"] == 2
    (sweep,) = content["sweeps"]
    assert (sweep["setting"], [item["value"] for item in sweep["values"]]) == ("n", [1, 2])
    assert call(*lists, "--compare-options", "top_n.n=1,2", "--compare-options", "top_n.epochs=2,3") == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert len(content["options"]) == 5
    assert sorted(item["setting"] for item in content["sweeps"]) == ["epochs", "epochs", "n", "n"]
    for wrong in ("top_n.n=1", "mert.restarts=1,2", "top_n"):
        assert call(*lists, "--compare-options", wrong) == 2
    assert "is not an option" in capsys.readouterr().err


def test_policies_belong_to_combinations(files, capsys):
    """Fixed lists have no policies to compare."""
    lists = ["--nbest", files / "nbest.txt", "--reference", files / "ref.en", "--method", "pro"]
    assert call(*lists, "--compare-policies") == 2
    assert "neither aggregated nor merged" in capsys.readouterr().err


@pytest.fixture
def parts(files):
    """The made lists as development lists and two test sets, with their references, and start weights."""
    rows = (files / "nbest.txt").read_text(encoding="utf-8").splitlines()
    references = (files / "ref.en").read_text(encoding="utf-8").splitlines()
    for name, (low, high) in {"dev": (0, 30), "one": (30, 45), "two": (45, 60)}.items():
        own = [row.split(" |||", 1) for row in rows if low <= int(row.split()[0]) < high]
        text = "".join(f"{int(segment) - low} |||{rest}\n" for segment, rest in own)
        (files / f"{name}.nbest").write_text(text, encoding="utf-8")
        (files / f"{name}.ref").write_text("\n".join(references[low:high]) + "\n", encoding="utf-8")
    (files / "start.weights").write_text("slips= -0.5\nnoise= 0 0.1\n", encoding="utf-8")
    return files


def lab(parts, *words, references=("dev", "one", "two")):
    """The exit code of the command on lists of their own."""
    lists = ["--dev", parts / "dev.nbest", "--test", f"A={parts / 'one.nbest'}", "--test", f"B={parts / 'two.nbest'}"]
    named = {"dev": parts / "dev.ref", "one": f"A={parts / 'one.ref'}", "two": f"B={parts / 'two.ref'}"}
    return call(*lists, "--reference", *(named[name] for name in references), *words)


FEW = ["--method-option", "te_listmle.epochs=10"]


def test_lab(parts, capsys):
    """The table, JSON, CSV, LaTeX and XLSX of the lab have the same scores, gains and p."""
    words = ["--method", "pro", "te_listmle", *FEW, "--baseline", "pro", "--start-weights", parts / "start.weights"]
    assert (
        lab(
            parts,
            *words,
            "--json",
            parts / "out.json",
            "--csv",
            parts / "out.csv",
            "--latex",
            parts / "out.tex",
            "--xlsx",
            parts / "out.xlsx",
        )
        == 0
    )
    content = json.loads((parts / "out.json").read_text(encoding="utf-8"))
    assert content["baseline"] == "pro"
    assert content["places"] == ["A", "B", "average"]
    rows = {row["label"]: row for row in content["rows"]}
    assert list(rows) == ["first of list", "start weights", "pro", "te_listmle"]
    assert rows["start weights"]["weights"] == [{"slips": -0.5, "noise_2": 0.1}]
    assert len(content["comparisons"]) == 6 * 3
    capsys.readouterr()
    assert lab(parts, *words) == 0
    shown = capsys.readouterr().out
    (line,) = [line for line in shown.splitlines() if line.startswith("PRO (baseline)")]
    assert line.split()[-3:] == [f"{score:.2f}" for score in rows["pro"]["average"].values()]
    assert "Corrected by Holm for all 18 comparisons" in shown
    one = next(
        item
        for item in content["comparisons"]
        if (item["system"], item["baseline"], item["place"]) == ("te_listmle", "pro", "average")
    )
    table = list(csv.DictReader((parts / "out.csv").read_text(encoding="utf-8").splitlines()))
    (row,) = [row for row in table if row["method"] == "top-rank enhanced ListMLE" and row["place"] == "average"]
    assert [float(row[name]) for name in ("gain", "low", "high", "p", "corrected_p")] == pytest.approx(
        [one["gain"], *one["interval"], one["p_value"], one["adjusted"]]
    )
    assert f"{rows['te_listmle']['average']['B']:.2f}" in (parts / "out.tex").read_text(encoding="utf-8")
    sheets = openpyxl.load_workbook(parts / "out.xlsx")
    assert sheets.sheetnames == ["methods", "rows", "comparisons"]
    assert sheets["methods"]["E4"].value == pytest.approx(rows["pro"]["average"]["average"])


@pytest.mark.parametrize(("metric", "best"), [("bleu", max), ("ter", min)])
def test_the_best_of_each_place_is_bold(parts, metric, best):
    """In LaTeX the highest BLEU and the lowest TER are bold, and nothing else."""
    words = ["--method", "pro", "--metric", metric, "--start-weights", parts / "start.weights"]
    assert lab(parts, *words, "--latex", parts / "out.tex", "--json", parts / "out.json") == 0
    content = json.loads((parts / "out.json").read_text(encoding="utf-8"))
    scores = [[f"{score:.2f}" for score in row["average"].values()] for row in content["rows"]]
    best_of = [best(place, key=float) for place in zip(*scores, strict=True)]
    worst_of = [min(place, key=float) if best is max else max(place, key=float) for place in zip(*scores, strict=True)]
    assert all(one != other for one, other in zip(best_of, worst_of, strict=True))
    table = [line.split(" & ")[1:] for line in (parts / "out.tex").read_text(encoding="utf-8").splitlines()]
    bold = [[re.search(r"\\textbf\{(.*?)\}", cell) for cell in cells] for cells in table if len(cells) == 3][1:]
    assert [[found and found[1] for found in cells] for cells in bold] == [
        [score if score == top else None for score, top in zip(row, best_of, strict=True)] for row in scores
    ]


def test_lab_exports_what_it_scored(parts):
    """Exported outputs have the scores of the JSON, and exported weights choose them again."""
    words = ["--method", "pro", "--export", parts / "folder", "--json", parts / "out.json"]
    assert lab(parts, *words) == 0
    content = json.loads((parts / "out.json").read_text(encoding="utf-8"))
    rows = {row["label"]: row for row in content["rows"]}
    own = parts / "folder" / "B"
    pair = compare(own / "pro.2.txt", own / "first.of.list.txt", own / "reference.1.txt")
    assert pair.scores == (rows["pro"]["scores"]["B"][1], rows["first of list"]["scores"]["B"][0])
    again = ["--method", "pro", "--start-weights", parts / "folder" / "pro.2.weights", "--json", parts / "again.json"]
    assert lab(parts, *again) == 0
    rows = {row["label"]: row for row in json.loads((parts / "again.json").read_text(encoding="utf-8"))["rows"]}
    assert rows["start weights"]["scores"]["B"][0] == pair.scores[0]


def test_sets_of_features(parts):
    """Methods are tuned on every set that they name; a set may begin with a row of an earlier one."""
    words = ["--feature-set", "basic=slips,words", "rest=!slips", "all=*", "--start-weights", "all=basic:pro"]
    assert (
        lab(
            parts,
            *words,
            "--method",
            "basic:mert",
            "pro",
            "--method-option",
            "mert.restarts=0",
            "--json",
            parts / "out.json",
        )
        == 0
    )
    content = json.loads((parts / "out.json").read_text(encoding="utf-8"))
    assert [row["label"] for row in content["rows"]] == [
        "first of list",
        "basic:mert",
        "basic:pro",
        "rest:pro",
        "all:pro",
    ]
    assert content["features"] == {"basic": 2, "rest": 3, "all": 4}


def test_a_tuned_baseline_of_one_list(parts):
    """With --nbest and a baseline the split is tuned on and tested like two lists."""
    words = ["--nbest", parts / "nbest.txt", "--reference", parts / "ref.en", "--method", "pro", "te_listmle", *FEW]
    assert call(*words, "--baseline", "pro", "--split", "0.5", "--json", parts / "out.json") == 0
    content = json.loads((parts / "out.json").read_text(encoding="utf-8"))
    assert content["sizes"] == [{"name": "tuned on", "segments": 30}, {"name": "held out", "segments": 30}]
    assert call(*words, "--json", parts / "old.json") == 0
    old = json.loads((parts / "old.json").read_text(encoding="utf-8"))
    rows = {row["label"]: row for row in content["rows"]}
    for name in ("pro", "te_listmle"):
        assert rows[name]["scores"]["held out"] == old["test"][name]


def test_start_weights_of_one_list(parts, capsys):
    """Start weights by name are those that tuning begins with; names of other features are told."""
    (parts / "start.weights").write_text("# comment\n[weight]\nslips 1\nlm= 0.3\n", encoding="utf-8")
    words = [
        "--nbest",
        parts / "nbest.txt",
        "--reference",
        parts / "ref.en",
        "--method",
        "te_listmle",
        "--method-option",
        "te_listmle.epochs=1",
        "--start-weights",
        parts / "start.weights",
    ]
    assert call(*words) == 0
    assert "1 start weight not used, as the lists have no such feature: lm." in capsys.readouterr().out
    (parts / "start.weights").write_text("lm= 0.3\n", encoding="utf-8")
    assert call(*words) == 2
    assert "No start weight names a feature" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--baseline", "listnet"], "no row named 'listnet'"),
        (["--start-weights", "all=basic:pro", "--feature-set", "basic=slips"], "no set of features named 'all'"),
        (["--feature-set", "basic"], "is no set"),
        (["--method", "x:pro"], "no set of features named 'x'"),
        (["--method", "a:pro", "--feature-set", "a=slips", "b=words"], "No method is tuned on the set b"),
        (["--nbest", "x"], "with --nbest"),
        (["--documents", "x"], "--documents-of NAME=FILE"),
        (["--source", "x"], "--sources-of NAME=FILE"),
        (["--test", "paired_bootstrap"], "is no list"),
        (["--test", "A=x.nbest"], "Give each list its own name"),
    ],
)
def test_lab_refuses(parts, words, message, capsys):
    """What lists of their own cannot do is refused, with what to do instead."""
    method = [] if "--method" in words else ["--method", "pro"]
    assert lab(parts, *method, *words) == 2
    assert message in capsys.readouterr().err


def test_lab_needs_references(parts, capsys):
    """A list without a reference is named; so are references of no list, and lists to test on without others."""
    assert lab(parts, "--method", "pro", references=("dev", "one")) == 2
    assert "B has no reference" in capsys.readouterr().err
    assert lab(parts, "--method", "pro", "--reference", f"C={parts / 'one.ref'}") == 2
    assert "No list is named C" in capsys.readouterr().err
    assert (
        call("--test", f"A={parts / 'one.nbest'}", "--nbest", parts / "nbest.txt", "--reference", parts / "ref.en") == 2
    )
    assert "Give --dev FILE" in capsys.readouterr().err
    assert call("--dev", parts / "dev.nbest", "--reference", parts / "dev.ref") == 2
    assert "no test sets" in capsys.readouterr().err


def test_documents_of_a_list(parts):
    """Documents belong to a list by its name, and are then what p is about."""
    (parts / "docs.txt").write_text("".join(f"d{i // 2}\n" for i in range(15)), encoding="utf-8")
    words = ["--documents-of", f"A={parts / 'docs.txt'}", "--unit", "document", "--method", "pro"]
    one = [*words, "--json", parts / "out.json"]
    lists = ["--dev", parts / "dev.nbest", "--test", f"A={parts / 'one.nbest'}"]
    assert call(*lists, "--reference", parts / "dev.ref", f"A={parts / 'one.ref'}", *one) == 0
    content = json.loads((parts / "out.json").read_text(encoding="utf-8"))
    assert (content["n"], content["unit"], content["segments"]) == (8, "document", 15)


def test_lists_without_a_first_segment(parts, capsys):
    """Lists that count from 1, with a reference too many, get the right advice."""
    text = (parts / "dev.nbest").read_text(encoding="utf-8")
    rows = [row for row in text.splitlines(keepends=True) if not row.startswith("0 |||")]
    (parts / "dev.nbest").write_text("".join(rows), encoding="utf-8")
    assert lab(parts, "--method", "pro") == 2
    assert "If it lacks a segment 0, leave the first reference out" in capsys.readouterr().err
