"""Bytes to segments: encodings, line ends, and characters that only look like line ends."""

import pytest

from sigcore.errors import ReadError
from sigcore.readers import lines
from tests.effort import at_most


def segments(data: bytes, keep_bom: bool = False) -> tuple[tuple[str, ...], list[lines.Notice]]:
    text, notices = lines.decode("a.en", data, keep_bom)
    cut, more = lines.split("a.en", text)
    return cut, notices + more


def test_plain_utf8_gives_its_lines_and_no_notice() -> None:
    """One final line end ends the last segment; nothing is said about a sound file."""
    assert segments("a b\nž\n".encode()) == (("a b", "ž"), [])
    assert segments("a b\nž".encode()) == (("a b", "ž"), [])


def test_blank_lines_are_segments() -> None:
    """Blank lines count, also the last one when a second line end follows."""
    assert segments(b"a\n\nb\n\n")[0] == ("a", "", "b", "")
    assert segments(b"\n")[0] == ("",)


@pytest.mark.parametrize(
    ("codec", "mark", "name"),
    [
        ("utf-16-le", b"\xff\xfe", "UTF-16"),
        ("utf-16-be", b"\xfe\xff", "UTF-16"),
        ("utf-32-le", b"\xff\xfe\0\0", "UTF-32"),
        ("utf-32-be", b"\0\0\xfe\xff", "UTF-32"),
    ],
)
def test_wide_encodings_with_their_mark_are_read_and_noted(codec: str, mark: bytes, name: str) -> None:
    """UTF-16 and UTF-32 with a mark give the same segments as UTF-8, and a notice names them."""
    cut, notices = segments(mark + "čau\n你好 U\n".encode(codec))
    assert cut == ("čau", "你好 U")
    assert [n.message for n in notices] == [f"It is {name}; read as such."]


def test_utf8_mark_is_removed_and_said_to_matter() -> None:
    """A BOM at the start goes, and the notice says that other tools' scores can differ."""
    cut, notices = segments("\ufeffHello\n\ufeffyou\n".encode())
    assert cut == ("Hello", "\ufeffyou")
    assert [notice.line for notice in notices] == [1, 2]
    assert notices[0].line == 1
    assert "removed" in notices[0].message
    assert "score can differ" in notices[0].message


def test_keep_bom_keeps_it_and_says_so() -> None:
    """With keep_bom the first segment begins with U+FEFF, as for tools that do not know it."""
    cut, notices = segments("\ufeffHello\n".encode(), keep_bom=True)
    assert cut == ("\ufeffHello",)
    assert "kept" in notices[0].message


def test_crlf_becomes_lf_with_a_notice() -> None:
    """CRLF files give clean segments; a mixture is told as a mixture."""
    cut, notices = segments(b"a\r\nb\r\n")
    assert cut == ("a", "b")
    assert notices[0].message == "Its line ends are CRLF; read as LF."
    assert segments(b"a\r\nb\n")[1][0].message == "1 of its 2 line ends are CRLF; read as LF."


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\r", "\x1c"])
def test_characters_like_line_breaks_stay_inside_their_segment(char: str) -> None:
    """Only LF cuts; the others are kept, counted, and the first line is named."""
    cut, notices = segments(f"a\nb{char}c\nd{char}e\n".encode())
    assert cut == ("a", f"b{char}c", f"d{char}e")
    assert len(notices) == 1
    assert notices[0].line == 2
    assert notices[0].message.startswith("2 lines contain ")
    assert notices[0].message.endswith("kept, not treated as line breaks.")


def test_several_kinds_of_breaks_give_one_notice() -> None:
    """However many kinds there are, a file gets one notice that names them all."""
    notices = segments("a\u2028b\nc\x0cd\n".encode())[1]
    assert [n.message for n in notices] == ["2 lines contain U+000C, U+2028; kept, not treated as line breaks."]


def test_a_file_with_old_mac_line_ends_is_told_to_be_one_line() -> None:
    """Lone CRs never cut, but where the whole file is one line the notice says how to fix it."""
    cut, notices = segments(b"a\rb\rc\r")
    assert cut == ("a\rb\rc\r",)
    assert "save it with LF" in notices[0].message


def test_a_bad_byte_is_named_with_line_byte_and_guess() -> None:
    """The message gives the line, the byte in it, its hex value and what it was in Latin-1."""
    with pytest.raises(ReadError) as caught:
        lines.decode("a.en", b"good\ncaf\xe9 au lait\n")
    assert caught.value.what == "line 2, byte 4: 0xE9 is not UTF-8 (Latin-1 'é'?)."
    assert caught.value.line == 2
    assert caught.value.file == "a.en"


def test_the_byte_is_counted_from_the_start_of_the_file_where_a_bom_is() -> None:
    """In the first line of a file with a BOM the three bytes of the BOM count; no guess for an unprintable byte."""
    with pytest.raises(ReadError, match=r"line 1, byte 5: 0x81 is not UTF-8\."):
        lines.decode("a.en", b"\xef\xbb\xbfa\x81\n")


def test_a_byte_of_windows_is_guessed_as_such() -> None:
    """What a word processor writes for an apostrophe is recognised, and the way to UTF-8 is told."""
    with pytest.raises(ReadError, match=r"0x92 is not UTF-8 \(Windows-1252 '’'\?\)") as caught:
        lines.decode("a.en", b"it\x92s\n")
    assert "iconv -f WINDOWS-1250 -t UTF-8" in caught.value.fix


