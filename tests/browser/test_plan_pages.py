"""The pages Size and Domains without a browser: what they say, and that they give the numbers of their commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigboard.terminal import main
from sigcore.formatting import format_size
from tests.browser.test_pages import (
    APP,
    TWINS,
    a_server_that_knows_its_pages,
    captions,
    documents,
    dropped,
    figure,
    page,
    plain,
    press,
    said,
    sound,
    start,
)

__all__ = ["a_server_that_knows_its_pages"]
SAMPLE = APP.parent / "samples" / "harbour"


def command(word: str, folder: Path, *more: str) -> dict[str, object]:
    """The JSON of the command for the first sample, as the page has it."""
    systems = map(str, (SAMPLE / "systems").iterdir())
    files = ["--reference", f"{SAMPLE}/ref.A.en", f"{SAMPLE}/ref.B.en", "--systems", *systems]
    groups = ["--groups", f"{SAMPLE}/groups.tsv", "--documents", str(documents(folder, SAMPLE / "documents.tsv"))]
    file = folder / f"{word}.json"
    assert main([word, *files, *groups, *more, "--json", str(file)]) == 0
    content: dict[str, object] = json.loads(file.read_text())
    return content


def test_size_gives_the_numbers_of_its_command(tmp_path: Path) -> None:
    """Thresholds and detectable gains on the page are those of the command with the same plan."""
    app = page(start(sizes="30 60", parts="3", resamples="1000"), "size")
    more = ["--subsets", "random", "--draws", "3", "--sizes", "30", "60", "--resamples", "1000", "--gain", "2"]
    content = command("size", tmp_path, *more)
    gains = {
        (row["segments"], row["power"]): row["gain"] for row in content["detectable"] if row["system"] == "median pair"
    }
    first = app.dataframe[0].value.iloc[0]
    assert first["30 segments"] == format_size(gains[30, 0.8])
    assert first["60 segments"] == format_size(gains[60, 0.8])
    assert any(words.removeprefix("To find") in said(app) for words in content["sentences"])
    assert "Two-delta bootstrap" in captions(app) or "jackknife" in captions(app)


def test_the_planned_gain_changes_the_sentence_alone() -> None:
    """Another gain, power or alpha is applied without another draw; a smaller gain needs more segments."""
    app = page(start(sizes="30 60", parts="2", resamples="1000"), "size")
    app.number_input(key="plan_gain").set_value(1.0).run()
    assert not app.get("progress")
    assert "To find a true gain of 1.00 BLEU with a probability of 80% (two-sided, alpha 0.05)" in said(app)
    app.get_by_key("power").set_value(0.95).run()
    assert "with a probability of 95%" in said(sound(app))
    app.selectbox(key="alpha").set_value(0.01).run()
    assert not app.get("progress")
    assert "alpha 0.01" in said(app)


def test_the_formula_is_checked_by_simulation_on_the_page(tmp_path: Path) -> None:
    """The sentence of the simulation is that of the command for the same pair and size."""
    pair = "Curlew against Cormorant"
    app = page(start(sizes="30", parts="1", resamples="1000", check="true", check_size="60", pair=pair), "size")
    more = ["--subsets", "random", "--draws", "1", "--sizes", "60", "--resamples", "1000", "--simulate", "200"]
    content = command("size", tmp_path, *more, "--pair", "Curlew", "Cormorant")
    assert content["simulated"][0]["draws"] == 200
    assert content["sentences"][-1] in said(app)


def test_runs_add_their_differences_to_the_plan() -> None:
    """Outputs that are runs of systems have a table of what differences between runs add, once the person says so."""
    files = {"ref.en": TWINS["ref.en"]}
    for system, text in (("Alpha", TWINS["Online-A.en"]), ("Beta", TWINS["Online-B.en"])):
        for run in (1, 2, 3):
            files[f"{system}.seed{run}.en"] = text.replace(f"number {run}", "number x").replace(
                "sails", "sail", 6 + run
            )
    app = page(dropped(files, start(sizes="30", parts="1", resamples="1000")), "size")
    assert "Treat them as runs?" in said(app)
    press(app, "Yes, they are runs")
    table = next(table.value for table in app.dataframe if "sd between runs" in table.value)
    assert list(table["system"]) == ["Alpha"]
    assert list(table["runs"]) == ["3 and 3"]


def test_a_size_that_is_not_a_number_is_refused() -> None:
    """A word among the sizes is reported with the fix."""
    app = page(start(sizes="100 many"), "size")
    assert "'many' is not a number of segments." in said(app)


def test_domains_give_the_numbers_of_the_command(tmp_path: Path) -> None:
    """Signs, calibration and sentences on the page are those of the command; segments are drawn, and a note says why."""
    app = page(start(drawn="3", resamples="1000"), "domains")
    more = ["--domains", f"{SAMPLE}/documents.tsv", "--draws", "3", "--resamples", "1000"]
    content = command("domains", tmp_path, *more)
    assert content["unit"] == "segment"
    for words in content["sentences"]:
        assert words in said(app)
    assert any("Segments were resampled, not documents" in plain(box.value) for box in app.info)
    table = app.dataframe[0].value
    cells = [cell for cell in content["table"] if cell["other"] == "notices"]
    assert list(table["pairs"])[: len(cells)] == [cell["pairs"] for cell in cells]
    assert len(json.loads(figure(app))["data"]) == 3


def two_sets(**more: str) -> dict[str, str]:
    """Two test sets with the same three systems; the second has fewer segments."""
    files = dict(more)
    for pair, lines in (("cs-en", 40), ("uk-en", 30)):
        for name, text in TWINS.items():
            kept = "\n".join(text.splitlines()[:lines]) + "\n"
            files[f"{pair}.ref.en" if name == "ref.en" else f"{pair}.{name.removesuffix('.en')}.en"] = kept
    return files


def test_kinds_come_from_a_table_and_an_editor_and_from_nothing_else() -> None:
    """Two combinations are a class where a table says so; without a kind nothing is a combination."""
    groups = "system\tgroup\tkind\nOnline-A\tx\tcombination\nOnline-B\ty\tcombination\nLab\tx\t\n"
    app = page(dropped({**TWINS, "groups.tsv": groups}), "gain")
    assert "combination (1)" in figure(app)
    table = next(table.value for table in app.dataframe if "kind" in table.value)
    assert dict(zip(table["system"], table["kind"], strict=True))["Online-A"] == "combination"
    without = page(dropped({**TWINS, "groups.tsv": groups.replace("combination", "")}), "gain")
    assert "combination" not in figure(without)
    odd = page(dropped({**TWINS, "groups.tsv": groups.replace("combination", "ensemble")}), "gain")
    assert "'ensemble' is not a kind of system." in said(odd)


def test_another_test_set_and_another_metric_are_drawn_over_the_pairs() -> None:
    """The overlay is named with its number of pairs, its thresholds are listed, and the pairs of the page stay."""
    app = page(dropped(two_sets(), start(mixtures="false")), "gain")
    box = app.selectbox(key="overlay")
    assert "overlay: uk-en" in box.options
    assert "overlay: chrF" in box.options
    for chosen in ("testset:uk-en", "metric:chrf"):
        app.selectbox(key="overlay").set_value(chosen).run()
        names = [trace.get("name", "") for trace in json.loads(figure(sound(app)))["data"]]
        over = {"testset:uk-en": "uk-en", "metric:chrf": "chrF"}[chosen]
        assert f"{over} (3)" in names
        assert "no class (3)" in names
        table = next(table.value for table in app.dataframe if "borderline pairs" in table.value)
        assert list(table["class"]) == ["all", f"{over}: all"]


def test_loaded_test_sets_and_documents_can_be_the_domains(tmp_path: Path) -> None:
    """Where several test sets are loaded they can be the domains, as in the command; a sample has its documents too."""
    app = page(dropped(two_sets(), start(drawn="0", resamples="1000")), "domains")
    assert app.selectbox(key="by").options == ["loaded test sets"]
    assert app.selectbox(key="home").options == ["cs-en", "uk-en"]
    assert any("The test sets cs-en, uk-en are the domains." in plain(box.value) for box in app.info)
    for pair in ("cs-en", "uk-en"):
        (tmp_path / "system-outputs" / pair).mkdir(parents=True)
        for name in ("Online-A", "Online-B", "Lab"):
            (tmp_path / "system-outputs" / pair / f"{name}.txt").write_text(two_sets()[f"{pair}.{name}.en"])
        (tmp_path / f"{pair}.ref.txt").write_text(two_sets()[f"{pair}.ref.en"])
    files = ["--reference", *map(str, tmp_path.glob("*.ref.txt")), "--systems", str(tmp_path / "system-outputs")]
    more = ["--by", "testset", "--draws", "0", "--resamples", "1000", "--json", str(tmp_path / "out.json")]
    assert main(["domains", *files, *more]) == 0
    content = json.loads((tmp_path / "out.json").read_text())
    assert content["sentences"][0] in said(app)
    sample = page(start(drawn="0", resamples="1000", by="documents"), "domains")
    assert sample.selectbox(key="by").options == ["column domain", "documents"]
    assert list(sample.dataframe[0].value.columns)[-1].endswith("others")


def test_thresholds_of_the_domains_are_on_the_page() -> None:
    """The tab Thresholds has all pairs on equally many segments of every domain, and why there is no threshold."""
    app = page(start(drawn="0", resamples="1000", mixtures="true"), "domains")
    app.session_state["sigboard.elsewhere"] = "Thresholds"
    sound(app.run())
    names = [trace["name"] for trace in json.loads(figure(app))["data"]]
    assert sum("mixtures" in name for name in names) * 2 == len(names)
    table = next(table.value for table in app.dataframe if "domain" in table.value)
    assert {"domain", "class", "borderline pairs", "95% interval"} <= set(table)


def test_retuned_systems_are_drawn_apart_and_named() -> None:
    """After the page Tuning its runs can be drawn over the pairs, as synthetic systems with thresholds by method."""
    quick = {f"tuning.{method}.epochs": "3" for method in ("listnet", "te_listmle")} | {"tuning.mert.restarts": "0"}
    app = page(start(replicates="2", resamples="1000", **quick), "gain")
    assert not [name for name in app.selectbox(key="overlay").options if "retuned" in name]
    page(app, "tuning")
    page(app, "gain").selectbox(key="overlay").set_value("retuned:").run()
    names = [trace.get("name", "") for trace in json.loads(figure(sound(app)))["data"]]
    assert "retuned systems (synthetic) (28)" in names  # four methods, two runs each
    table = next(table.value for table in app.dataframe if "borderline pairs" in table.value)
    assert [name for name in table["class"] if "retuned" in name] == [
        "retuned systems (synthetic): retuned by different methods",
        "retuned systems (synthetic): retuned by the same method",
    ]


def test_files_without_domains_get_the_fix() -> None:
    """Without domains the page says, not as an error, what is missing and how to add it."""
    app = page(dropped(TWINS), "domains")
    assert not app.error
    assert "do not say which domain a segment is from" in said(app)


@pytest.mark.parametrize("word", ["size", "domains"])
def test_the_pages_share_the_test_of_gain(word: str) -> None:
    """The test that was chosen on Gain is that of the other pages after the same paper."""
    app = page(
        start(**{"paper.test": "paired_bootstrap", "sizes": "30", "parts": "1", "drawn": "10", "resamples": "1000"}),
        word,
    )
    assert app.selectbox(key="paper.test").value == "paired_bootstrap"


def test_a_number_set_after_another_page_stays() -> None:
    """Scores, Size and Domains have numbers and boxes of their own: none takes the place of another in the address."""
    app = page(start(resamples="1000", subsets="random", sizes="30"), "scores")
    page(app, "size")
    next(box for box in app.number_input if box.key == "parts").set_value(2)
    sound(app.run())
    assert next(box for box in app.number_input if box.key == "parts").value == 2
    page(app, "domains")
    next(box for box in app.number_input if box.key == "drawn").set_value(10)
    sound(app.run())
    assert next(box for box in app.number_input if box.key == "drawn").value == 10
