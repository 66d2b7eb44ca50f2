"""One crawl order a file, all behind one Protocol.

An order is a fold over the pages observed, in order: the same pages give the same state and the same ranks. It
learns only in ``observe`` and ``copied``, and of users in ``clicked``; ``rank`` and ``explain`` change nothing that a
later rank depends on. So a crawl's knowledge can be rebuilt from its stored pages, and shared between workers as a log
of pages.

Why so: decision 002.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from fcacrawler.ontology.options import OntologyOptions
from fcacrawler.values.clicks import NO_CLICKS, Clicks
from fcacrawler.values.links import Candidate
from fcacrawler.values.marks import Mark
from fcacrawler.values.pages import SeenPage
from fcacrawler.values.topics import Topic
from fcacrawler.values.verdicts import Explanation, Judged

if TYPE_CHECKING:
    from fcacrawler.judge.page_links import PageLinks
    from fcacrawler.judge.profile import Profile
    from fcacrawler.values.omega import Omega
    from fcacrawler.weblogs import CrawlLog
from fcacrawler.vectors import Vectors


class Judge(Protocol):
    """How relevant a fetched page is to the topic, in [0, 1]. Never sees labels."""

    @property
    def marks(self) -> Mapping[str, bool]:
        """What users say of pages, by URL, also of such as have not been observed: that they are about the topic, or
        not. What is said of a page is what is thought of it."""
        ...

    def mark(self, said: Sequence[tuple[Mark, SeenPage | None]]) -> None:
        """A user has said so: all pages are judged anew. With each mark its page, if that has been observed and is at
        hand: else something is learned from it only if it is one of the latest."""
        ...

    @property
    def doubted(self) -> Mapping[str, str]:
        """Seeds that do not look like the topic, by URL, with the reason."""
        ...

    @property
    def profile(self) -> Profile:
        """What the topic is, by all that is known now."""
        ...

    @property
    def linked(self) -> PageLinks:
        """The pages observed, and the links among them."""
        ...

    def observe(self, page: SeenPage) -> Judged:
        """Add the page to what is known and judge it."""
        ...

    def texts(self, page: SeenPage) -> Sequence[str]:
        """The texts whose vectors observing the page will ask for: slow ones can be made before, in another thread."""
        ...

    def relevance(self, url: str) -> float | None:
        """What is thought of a page now; None if it has not been observed."""
        ...

    def parts(self, url: str) -> Mapping[str, float]:
        """What the opinion of a page is made of, by name; for people."""
        ...

    def moved(self, n: int) -> Mapping[int, float]:
        """What each mark, by the number of its page, adds to the log odds of the n-th page."""
        ...

    def accounts(self) -> tuple[Sequence[str], NDArray[np.float64]]:
        """The names of ``parts``, and a row of them for each page observed, in the order in which they first were."""
        ...

    def relevances(self) -> NDArray[np.float64]:
        """What is thought now of all pages observed, in the order in which they first were."""
        ...

    def guesses(self) -> NDArray[np.float64]:
        """The same, as if the topic were here: what orders learn from (``Judged.guess``)."""
        ...

    def speech(self) -> NDArray[np.float64]:
        """How much more relevant pages use a word than others do, by the word's number in the lexicon."""
        ...


class Order(Protocol):
    """One crawl order."""

    epoch: int
    """Rises whenever links ranked earlier should be ranked again. What is found again is ranked anew anyway."""

    gated: bool
    """Ranks are to be held against γ. False for orders whose ranks mean nothing but an order."""

    thorough: bool
    """When the epoch rises, all that waits is ranked again and not the best only. For orders that work in rounds."""

    over: bool
    """The order has done what it was to do: nothing more is to be fetched."""

    def observe(self, page: SeenPage, judged: Judged) -> float:
        """Learn from a fetched page, of which the judge has found out this; answer the page's own rank (orders without
        an opinion of their own answer its relevance)."""
        ...

    def texts(self, page: SeenPage) -> Sequence[str]:
        """The texts whose vectors observing the page, and ranking its links, will ask for."""
        ...

    def copied(self, page: SeenPage, original: str) -> None:
        """A page has been fetched that is a copy of one that was observed: it is no find, and is not observed."""
        ...

    def clicked(self, clicks: Clicks) -> None:
        """Learn what users have clicked meanwhile, besides what the order was told before. Not of pages, so it is not
        told again when the crawl goes on: then all clicks are known from the start."""
        ...

    def rank(self, candidates: Sequence[Candidate]) -> Sequence[float]:
        """A rank in [0, 1] for each; higher leaves earlier, and seeds have 1."""
        ...

    def explain(self, candidate: Candidate) -> Explanation:
        """Why the candidate has the rank that it has now."""
        ...

    def explain_page(self, page: SeenPage) -> Explanation:
        """Why a page that was just observed got the rank that ``observe`` answered."""
        ...


@dataclass(frozen=True, slots=True)
class Given:
    """What an order is told before the crawl. Every order is told the same."""

    topic: Topic
    profile: Profile  # of the topic: words and, once the judge has read them, seeds
    judge: Judge
    gamma: float = 0.45
    query: tuple[str, ...] = ()  # the topic's words as keywords
    omega: Omega | None = None  # what a log says of keywords
    crawl_log: CrawlLog | None = None  # without a log: what the crawl's own links say of them
    clicks: Clicks = NO_CLICKS  # of a log's users
    reading: str = ""  # of orders of the papers: what their user reads otherwise
    seed: int = 0  # of whatever an order draws at random
    vectors: Vectors | None = None  # of texts
    languages: frozenset[str] = frozenset()  # of pages that are wanted; none: that of the topic is preferred
    ontology: OntologyOptions = field(default_factory=OntologyOptions)  # of the order that has one


class OrderFactory(Protocol):
    """How the composition root makes an order for a crawl."""

    def __call__(self, given: Given) -> Order: ...
