"""Terms and their weights: what is a word, what is its stem, what it weighs."""

import math
import sys
from collections import Counter
from fractions import Fraction

import pytest
import wordfreq
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import terms, url_words, vector, weigh
from fcacrawler.page.text import pinyin, respelling
from fcacrawler.page.text.background import NUMBER, RAREST, background, idf
from fcacrawler.page.text.respelling import respelt
from fcacrawler.page.text.words import tokens

LANGUAGES = ["en", "de", "nl", "zh", "ja", "ko", "ar", "th", "eu", "xx", ""]

SAME = [  # words of which each has the same stem as the others
    ("en", "race races racing raced"),
    ("de", "Rennwagen Rennwagens"),
    ("de", "Strecke Strecken"),
    ("fr", "course courses"),
    ("fr", "rapide rapides"),
    ("es", "carrera carreras"),
    ("it", "macchina macchine"),
    ("pt", "corrida corridas"),
    ("nl", "boek boeken"),
    ("ru", "гонка гонки гонкой гонку"),
    ("sv", "bil bilar"),
]

STOPPED = {
    "en": "the and of it was were they would which",
    "de": "der die das und nicht wurde würde über für",
    "fr": "le la les un une des d l et était être qui où",
    "es": "el la los las una y que está más también",
    "it": "il lo la gli dell della è più perché",
    "pt": "o a os das não é são também você",
    "nl": "de het een en van niet zijn voor",
    "ru": "и в не на что он она это был",
    "zh": "的 了 在 和 是",
    "pl": "i w na nie to że się",
}


@pytest.mark.parametrize(("language", "forms"), SAME)
def test_inflected_forms_share_a_stem(language: str, forms: str) -> None:
    assert len(set(terms(forms, language))) == 1


@pytest.mark.parametrize("language", STOPPED)
def test_words_that_say_nothing_are_left_out(language: str) -> None:
    assert terms(STOPPED[language], language) == []


def test_what_is_a_word() -> None:
    assert tokens("Don't (re-)use A_B 3rd naïve café’s", "en") == (
        "don", "t", ",", "re", ",", "use", "a", "b", "3rd", "naïve", "café", "s",
    )  # fmt: skip
    assert terms("C U B a 4 x" + "y" * 50, "en") == []
    assert terms("cafe\u0301", "en") == terms("café", "en")  # é in two characters and in one


def test_marks_belong_to_words_in_every_script() -> None:
    assert tokens("हिन्दी भाषा", "hi") == ("हिन्दी", "भाषा")
    assert tokens("كِتَاب", "ar") == ("كِتَاب",)


def test_chinese_and_japanese_are_cut_into_words() -> None:
    assert terms("一级方程式赛车是世界上最重要的赛车比赛", "zh") == [
        "一级",
        "方程式赛车",
        "世界",
        "重要",
        "赛车",
        "比赛",
    ]
    assert terms("賽車比賽", "zh") == terms("赛车比赛", "zh")
    assert "レース" in terms("自動車レースについて", "ja")
    assert terms("Ferrari车队", "zh") == ["ferrari", "车队"]


def test_korean_words_lose_what_is_appended_to_them() -> None:
    assert terms("데이터베이스에서 함수를 사용하여 셀을 편집할 수 있습니다.", "ko") == [
        "데이터베이스",
        "함수",
        "사용",
        "셀",
        "편집",
    ]
    assert terms("HTML문서는", "ko") == ["html", "문서"]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("ar", "الجامعات والبرنامج", "جامعة برنامج"),
        ("ar", "الإنترنت", "انترنت"),
        ("pl", "matematyki wykresu funkcjami", "matematyka wykres funkcje"),
        ("tr", "hücrelerin tabloları", "hücre tablolar"),
        ("ja", "数式エディターを使用して、スライドを追加することができます。", "数式エディター スライド追加"),
    ],
)
def test_forms_of_one_word_are_one_term(language: str, one: str, other: str) -> None:
    assert terms(one, language) == terms(other, language) != []


