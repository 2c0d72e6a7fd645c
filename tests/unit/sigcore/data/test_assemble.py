"""The data checks: what is assembled, what is left out, and what is said about it."""

from collections.abc import Sequence
from dataclasses import fields, replace

import pytest

from sigcore import readers
from sigcore.data import Collection
from sigcore.data.assembly import Loaded, Ready, assemble
from sigcore.data.checks import writing
from sigcore.data.select import choices
from sigcore.errors import SigError
from sigcore.readers import Choice, Item

REFERENCE = tuple(f"reference segment number {i}" for i in range(40))
ONE = tuple(f"one output segment number {i}" for i in range(40))
TWO = tuple(f"two output segment number {i}" for i in range(40))


def item(name: str, segments: tuple[str, ...], role: str = "system", kind: str = "text", group: str = "") -> Item:
    return Item(name, role, kind, tuple(segments), f"{name}.en", "", group)


def sound(*more: Item) -> list[Item]:
    return [item("ref", REFERENCE, "reference"), item("One", ONE, group="g"), item("Two", TWO), *more]


def whats(loaded: Loaded, severity: str = "") -> list[str]:
    return [f.what for f in loaded.findings if severity in ("", f.severity)]


def test_sound_files_give_a_test_set_and_no_finding() -> None:
    """Nothing is said where nothing is wrong; names, groups and order come through."""
    loaded = assemble(sound(item("src", REFERENCE[::-1], "source")), "wmt")
    assert loaded.ready
    assert loaded.findings == ()
    assert loaded.testset is not None
    assert (loaded.testset.name, loaded.testset.kind, loaded.testset.n) == ("wmt", "text", 40)
    assert loaded.testset.references == (REFERENCE,)
    assert loaded.testset.sources == REFERENCE[::-1]
    assert [(o.system, o.group) for o in loaded.outputs] == [("One", "g"), ("Two", "")]


def test_a_system_of_wrong_length_is_left_out_and_reported_with_both_counts() -> None:
    """The others go on; the error names both counts and the first suspicious line."""
    bad = (*ONE[:20], "", *ONE[20:])
    loaded = assemble(sound(item("Bad", bad)))
    assert [o.system for o in loaded.outputs] == ["One", "Two"]
    (error,) = loaded.of("error")
    assert error.what == "Bad has 41 lines, ref has 40."
    assert "Bad.en" in error.where
    assert "first blank line in Bad: 21" in error.where
    assert error.fix


def test_a_reference_in_the_minority_is_the_odd_one() -> None:
    """Where all systems agree, one reference of another length is at fault, not every system."""
    loaded = assemble([item("ref", REFERENCE[:39], "reference"), item("One", ONE), item("Two", TWO)])
    assert whats(loaded, "error") == [
        "ref has 39 lines, One has 40.",
        "No reference has as many segments as the other files.",
    ]
    assert loaded.testset is None
    assert not loaded.ready


def test_one_against_one_the_reference_is_believed() -> None:
    """With one reference and one system of different lengths the system is at fault."""
    loaded = assemble([item("ref", REFERENCE, "reference"), item("One", (*ONE, "x"))])
    assert whats(loaded, "error")[0] == "One has 41 lines, ref has 40."
    assert loaded.testset is not None


def test_an_empty_last_line_is_dropped_only_when_counts_then_agree() -> None:
    """One extra empty line at the end goes with a note; two, or a full one, never."""
    loaded = assemble(sound(item("Tail", (*ONE, "")), item("Tails", (*ONE, "", "")), item("Full", (*ONE, "x"))))
    assert [(o.system, o.n) for o in loaded.outputs] == [("One", 40), ("Two", 40), ("Tail", 40)]
    assert whats(loaded, "note") == [
        "The empty last line of Tail was dropped: without it the numbers of segments agree."
    ]
    assert whats(loaded, "error") == ["Tails has 42 lines, ref has 40.", "Full has 41 lines, ref has 40."]


