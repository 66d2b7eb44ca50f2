"""Keywords: readable, the same everywhere, the best first."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import keywords, normalise_query
from fcacrawler.page.text.background import background
from fcacrawler.page.text.forms import forms, plain_idf
from fcacrawler.page.text.words import tokens
from fcacrawler.values.pages import Page

RACING = (
    "Auto racing is a motorsport. In auto racing the cars race on a circuit, and the fastest car wins. "
    "Auto racing began when there were two cars. Circuits are closed roads. A circuit has corners."
)
EMPTY = Page("http://e.test/", "http://e.test/", "", "en", "", ())

ONE_KEYWORD = [
    ("en", "circuit circuits Circuit CIRCUITS circuit's"),
    ("en", "country countries"),
    ("de", "Rennen rennen"),
    ("de", "Haus Häuser"),
    ("de", "Strecke Strecken"),
    ("fr", "cheval chevaux"),
    ("fr", "voiture voitures"),
    ("es", "coche coches"),
    ("es", "luz luces"),
    ("it", "macchina macchine"),
    ("it", "amica amiche"),
    ("pt", "leão leões"),
    ("pt", "carro carros"),
    ("nl", "man mannen"),
    ("nl", "boek boeken"),
    ("ru", "гонка гонки гонку"),
    ("sv", "bil bilar"),
]


def page(text: str, **given: object) -> Page:
    return replace(EMPTY, text=text, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(("language", "words"), ONE_KEYWORD)
def test_inflected_forms_are_one_keyword(language: str, words: str) -> None:
    assert len({normalise_query(word, language)[0] for word in words.split()}) == 1


@pytest.mark.parametrize(
    "words", ["university universe", "racing race", "news new", "politics polite", "physics physical"]
)
def test_words_with_one_stem_but_two_meanings_stay_apart(words: str) -> None:
    one, other = words.split()
    assert set(normalise_query(one, "en")).isdisjoint(normalise_query(other, "en"))


@pytest.mark.parametrize(
    ("query", "language", "expected"),
    [
        ("Auto Racing", "en", ["auto", "racing", "auto racing"]),
        ("web pages", "en", ["web", "page", "web page"]),
        ("the history of cars", "en", ["history", "car"]),  # a stop word breaks a phrase
        ("tyres, brakes", "en", ["tyre", "brake"]),  # and so does a comma
        ("stock-car racing", "en", ["stock", "car", "racing", "stock car", "car racing"]),
        ("racing racing", "en", ["racing"]),
        ("racing 1966", "en", ["racing", "1966"]),  # numbers are in no phrase
        ("courses automobiles", "fr", ["course", "automobile", "course automobile"]),
        ("赛车比赛", "zh", ["赛车", "比赛", "赛车 比赛"]),
        ("", "en", []),
        ("the of and", "en", []),
    ],
)
def test_a_query_is_written_as_pages_write_their_keywords(query: str, language: str, expected: list[str]) -> None:
    assert list(normalise_query(query, language)) == expected


def test_what_a_page_is_about_comes_first() -> None:
    found = keywords(page(RACING))
    assert found[0] == ("auto racing", 1.0)
    assert {"auto racing", "circuit", "car", "motorsport"} <= {k for k, _ in found}
    assert [w for _, w in found] == sorted((w for _, w in found), reverse=True)


def test_a_query_meets_the_keywords_of_a_page_about_it() -> None:
    assert "auto racing" in set(normalise_query("AUTO RACING", "en")) & dict(keywords(page(RACING))).keys()


def test_the_title_makes_its_words_weigh_more() -> None:
    plain, titled = dict(keywords(page(RACING))), dict(keywords(page(RACING, title="Motorsport")))
    assert titled["motorsport"] > plain["motorsport"]


def test_a_heading_and_an_anchor_make_their_words_weigh_more() -> None:
    plain = dict(keywords(page(RACING)))["motorsport"]
    assert dict(keywords(page(RACING, headings=("Motorsport",))))["motorsport"] > plain
    assert dict(keywords(page(RACING), anchors=["motorsport"]))["motorsport"] > plain


def test_a_page_without_text_has_the_keywords_of_its_title() -> None:
    assert keywords(page("", title="Auto racing"))[0] == ("auto racing", 1.0)
    assert keywords(EMPTY) == ()


def test_a_phrase_must_be_said_twice_unless_it_is_the_title() -> None:
    text = "Wet tyres are for rain. A car on dry tyres slides in rain. Wet roads."
    assert "wet tyre" not in dict(keywords(page(text)))
    assert "wet tyre" in dict(keywords(page(text + " Wet tyres have grooves.")))
    assert "wet tyre" in dict(keywords(page(text, title="Wet tyres")))


def test_so_many_keywords_and_no_more() -> None:
    assert len(keywords(page(RACING), most=3)) == 3
    assert keywords(page(RACING), most=3) == keywords(page(RACING), most=9)[:3]


def test_keywords_do_not_depend_on_what_was_read_before() -> None:
    """Ties leave in order of arrival on the page, not in this process."""
    text = "Quorls and zworks and yfleks and xgrups are unheard of."
    before = keywords(page(text))
    keywords(page("Xgrups and yfleks came first elsewhere, and zworks were the last."))
    assert keywords(page(text)) == before
    assert [k for k, _ in before] == ["quorls", "zworks", "yfleks", "xgrups", "unheard"]


TEXT = st.text(st.sampled_from("ab cde. \n漢字éß-'1") | st.characters(), max_size=80)


@given(TEXT, TEXT, st.sampled_from(["en", "de", "nl", "ru", "zh", "", "xx"]))
def test_any_page_has_keywords_with_weights_between_nothing_and_one(text: str, title: str, language: str) -> None:
    found = keywords(page(text, title=title, headings=(title,), language=language))
    assert len({k for k, _ in found}) == len(found) <= 20
    assert all(0 < w <= 1 for _, w in found)
    assert not found or found[0][1] == 1


def by_hand(page: Page, anchors: list[str]) -> list[tuple[str, float]]:
    """All keywords by what their docstrings say."""
    said, headings = "\n".join(anchors), "\n".join(page.headings)
    texts = (page.title, said, page.description, page.text, headings)
    title, said, described, text, headings = ([forms("en")[t] for t in tokens(text, "en")] for text in texts)
    counted = [*title, "", *said, "", *described, "", *text]
    counts, idf = Counter(filter(None, counted)), plain_idf(background("en"))
    sure, first, pairs = len(title) + len(said) + 1, {}, Counter()
    for n, word in enumerate(counted):
        first.setdefault(word, (n, 0))
    for n, (a, b) in enumerate(pairwise(counted)):
        often = n < sure or (counts[a] > 1 and counts[b] > 1)
        if a and b and a != b and often and not (a[0].isdigit() or b[0].isdigit()):
            first.setdefault((a, b), (n, 1))
            pairs[a, b] += 1
    pairs = {pair: n for pair, n in pairs.items() if n > 1 or first[pair][0] < sure}
    left, scores = Counter(counts), {}
    for (a, b), n in pairs.items():
        left[a] -= n / 2
        left[b] -= n / 2
        scores[a, b] = 1.6 * n * (n / min(counts[a], counts[b])) ** 0.3 * (idf(a) + idf(b)) / 2
    scores |= {word: max(left[word], 0.3 * n) * idf(word) for word, n in counts.items()}
    factors: dict[object, float] = {}
    for part, factor in ((described, 1.25), (headings, 1.25), (said, 1.5), (title, 2.0)):
        factors |= dict.fromkeys([*part, *pairwise(part)], factor)
    found = sorted((-score * factors.get(k, 1.0), first[k], k) for k, score in scores.items())
    return [(k if isinstance(k, str) else " ".join(k), (score / found[0][0]) ** 0.5) for score, _, k in found]


SAID = st.lists(st.sampled_from("wet dry tyre tyres rain the , . \n 1966 quorl quorls slick zwork".split(" "))).map(
    " ".join
)


@given(SAID, SAID, SAID, st.lists(SAID, max_size=2), st.lists(SAID, max_size=2))
def test_the_compiled_keywords_are_those_by_hand(
    title: str, described: str, text: str, anchors: list[str], headings: list[str]
) -> None:
    told = page(text, title=title, description=described, headings=tuple(headings))
    expected = by_hand(told, anchors)
    for most in (20, 3):
        found = keywords(told, anchors, most)
        assert [k for k, _ in found] == [k for k, _ in expected[:most]]
        assert [w for _, w in found] == pytest.approx([w for _, w in expected[:most]], rel=1e-12)


@given(st.sampled_from(["en", "de", "fr", "es", "it", "pt", "nl", "ru", "sv"]), st.data())
def test_a_plain_form_is_its_own_plain_form(language: str, data: st.DataObject) -> None:
    word = data.draw(st.text(st.sampled_from("aeioustnrlchmdäöüéãõñ"), min_size=2, max_size=9))
    plain = forms(language)[word]
    assert not plain or forms(language)[plain] == plain