@pytest.mark.parametrize(
    ("text", "codec", "script"),
    [
        ("システム,明瞭度\n提案法,とてもよい\n従来法,まあまあです\n", "cp932", "Japanese"),
        ("システム,明瞭度\n提案法,とてもよい\n従来法,まあまあです\n", "euc_jp", "Japanese"),
        ("시스템,평가\n제안,아주 좋습니다\n기존,괜찮습니다\n", "cp949", "Korean"),
        ("系统,评价\n本文方法,非常好的翻译\n基线,一般的翻译\n", "gb2312", "Chinese"),
        ("系統,評價\n本文方法,非常好的翻譯\n基線,一般的翻譯\n", "big5", "Chinese"),
    ],
)
def test_other_scripts_are_named_with_their_encoding(text: str, codec: str, script: str) -> None:
    with pytest.raises(ReadError) as caught:
        lines.decode("a.csv", text.encode(codec))
    name = caught.value.fix.partition("Read in ")[2].partition(",")[0]
    assert f"it is {script}" in caught.value.fix
    assert text.encode(codec).decode(name) == text
    assert "Windows-1252" not in caught.value.what


def test_accents_are_no_other_script() -> None:
    text = "Qualité élevée, déjà vu à l'été où l'élève naïf a dîné\n" * 5
    with pytest.raises(ReadError, match="WINDOWS-1250"):
        lines.decode("a.csv", text.encode("latin-1"))


@pytest.mark.parametrize("text", ["hello there\nyou\n", "你好\n世界\n再见 1\n好 2\n"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_its_mark_is_recognised(text: str, codec: str) -> None:
    """NULs in great number, or always on one side, are told as UTF-16 and not as stray bytes."""
    with pytest.raises(ReadError, match="UTF-16 without a byte order mark") as caught:
        lines.decode("a.en", text.encode(codec))
    assert "UTF-8" in caught.value.fix


def test_a_stray_nul_is_an_error_with_its_line() -> None:
    """A single NUL in good text is reported where it stands."""
    with pytest.raises(ReadError, match="NUL") as caught:
        lines.decode("a.en", b"a long good line\nanother g\0od line\n")
    assert caught.value.line == 2


def test_a_few_nuls_at_line_ends_do_not_make_utf16() -> None:
    """NULs on both sides are stray characters in text: the first is reported with its line."""
    with pytest.raises(ReadError, match="NUL") as caught:
        lines.decode(
            "a.en", b"a good long line of words\nodd\0\n" + b"another line of words\n" * 4 + b"even!\0\nodd\0\neven\0\n"
        )
    assert caught.value.line == 2


def test_broken_utf16_is_an_error_with_its_line() -> None:
    """A half character at the end of UTF-16 is reported, not dropped."""
    with pytest.raises(ReadError, match="starts as UTF-16") as caught:
        lines.decode("a.en", b"\xff\xfe" + "a\nb".encode("utf-16-le") + b"c")
    assert caught.value.line == 2


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_an_empty_file_is_an_error(data: bytes) -> None:
    """No text at all, with or without a mark, is called empty."""
    with pytest.raises(ReadError, match="is empty"):
        lines.decode("a.en", data)


def test_empty_segments_are_counted_with_the_first_line() -> None:
    """Blank and empty segments are counted together."""
    (notice,) = lines.empty_notice("a.en", ("a", " ", "", "b"))
    assert (notice.message, notice.line) == ("2 of 4 segments are empty.", 2)
    assert lines.empty_notice("a.en", ("a",)) == []


def test_ten_megabytes_in_one_line_are_quick() -> None:
    """A huge single line with a character like a line break at its end is gone through as a whole, not by letters."""
    data = b"word " * 2_000_000 + "\u2028\n".encode()
    with at_most(lines=10_000):
        cut, notices = segments(data)
    assert len(cut) == len(notices) == 1


@pytest.mark.parametrize(
    ("data", "wide"),
    [
        (b"abcdefgh\0i", False),  # one tenth is not more than a tenth
        (b"abcdefg\0i", True),
        ((b"\n\0" * 19 + b"\0\n") + b"x" * 400, True),  # 19 of 20 NULs on one side
        ((b"\n\0" * 18 + b"\0\n" * 2) + b"x" * 400, False),
        ((b"\n\0" * 4) + b"x" * 400, True),
        ((b"\n\0" * 3) + b"x" * 400, False),  # too few to tell
        ((b"y\0" * 19) + b"x" * 400, False),  # no line end among them
    ],
)
def test_how_many_nuls_are_utf16(data: bytes, wide: bool) -> None:
    """The shares at which NULs are another encoding instead of stray bytes, on either side of each bound."""
    with pytest.raises(ReadError, match="looks like UTF-16" if wide else "contains a NUL character"):
        lines.decode("a.txt", data)


@pytest.mark.parametrize(
    ("data", "noted"),
    [
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\nc\n\xef\xbb\xbfd\n", "2 lines contain a byte order mark"),
        (b"a \xef\xbb\xbfb\n", "1 line contains a byte order mark"),
        (b"\xef\xbb\xbfa\nb\n", ""),
    ],
)
def test_a_mark_within_a_file_is_kept_and_noted(data: bytes, noted: str) -> None:
    """Where two files with a mark were joined, the second mark is a part of a token, which nobody sees."""
    cut, notices = segments(data)
    assert "\n".join(cut) + "\n" == data.decode().removeprefix("\ufeff")
    assert [n.message[: len(noted)] for n in notices if "U+FEFF" in n.message] == ([noted] if noted else [])
