"""Pages, profiles and crawls to test orders with. Words are separated by spaces and weigh the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from urllib.parse import urlsplit

from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.judge.profile import Profile, norm
from fcacrawler.judge.topic_judge import TopicJudge
from fcacrawler.orders import Given, OrderFactory
from fcacrawler.values.clicks import clicks_of
from fcacrawler.values.links import Candidate, Evidence, Link
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.vectors import Vectors


def vector_of(text: str, language: str = "en") -> dict[str, float]:
    return norm({word: float(text.split().count(word)) for word in text.split()})


def url_words(urls: Sequence[str], language: str = "en", said: str = "") -> list[str]:
    return [urlsplit(url).path.replace("/", " ").strip() for url in urls]


def key_of(url: str) -> tuple[bytes, str]:
    return hashlib.sha1(url.encode()).digest(), urlsplit(url).netloc


def keys_of(urls: Sequence[str]) -> list[tuple[bytes, str]]:
    return list(map(key_of, urls))


def page(name: str, text: str = "", links: Sequence[str] = (), depth: int = 1, parents: Sequence[str] = ()) -> SeenPage:
    """Links are "name" or "name|anchor" or "name|anchor|context"."""
    words = vector_of(text)
    return SeenPage(
        url=url(name),
        title=name,
        language="en",
        depth=depth,
        keywords=tuple(sorted(words.items(), key=lambda pair: -pair[1])),
        terms=words,
        links=tuple(_link(link, n) for n, link in enumerate(links)),
        evidence=tuple(Evidence(url(p), "", "", 0, 1) for p in parents),
        text=text,
    )


def url(name: str) -> str:
    return f"http://test/{name}"


def _link(link: str, position: int) -> Link:
    name, anchor, context = f"{link}||".split("|")[:3]
    return Link(url(name), anchor, context, position)


def candidate(name: str, *parents: SeenPage, depth: int = 1) -> Candidate:
    """As found on these pages."""
    key, host = key_of(url(name))
    evidence = tuple(
        Evidence(p.url, link.anchor, link.context, link.position, len(p.links))
        for p in parents
        for link in p.links
        if link.url == url(name)
    )
    return Candidate(key, url(name), host, depth, evidence)


def given(
    words: str = "car race",
    gamma: float = 0.45,
    walks: Sequence[Sequence[str]] = (),
    vectors: Vectors | None = None,
) -> Given:
    topic = Topic(words)
    profile = Profile(topic, vector_of, url_words)
    return Given(topic, profile, TopicJudge(profile, vectors), gamma, clicks=clicks_of(walks), vectors=vectors)


def order_of_fetches(
    factory: OrderFactory, web: Sequence[SeenPage], seeds: Sequence[str], words: str = "car race"
) -> list[str]:
    """Crawl a web of pages to its end; the names in the order of their fetches."""
    told = given(words)
    options = CrawlOptions(patience=0, tunnel=10**6)
    crawl = Crawl(options, MemoryFrontier(FrontierOptions()), told.judge, factory(told), keys_of)
    pages = {p.url: p for p in web}
    crawl.seed([Candidate(key_of(url(s))[0], url(s), "test", 0) for s in seeds])
    names = []
    while (entry := crawl.next(lambda host: True)) is not None:
        found = pages.get(entry.candidate.url)
        names.append(entry.candidate.url.rpartition("/")[2])
        crawl.finished(entry.candidate.key)
        if found is not None:
            crawl.visit(_seen(found, entry.candidate))
    return names


def _seen(found: SeenPage, as_: Candidate) -> SeenPage:
    return SeenPage(
        found.url, found.title, "en", as_.depth, found.keywords, found.terms, found.links, as_.evidence, found.text
    )
