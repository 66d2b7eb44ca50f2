"""Why a URL was fetched, or still waits, or was left out: a crawl's store is asked, and what it knew is replayed.

A page that was fetched says why in its item. For what waits the pages observed are replayed through judge and order, as
a resume does it, and the order is asked again; so the parts of the rank are those of now.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fcacrawler.app.assembly import crawl_of, given_of, order_of, retold
from fcacrawler.app.opinion import kept
from fcacrawler.app.story import MOST, Story, fetched
from fcacrawler.crawl.crawl import Crawl
from fcacrawler.crawl.rules import DUPLICATE
from fcacrawler.frontier import Entry
from fcacrawler.frontier.memory import MemoryFrontier
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.records import load_candidate
from fcacrawler.frontier.sqlite.log import COLD, DEAD, DONE, EVICTED, GONE, HOT, LEASED
from fcacrawler.frontier.sqlite.look import Look
from fcacrawler.frontier.sqlite.mark_log import MarkLog
from fcacrawler.frontier.sqlite.pages import Pages
from fcacrawler.frontier.sqlite.salvage import Salvage
from fcacrawler.frontier.sqlite.store import Store, homes_in, read_store, told, unreached_in
from fcacrawler.frontier.sqlite.urls import Urls
from fcacrawler.orders.semrank.order import SemRank
from fcacrawler.page import key_of
from fcacrawler.values.errors import BadStore
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.values.verdicts import Verdict, written

STATES = {
    HOT: "waits",
    COLD: "waits",
    LEASED: "in flight",
    DONE: "done",
    DEAD: "given up",
    EVICTED: "evicted",
    GONE: "done",
}
PATH = 100  # links of a path at most
NEAREST = 5
Progress = Callable[[int, int], None]  # pages replayed, of how many


class Replayed(MemoryFrontier):
    """What an earlier run has observed, and nothing that waits."""

    def __init__(self, db: Store, salvage: Salvage, progress: Progress) -> None:
        super().__init__(FrontierOptions())
        self.store = Earlier(db, salvage, progress)


class Earlier:
    """The pages in the store of a run, only looked at: see ``Store``. Nothing is fetched, so nothing is added; what is
    said of pages here is heard, and not kept."""

    def __init__(self, db: Store, salvage: Salvage, progress: Progress) -> None:
        self._db = db
        self._pages = Pages(db)
        self._said: list[Mark] = []
        self._salvage = salvage
        self._progress = progress

    def homes(self, more: Collection[str] = ()) -> Collection[str]:
        return homes_in(self._db)

    def taken(self) -> dict[str, int]:
        return dict(Urls(self._db).responses())

    def observed(self) -> Iterator[SeenPage | Sequence[Mark]]:
        if self._said:
            said, self._said = self._said, []
            yield said
            return
        yield from MarkLog(self._db.path.parent, self._db).among(self._counted())

    def _counted(self) -> Iterator[tuple[int, SeenPage]]:
        (count,) = self._db.execute("SELECT count(*) FROM pages").fetchone()
        for n, numbered in enumerate(self._salvage.pages(), 1):
            yield numbered
            self._progress(n, count)

    def mark(self, marks: Sequence[Mark]) -> None:
        self._said += marks

    def page(self, key: bytes) -> SeenPage | None:
        return self._pages.page(key)

    def record(self, key: bytes, page: SeenPage) -> None: ...

    def keep(self, key: bytes, item: str) -> None: ...

    def again(self, ranks: Sequence[tuple[bytes, float]]) -> list[bytes]:
        return []


class Job:
    """The crawl in a folder, to be asked about its URLs."""

    def __init__(
        self,
        folder: Path,
        progress: Progress = lambda n, count: None,
        topic: Topic | None = None,
        gamma: float | None = None,
    ) -> None:
        """``topic``, ``gamma``: if they are others than the crawl's."""
        self._folder = folder
        self._db = read_store(folder)
        self._progress = progress
        text = told(self._db)
        if not text:
            raise BadStore(f"{folder}: the crawl does not say how it was configured: let it go on once more")
        try:
            self.config, self.topic = retold(text)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadStore(f"{folder}: what the crawl says of itself is damaged ({error}): see scrapy export") from None
        self.topic = topic or self.topic
        if gamma is not None:
            self.config = replace(self.config, crawl=replace(self.config.crawl, gamma=gamma))
        self.salvage = Salvage(self._db)
        self._look = Look(self._db, self.config.frontier.evidence)
        self.observed: list[str] = []  # observed and learned from, in order
        self._found: list[tuple[SeenPage, int]] = []  # pages that link to what is asked for, and where
        self.copies: set[str] = set()  # URLs of pages that are duplicates

    def close(self) -> None:
        self._db.close()

    def unfetched(self) -> Iterator[tuple[int, Entry]]:
        """State and entry of every URL in the frontier that was not answered."""
        for (key,) in self._db.execute("SELECT key FROM urls").fetchall():
            found = self._look.at(key)
            if found is not None and found[0] != DONE:
                yield found

    def knows(self, key: bytes) -> bool:
        return self._db.execute("SELECT 1 FROM urls WHERE key = ?", (key,)).fetchone() is not None

    def pages(self) -> Iterator[SeenPage]:
        """All that have been observed."""
        return (page for _, page in self.salvage.pages())

    def explain(self, url: str) -> Story:
        """``url`` is canonical."""
        key, _ = key_of(url)
        story = Story(url, gamma=self.config.crawl.gamma)
        found = self._look.at(key)
        if found is None:
            self._left_out(story)
            return story
        state, entry = found
        candidate = entry.candidate
        story.state, story.rank, story.depth, story.attempts = (
            STATES[state],
            entry.rank,
            candidate.depth,
            entry.attempts,
        )
        story.path = self._path(candidate)
        story.links = [e._asdict() for e in candidate.evidence]
        item = self._item(entry) if state == DONE else None
        if item is not None:
            story.state, story.explanation = "fetched", item["explanation"]
            story.why = fetched(item, story.gamma)
            if "said" in (story.explanation.get("judge") or {}):
                judge = self.replayed().judge
                moved = judge.moved(judge.linked.number.get(item["duplicate_of"] or url)).items()
                most = [(self.observed[n], by) for n, by in sorted(moved, key=lambda mark: -abs(mark[1]))[:NEAREST]]
                story.marks = [{"url": u, "mark": Mark(u, judge.marks[u]).word, "said": by} for u, by in most]
        else:
            self._told(story, entry, state)
        return story

    def _item(self, entry: Entry) -> dict[str, Any] | None:
        """With what is thought of it now."""
        line = self.salvage.item(entry.arrival)
        if not line:
            return None
        item: dict[str, Any] = json.loads(line)
        opinion = kept(self._folder)
        return (opinion.item(item) if opinion else None) or item

    def _path(self, candidate: Candidate) -> list[dict[str, Any]]:
        """From the seed, by the link by which each was first found."""
        path: list[dict[str, Any]] = []
        known = {candidate.url}
        while candidate.evidence and len(path) < PATH:
            first = candidate.evidence[0]
            path.append({"url": first.parent, "anchor": first.anchor})
            parent = self._look.at(key_of(first.parent).key)
            if parent is None or first.parent in known:
                break
            known.add(first.parent)
            _, entry = parent
            candidate = entry.candidate
        return path[::-1]

    def _told(self, story: Story, entry: Entry, state: int) -> None:
        """Of what has no item: the order is asked what it thinks of it now."""
        crawl, candidate = self._replay(story.url), entry.candidate
        rule = crawl.sieve.against(story.url, candidate.host, candidate.depth, parent=candidate.parent)
        story.explanation = written(crawl.order.explain(candidate))
        for link in story.links:
            link["relevance"] = crawl.judge.relevance(link["parent"])
        if isinstance(crawl.order, SemRank):
            story.nearest = [
                {"url": self.observed[n], "cosine": round(c, 4), "relevance": crawl.judge.relevance(self.observed[n])}
                for n, c in crawl.order.nearest(candidate, NEAREST)
            ]
        unreached = unreached_in(self._db).get(candidate.host)
        if state in (HOT, COLD) and rule is None and unreached:
            story.state = "not reached"
            story.why = f"its host could not be reached ({unreached}): the next run asks it again"
            return
        if state in (HOT, COLD):
            story.ahead = self._look.ahead(entry)
        story.why = self._why(story, crawl, state, rule)

    def _why(self, story: Story, crawl: Crawl, state: int, rule: str | None) -> str:
        relevance = crawl.judge.relevance(story.url)
        if state == DONE and relevance is not None:
            story.state = "fetched"
            return f"it was read, and the judge finds it {relevance:.3f}; its item was dropped, or could not be kept"
        if rule is not None:
            return f"it is left out: {rule}"
        if state in (HOT, COLD):
            rank = story.rank or 0.0
            if crawl.order.gated and rank <= story.gamma:
                return (
                    f"its rank {rank:.3f} is not above γ = {story.gamma:g}: it waits until its rank rises, or a tunnel"
                )
            return f"{story.ahead} links leave before it"
        return {
            LEASED: "it is being fetched, or was when the crawl was killed",
            DONE: "its server answered with an error, or with something else than an HTML page",
            GONE: "no answer came: robots.txt, a rule at that time, or an error",
            DEAD: f"it was given back unfinished {story.attempts} times (FCA_ATTEMPTS)",
            EVICTED: "more links waited than there is room for, and this one was among the worst (FCA_FRONTIER_SIZE)",
        }[state]

    def _left_out(self, story: Story) -> None:
        """Of what is not in the frontier: does any page link there, and which rule is against it?"""
        crawl = self._replay(story.url)
        for page, n in self._found:
            link, (_, host) = page.links[n], key_of(story.url)
            rule = crawl.sieve.against(link.url, host, page.depth + 1, link.nofollow, page.url)
            if page.url in self.copies:
                rule = DUPLICATE
            story.left_out.append({"rule": rule or "", "url": page.url, "anchor": link.anchor})
        rules = list(dict.fromkeys(place["rule"] for place in story.left_out if place["rule"]))
        if rules:
            story.state, story.why = "left out", f"no link to it is followed: {', '.join(rules)}"
        elif story.left_out:
            story.state, story.why = (
                "left out",
                "the page that links to it says nofollow, or the crawl is about to add it",
            )
        story.similar = self._similar(story.url)

    def _similar(self, url: str) -> list[str]:
        _, host = key_of(url)
        hosts = [h for (h,) in self._db.execute("SELECT DISTINCT host FROM urls")]
        near = host if host in hosts else next(iter(get_close_matches(host, hosts, 1)), "")
        rows = self._db.execute("SELECT key, record FROM urls WHERE host = ? LIMIT ?", (near, MOST))
        return get_close_matches(url, [load_candidate(*row).url for row in rows], 3, 0.5)

    def replayed(self) -> Crawl:
        """The crawl with all that it had learned when its last page had been visited."""
        return self._replay("")

    def _replay(self, url: str) -> Crawl:
        """The crawl as it was when its last page had been observed."""
        given = given_of(self.config, self.topic)
        order = order_of(self.config.run.order, given)
        crawl = crawl_of(self.config, given, order, Replayed(self._db, self.salvage, self._progress))
        known: set[str] = set()

        def note(page: SeenPage, verdict: Verdict) -> None:
            if verdict.duplicate_of is not None:
                self.copies.add(page.url)
            elif page.url not in known:
                known.add(page.url)
                self.observed.append(page.url)
            self._found += [(page, n) for n, link in enumerate(page.links) if link.url == url]

        crawl.recall(note)
        return crawl