def test_an_empty_last_segment_that_all_files_share_is_kept() -> None:
    """Counts that agree as they are need no dropping."""
    items = [item("ref", ("a", ""), "reference"), item("One", ("b", "")), item("Two", ("c", ""))]
    loaded = assemble(items)
    assert [o.n for o in loaded.outputs] == [2, 2]
    assert not loaded.of("note")


def test_systems_that_all_end_in_an_empty_line_fit_a_reference_without() -> None:
    """The length at which all files can agree wins over the one that most have."""
    loaded = assemble([item("ref", REFERENCE, "reference"), item("One", (*ONE, "")), item("Two", (*TWO, ""))])
    assert loaded.ready
    assert [f.severity for f in loaded.findings] == ["note", "note"]


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([], "No text is loaded."),
        ([item("readme", ("x",), "ignored")], "No text is loaded."),
        ([item("ref", REFERENCE, "reference")], "There is no system to score."),
        ([item("One", ONE), item("Two", TWO)], "There is no reference to score the text against."),
    ],
)
def test_what_is_missing_is_an_error(items: list[Item], words: str) -> None:
    """Nothing at all, no system, or no reference: told as an error with a fix."""
    loaded = assemble(items)
    assert not loaded.ready
    assert [f.what for f in loaded.of("error")] == [words]
    assert loaded.of("error")[0].fix


def test_two_systems_of_one_name_are_an_error_and_the_first_stays() -> None:
    """Names must differ; nothing is renamed in silence."""
    loaded = assemble(sound(item("One", TWO[::-1]), item(" ", ONE[::-1])))
    assert [o.system for o in loaded.outputs] == ["One", "Two"]
    assert whats(loaded, "error") == [
        "Two systems are named 'One'; the second is left out.",
        "A system has no name; it is left out.",
    ]


def test_one_system_has_nothing_to_be_compared_with() -> None:
    """A single system loads with a warning."""
    loaded = assemble(sound()[:2])
    assert loaded.ready
    assert whats(loaded) == ["There is only one system, and nothing to compare it with."]


def test_copies_are_found() -> None:
    """A system equal to a reference, to the source, or to another system is named."""
    source = tuple(f"zdroj {i} zdrojový text" for i in range(40))
    more = [item("src", source, "source"), item("Gold", REFERENCE), item("Lazy", source), item("Uno", ONE)]
    loaded = assemble(sound(*more))
    assert whats(loaded, "error") == ["Gold is identical to the reference ref."]
    assert whats(loaded, "warning") == [
        "One, Uno are identical: their difference is zero, and every test gives p = 1.",
        "Lazy is identical to the source src.",
    ]
    nearly = assemble(sound(item("Nearly", (*REFERENCE[:39], "other words here and now"))))
    assert whats(nearly, "error") == []
    few = assemble([item("ref", REFERENCE[:5], "reference"), item("Gold", REFERENCE[:5])])
    assert "Gold is identical to the reference ref." in whats(few, "warning")


def test_empty_outputs_are_counted_with_the_first_segment() -> None:
    """Empty and blank outputs are counted per system; they are not removed."""
    loaded = assemble(sound(item("Mute", (*ONE[:10], "", " ", *ONE[12:]))))
    (warning,) = loaded.of("warning")
    assert warning.what == "2 of 40 segments of Mute are empty."
    assert warning.where == "Mute.en, segment 11"
    assert loaded.outputs[2].n == 40


def test_lengths_far_from_the_reference_are_warned_about() -> None:
    """Outside [.5, 2] times the characters of the references a system is suspicious."""
    more = [item("Short", ("x",) * 40), item("Long", tuple(s * 3 for s in ONE))]
    found = whats(assemble(sound(*more)), "warning")
    assert found[0].startswith("Short has 0.04 times")
    assert found[1].startswith("Long has 3.")
    assert len(found) == 2


def test_a_short_reference_is_suspected_once() -> None:
    """Where most systems are more than twice as long, the reference is the suspect."""
    loaded = assemble([item("ref", ("x",) * 40, "reference"), item("One", ONE), item("Two", TWO)])
    assert whats(loaded, "warning") == ["The references are much shorter than 2 of 2 systems."]


