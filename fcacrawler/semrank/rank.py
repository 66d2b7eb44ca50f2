"""SemRank: the door. Base and current URLs with their keywords, what ties them, and how alike keywords are → ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fcacrawler.semrank.context import Table, table
from fcacrawler.semrank.extension import Tie, extension_similarity
from fcacrawler.semrank.intension import intension_similarity, matched_keywords
from fcacrawler.semrank.kernels.arrays import Concepts, Floats, Places
from fcacrawler.semrank.kernels.concepts import concepts_of
from fcacrawler.semrank.kernels.fast_rank import Best, rank_fast
from fcacrawler.semrank.keyword_similarity import Exact, KeywordSimilarity
from fcacrawler.semrank.parameters import SEMRANK_2013, SemRankOptions
from fcacrawler.semrank.similarity import adaptive_w
from fcacrawler.semrank.ties import ties
from fcacrawler.values.verdicts import Explanation

Given = Mapping[str, Iterable[str]]  # URLs with their keywords, best first


def semrank(
    base: Given,
    current: Given,
    links: Iterable[Tie] = (),
    clicks: Iterable[Tie] = (),
    similarity: KeywordSimilarity | None = None,
    options: SemRankOptions = SEMRANK_2013,
) -> Ranking:
    """SemRank of every current URL against the base. *Du & Hai 2013, Def. 20 and 21*.

        Sim(C, BL) = max over concepts B of BL of Sim(B, C)
        SemRank(u) = max over concepts C of CL with u in their extent of Sim(C, BL)

    ``links`` and ``clicks`` are (from, to) pairs of URLs; what leads elsewhere is passed over. ``similarity`` is of
    keywords, ``Exact`` if none is given. Concepts without an extent or without an intent are left out of both maxima.
    A URL that no concept speaks for (no keywords, no base) has SemRank 0. The same input, in any order of dict or set,
    gives the same ranks to the last bit.

    >>> ranks = semrank({"U1": ["spider"]}, {"U2": ["spider", "web"], "U3": ["web"]}, links=[("U1", "U2")])
    >>> {url: round(rank, 3) for url, rank in ranks.items()}
    {'U2': 0.7, 'U3': 0.05}
    """
    known, found = table(base, options.max_keywords), table(current, options.max_keywords)
    links, clicks, similarity = list(links), list(clicks), similarity or Exact()
    base_concepts, current_concepts = (concepts_of(t, options.max_concepts).filled() for t in (known, found))
    ics = checked(similarity.matrix(known.keywords, found.keywords))
    best = rank_fast(base_concepts, current_concepts, ties(known.urls, found.urls, links, clicks), ics, options)
    return Ranking(known, found, base_concepts, current_concepts, best, links, clicks, similarity, options)


def checked(ics: Floats) -> Floats:
    """A matrix of similarities, refused if a value is not in [0, 1]."""
    if not bool(((ics >= 0) & (ics <= 1)).all()):
        raise ValueError("the similarity of keywords answered a value outside [0, 1]")
    return ics


class Ranking(Mapping[str, float]):
    """SemRank by URL, and why."""

    def __init__(
        self,
        known: Table,
        found: Table,
        base: Concepts,
        current: Concepts,
        best: Best,
        links: Sequence[Tie],
        clicks: Sequence[Tie],
        similarity: KeywordSimilarity,
        options: SemRankOptions,
    ) -> None:
        self._place = {u: i for i, u in enumerate(found.urls)}
        self._best = best
        self._names = known, found
        self._concepts = base, current
        self._ties = links, clicks
        self._similarity = similarity
        self._options = options

    def __getitem__(self, url: str) -> float:
        return float(self._best.rank[self._place[url]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        return len(self._place)

    def explain(self, url: str) -> Explanation:
        """The pair of concepts that made the rank, its two parts, w, and the keywords that matched."""
        place = self._place[url]
        i, j = int(self._best.base[place]), int(self._best.current[place])
        if i < 0:
            return Explanation(self[url])
        (known, found), (base, current) = self._names, self._concepts
        X1, Y1 = _names(known.urls, base.extents[i]), _names(known.keywords, base.intents[i])
        X2, Y2 = _names(found.urls, current.extents[j]), _names(found.keywords, current.intents[j])
        o = self._options
        ext = extension_similarity(set(X1), set(X2), *self._ties, o.sim_ext)
        int_ = intension_similarity(Y1, Y2, self._similarity, o.sim_int)
        return Explanation(
            self[url],
            ext,
            int_,
            o.w if o.w_rule == "fixed" else adaptive_w(ext, int_),
            {"extent": X1, "intent": Y1},
            {"extent": X2, "intent": Y2},
            tuple(matched_keywords(Y1, Y2, self._similarity)),
        )


def _names(names: Sequence[str], places: Places) -> list[str]:
    return [names[k] for k in places.tolist()]
