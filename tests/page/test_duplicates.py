"""Near-duplicates: found, told apart from what merely resembles, and forgotten in the end."""

import random
from dataclasses import replace
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.page import NearDuplicates, simhash
from fcacrawler.page.identity.duplicates import NEAREST, PAGES, listing
from fcacrawler.values.links import Link
from fcacrawler.values.pages import Page

EMPTY = Page("", "", "", "", "", ())


def page(text: str) -> Page:
    return replace(EMPTY, text=text, simhash=simhash(text), content_hash=blake2b(text.encode()).hexdigest())


def article(seed: int, words: int = 600) -> list[str]:
    dice = random.Random(seed)
    return ["".join(dice.choices("aeioubcdfglmnprst", k=dice.randint(2, 9))) for _ in range(words)]


def by_hand(text: str) -> int:
    """Piece by piece, vote by vote."""
    data, mask, votes, pieces = text.lower().encode("utf-8", "replace")[:16384], 2**64 - 1, [0] * 64, 0
    for i in range(len(data) - 15):
        a, b = (int.from_bytes(data[n : n + 8], "little") * 0x9E3779B97F4A7C15 & mask for n in (i, i + 8))
        h = ((a ^ a >> 29) * 0xC2B2AE3D27D4EB4F + (b ^ b >> 29)) * 0x165667B19E3779F9 & mask
        if h >> 62 == 0:
            h = (h ^ h >> 29) * 0x9E3779B97F4A7C15 & mask
            h ^= h >> 32
            votes = [v + (h >> k & 1) for k, v in enumerate(votes)]
            pieces += 1
    return sum(1 << k for k, v in enumerate(votes) if 2 * v > pieces)


@given(
    st.lists(st.text(max_size=40) | st.sampled_from(["aB é", "x" * 30]), max_size=6).map("".join), st.integers(1, 40)
)
def test_the_compiled_fingerprint_is_that_by_hand(text: str, times: int) -> None:
    assert simhash(text * times) == by_hand(text * times)


def test_a_long_text_has_the_fingerprint_of_its_beginning() -> None:
    text = " ".join(article(7, 6000))
    assert simhash(text) == by_hand(text) == simhash(text[:16384])


def test_equal_pages_are_duplicates_of_the_first() -> None:
    seen = NearDuplicates()
    text = " ".join(article(1))
    assert seen.add("a", page(text)) is None
    assert seen.add("b", page(text)) == "a"
    assert seen.add("c", page(text)) == "a"
    assert len(seen) == 1


def test_mirrors_with_another_date_and_a_sentence_more_are_found() -> None:
    found = 0
    for seed in range(40):
        seen = NearDuplicates()
        words = article(seed)
        seen.add("a", page(" ".join(words)))
        copy = [
            "Updated",
            "3",
            "May",
            "2020",
            *words[:300],
            *"a sentence that somebody has added".split(),
            *words[300:],
        ]
        found += seen.add("b", page(" ".join(copy))) == "a"
    assert found >= 36


def test_pages_on_the_same_topic_are_no_duplicates() -> None:
    seen = NearDuplicates()
    vocabulary = article(0, 300)
    for seed in range(300):
        words = random.Random(seed).choices(vocabulary, k=400)
        assert seen.add(str(seed), page(" ".join(words))) is None


def test_a_page_is_no_duplicate_of_itself() -> None:
    seen = NearDuplicates()
    text = page(" ".join(article(1)))
    assert seen.add("a", text) is None
    assert seen.add("a", text) is None


def test_pages_without_text_are_no_duplicates_and_short_ones_only_if_equal() -> None:
    seen = NearDuplicates()
    assert seen.add("a", EMPTY) is None
    assert seen.add("b", EMPTY) is None
    assert seen.add("c", page("Page not found")) is None
    assert seen.add("d", page("Page not found!")) is None
    assert seen.add("e", page("Page not found")) == "c"


def links(*names: str, folder: str = "http://e.test/", path: str = "a/li") -> tuple[Link, ...]:
    return tuple(Link(folder + name, "", "", n, path=path) for n, name in enumerate(names))


ITEMS = [f"item{n}" for n in range(40)]
MENU = links(*(f"menu{n}" for n in range(30)), path="~a/li/nav")