def test_one_long_system_alone_does_not_accuse_the_reference() -> None:
    """With a single system it is the system that is named."""
    loaded = assemble([item("ref", REFERENCE, "reference"), item("Long", tuple(s * 3 for s in ONE))])
    assert whats(loaded, "warning")[1].startswith("Long has ")


def test_tokenised_files_are_noted_and_a_mixture_is_warned_about() -> None:
    """Blanks before full stops or commas in over half of the segments: a note for all, a warning for some."""
    items = sound()
    tokenised = [item(i.name, tuple(f"{s} ." for s in i.segments), i.role) for i in items]
    assert whats(assemble(tokenised)) == ["All files look tokenised (spaces before full stops or commas)."]
    for number, first in ((2, tokenised[1]), (1, items[1])):
        (warning,) = assemble([items[0], first, tokenised[2]]).of("warning")
        assert warning.what.startswith(f"{number} of 2 systems and 0 of 1 references look tokenised")
    assert warning.where == "Two.en"


def test_few_segments_are_warned_about() -> None:
    """29 segments draw a warning, 30 do not."""
    for n, expected in ((29, 1), (30, 0)):
        items = [item(i.name, i.segments[:n], i.role) for i in sound()]
        assert len(assemble(items).findings) == expected


def scores(name: str, *values: str) -> Item:
    return item(name, values or tuple(str(i / 7) for i in range(40)), kind="scores")


def test_scores_need_no_reference() -> None:
    """Score files alone form a test set of kind scores."""
    loaded = assemble([replace(one, measure="COMET") for one in (scores("One"), scores("Two", *map(str, range(40))))])
    assert loaded.findings == ()
    assert loaded.testset is not None
    assert (loaded.testset.kind, loaded.testset.n, loaded.testset.references) == ("scores", 40, ())


def test_scores_drop_their_empty_last_line_and_refuse_other_words() -> None:
    """An empty last line cannot be a score; a word among the scores leaves the system out."""
    values = tuple(str(i) for i in range(40))
    loaded = assemble([scores("A", *values, ""), scores("B", *values[::-1], ""), scores("C", *values[:39], "inf")])
    assert [o.system for o in loaded.outputs] == ["A", "B"]
    assert whats(loaded, "error") == ["C: 'inf' is not a number."]
    assert loaded.of("error")[0].where == "C.en, segment 40"


def test_scores_that_all_end_in_an_empty_line_lose_it() -> None:
    """Unlike text, scores never keep an empty last line, even where all files have one."""
    loaded = assemble([scores("A", "1", "2", ""), scores("B", "2", "3", "")])
    assert [o.segments for o in loaded.outputs] == [("1", "2"), ("2", "3")]
    assert len(loaded.of("note")) == 2


def test_text_and_scores_are_two_test_sets() -> None:
    """The kind with more systems is taken, the other is reported, and `kind` chooses."""
    items = [*sound(), scores("One")]
    loaded = assemble(items)
    assert [o.system for o in loaded.outputs] == ["One", "Two"]
    assert whats(loaded) == ["Text and scores are separate test sets; 1 file of scores set aside."]
    other = assemble(items, kind="scores")
    assert other.testset is not None
    assert other.testset.kind == "scores"
    assert "3 files of text set aside" in other.findings[0].what


def test_numbers_with_a_reference_are_labels_or_scores() -> None:
    """Where a reference holds numbers, the files are compared as labels; as scores they need no reference."""
    files = [scores("One"), scores("Two", *(str(i) for i in range(40))), item("r", ("1",) * 40, "reference", "scores")]
    assert choices(files).kinds == ("text", "scores")
    loaded = assemble(files)
    assert loaded.testset.kind == "text"
    assert [o.system for o in loaded.outputs] == ["One", "Two"]
    note = "A reference contains numbers, so the files can be compared as labels (kind text), or as scores."
    assert whats(loaded, "note") == [note]
    other = assemble(files, kind="scores")
    assert whats(other, "note") == [note, "Scores need no reference; r is not used."]
    assert other.ready