@pytest.mark.parametrize(
    ("language", "in_urls", "written"),
    [
        ("fr", "presentation des equations et modeles", "présentation des équations et modèles"),
        ("es", "Formulas matematicas", "fórmulas matemáticas"),
        ("pl", "funkcje zlozone", "funkcje złożone"),
        ("tr", "yazilim universite", "yazılım üniversite"),
        ("de", "Praesentation fuer 2024", "präsentation für 2024"),
        ("ru", "programmirovanie programmirovaniye himiya khimija", "программирование программирование химия химия"),
        ("uk", "elektronna poshta", "електронна пошта"),
        ("en", "resume facade", "resume facade"),
        ("zh", "shuxue yinhang", "数学 银行"),
        ("de", "qwxz ab", "qwxz ab"),
        ("de", "Ebenen fussgaenger", "ebenen fußgänger"),
    ],
)
def test_words_of_urls_are_read_as_their_language_writes_them(language: str, in_urls: str, written: str) -> None:
    assert terms(respelt(in_urls, language), language) == terms(written, language)


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("http://www.example.cn/tianqi/", "天气"),
        ("http://www.example.cn/beijing-lvyou", "北京 旅游"),
        ("http://www.example.cn/beijinglvyou/p2.html", "北京 旅游 p2"),
        ("http://www.example.cn/2024/tian-qi-yu-bao/", "2024 天气预报"),
        ("http://bj.example.cn/ershoufang/zhongguo_luyou", "二手房 中国 旅游"),
        ("http://www.example.cn/about/women/news-list?page=china", "about women news list page china"),
        ("http://www.example.cn/huaxue", "化学"),
        ("http://www.example.cn/wang/" + "tianqi" * 20, "wang " + "tianqi" * 20),
    ],
)
def test_pinyin_in_urls_is_read_in_chinese(url: str, written: str) -> None:
    assert respelt(url_words(url), "zh") == written


@pytest.mark.parametrize(
    ("language", "topic", "in_urls", "written"),
    [
        ("zh", "滑雪", "huaxue xianhuaxue", "滑雪 西安 滑雪"),
        ("zh", "西安旅游", "xian", "西安"),
        ("fr", "côte d'Azur", "cote", "côte"),
        ("fr", "", "cote", "côté"),
        ("ru", "замок", "zamok", "замок"),
    ],
)
def test_of_words_that_are_written_alike_the_topics_comes_first(
    language: str, topic: str, in_urls: str, written: str
) -> None:
    assert respelt(in_urls, language, topic) == written


def test_without_readings_pinyin_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypinyin", None)
    pinyin._known.cache_clear()
    respelling._said.cache_clear()
    try:
        assert respelt("tianqi tian qi", "zh", "天气") == "tianqi tian qi"
    finally:
        pinyin._known.cache_clear()
        respelling._said.cache_clear()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ar", "ولكن هذا الذي كان على"),
        ("ja", "それについて、このようなことができます。"),
        ("ko", "그리고 이것은 어떤 것이 있습니까"),
        ("pl", "nie tylko, że również są które"),
        ("tr", "bu ve daha çok şey için gibi"),
    ],
)
def test_words_of_grammar_say_nothing(language: str, text: str) -> None:
    assert terms(text, language) == []


def test_scripts_without_spaces_that_nobody_cuts_fall_into_pairs() -> None:
    assert tokens("การแข่ง", "th")[0] == "กา"
    assert len(tokens("การแข่ง", "th")) == 6


def test_idf_is_the_surprise_at_a_word_on_a_page() -> None:
    """-ln(1 - exp(-600 f)): of 600 words none is the word with probability exp(-600 f)."""
    assert idf(1 / 600) == pytest.approx(-math.log(1 - 1 / math.e))
    assert idf(1e-5) == pytest.approx(-math.log(1 - math.exp(-Fraction(600, 100_000))))
    assert idf(0) == idf(1e-12) == idf(2e-7) == RAREST == 9
    assert idf(1) == pytest.approx(0, abs=1e-9)


