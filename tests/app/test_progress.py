"""How a crawl is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fcacrawler.app.progress import Snapshot, clean, line
from fcacrawler.frontier import Sizes


@given(st.text(), st.integers(1, 80))
def test_a_strangers_text_cannot_reach_the_terminal(text: str, width: int) -> None:
    shown = clean(text, width)
    assert shown.isprintable()
    assert len(shown) <= width


def test_a_line_tells_how_the_crawl_goes() -> None:
    now = Snapshot("tea", "semrank", 0.45, 200, 10.0, 50, 30, 20, Sizes(7, 8, 1, 50, 0), recent=0.3)
    assert line(now) == ("[   10 s] 50/200 pages, 20 relevant (40.0 %, lately 30 %), 3.0 pages/s; running 7, waiting 8")
