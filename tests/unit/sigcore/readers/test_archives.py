"""Archives: what is opened, what is refused, and that the bounds hold whatever the headers say."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from sigcore.readers import Intake, Limits, archives, packed, read
from sigcore.readers.contract import PARTS
from sigcore.readers.tables import cells


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def problem(intake: Intake) -> str:
    (only,) = intake.problems
    return str(only)


def test_gz_of_one_file_is_read_under_its_own_name() -> None:
    """A .gz gives the segments of the file in it, also when it holds two streams one after the other."""
    intake = read([("sys.en.gz", gzip.compress(b"a\n") + gzip.compress(b"b\n"))])
    assert [(i.name, i.segments, i.file) for i in intake.items] == [("sys", ("a", "b"), "sys.en.gz")]


def test_a_gz_that_is_not_compressed_is_read_with_a_notice() -> None:
    """Some programs unpack on the way and keep the name: the bytes decide."""
    intake = read([("sys.en.gz", b"a\n")])
    assert intake.items[0].segments == ("a",)
    assert "not compressed" in intake.notices[0].message


@pytest.mark.parametrize("data", [gzip.compress(b"hello\n" * 99, mtime=0)[:-9], b"\x1f\x8bnonsense", b"\x1f\x8b"])
def test_a_damaged_gz_is_a_problem(data: bytes) -> None:
    """A cut-off or senseless .gz is reported, not half read."""
    intake = read([("sys.en.gz", data)])
    assert not intake.items
    assert "damaged" in problem(intake)


def test_zip_members_keep_their_folders_in_file_and_lose_them_in_name() -> None:
    """Nested folders are read; `file` says where in the archive, `name` is the system's."""
    data = zipped({"wmt/": b"", "wmt/systems/A.en": b"x\n", "wmt/ref.en.gz": gzip.compress(b"y\n")})
    intake = read([("outs.zip", data)])
    found = [(i.name, i.role, i.file) for i in intake.items]
    assert found == [("A", "system", "outs.zip/wmt/systems/A.en"), ("ref", "reference", "outs.zip/wmt/ref.en.gz")]
    assert not intake.problems


def test_files_of_the_operating_system_are_ignored_with_a_notice() -> None:
    """macOS and Windows leavings never become systems, and are not passed over in silence."""
    data = zipped({"A.en": b"x\n", "__MACOSX/._A.en": b"\0\5", ".DS_Store": b"\0", "d/Thumbs.db": b"\0"})
    intake = read([("outs.zip", data), (".DS_Store", b"\0\1")])
    assert [i.name for i in intake.items] == ["A"]
    assert len(intake.notices) == 4
    assert not intake.problems


def test_one_damaged_member_does_not_keep_the_others() -> None:
    """A member whose checksum fails is a problem; its neighbour is read."""
    data = bytearray(zipped({"A.en": b"first system\n", "B.en": b"second\n"}, zipfile.ZIP_STORED))
    at = data.index(b"first")
    data[at] ^= 1
    intake = read([("outs.zip", bytes(data))])
    assert [i.name for i in intake.items] == ["B"]
    assert "A.en is damaged in the archive" in problem(intake)


def test_an_encrypted_member_is_a_clear_problem() -> None:
    """The flag for encryption is answered with a fix, not with a traceback."""
    data = bytearray(zipped({"A.en": b"x\n"}))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(magic) + offset
        data[at : at + 2] = struct.pack("<H", 1)
    assert "A.en is encrypted." in problem(read([("outs.zip", bytes(data))]))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_compression_is_refused(method: int) -> None:
    """Methods that cannot be bounded while they unpack are refused with a fix."""
    assert "usual compression" in problem(read([("outs.zip", zipped({"A.en": b"x\n"}, method))]))