def test_a_stem_is_as_common_as_its_words_together() -> None:
    frequency = {w: wordfreq.word_frequency(w, "en") for w in ("circuit", "circuits")}
    assert background("en").idf("circuit") == pytest.approx(idf(sum(frequency.values())), rel=0.01)
    assert background("en").idf("circuit") < idf(frequency["circuit"])


def test_numbers_weigh_little_and_unknown_words_much() -> None:
    assert background("en").idf("1984") == background("en").idf("13th") == NUMBER == 2
    assert background("en").idf("qwzxqwzx") == RAREST


def test_weights_by_hand() -> None:
    """race three times, car once, 1984 once: (1 + ln 3)·idf, idf, 2; divided by their norm."""
    known = background("en")
    raw = {"race": (1 + math.log(3)) * known.idf("race"), "car": known.idf("car"), "1984": 2.0}
    norm = math.sqrt(sum(w * w for w in raw.values()))
    found = weigh(terms("Race, car race; the races of 1984", "en"), "en")
    assert found == pytest.approx({t: w / norm for t, w in raw.items()})
    assert found == weigh(Counter(race=3, car=1) + Counter(["1984"]), "en")


def test_only_the_heaviest_terms_are_kept() -> None:
    text = " ".join(f"word{'abcdefghij'[i % 10]}{'abcdefghij'[i // 10]}" for i in range(100)) + " car car"
    found = weigh(terms(text, "en"), "en", most=50)
    assert len(found) == 50
    assert sum(w * w for w in found.values()) == pytest.approx(1)


def test_no_terms_have_no_weights() -> None:
    assert weigh([], "en") == {} == weigh(terms("", "en"), "en")


@given(st.text(st.characters() | st.sampled_from("abc 漢字かなกข한글ab ")), st.sampled_from(LANGUAGES))
def test_weights_of_any_text_in_any_language_are_fractions_of_norm_one(text: str, language: str) -> None:
    found = weigh(terms(text, language), language)
    assert all(0 < w <= 1 + 1e-12 for w in found.values())
    assert not found or sum(w * w for w in found.values()) == pytest.approx(1)


@given(st.text(st.sampled_from("ab cde 1")), st.sampled_from(LANGUAGES), st.integers(1, 20), st.sampled_from([1, 2000]))
def test_a_vector_is_the_weighed_terms_of_a_text(text: str, language: str, most: int, times: int) -> None:
    text = f"{text} " * times
    assert vector(text, language) == pytest.approx(weigh(terms(text, language), language))
    heaviest = vector(text, language, most)
    assert len(heaviest) == min(most, len(set(terms(text, language))))


@pytest.mark.parametrize("most", [50, 100_000])
def test_a_vector_is_right_while_the_vocabulary_grows_and_when_it_begins_anew(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fcacrawler.page.text.vocabulary._MOST", most)
    for n in range(4):
        before, text = (" ".join(f"{kind}{n}word{i}" for i in range(3000)) for kind in "ab")
        expected = weigh(terms(f"{before}\n{text}", "nb"), "nb", 10_000)
        assert vector(text, "nb", 10_000, before) == pytest.approx(expected)


def test_a_vector_does_not_depend_on_what_was_read_before() -> None:
    text = "Tyres, brakes and circuits are for cars; cars have tyres. " * 50
    before = list(vector(text, "en").items())
    vector("zebras yearn for xylophones, circuits and brakes" * 50, "en")
    assert list(vector(text, "en").items()) == before
    assert [t for t, _ in before] == ["tyre", "brake", "circuit", "car"]


@given(st.text(), st.sampled_from(LANGUAGES))
def test_the_same_text_has_the_same_terms(text: str, language: str) -> None:
    before = terms(text, language)
    tokens.cache_clear()
    assert terms(text, language) == before
