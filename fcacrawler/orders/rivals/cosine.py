"""Best-first by the cosine of the linking page with the topic: the CosTFCrawler of *Du & Hai 2013, §1.2, Eq. 2*."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from fcacrawler.judge.profile import QUERY, Vector, dot, norm, total
from fcacrawler.orders import Given
from fcacrawler.orders.plain import PlainOrder
from fcacrawler.page.text.background import background
from fcacrawler.values.links import Candidate
from fcacrawler.values.pages import SeenPage

K, B = 2.0, 0.75
MOST = 9.0  # ln of the occurrences of a word in a page
AVERAGE = 600.0  # words of an average document, as in the background frequencies


class Cosine(PlainOrder):
    """The better of a candidate's linking pages counts. The topic is the seeds and four fifths of the words, as it is
    for every order, but weighted by Eq. 2."""

    def __init__(self, given: Given) -> None:
        self.epoch = 0
        self._profile = given.profile
        self._seeds: list[Vector] = []
        self._topic: Vector = {}
        self._cosines: dict[str, float] = {}

    def learn(self, page: SeenPage, relevance: float) -> None:
        idf = background(page.language).idf
        vector = norm(weigh(occurrences(page.terms, idf), idf))
        if page.depth == 0 or not self._topic:
            self._seeds += [vector] if page.depth == 0 else []
            words = norm({t: background(self._profile.language).idf(t) for t in self._profile.words})
            self._topic = norm(total([(norm(total((v, 1.0) for v in self._seeds)), 1.0), (words, QUERY)]))
            self.epoch += 1
        self._cosines[page.url] = dot(vector, self._topic)

    def score(self, candidate: Candidate) -> float:
        return max((self._cosines.get(e.parent, 0.0) for e in candidate.evidence), default=0.0)


def weigh(tf: Mapping[str, float], idf: Callable[[str], float]) -> dict[str, float]:
    """w = cfw·tf·(k+1) / (k·((1-b) + b·N) + tf), cfw = idf, N = length / average length. (The paper prints "·k+1".)

    >>> w = weigh({"car": 2.0}, lambda t: 3.0)  # N = 2/600; 3·2·3 / (2·(0.25 + 0.0025) + 2)
    >>> round(w["car"], 4)
    7.1856
    """
    length = sum(tf.values()) / AVERAGE
    return {t: idf(t) * n * (K + 1) / (K * ((1 - B) + B * length) + n) for t, n in tf.items()}


def occurrences(terms: Vector, idf: Callable[[str], float]) -> dict[str, float]:
    """How often each word occurs, from its TF-IDF weight (1 + ln tf)·idf / length: some word occurs once.

    >>> occurrences({"car": 2.0 * (1 + math.log(3)), "race": 2.0 * 1}, lambda t: 2.0)
    {'car': 3.0, 'race': 1.0}
    """
    logs = {t: w / idf(t) for t, w in terms.items() if idf(t) > 0}
    least = min(logs.values(), default=1.0)
    return {t: round(math.exp(min(MOST, log / least - 1)), 6) for t, log in logs.items()}
