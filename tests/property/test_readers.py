"""What must hold for any bytes: an intake comes back, and good text comes back as it was."""

import gzip
import io
import zipfile

from hypothesis import assume, given
from hypothesis import strategies as st

from sigcore.data.assembly import Loaded, assemble
from sigcore.errors import SigError
from sigcore.readers import Intake, Item, Limits, read
from sigcore.readers.names import display_name

SMALL = Limits(total_bytes=1 << 20, members=50)
TEXT = st.text(st.characters(exclude_characters="\0\n", exclude_categories=["Cs"]), max_size=30)
LINES = st.lists(TEXT, min_size=1, max_size=20)
NAMES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["a.en", "ref.en", "x.tsv", "x.gz", "x.zip", "groups.tsv", "documents.tsv", "a.scores", "../.."]),
)
HEADINGS = b"segment\tref\tA\n1\tx\ty\n2\tz\tw\n"
SEEDS = st.sampled_from([HEADINGS, b"system\tgroup\nA\tb\n", b"0.5\n0.25\n", b"a\tb\nc\td\n", "\ufeffž\r\n".encode()])


def check(intake: Intake) -> None:
    """An intake is well formed: named items, problems that explain themselves."""
    assert isinstance(intake, Intake)
    assert all(item.name and item.segments for item in intake.items)
    assert all(isinstance(problem, SigError) and problem.what for problem in intake.problems)


def zipped(members: list[tuple[str, bytes]], method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for k, (name, data) in enumerate(members):
            archive.writestr(f"{k}/{name.replace(chr(0), '')}".encode("utf-8", "replace").decode(), data)
    return buffer.getvalue()


@given(st.lists(st.tuples(NAMES, st.one_of(st.binary(max_size=200), SEEDS)), max_size=6))
def test_any_bytes_under_any_name_give_an_intake(files: list[tuple[str, bytes]]) -> None:
    """Random bytes never raise, and each file is accounted for by an item, a notice or a problem."""
    intake = read(files, limits=SMALL)
    check(intake)
    assert len(intake.items) + len(intake.problems) + len(intake.notices) >= len(files)


@given(
    st.lists(st.tuples(NAMES, st.one_of(st.binary(max_size=80), SEEDS)), max_size=4),
    st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 10_000),
)
def test_any_damage_to_a_zip_gives_an_intake(
    members: list[tuple[str, bytes]], method: int, changes: list[tuple[int, int]], cut: int
) -> None:
    """Bytes changed or cut off anywhere in a zip never raise."""
    data = bytearray(zipped(members, method))
    for at, value in changes:
        data[at % len(data)] = value
    check(read([("o.zip", bytes(data))], limits=SMALL))
    check(read([("o.zip", bytes(data[: cut % len(data)]))], limits=SMALL))


@given(SEEDS, st.lists(st.tuples(st.integers(0, 500), st.integers(0, 255)), max_size=4), st.integers(0, 500))
def test_any_damage_to_text_or_gz_gives_an_intake(seed: bytes, changes: list[tuple[int, int]], cut: int) -> None:
    """Mutations and truncations of valid files never raise, packed or not."""
    for name, valid in (("a.tsv", seed), ("a.en.gz", gzip.compress(seed, mtime=0))):
        data = bytearray(valid)
        for at, value in changes:
            data[at % len(data)] = value
        check(read([(name, bytes(data))], limits=SMALL))
        check(read([(name, bytes(data[: cut % len(data)]))], limits=SMALL))


@given(
    LINES, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]), st.sampled_from(["\n", "\r\n"]), st.booleans()
)
def test_text_comes_back_as_it_was(lines: list[str], codec: str, end: str, final: bool) -> None:
    """encode(lines) -> read gives the same segments, for every encoding and line end.

    Apart from the rules on marks (a first U+FEFF in UTF-8 goes) and on CR before LF (it is the line end's).
    """
    assume(not any(line.endswith("\r") for line in lines))
    assume(not lines[0].startswith("\ufeff"))
    final = final or not lines[-1]  # an empty last segment needs its line end
    data = (end.join(lines) + (end if final else "")).encode(codec)
    intake = read([("README", data)])  # the role "ignored": no table, no scores, only text
    assert [item.segments for item in intake.items] == [tuple(lines)]
    assert not intake.problems


@given(st.lists(LINES, min_size=1, max_size=4))
def test_streams_of_text_without_tabs_are_never_taken_for_tables(streams: list[list[str]]) -> None:
    """Every file of words without TABs gives exactly one item with its lines."""
    clean = [[line.replace("\t", " ").replace("\r", " ").lstrip("\ufeff") + "x" for line in lines] for lines in streams]
    intake = read([(f"s{k}.en", "\n".join(lines).encode()) for k, lines in enumerate(clean)])
    assert [item.segments for item in intake.items] == [tuple(lines) for lines in clean]


@given(st.text(st.characters(), max_size=40))
def test_a_display_name_is_never_empty_and_holds_no_path(file: str) -> None:
    """Whatever the file is called, its name can be shown."""
    name = display_name(file)
    assert name.strip()
    assert "/" not in name
    assert "\\" not in name
    assert not any(ord(c) < 32 for c in name)


ITEMS = st.builds(
    Item,
    name=st.sampled_from(["A", "B", "", "C"]),
    role=st.sampled_from(["reference", "source", "system", "system", "documents", "domains", "ignored"]),
    kind=st.sampled_from(["text", "scores"]),
    segments=st.lists(st.sampled_from(["", "a .", "0.5", "nan", "x\u2028y"]), min_size=1, max_size=4).map(tuple),
    file=st.just("f"),
    note=st.just(""),
    group=st.just(""),
)


@given(st.lists(ITEMS, max_size=8), st.sampled_from(["", "text", "scores"]))
def test_any_items_can_be_assembled_and_every_system_is_accounted_for(items: list[Item], kind: str) -> None:
    """The data checks never raises; what it lets through agrees in length, and what it leaves out is an error."""
    loaded = assemble(items, kind=kind)
    assert isinstance(loaded, Loaded)
    if loaded.testset is not None:
        assert all(outputs.n == loaded.testset.n for outputs in loaded.outputs)
    taken = kind or (loaded.testset.kind if loaded.testset else "")
    systems = [item for item in items if item.role == "system" and item.kind == taken]
    if taken and loaded.outputs:
        assert len(systems) - len(loaded.outputs) <= len(loaded.of("error"))
