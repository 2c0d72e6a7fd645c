"""Transcripts with ids: matched by the ids in any order; an id is not a word."""

import json

import pytest

from sigcore.data.assembly import assemble
from sigcore.readers import Intake, read

WORDS = {f"spk{k}-{k:04d}": f"the ferry number {k} leaves at nine" for k in range(40)}


def kaldi(words: dict[str, str]) -> str:
    return "".join(f"{name} {text}\n" for name, text in words.items())


def sclite(words: dict[str, str]) -> str:
    return "".join(f"{text} ({name})\n" for name, text in words.items())


def nemo(words: dict[str, str]) -> str:
    rows = ({"audio_filepath": f"{k}.wav", "duration": 1.5, "text": WORDS[k], "pred_text": v} for k, v in words.items())
    return "".join(json.dumps(row) + "\n" for row in rows)


def backwards(words: dict[str, str]) -> dict[str, str]:
    return dict(reversed(words.items()))


def intake(**files: str) -> Intake:
    return read([(f"{name}.txt", text.encode()) for name, text in files.items()])


@pytest.mark.parametrize("write", [kaldi, sclite])
def test_transcripts_are_matched_by_their_ids(write) -> None:  # type: ignore[no-untyped-def]
    """A file in another order has the same segments."""
    loaded = assemble(intake(ref=write(WORDS), One=write(WORDS), Two=write(backwards(WORDS))).items)
    assert loaded.testset is not None
    assert loaded.testset.references == (tuple(WORDS.values()),)
    assert [outputs.segments for outputs in loaded.outputs] == [tuple(WORDS.values())] * 2


def test_both_layouts_fit_together() -> None:
    """The reference of one program and the output of another have the same ids."""
    loaded = assemble(intake(ref=sclite(WORDS), One=kaldi(backwards(WORDS))).items)
    assert loaded.outputs[0].segments == tuple(WORDS.values())


def test_an_empty_transcript_has_only_its_id() -> None:
    """A line with nothing but the id is an empty segment."""
    (item,) = intake(One=kaldi(WORDS) + "spk9-0100\n").items
    assert item.segments[-1] == ""
    assert item.keys[-1] == "spk9-0100"


def test_missing_utterances_are_counted_and_left_out_if_the_user_says_so() -> None:
    """A file that lacks segments is an error; with missing = drop the others are compared."""
    some = {name: text for k, (name, text) in enumerate(WORDS.items()) if k % 4}
    gold = {name: f"{text} sharp" for name, text in WORDS.items()}
    files = intake(ref=kaldi(gold), One=kaldi(WORDS), Two=kaldi(backwards(some)))
    assert any("Two lacks 10 of 40 segments" in finding.what for finding in assemble(files.items).of("error"))
    loaded = assemble(files.items, missing="drop")
    assert not loaded.of("error")
    assert loaded.testset is not None
    assert loaded.testset.n == 30
    assert [outputs.segments for outputs in loaded.outputs] == [tuple(some.values())] * 2
    assert any("10 segments of 40" in finding.what for finding in loaded.of("note"))


def test_scores_of_utterances_are_matched_by_id() -> None:
    """An id with a number and separators in many lines is a score of the utterance, in any order."""
    values = {name: str(k / 40) for k, name in enumerate(WORDS)}
    found = read([("One.wer", kaldi(values).encode()), ("Two.wer", kaldi(backwards(values)).encode())])
    loaded = assemble(found.items)
    assert [(o.system, o.segments) for o in loaded.outputs] == [(s, tuple(values.values())) for s in ("One", "Two")]
    assert (loaded.measure, loaded.better) == ("wer", "lower")


def test_a_manifest_has_the_reference_and_the_output() -> None:
    """NeMo: text is the transcript, pred_text the output, the audio file the id."""
    one, two = nemo(WORDS), nemo(backwards(WORDS))
    loaded = assemble(read([("One.json", one.encode()), ("Two.json", two.encode())]).items)
    assert loaded.testset is not None
    assert len(loaded.testset.references) == 1
    assert [(outputs.system, outputs.segments) for outputs in loaded.outputs] == [
        ("One", tuple(WORDS.values())),
        ("Two", tuple(WORDS.values())),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "It rains (today).\nIt snows.\n",
        "0-0 1-1\n0-1 1-0\n",
        "sys1 0.5\nsys2 0.6\n",
        "Hello world\nThe end\n",
        "A1 x y\nA1 z w\n",
        "Chapter1 begins\nThen it rains\n",
        "Room1 is open\nRoom2 is closed\n",
    ],
)
def test_other_text_is_not_a_transcript_with_ids(text: str) -> None:
    """Words in parentheses, word links, scores of systems and repeated first words are what they were."""
    assert [one.reader for one in intake(One=text).detected] != ["utterances"]