def test_predicted_numbers_are_no_labels() -> None:
    """A reference on a scale (2.6) is refused: two numbers are hardly ever equal, and the error says what to load."""
    cells = tuple(str(k % 5 + 0.2) for k in range(40))
    loaded = assemble([scores("One"), scores("Two"), item("gs", cells, "reference", "scores")], kind="text")
    (error,) = loaded.of("error")
    assert (error.what.split(" has")[0], "|prediction - reference|" in error.fix) == ("gs", True)
    whole = assemble([scores("One"), scores("Two"), item("gs", ("1.0", "3") * 20, "reference", "scores")], kind="text")
    assert not whole.of("error")


def test_documents_and_domains_join_the_test_set() -> None:
    """They serve text and scores; empty ones are not used, wrong lengths are left out, a second one is told."""
    documents = item("doc", tuple(f"d{i // 4}" for i in range(40)), "documents")
    loaded = assemble(sound(documents, item("dom", ("",) * 40, "domains")))
    assert loaded.testset is not None
    assert loaded.testset.documents == documents.segments
    assert loaded.testset.domains == ()
    assert whats(loaded) == ["The domains are all empty; not used."]
    short = assemble(sound(item("doc", ("d",) * 39, "documents")))
    assert short.ready
    assert whats(short, "error") == ["doc has 39 lines, ref has 40."]
    assert whats(assemble(sound(documents, documents))) == []
    other = item("doc 2", documents.segments[::-1], "documents")
    assert "More than one file" in whats(assemble(sound(documents, other)))[0]
    with_scores = assemble([scores("One"), scores("Two", *(str(i) for i in range(40))), documents]).testset
    assert with_scores is not None
    assert with_scores.documents == documents.segments


@pytest.mark.parametrize(
    ("segment", "language"),
    [
        ("这是关于海边的小船。", "Chinese"),
        ("これは海辺の小さな船です。", "Japanese"),
        ("이것은 바닷가의 작은 배입니다.", "Korean"),
        ("a small boat", ""),
        ("Ein Gruß aus 東京 und noch viel mehr Worte", ""),
        ("маленький човен", ""),
    ],
)
def test_languages_without_words_for_13a_are_told(segment: str, language: str) -> None:
    """A reference in Chinese, Japanese or Korean brings a warning that names the tokeniser; others bring none."""
    assert writing([segment] * 40)[0] == language
    loaded = assemble([item("ref", (segment,) * 40, "reference"), item("One", ONE), item("Two", TWO)])
    told = [f.what for f in loaded.of("warning") if "13a" in f.what]
    assert len(told) == bool(language)


def test_missing_scores_leave_out_the_system_or_the_segment_as_chosen() -> None:
    """By default a system with a gap is left out with the first gap named; "drop" leaves the segment out for all."""
    values = tuple(str(i) for i in range(40))
    holed = (*values[:7], "None", *values[8:39], "")
    items = [scores("A", *values), scores("B", *values[::-1]), scores("C", *holed)]
    documents = replace(items[0], role="documents", kind="text", name="documents")
    refused = assemble([*items, documents])
    assert [o.system for o in refused.outputs] == ["A", "B"]
    assert whats(refused, "error") == ["C has no score for 2 of 40 segments; it is left out."]
    dropped = assemble([*items, documents], missing="drop")
    assert [o.n for o in dropped.outputs] == [38] * 3
    assert dropped.outputs[0].segments == dropped.testset.documents == (*values[:7], *values[8:39])
    assert whats(dropped)[0].startswith("2 of 40 segments were left out for all systems")
    assert dropped.findings[0].where == "the first is segment 8"


