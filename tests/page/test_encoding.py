"""Bytes to text: declared, marked, guessed, and declared wrongly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import read_page
from fcacrawler.page.html.encoding import decode

SAID = {
    "cp1252": "Größe und Länge der Straßen in München, für Fußgänger gesperrt",
    "cp1250": "Závod se jel za deště a nejrychlejší byl nejmladší jezdec, žádný jiný nedojel dřív",
    "iso8859_2": "Wyścig rozpoczął się później, gdyż deszcz zalał całą trasę; zwyciężył najmłodszy",
    "cp1251": "Гонка началась позже, потому что дождь залил трассу, и победил самый молодой гонщик",
    "koi8_r": "Гонка началась позже, потому что дождь залил трассу, и победил самый молодой гонщик",
    "cp1253": "Ο αγώνας άρχισε αργότερα επειδή η βροχή πλημμύρισε την πίστα",
    "cp1254": "Yarış daha geç başladı, çünkü yağmur pisti bastı ve en genç sürücü kazandı",
    "cp1255": "המרוץ החל מאוחר יותר כי הגשם הציף את המסלול",
    "cp1256": "بدأ السباق متأخرا لأن المطر غمر الحلبة وفاز أصغر السائقين",
    "cp874": "การแข่งรถยนต์เริ่มช้ากว่ากำหนดเพราะฝนตกหนัก",
    "gb18030": "由于赛道积水严重，比赛推迟了四十分钟才开始，最年轻的车手赢得了冠军",
    "big5": "由於賽道積水嚴重，比賽延遲了四十分鐘才開始，最年輕的車手贏得了冠軍",
    "cp932": "雨のためレースの開始が遅れ、最も若いドライバーが優勝しました",
    "euc_jp": "雨のためレースの開始が遅れ、最も若いドライバーが優勝しました",
    "cp949": "비가 경기장을 덮쳐 경주가 늦게 시작되었고 가장 어린 선수가 우승했습니다",
}


@pytest.mark.parametrize("encoding", SAID)
def test_an_encoding_that_nobody_declares_is_guessed(encoding: str) -> None:
    body = f"<title>x</title><script>var unread = 1;</script><p>{SAID[encoding]}</p>".encode(encoding)
    assert SAID[encoding] in decode(body)


@pytest.mark.parametrize("encoding", SAID)
def test_a_declaration_is_believed(encoding: str) -> None:
    label = {"iso8859_2": "iso-8859-2", "cp932": "shift_jis", "cp949": "euc-kr"}.get(encoding, encoding)
    body = f"<p>{SAID[encoding]}</p>".encode(encoding)
    assert SAID[encoding] in decode(body, f"text/html; charset={label}")
    assert SAID[encoding] in decode(f"<meta charset={label}>".encode() + body)
    assert SAID[encoding] in decode(
        f"<meta http-equiv=content-type content='text/html; charset={label}'>".encode() + body
    )


@pytest.mark.parametrize(
    "label", ["iso-8859-1", "windows-1251", "utf-7", "x-nonsense", "base64", "utf-16", "idna", "'"]
)
def test_a_wrong_declaration_does_not_spoil_utf_8(label: str) -> None:
    assert decode("Größe".encode(), f"text/html; charset={label}") == "Größe"


def test_a_page_that_says_utf_8_and_is_not_is_guessed() -> None:
    assert SAID["cp1251"] in decode(b"<meta charset=utf-8>" + SAID["cp1251"].encode("cp1251"))


def test_one_label_for_many_encodings_means_what_it_means_on_the_web() -> None:
    assert decode(b"\x93quoted\x94 \x80 5", "text/html; charset=iso-8859-1") == "“quoted” € 5"


def test_japanese_in_seven_bits_is_not_taken_for_ascii() -> None:
    text = SAID["cp932"]
    assert decode(text.encode("iso2022_jp"), "text/html; charset=iso-2022-jp") == text
    assert decode(b"<p>plain", "text/html; charset=iso-2022-jp") == "<p>plain"


def test_stray_bytes_do_not_turn_utf_8_into_something_else() -> None:
    body = ("é" * 100).encode() + b"\xa3" + ("ü" * 100).encode()
    assert decode(body, "text/html; charset=iso-8859-1") == "é" * 100 + "\ufffd" + "ü" * 100


def test_a_body_cut_in_the_middle_of_a_character_loses_only_that() -> None:
    assert decode("Größe é".encode()[:-1]) == "Größe "


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_byte_order_marks_and_two_byte_encodings_are_recognised(encoding: str) -> None:
    text = "<title>Auto racing</title><p>A text that is long enough to tell.</p>"
    assert decode(text.encode(encoding)) == text


def test_an_image_has_no_text_and_a_stray_null_is_no_image() -> None:
    assert decode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8) == ""
    page = read_page("http://e.test/", "http://e.test/", b"<p>some text with one \0 in it</p>")
    assert page.text.startswith("some text with one")


@given(st.binary(), st.text(max_size=30))
def test_any_bytes_with_any_header_give_text(body: bytes, content_type: str) -> None:
    decode(body, content_type).encode("utf-8")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    assert decode(b"x" + text.encode()) == "x" + text
