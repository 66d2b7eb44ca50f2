"""What is thought of pages now, and when that has changed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.crawl.verdicts import Verdicts
from fcacrawler.values.verdicts import Judged

RANKS = st.lists(st.lists(st.sampled_from([0.1, 0.4, 0.6, 0.9]), min_size=30, max_size=30), min_size=30, max_size=30)


def came(verdicts: Verdicts, key: bytes, judged: Judged, rank: float, relevant: bool) -> None:
    verdicts.judged(key, judged)
    verdicts.add(judged, rank, relevant)


def test_a_page_that_becomes_relevant_says_how_many_were_known_then() -> None:
    verdicts = Verdicts()
    for n in range(12):
        came(verdicts, bytes([n] * 16), Judged(0.2, 0.2, n), 0.2, False)
        if verdicts.due:  # at 1, 6 and 11 pages
            verdicts.look(np.array([0.9 if m == 3 and n > 4 else 0.2 for m in range(n + 1)]), 0.5)
    now = verdicts.now(np.array([0.9 if m in (3, 7) else 0.2 for m in range(12)]), 0.5)
    assert np.flatnonzero(now.relevant).tolist() == [3, 7]
    assert now.changed.tolist() == [0, 0, 0, 6, 0, 0, 0, 12, 0, 0, 0, 0]
    assert set(now.came.tolist()) == {0.2}


@given(RANKS, st.lists(st.booleans(), min_size=30, max_size=30))
def test_it_is_a_fold_whoever_asks_meanwhile(ranks: list[list[float]], asked: list[bool]) -> None:
    """Asking changes nothing, and a page has changed exactly where it was otherwise at the last look before."""
    told, silent = Verdicts(), Verdicts()
    flags: list[list[bool]] = []
    for n, row in enumerate(ranks):
        now = np.array(row[: n + 1])
        for verdicts in (told, silent):
            came(verdicts, bytes([n] * 16), Judged(now[n], now[n], n), now[n], now[n] > 0.5)
            if verdicts.due:
                verdicts.look(now, 0.5)
        if asked[n]:
            told.now(now, 0.5)
        flags.append((now > 0.5).tolist())
    end = np.array(ranks[-1])
    a, b = told.now(end, 0.5), silent.now(end, 0.5)
    assert all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("ranks", "relevant", "changed", "came"))
    for n in range(len(ranks)):
        if not a.changed[n]:
            assert a.relevant[n] == flags[n][n]


def test_an_order_with_an_opinion_of_its_own_does_not_change_it() -> None:
    verdicts = Verdicts()
    came(verdicts, bytes(16), Judged(0.2, 0.2, 0), 0.8, True)
    now = verdicts.now(np.array([0.3]), 0.5)
    assert (now.ranks.tolist(), now.relevant.tolist(), now.changed.tolist()) == ([0.8], [True], [0])


def test_a_page_that_came_again_is_as_it_came_now() -> None:
    verdicts = Verdicts()
    came(verdicts, bytes(16), Judged(0.2, 0.2, 0), 0.2, False)
    verdicts.look(np.array([0.7]), 0.5)
    came(verdicts, bytes(16), Judged(0.6, 0.6, 0, again=True), 0.6, True)
    now = verdicts.now(np.array([0.6]), 0.5)
    assert (now.came.tolist(), now.changed.tolist()) == ([0.6], [0])