def test_of_several_test_sets_one_is_looked_at() -> None:
    """Items of a test set go with those that belong to none; the largest comes first, and the others are told."""
    many = [replace(item(f"S{k}", ONE), testset="cs-en") for k in range(3)]
    few = [replace(item(f"S{k}", TWO[:38]), testset="uk-en") for k in range(2)]
    items = [item("ref", REFERENCE, "reference"), replace(item("ref", TWO[:38], "reference"), testset="uk-en")]
    assert choices([*few, *many]).testsets == ("cs-en", "uk-en")
    loaded = assemble([*items[:1], *few, *many])
    assert (loaded.testset.name, loaded.testset.n, len(loaded.outputs)) == ("cs-en", 40, 3)
    assert "2 test sets are loaded; this is cs-en." in whats(loaded)
    other = assemble([*items[1:], *few, *many], testset="uk-en")
    assert (other.testset.name, other.testset.n, len(other.outputs)) == ("uk-en", 38, 2)


def test_of_several_measures_one_is_looked_at() -> None:
    """Scores of one measure are one test set; the first is taken unless another is chosen."""
    values = tuple(str(i) for i in range(40))
    items = [
        replace(scores(s, *v), measure=m) for m in ("COMET", "MQM") for s, v in (("A", values), ("B", values[::-1]))
    ]
    assert choices(items).measures == ("COMET", "MQM")
    assert len(assemble(items).outputs) == 2
    assert "The scores are of 2 measures; this is COMET." in whats(assemble(items))
    assert "this is MQM" in whats(assemble(items, measure="MQM"))[0]


EN = tuple(f"the {w} ferry leaves the harbour at {i} when it rains again" for i, w in enumerate(["old", "new"] * 20))
CS = tuple(f"loď {w} vyplouvá z přístavu v {i} hodin když zase prší" for i, w in enumerate(["stará", "nová"] * 20))


def test_another_language_is_told() -> None:
    """A system, or a reference, that shares few letter pairs with the others is told; a paraphrase is not."""
    good = tuple(segment.replace("leaves", "is leaving").replace("again", "once more") for segment in EN)
    ref = item("ref", EN, "reference")
    assert whats(assemble([ref, item("A", good), item("B", EN[::-1])])) == []
    told = whats(assemble([ref, item("A", good), item("B", CS)]), "warning")
    assert told == ["B looks as if it were in a different language from the references."]
    swapped = assemble([item("ref", CS, "reference"), item("A", good), item("B", EN[::-1])])
    assert whats(swapped, "warning") == [
        "The systems look as if they were in a different language from the references."
    ]


def test_measures_of_errors_are_told() -> None:
    """MetricX and the like count errors, which a note says; COMET needs no word, and of other names it is assumed."""
    values = tuple(str(i) for i in range(40))
    both = [scores("A", *values), scores("B", *values[::-1])]
    for measure, told in (
        ("MetricX-23", "note"),
        ("WER", "note"),
        ("COMET", ""),
        ("paper", "warning"),
        ("supper", "warning"),
    ):
        loaded = assemble([replace(i, measure=measure) for i in both])
        assert [finding.severity for finding in loaded.findings] == [told][: bool(told)], measure
        assert loaded.better == ("lower" if told == "note" else "higher")


def named(testset: str, file: str, segments: tuple[str, ...], role: str = "system") -> Item:
    return replace(item(file.partition(".")[0], segments, role), file=file, testset=testset)


def test_a_name_that_looks_like_a_language_pair_makes_no_test_set_by_itself() -> None:
    """my-no.txt and so-so.txt are systems on the one test set whose reference they fit, and it is told."""
    ref = item("ref", REFERENCE, "reference")
    files = [ref, named("my-no", "my-no.txt", ONE), named("so-so", "so-so.txt", TWO), item("base", ONE[::-1])]
    assert choices(files).testsets == ()
    loaded = assemble(files)
    assert [o.system for o in loaded.outputs] == ["my-no", "so-so", "base"]
    assert [what.partition(" in the name")[0] for what in whats(loaded, "note")] == ["my-no", "so-so"]