def test_a_damaged_zip_and_a_false_zip_are_problems() -> None:
    """A cut-off zip, and text named .zip, are told apart from text."""
    assert "damaged zip" in problem(read([("outs.zip", zipped({"A.en": b"x\n"})[:-5])]))
    assert "not a zip archive" in problem(read([("outs.zip", b"plain text\n")]))
    assert "no files to read" in problem(read([("outs.zip", zipped({"d/": b""}))]))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped({"in.zip": zipped({"A.en": b"x\n"})}), "archive inside an archive"),
        (gzip.compress(gzip.compress(b"x\n", mtime=0), mtime=0), "archive inside an archive"),
        (zipped({"[Content_Types].xml": b"<x/>", "word/document.xml": b"<x/>"}), "Office"),
        (gzip.compress(b"\0" * 257 + b"ustar" + b"\0" * 250, mtime=0), "damaged tar archive"),
        (bz2.compress(b"x\n")[:-4], "damaged packed file"),
        (lzma.compress(b"x\n")[:-4], "damaged packed file"),
        (b"7z\xbc\xaf\x27\x1c....", "7z"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG....", "picture"),
    ],
)
def test_foreign_formats_are_named(data: bytes, words: str) -> None:
    """What is known by its first bytes is called by its name, not 'not UTF-8'."""
    assert words in problem(read([("x", data)]))


def tarred(members: dict[str, bytes], how: str = "w:gz") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=how) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("link.en")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return made.getvalue()


@pytest.mark.parametrize("how", ["w:", "w:gz", "w:bz2", "w:xz"])
def test_tar_archives_are_unpacked_whatever_packs_them(how: str) -> None:
    """Members are files of the archive, as in a zip; links are left out; names cannot leave the archive."""
    intake = read([("outs.tar.x", tarred({"systems/A.en": b"a\n", "../../B.en": b"b\n", "refs/ref.en": b"r\n"}, how))])
    assert [(item.name, item.role, item.file) for item in intake.items] == [
        ("A", "system", "outs.tar.x/systems/A.en"),
        ("B", "system", "outs.tar.x/B.en"),
        ("ref", "reference", "outs.tar.x/refs/ref.en"),
    ]
    assert any("link" in notice.message for notice in intake.notices)


def test_files_packed_by_other_programs_are_read() -> None:
    """bzip2, xz and zstd, without the end of their name."""
    packers = {"bz2": bz2.compress, "xz": lzma.compress}
    with contextlib.suppress(ImportError):
        import pyarrow

        packers["zst"] = lambda data: pyarrow.compress(data, codec="zstd", asbytes=True)
    for end, pack in packers.items():
        (item,) = read([(f"One.txt.{end}", pack(b"a b\nc\n"))]).items
        assert (item.name, item.segments) == ("One", ("a b", "c"))


def test_bombs_of_all_kinds_stop_at_the_bound() -> None:
    """What comes out is counted in parts, also of a tar with many members."""
    large = b"a\n" * 400_000
    files = [("a.xz", lzma.compress(large)), ("a.bz2", bz2.compress(large)), ("a.tgz", tarred({"a.en": large}))]
    intake = read(files, limits=Limits(total_bytes=1000))
    assert [("too much" in str(p)) for p in intake.problems] == [True] * 3
    many = tarred({f"{k}.en": b"x\n" for k in range(50)}, "w:")
    assert "the limit is 10" in problem(read([("many.tar", many)], limits=Limits(members=10)))


def test_too_many_bytes_stop_the_reading_and_keep_nothing_of_that_archive() -> None:
    """The bound counts bytes that come out, for zip and gz; the other files are read."""
    bomb = zipped({"A.en": b"a\n", "B.en": b"b\n" * 50_000})
    files = [("outs.zip", bomb), ("c.en.gz", gzip.compress(b"c\n" * 50_000)), ("d.en.gz", gzip.compress(b"d\n"))]
    intake = read(files, limits=Limits(total_bytes=1000))
    assert [i.name for i in intake.items] == ["d"]
    assert [("too much" in str(p)) for p in intake.problems] == [True, True]


def test_a_header_that_lies_about_the_size_is_not_believed() -> None:
    """A member that declares 2 bytes and holds many is a problem, within the bound."""
    data = bytearray(zipped({"B.en": b"b\n" * 50_000}))
    for magic, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.index(magic) + offset
        data[at : at + 4] = struct.pack("<I", 2)
    intake = read([("outs.zip", bytes(data))])
    assert not intake.items
    assert "damaged" in problem(intake)


def test_too_many_members_are_refused() -> None:
    """The number of files in archives is bounded over the whole reading."""
    intake = read([("o.zip", zipped({f"{i}.en": b"x\n" for i in range(11)}))], limits=Limits(members=10))
    assert "contains 11 files: the limit is 10" in problem(intake)


