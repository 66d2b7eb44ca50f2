"""The 4,604 real pages of the wikispeedia world, where it is."""

from pathlib import Path

import pytest

from fcacrawler.page import canonical_url, keywords, read_page
from fcacrawler.worlds.replay import RecordedWorld

WORLD = Path(__file__).parents[3] / "shared" / "worlds" / "wikispeedia"


@pytest.mark.slow
@pytest.mark.skipif(not WORLD.exists(), reason="the wikispeedia world is not beside the project")
def test_every_article_gives_its_links_its_text_and_its_language() -> None:
    world = RecordedWorld(WORLD)
    urls = set(world.urls())
    links = 0
    for url in urls:
        answer = world.answer(url)
        assert answer is not None
        page = read_page(url, url, answer.body, content_type=dict(answer.headers).get("Content-Type", ""))
        inside = [link for link in page.links if link.url in urls]
        assert canonical_url(url) == url
        assert page.language == "en"
        assert page.title
        assert all(link.anchor for link in inside)
        assert keywords(page)[0][1] == 1
        links += len(inside)
    world.close()
    assert 124_398 <= links <= 124_410  # the first is the number that the world's README tells