def test_the_next_page_of_a_list_is_no_duplicate_though_it_says_the_same() -> None:
    for words in ("Toys of all kinds", " ".join(article(1, 100))):
        first, second = (replace(page(words), links=MENU + links(*some)) for some in (ITEMS[:20], ITEMS[20:]))
        seen = NearDuplicates()
        assert seen.add("a", first) is None
        assert seen.add("b", second) is None
        assert seen.add("c", replace(second, links=second.links[30:])) == "b"  # menus do not count
        assert seen.add("d", replace(first, links=links(*ITEMS[:20], folder="http://mirror.test/x/"))) == "a"
        assert seen.add("e", replace(first, links=(*first.links[:-1], *links("another")))) == "a"


def test_a_trap_that_says_the_same_over_ever_other_links_is_a_list_of_fifty_pages() -> None:
    for words in ("Toys of all kinds", " ".join(article(1, 100))):
        seen = NearDuplicates()
        found = [
            seen.add(str(n), replace(page(words), links=links(*(f"{n}-{m}" for m in range(30))))) for n in range(60)
        ]
        assert found == [None] * PAGES + ["0"] * 10


def test_filters_of_a_page_are_duplicates_whatever_filters_they_lead_to() -> None:
    seen = NearDuplicates()
    filters = [links(*(f"shoes?colour={n}&size={m}" for m in range(20))) for n in range(3)]
    pages = [
        replace(page("Shoes"), url=f"http://e.test/shoes?colour={n}", links=some) for n, some in enumerate(filters)
    ]
    assert [seen.add(p.url, p) for p in pages] == [None, pages[0].url, pages[0].url]


def test_links_do_not_count_where_there_are_words_or_only_menus() -> None:
    for words, some, others in (
        (" ".join(article(1)), links(*ITEMS[:20]), links(*ITEMS[20:])),
        ("Page not found", MENU, links("from?url=x", path="~a/nav")),
    ):
        seen = NearDuplicates()
        assert seen.add("a", replace(page(words), links=some)) is None
        assert seen.add("b", replace(page(words), links=others)) == "a"


@given(st.lists(st.text("abc/?=", max_size=8), min_size=1, max_size=40))
def test_listed_links_have_the_fingerprint_that_most_of_their_names_vote_for(urls: list[str]) -> None:
    names = {url.rstrip("/").split("/")[-1] for url in urls}
    hashes = [int.from_bytes(blake2b(name.encode(), digest_size=8).digest()) for name in names]
    votes = [sum(h >> bit & 1 for h in hashes) for bit in range(64)]
    most = sum(1 << bit for bit in range(64) if 2 * votes[bit] > len(names))
    found = replace(page("x" * 60 * len(names)), url="http://e.test/", links=links(*urls, folder=""))
    assert listing(found) == 0
    assert listing(replace(found, text=found.text[1:])) == most


@given(st.lists(st.integers(0, 12), max_size=60), st.integers(1, 5))
def test_so_many_pages_are_remembered_and_the_oldest_is_forgotten(order: list[int], most: int) -> None:
    seen = NearDuplicates(most=most)
    model: dict[int, str] = {}
    for step, seed in enumerate(order):
        assert seen.add(str(step), page(" ".join(article(seed, 80)))) == model.get(seed)
        if seed not in model:
            model[seed] = str(step)
            if len(model) > most:
                del model[next(iter(model))]
        assert len(seen) == len(model)


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 63), max_size=NEAREST))
def test_every_fingerprint_near_enough_is_found(fingerprint: int, flipped: set[int]) -> None:
    other = fingerprint
    for bit in flipped:
        other ^= 1 << bit
    seen = NearDuplicates()
    text = "x" * 300
    if fingerprint and other:
        seen.add("a", replace(EMPTY, text=text, simhash=fingerprint, content_hash="a"))
        assert seen.add("b", replace(EMPTY, text=text, simhash=other, content_hash="b")) == "a"


@given(st.text())
def test_a_fingerprint_has_64_bits_whatever_the_text(text: str) -> None:
    assert 0 <= simhash(text) < 1 << 64


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    assert simhash("Auto racing is a motorsport in which cars race against each other.") == 9007645155495600460


@pytest.mark.parametrize("wrong", [{"distance": -1}, {"distance": 65}, {"most": 0}])
def test_what_cannot_be_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must"):
        NearDuplicates(**wrong)