def test_a_language_pair_that_something_confirms_stays_a_test_set() -> None:
    """A reference of its own, a second output, a folder of a campaign, the file itself or another length confirm it."""
    ref, other = item("ref", REFERENCE, "reference"), named("cs-en", "cs-en.A.txt", ONE)
    assert choices([ref, other, named("cs-en", "cs-en.B.txt", TWO), named("so-so", "so-so.txt", TWO)]).testsets == (
        "cs-en",
    )
    own = named("de-en", "ref.de-en.txt", TWO, "reference")
    assert choices([ref, other, own, named("de-en", "A.de-en.txt", TWO)]).testsets == ("de-en",)
    campaign = named("uk-en", "system-outputs/uk-en/A.txt", TWO)
    assert choices([ref, campaign, named("de-en", "x.de-en.txt", ONE), named("de-en", "y.de-en.txt", ONE)]).testsets == ("de-en", "uk-en")  # fmt: skip
    inside = replace(named("de-en", "de-en.xml", ONE), reader="wmt_xml")
    assert choices([ref, inside, other]).testsets == ("de-en",)
    short = named("de-en", "de-en.A.txt", ONE[:30])
    assert choices([ref, other, short]).testsets == ("", "de-en")


def test_files_without_a_test_set_are_one_of_their_own_beside_others() -> None:
    """A reference and systems of another length than all named test sets are looked at by themselves."""
    own = [item("ref", REFERENCE, "reference"), item("A", ONE), item("B", TWO)]
    wmt = [
        replace(item(name, segments[:30], role), testset="wmt22 cs-en")
        for name, role, segments in (("r", "reference", REFERENCE), ("S", "system", ONE))
    ]
    both = choices([*own, *wmt])
    assert both.testsets == ("", "wmt22 cs-en")
    assert [o.system for o in assemble([*own, *wmt]).outputs] == ["A", "B"]
    named_one = assemble([*own, *wmt], testset="wmt22 cs-en")
    assert [o.system for o in named_one.outputs] == ["S"]
    assert not named_one.of("error")
    fitting = replace(own[1], segments=ONE[:30], name="mine")
    assert [o.system for o in assemble([*own, *wmt, fitting], testset="wmt22 cs-en").outputs] == ["S", "mine"]


def test_a_group_given_once_holds_for_every_measure() -> None:
    """The group of a system under one measure is its group under the others."""
    values = tuple(str(i) for i in range(40))
    items = [replace(scores(s, *values), measure=m, group=g) for m, s, g in (("X", "A", "big"), ("X", "B", ""), ("Y", "A", ""), ("Y", "B", ""))]  # fmt: skip
    assert [o.group for o in assemble(items, measure="Y").outputs] == ["big", ""]


def test_references_that_say_the_same_count_once() -> None:
    """A campaign keeps its references among the outputs too; two copies of one are no two references."""
    loaded = assemble(sound(item("ref (2)", REFERENCE, "reference")))
    assert len(loaded.testset.references) == 1
    assert whats(loaded) == ["ref (2) is identical to ref; it is used once."]


def test_what_is_ready_has_a_test_set_and_everything_that_was_loaded() -> None:
    """Ready is what was loaded, with a test set; without one there is nothing to compute with, and an error says why."""
    text = {"ref.en": b"a\nb\n", "x.en": b"a\nc\n"}
    collection = Collection()
    collection.add(text.items(), [("ref.en", "reference"), ("x.en", "system")])
    found, loaded = collection.sound(), collection.loaded()
    assert isinstance(found, Ready)
    assert all(getattr(found, one.name) is getattr(loaded, one.name) for one in fields(loaded))
    assert (found.testset.n, [one.system for one in found.outputs]) == (2, ["x"])
    nothing = Collection()
    assert nothing.loaded().ready is None
    with pytest.raises(SigError):
        nothing.sound()