def test_a_real_bomb_is_left_at_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of gigabytes packed into megabytes no more is unpacked than the bound and one piece."""
    unpacked: list[int] = []

    class Counted(gzip.GzipFile):
        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            unpacked.append(len(data))
            return data

    bomb = gzip.compress((b"\0" * 1023 + b"\n") * (64 << 10))
    monkeypatch.setattr(packed.gzip, "GzipFile", Counted)
    intake = read([("bomb.gz", bomb)], limits=Limits(total_bytes=16 << 20))
    assert "too much" in problem(intake)
    assert 16 << 20 < sum(unpacked) <= (16 << 20) + archives.CHUNK


def test_many_entries_are_refused_before_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The central directory is counted, not parsed: with a comment, with a false number of entries, as zip64 too."""
    plain = zipped({f"{i}/": b"" for i in range(41)})
    with_comment = plain[:-2] + struct.pack("<H", 7) + b"PK\5 hey"
    assert [archives.entries(data) for data in (plain, with_comment, plain[:40])] == [41, 41, 0]
    at = plain.rindex(b"PK\x05\x06")
    few = plain[: at + 8] + struct.pack("<HH", 1, 1) + plain[at + 12 :]
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 3)
    as_zip64 = zipped({f"{i}/": b"" for i in range(41)})
    monkeypatch.setattr(archives.zipfile, "ZipFile", None)
    assert b"PK\x06\x06" in as_zip64
    for data in (plain, with_comment, few, as_zip64):
        assert "contains 41 files: the limit is 10" in problem(read([("o.zip", data)], limits=Limits(members=10)))


def test_short_lines_are_counted_over_all_files() -> None:
    """Lines are bounded in plain files and in archives, all together; nothing of the archive over the bound is read."""
    files = [("a.en", b"a\n" * 60), ("o.zip", zipped({"b.en": b"b\n", "c.en": b"c\n" * 60})), ("d.en", b"d\n" * 40)]
    intake = read(files, limits=Limits(lines=100))
    assert [item.name for item in intake.items] == ["a", "d"]
    assert "o.zip/c.en has 60 lines: the limit is 100 in total" in problem(intake)
    assert not read([("a.en", b"a\n" * 100)], limits=Limits(lines=100)).problems
    assert "has 101 lines" in problem(read([("a.en", b"a\n" * 101)], limits=Limits(lines=100)))


@pytest.mark.parametrize(
    ("name", "data"), [("a.json", b"[" + b"[]," * 99 + b"[]]"), ("a.csv", b"," * 199), ("a.xml", b"<a/>" * 200)]
)
def test_small_parts_are_counted(name: str, data: bytes) -> None:
    """Cells, values and tags, which take more memory than bytes, are bounded without any line end."""
    assert "too many small parts: the limit is 198" in problem(read([(name, data)], limits=Limits(parts=198)))
    assert "too many small parts" not in "".join(map(str, read([(name, data)], limits=Limits(parts=201)).problems))


def test_the_documented_limits_are_those_of_the_code() -> None:
    """What docs/formats.md says about limits is what is enforced."""
    limits = Limits()
    text = (Path(__file__).resolve().parents[4] / "docs" / "loading.md").read_text(encoding="utf-8")
    said = " ".join(text[text.index("**Limits**") :].split())
    assert said.startswith(
        f"**Limits** on what is read together: {limits.total_bytes >> 20} MB, {limits.members:,} files and "
        f"{limits.line // 10**6} MB in one line from archives, "
        f"{limits.lines:,} lines, and {limits.parts:,} separators (line ends, TABs, `, ; : [ ( <`; a `{{` counts as "
        f"{PARTS[b'{']})."
    )
    assert set(PARTS) == {bytes([byte]) for byte in b"\n\t,;:[(<{"}
    assert f"A table may have {cells.MOST_COLUMNS:,} columns." in said


