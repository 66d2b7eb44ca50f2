"""Which engine is asked what, and what several say as one list.

A keyword goes to the engine with the largest p(e) / (1 + how many it has been given): shares by performance, as seats
are given by votes (D'Hondt). Results are fused by rank:

    score(u) = (A + l(u)) · Σ p(e) · g(q) / (K + rank of u)   over all answers of engines e to questions q

so what several say stands above what one says, and what good engines say above what poor ones do (after Cormack, Clarke
& Büttcher 2009, with weights). l is how near in meaning to the topic is what is known of a page before it is fetched:
title, snippet, words of its URL.

Why so: decision 242.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fcacrawler.engines.asking import Answered, Question
from fcacrawler.engines.readers import Result
from fcacrawler.page import terms, url_words

K = 20  # ranks at which a second voice weighs as much as being first
A = 0.1  # of what is known of a page that is not near at all
KEYWORD = 0.5  # weight of a question with a keyword that was added to the topic
EACH = 4  # keywords that one engine is asked for at most


Near = Callable[[Sequence[str]], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A page to begin with, as engines have it."""

    url: str
    title: str
    snippet: str
    engines: tuple[tuple[str, int], ...]  # name, and its best rank there
    score: float  # 1 for the best
    alive: bool | None = None  # None: nobody has looked, or it cannot be told
    state: str = ""  # what was seen there: "HTTP 404"


def allotted(
    words: str, keywords: Sequence[str], performance: Mapping[str, float], alone: Collection[str] = ()
) -> dict[str, list[Question]]:  # fmt: skip
    """Questions by engine: the topic's words to each, each keyword to one; with the topic's words, unless ``alone``.

    >>> allotted("tea", ["oolong", "green tea", "kettle"], {"good": 0.8, "poor": 0.3})
    {'good': [('tea', 1.0), ('tea oolong', 0.5), ('green tea', 0.5)], 'poor': [('tea', 1.0), ('tea kettle', 0.5)]}
    """
    questions: dict[str, list[Question]] = {engine: [(words, 1.0)] for engine in performance}
    for keyword in keywords:
        free = [e for e in performance if len(questions[e]) <= EACH]
        if free:
            best = max(free, key=lambda e: performance[e] / len(questions[e]))
            questions[best].append((keyword if keyword in alone else joined(words, keyword), KEYWORD))
    return questions


def joined(words: str, keyword: str) -> str:
    """The topic's words with a keyword, none of them twice."""
    said = set(terms(keyword, "en"))
    return " ".join([*(word for word in words.split() if not set(terms(word, "en")) & said), keyword])


def fused(
    answers: Iterable[Answered], performance: Mapping[str, float], most: int = 0, near: Near | None = None
) -> list[Suggestion]:
    """Best first, ties in the order in which they came. ``near``: texts → l, in [-1, 1]; without it all are alike."""
    scores: dict[str, float] = {}
    shown: dict[str, Result] = {}
    ranks: dict[str, dict[str, int]] = {}
    for answer in answers:
        for rank, result in enumerate(answer.results, 1):
            gain = performance.get(answer.engine, 0.0) * answer.weight / (K + rank)
            scores[result.url] = scores.get(result.url, 0.0) + gain
            known = shown.setdefault(result.url, result)
            if not known.snippet and result.snippet:
                shown[result.url] = result
            at = ranks.setdefault(result.url, {})
            at[answer.engine] = min(rank, at.get(answer.engine, rank))
    if near is not None and scores:
        texts = [f"{shown[url].title}. {shown[url].snippet}. {url_words(url)}" for url in scores]
        scores = {url: scores[url] * (A + max(0.0, cos)) for url, cos in zip(scores, near(texts), strict=True)}
    best = sorted(scores, key=lambda url: -scores[url])
    top = max(scores.values(), default=0.0) or 1.0
    return [
        Suggestion(url, shown[url].title, shown[url].snippet, tuple(ranks[url].items()), round(scores[url] / top, 4))
        for url in (best[:most] if most else best)
    ]
