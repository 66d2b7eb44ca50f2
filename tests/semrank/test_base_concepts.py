"""What the links to a page share with the concepts of relevant pages: by hand, and as the definitions have it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.semrank.base_concepts import SUPPORT, BaseConcepts, Word
from fcacrawler.semrank.intension import intension_similarity
from fcacrawler.semrank.kernels.nearest import NONE
from tests.reference import semrank as oracle
from tests.semrank.given import KEYWORDS, contexts, similarities

NUMBER = {word: n for n, word in enumerate([*KEYWORDS, "other", "auto", "car", "race", "mud"])}


def base_of(context: dict[str, list[str]], relevance=None, kin=lambda keyword: ()) -> BaseConcepts:
    base = BaseConcepts(room=20, words=len(NUMBER))
    for n, (url, keywords) in enumerate(context.items()):
        base.add(n, url, [Word(NUMBER[k], k) for k in dict.fromkeys(keywords)])
    base.refresh(np.ones(len(context)) if relevance is None else np.array(relevance), kin)
    return base


def look(base: BaseConcepts, words, linking=()):
    """One candidate with these words at its links, on these pages."""
    here = [n for n in (int(base.number_of[NUMBER[w]]) for w in words) if n != NONE]
    pages = [int(base.place_of[p]) if p < len(base.place_of) else NONE for p in linking]
    starts = np.array([0, len(here)]), np.array([0, len(pages)])
    near = base.now.nearest(starts[0], np.array(here, np.int64), starts[1], np.array(pages, np.int64))
    columns = np.empty((4, 1))
    base.now.features(near, base.room, columns)
    return near, dict(zip(("extent", "shared", "borne", "intent"), columns[:, 0].tolist(), strict=True))


RACING = {
    "u0": ["car", "race"],
    "u1": ["car", "race"],
    "u2": ["car", "race", "mud"],
    "u3": ["car", "mud"],
    "u4": ["mud"],
}


def test_what_a_link_shares_with_the_concepts_of_relevant_pages_by_hand() -> None:
    """Four pages have car, three of these race, three mud: three pages bear {car}, {car, race}, {mud}."""
    base = base_of(RACING)
    near, features = look(base, ["race", "car"], linking=[0, 3, 99])
    told = base.now.told(int(near.concept[0]))
    assert told == {"extent": ["u0", "u1", "u2"], "intent": ["car", "race"], "pages": 3}
    assert features["shared"] == pytest.approx(2 / 5)
    assert features["borne"] == pytest.approx(np.log(4) / np.log(21))
    assert features["intent"] == 1.0
    assert features["extent"] == pytest.approx(1 / 3)  # of the linking pages u0 bears it, u3 has no race
    assert look(base, ["car", "mud"])[1]["intent"] == pytest.approx(1 / 2)
    assert look(base, ["other"])[1] == {"extent": 0.0, "shared": 0.0, "borne": 0.0, "intent": 0.0}


def test_of_concepts_that_share_as_much_the_one_that_more_pages_bear_is_taken() -> None:
    base = base_of(RACING)
    assert base.now.told(int(look(base, ["car"])[0].concept[0]))["intent"] == ["car"]


def test_a_word_that_is_like_a_keyword_counts_by_its_ics() -> None:
    kin = {"car": [Word(NUMBER["auto"], "auto", 0.75)]}
    base = base_of(RACING, kin=lambda keyword: kin.get(keyword, ()))
    near, features = look(base, ["auto", "race"])
    assert features["shared"] == pytest.approx(1.75 / 5)
    assert features["intent"] == pytest.approx(1.75 / 2)
    words = base.number_of[[NUMBER["auto"], NUMBER["race"]]]
    assert base.now.matched(int(near.concept[0]), words) == (("race", "race", 1.0), ("car", "auto", 0.75))


def test_pages_that_are_not_thought_relevant_any_more_leave_the_base() -> None:
    assert base_of(RACING, [1, 1, 1, 0.4, 1]).now.urls == ["u0", "u1", "u2", "u4"]
    assert base_of(RACING, [0, 0, 0, 0, 1]).now is None
    assert look(base_of(RACING, [1, 1, 0, 1, 0]), ["car"])[1]["shared"] == pytest.approx(1 / 5)


@given(contexts(most=8), st.sets(st.sampled_from(KEYWORDS)), st.lists(st.integers(0, 9), max_size=4), similarities())
def test_they_are_those_of_the_whole_lattice(context, words, linking, ics) -> None:
    alike = [[0.0 if s < 0.5 else s for s in row] for row in ics.table]
    kin = {
        a: [Word(NUMBER[b], b, s) for b, s in zip(KEYWORDS, row, strict=True) if s]
        for a, row in zip(KEYWORDS, alike, strict=True)
    }
    base = base_of(context, kin=kin.__getitem__)
    iceberg = {(x, y) for x, y in oracle.concepts(context) if len(x) >= SUPPORT and y}
    assert (base.now is None) == (not iceberg)
    if not iceberg:
        return
    known = [w for w in words if base.number_of[NUMBER[w]] != NONE]
    near, found = look(base, known, linking)
    sums = {
        (x, y): sum(max((alike[KEYWORDS.index(a)][KEYWORDS.index(w)] for w in known), default=0.0) for a in y)
        for x, y in iceberg
    }
    assert near.shared[0] == pytest.approx(max(sums.values()))
    most = max(len(x) for (x, y), s in sums.items() if s == pytest.approx(near.shared[0]))
    if not near.shared[0]:
        assert set(found.values()) == {0.0}
        return
    told = base.now.concepts.extents[int(near.concept[0])]
    assert len(told) <= most
    extent = {base.now.urls[u] for u in told}
    bear = [p for p in linking if p < len(context) and list(context)[p] in extent]
    assert found["extent"] == pytest.approx(len(bear) / len(linking) if linking else 0.0)
    assert found["intent"] == pytest.approx(max(min(1.0, s / max(len(known), len(y))) for (_, y), s in sums.items()))


class Alike:
    """Keywords are equal or not."""

    def matrix(self, rows, columns):
        return np.array([[float(a == b) for b in columns] for a in rows]).reshape(len(rows), len(columns))


@given(contexts(most=8), st.sets(st.sampled_from(KEYWORDS), min_size=1))
def test_where_keywords_are_equal_or_not_it_is_sim_int_of_definition_17(context, words) -> None:
    base = base_of(context)
    if base.now is None:
        return
    known = [w for w in words if base.number_of[NUMBER[w]] != NONE]
    intents = [[base.now.words[a] for a in y] for y in base.now.concepts.intents]
    expected = max((intension_similarity(y, known, Alike(), "larger") for y in intents), default=0.0)
    assert look(base, known)[1]["intent"] == pytest.approx(expected)