def test_records_that_each_have_other_names_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 rows under 20 headings are 400 cells, although the file holds 20."""
    data = "".join(f'{{"w{k}": {k}}}\n' for k in range(20)).encode()
    monkeypatch.setattr(cells, "MOST_CELLS", 399)
    assert "20 rows and 20 different columns, together 400 cells" in problem(read([("a.jsonl", data)]))


def test_hostile_member_names_are_harmless() -> None:
    """Paths upward lose their steps and control characters, and never become part of a name."""
    intake = read([("o.zip", zipped({"../../etc/cron.d/x\u202e.en": b"x\n"}))])
    assert [(i.name, i.file) for i in intake.items] == [("x", "o.zip/etc/cron.d/x.en")]


def test_utf8_member_names_without_their_flag_are_understood() -> None:
    """Names as macOS writes them (UTF-8, not marked as such) come out right."""
    name = "systém.en"
    data = zipped({name: b"x\n"}).replace(struct.pack("<H", 0x800), struct.pack("<H", 0))
    assert read([("o.zip", data)]).items[0].name == "systém"


def test_a_member_without_a_name_is_read_as_unnamed() -> None:
    """A name that is cut to nothing (it begins with NUL) does not stop the reading."""
    data = zipped({"A.en": b"x\n"}).replace(b"A.en", b"\0.en")
    assert [(i.name, i.file) for i in read([("o.zip", data)]).items] == [("unnamed", "o.zip/unnamed")]


def bomb(start: bytes = b"", size: int = 200_000_000, end: bytes = b"") -> bytes:
    """A .gz of one line of that size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(start), *(packer.compress(b"a" * 10**6) for _ in range(size // 10**6))]
    return b"".join([*parts, packer.compress(end), packer.flush()])


@pytest.mark.parametrize("start", [b"", b'["', b"one line\r\n"])
def test_a_line_of_200_mb_is_refused_while_it_is_unpacked(start: bytes) -> None:
    """It takes 200 kB in an archive: no more than 30 MB of it are unpacked, and nothing is read."""
    data = bomb(start)
    assert len(data) < 250_000
    tracemalloc.start()
    intake = read([("A.txt.gz", data)])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "A.txt.gz has a line of more than 10,000,000 bytes" in problem(intake)
    assert not intake.items
    assert most < 30_000_000


def test_a_long_line_in_a_zip_is_refused() -> None:
    """The bound holds for each member, however it is packed."""
    assert "outs.zip/A.en has a line of more than" in problem(read([("outs.zip", zipped({"A.en": b"ab" * 6_000_000}))]))


def test_records_and_arrays_may_be_one_long_line() -> None:
    """JSON that says something on each byte, and an array of equal numbers, have no line ends to lose."""
    random = Random(1)
    cells = [{"system": "A", "id": str(k), "score": random.random()} for k in range(3_000)]
    text, limits = json.dumps(cells).encode(), Limits(line=100_000)
    assert len(text) > 150_000
    assert [item.name for item in read([("s.json.gz", gzip.compress(text, 1))], limits=limits).items] == ["A"]
    buffer = io.BytesIO()
    np.save(buffer, np.ones(15_000))
    data = gzip.compress(buffer.getvalue())
    assert len(read([("A.npy.gz", data)], limits=limits).items[0].segments) == 15_000


def test_lines_up_to_the_bound_are_read() -> None:
    """The bound is on one line, and each line end begins a new one, wherever a chunk ends."""
    limits = Limits(line=3_000_000)
    lines = b"\n".join([b"a" * 2_900_000] * 4)
    assert len(read([("A.txt.gz", gzip.compress(lines))], limits=limits).items[0].segments) == 4
    over = b"\n".join([b"a" * 2_900_000, b"b" * 3_100_000, b"c"])
    assert "has a line of more than 3,000,000 bytes" in problem(
        read([("A.txt.gz", gzip.compress(over))], limits=limits)
    )


@pytest.mark.parametrize(
    ("name", "junk"),
    [
        ("d/._A.en", True), ("._x", True), ("d/.DS_Store", True), ("Thumbs.db", True), ("a/Desktop.ini", True),
        ("__MACOSX/A.en", True), ("d/.A.en", False), ("d/_A.en", False), ("A._en", False), ("._d/A.en", False),
    ],
)  # fmt: skip
def test_what_systems_leave_behind_is_known_by_its_name(name: str, junk: bool) -> None:
    """Also outside of __MACOSX: macOS leaves ._A.en on disks of other systems."""
    assert archives.is_junk(name) is junk