def test_a_reader_for_every_file_is_not_one_for_the_surest_reader() -> None:
    """`every` with a reader reads all files with it; without one, each file has its own reader, and the options."""
    files = [("a.tsv", b"1\t2\n3\t4\n"), ("b.txt", b"one\ntwo\n")]
    plain = readers.read(files, every=Choice("plain"))
    assert [one.reader for one in plain.detected] == ["plain", "plain"]
    both = readers.read(files, chosen={"a.tsv": Choice("plain")}, every=Choice())
    assert [one.reader for one in both.detected] == ["plain", readers.read(files[1:]).detected[0].reader]
    unused = readers.read(files[1:], every=Choice(options={"id_field": "x"}))
    assert "does not apply to any: id_field" in str(unused.problems[0])


def test_where_one_has_lost_a_line_the_longer_length_is_taken() -> None:
    """Without a reference two files of different lengths tie: a truncated file is more likely than one with added lines."""
    values = tuple(str(i) for i in range(40))
    loaded = assemble([scores("Short", *values[:39]), scores("Long", *values[::-1])])
    assert [(o.system, o.n) for o in loaded.outputs] == [("Long", 40)]


def test_a_single_segment_is_kept_although_it_is_empty() -> None:
    """A file of one blank line has a segment, without a score; it is not a file of nothing."""
    loaded = assemble([scores("A", ""), scores("B", "1")])
    assert "A has no score for 1 of 1 segment" in whats(loaded, "error")[0]


def test_segments_without_a_score_of_any_system_are_left_out() -> None:
    """Two systems with gaps in different places lose both, whichever is read last."""
    values = tuple(str(i) for i in range(40))
    first, last = (*values[:3], "", *values[4:]), (*values[:30], "nan", *values[31:])
    loaded = assemble([scores("A", *first), scores("B", *last)], missing="drop")
    left = (*values[:3], *values[4:30], *values[31:])
    assert [o.segments for o in loaded.outputs] == [left, left]


def test_a_system_with_few_scores_can_be_left_out() -> None:
    """Dropping its segments would leave nothing to compare the others by, so the error names the way without it."""
    values = tuple(str(i) for i in range(40))
    few, holed = (*values[:1], *("",) * 39), ("", *values[1:])
    fixes = [
        next(one.fix for one in assemble([scores(name, *cells) for name, cells in items.items()]).of("error"))
        for items in (
            {"A": values, "B": values, "C c": few},
            {"A": values, "B": holed, "C": few},
            {"A": values, "B": holed},
            {"A": values, "C": few},
        )
    ]
    assert "C c has few: without it, --leave-out 'C c', or set the role to ignored" in fixes[0]
    assert "--leave-out C --missing drop, or" in fixes[1]
    assert all("--leave-out" not in fix for fix in fixes[2:])  # nothing would be left to compare


@pytest.mark.parametrize(
    ("gaps", "said"),
    [
        ({"A": (), "B": (3, 5), "C": (5, 9, 11)}, "(--missing drop keeps 36 of 40)"),
        ({"A": (), "B": range(0, 20, 2), "C": range(20, 40, 2)}, "(--missing drop keeps 20 of 40)"),
        ({"A": (), "B": (3,), "C": range(40)}, "(--missing drop keeps 39 of 40)"),  # C goes anyway
        (
            {"A": range(19), "B": range(13, 32), "C": range(30, 40)},
            "a system with few (--leave-out NAME: A has 21, B has 21, C has 30)",
        ),
        ({"A": (), "B": (), "C": range(40)}, "or use the page Documents. C has few: without it, --leave-out C, or"),
    ],
)
def test_the_error_about_gaps_says_how_many_segments_are_kept(gaps: dict[str, Sequence[int]], said: str) -> None:
    """As many as are then tested: --missing drop is no advice where no segment is left."""
    items = [scores(name, *("" if i in own else str(i) for i in range(40))) for name, own in gaps.items()]
    (fix,) = (one.fix for one in assemble(items).of("error"))
    assert said in fix
    kept = {output.n for output in assemble(items, missing="drop").outputs}
    assert kept == ({int(said.split()[-3])} if "keeps" in said else {40} if "without it" in said else set())
