"""The demo web: its table, its bytes, its links, how hard it is, and what is wrong with it."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections import Counter
from datetime import date, timedelta

import pytest
from lxml import html

from fcacrawler.values.errors import BadWorld
from fcacrawler.worlds import Answer, open_world
from fcacrawler.worlds.demo import DemoWorld
from fcacrawler.worlds.demo.atlas import Atlas
from fcacrawler.worlds.demo.vocabulary import labels

from .walks import Walk

SMALL = ("mixed martial arts", "boxing")
SPORTS = [label.name for label in labels() if label.words]


@pytest.fixture(scope="module")
def world() -> DemoWorld:
    return DemoWorld()


@pytest.fixture(scope="module")
def walk(world: DemoWorld) -> Walk:
    return Walk(world)


def atlas(world: DemoWorld) -> Atlas:
    return world.atlas


def ask(world: DemoWorld, url: str) -> Answer:
    answer = world.answer(url)
    assert answer is not None
    return answer


def host_with(world: DemoWorld, habit: str) -> str:
    return next(host for host, site in atlas(world).sites.items() if habit in site.habits)


# -- the table --------------------------------------------------------------------------------------------------------


def test_the_labels_are_those_of_the_table(world: DemoWorld) -> None:
    assert Counter(label for _, label in world.labels()) == {
        "rugby": 475, "football": 383, "baseball": 662, "basketball": 642, "tennis": 90, "hockey": 384,
        "cycling": 101, "mixed martial arts": 34, "boxing": 54, "olympics": 68, "auto racing": 343, "golf": 143,
        "rubbish": 309, "others": 1049,
    }  # fmt: skip


def test_every_page_has_a_url_of_its_own_and_answers_with_html(world: DemoWorld) -> None:
    urls = list(world.urls())
    assert len(set(urls)) == len(urls) == 4737
    for url in urls[::50]:
        answer = ask(world, url)
        assert answer.status == 200
        assert dict(answer.headers)["Content-Type"].startswith("text/html")


def test_a_topic_starts_from_three_of_its_pages_on_different_hosts(world: DemoWorld) -> None:
    for name, topic in world.topics.items():
        assert len({url.split("/")[2] for url in topic.seeds}) == 3
        assert set(topic.seeds) <= world.relevant(name)


@pytest.mark.parametrize("pages", [500, 2000, 6000])
def test_a_world_has_as_many_pages_as_its_recipe_says(pages: int) -> None:
    world = open_world(f"demo?pages={pages}")
    assert len(set(world.urls())) == pages
    assert all(len(topic.seeds) == 3 for topic in world.topics.values())


def test_a_closed_world_is_the_labelled_pages_and_the_links_among_them(world: DemoWorld) -> None:
    closed = open_world("demo?closed=1")
    assert closed.name == "demo?closed=1"
    assert list(closed.labels()) == list(world.labels())
    assert closed.topics == world.topics
    urls = set(closed.urls())
    walk, whole = Walk(closed), Walk(world)
    for url in sorted(urls)[::40]:
        assert set(walk.links(url)) == set(whole.links(url)) & urls
    outside = [
        "http://www.sportsdesk.test/section/video",
        "http://click.adfarm.test/c/7",
        "http://www.openlore.test/all",
    ]
    assert [closed.answer(url) for url in outside] == [None] * 3
    assert all(world.answer(url) for url in outside)


@pytest.mark.parametrize(
    "recipe", ["demo?closed=2", "demo?pages=many", "demo?size=3", "demo?x", "demo?pages=3", "demo?pages=-500"]
)
def test_a_recipe_that_cannot_be_is_refused(recipe: str) -> None:
    with pytest.raises(BadWorld, match="demo"):
        open_world(recipe)


# -- the bytes --------------------------------------------------------------------------------------------------------


def test_the_bytes_are_the_same_on_every_machine_and_python(world: DemoWorld) -> None:
    digest = hashlib.sha256()
    for url in [*list(world.urls())[::37], "http://www.sportsdesk.test/section/video", "http://click.adfarm.test/c/7"]:
        answer = ask(world, url)
        digest.update(repr((url, answer.status, answer.headers, answer.delay)).encode() + answer.body)
    assert digest.hexdigest()[:16] == "8ed185d81be9a85e"


def test_another_seed_makes_another_web(world: DemoWorld) -> None:
    assert len(set(DemoWorld(seed=2).urls()) & set(world.urls())) < 400  # front pages and sections of known hosts


# -- how hard it is ---------------------------------------------------------------------------------------------------


def held(world: DemoWorld, walk: Walk, topic: str) -> tuple[float, float]:
    """What breadth-first and the perfect walk find of a topic in 4R fetches."""
    relevant, seeds = world.relevant(topic), world.topics[topic].seeds
    budget = 4 * len(relevant)
    return walk.breadth_first(seeds, relevant, budget), walk.perfect(seeds, relevant, budget)


@pytest.mark.parametrize("topic", [t if t in SMALL else pytest.param(t, marks=pytest.mark.slow) for t in SPORTS])
def test_breadth_first_finds_less_than_a_quarter_and_a_perfect_walk_nine_tenths(
    world: DemoWorld, walk: Walk, topic: str
) -> None:
    broad, perfect = held(world, walk, topic)
    assert broad < 0.25
    assert perfect > 0.9


def test_about_half_of_what_a_text_mentions_is_about_its_topic(world: DemoWorld, walk: Walk) -> None:
    label = dict(world.labels())
    same = labelled = 0
    for url in sorted(world.relevant("hockey"))[::3]:
        reached = [label[link] for link in walk.links(url) if link in label]
        same += reached.count("hockey")
        labelled += len(reached)
    assert 0.35 < same / labelled < 0.65


def test_islands_are_reached_over_pages_about_something_else_only(world: DemoWorld, walk: Walk) -> None:
    label = dict(world.labels())
    spots = atlas(world).spots
    rugby = atlas(world).named["rugby"]
    island = {spots[i].url for i in rugby.islands[0]}
    from_mainland = [url for url in (spots[i].url for i in rugby.main) if island & set(walk.links(url))]
    bridges = {url for url, name in label.items() if name == "others" and island & set(walk.links(url))}
    assert from_mainland == []
    assert bridges
    assert any(bridges & set(walk.links(spots[i].url)) for i in rugby.main)


def test_few_pages_are_linked_often_and_most_seldom(world: DemoWorld, walk: Walk) -> None:
    inward = Counter(link for url in list(world.urls())[::4] for link in walk.links(url) if link in walk.pages)
    counts = sorted(inward.values(), reverse=True)
    assert counts[0] > 20 * counts[len(counts) // 2]


# -- its hazards ------------------------------------------------------------------------------------------------------


def test_the_calendar_has_no_end(world: DemoWorld, walk: Walk) -> None:
    host, day = host_with(world, "calendar"), date(2024, 5, 1)
    for _ in range(50):
        day += timedelta(days=30)
        assert f"http://{host}/calendar/{day + timedelta(days=30):%Y/%m/%d}" in walk.links(
            f"http://{host}/calendar/{day:%Y/%m/%d}"
        )
    assert world.answer(f"http://{host}/calendar/2024/13/1") is None or "soft404" in atlas(world).sites[host].habits


def test_session_ids_make_ever_new_urls_of_the_same_pages(world: DemoWorld, walk: Walk) -> None:
    url = next(u for u in world.urls() if "viewtopic" in u)
    session = next(link for link in walk.links(url) if link.startswith(f"{url}&sid="))
    again = {link for link in walk.links(session) if "sid=" in link} - {session}
    assert again
    assert again.isdisjoint(walk.links(url))
    assert f'rel="canonical" href="{url}"'.encode() in ask(world, session).body


def test_what_has_moved_redirects_and_some_of_it_in_a_circle(world: DemoWorld) -> None:
    host = host_with(world, "moved")
    circle = f"http://{host}/old/circle"
    assert (ask(world, circle).status, dict(ask(world, circle).headers)["Location"]) == (301, circle)
    ways = Counter()  # type: ignore[var-annotated]
    for place in atlas(world).on_site[host][:60]:
        answer = ask(world, f"http://{host}/old/{place}")
        ways[answer.status] += 1
        assert atlas(world).spots[place].url in (dict(answer.headers).get("Location", ""), *_refreshed(answer)) or (
            dict(answer.headers)["Location"].endswith("/again")
        )
    assert set(ways) == {200, 301, 302}


def _refreshed(answer: Answer) -> list[str]:
    return [m.decode() for m in re.findall(rb"url=([^\"]+)", answer.body)]


def test_what_is_not_there_is_404_or_says_so_with_status_200(world: DemoWorld) -> None:
    soft, hard = host_with(world, "soft404"), "www.openlore.test"
    assert world.answer(f"http://{hard}/gone/1") is None
    assert ask(world, f"http://{soft}/gone/1").status == 200
    assert b"Page not found" in ask(world, f"http://{soft}/gone/1").body
    assert world.answer("http://www.no-such-host.test/") is None


def test_pages_that_need_javascript_show_nothing_without_it(world: DemoWorld, walk: Walk) -> None:
    scripted = [spot for spot in atlas(world).spots if spot.scripted]
    assert 0.03 < len(scripted) / 4737 < 0.07
    tree = html.fromstring(ask(world, scripted[0].url).body)
    assert walk.links(scripted[0].url) == ()
    assert len(tree.xpath("//body//*[not(self::script)]/text()")) < 6
    assert b"innerHTML" in ask(world, scripted[0].url).body


def test_broken_markup_still_has_its_links(world: DemoWorld) -> None:
    url = next(u for u in world.urls() if "inkwell" in u and u.count("/") > 3)
    body = ask(world, url).body
    assert b"\x00" in body
    assert b"</body>" not in body or body.count(b"<li>") > body.count(b"</li>")
    assert len(html.fromstring(body.replace(b"\x00", b"")).xpath("//a[@href]")) > 20


def test_some_sites_declare_another_charset_than_they_use(world: DemoWorld) -> None:
    wrong = 0
    for host, site in atlas(world).sites.items():
        if "charset" in site.habits:
            answer = ask(world, f"http://{host}/")
            declared = dict(answer.headers)["Content-Type"].partition("charset=")[2] or "us-ascii"
            try:
                wrong += "Ã" in answer.body.decode(declared)
            except UnicodeDecodeError:
                wrong += 1
    assert wrong


def test_one_page_has_five_megabytes(world: DemoWorld, walk: Walk) -> None:
    assert len(ask(world, "http://www.openlore.test/all").body) > 5 << 20


def test_robots_txt_has_rules_a_delay_and_a_closed_door(world: DemoWorld) -> None:
    assert b"Disallow: /search" in ask(world, "http://www.sportsdesk.test/robots.txt").body
    assert b"Crawl-delay: 2" in ask(world, f"http://{host_with(world, 'delay')}/robots.txt").body
    assert b"Disallow: /\n" in ask(world, f"http://{host_with(world, 'closed')}/robots.txt").body
    island = next(host for host, site in atlas(world).sites.items() if site.kind == "island")
    assert world.answer(f"http://{island}/robots.txt") is None


def test_sitemaps_list_a_sites_pages(world: DemoWorld) -> None:
    host = "www.dailycourant.test"
    assert b"Sitemap: http://www.dailycourant.test/sitemap.xml" in ask(world, f"http://{host}/robots.txt").body
    assert b"sitemap-pages.xml.gz" in ask(world, f"http://{host}/sitemap.xml").body
    listed = gzip.decompress(ask(world, f"http://{host}/sitemap-pages.xml.gz").body)
    assert listed.count(b"<loc>") == len(atlas(world).on_site[host])


def test_some_answers_are_slow(world: DemoWorld) -> None:
    assert ask(world, f"http://{host_with(world, 'slow')}/").delay >= 0.4
    assert 0 < sum(ask(world, url).delay > 0 for url in list(world.urls())[::5]) < 60


def test_files_are_no_pages(world: DemoWorld) -> None:
    assert dict(ask(world, "http://www.sportsdesk.test/files/1.pdf").headers)["Content-Type"] == "application/pdf"


def test_a_mirror_shows_the_same_pages_with_links_of_its_own(world: DemoWorld) -> None:
    host = host_with(world, "mirror")
    original = ask(world, f"http://{host}/").body
    mirrored = ask(world, f"http://mirror.{host[4:]}/").body
    assert mirrored == original.replace(host.encode(), f"mirror.{host[4:]}".encode())
    assert mirrored != original


def test_some_stories_appear_twice_on_different_hosts(world: DemoWorld) -> None:
    copies = [spot for spot in atlas(world).spots if spot.source != spot.id]
    assert 50 < len(copies) < 300
    for copy in copies[:20]:
        original = atlas(world).spots[copy.source]
        assert (copy.title, copy.label) == (original.title, original.label)
        assert copy.site != original.site


# -- its search log ---------------------------------------------------------------------------------------------------


def test_users_click_what_their_group_is_interested_in(world: DemoWorld) -> None:
    header, *rows = (line.split("\t") for line in world.clicks())
    assert header == ["user", "group", "time", "query", "step", "url"]
    assert len({row[0] for row in rows}) == 600
    label = dict(world.labels())
    liked = Counter(label[row[5]] for row in rows if row[1] == "clubhouse")
    assert liked["golf"] + liked["tennis"] > 0.6 * liked.total()
    assert all(url in label for *_, url in rows)


def test_a_word_means_what_its_group_means_by_it(world: DemoWorld) -> None:
    label, meant = dict(world.labels()), {"motor": Counter[str](), "clubhouse": Counter[str]()}
    for line in world.clicks():
        _, group, _, query, _, url = line.split("\t")
        if "driver" in query.split() and group in meant:
            meant[group][label[url]] += 1
    assert {group: counts.most_common(1)[0][0] for group, counts in meant.items()} == {
        "motor": "auto racing",
        "clubhouse": "golf",
    }
