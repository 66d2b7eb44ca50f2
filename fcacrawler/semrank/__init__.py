"""SemRank: keywords → context → lattice → hierarchy → similarity → rank, with its explanation. The papers. Pure.

Doors:

- ``rank.semrank(base, current, links, clicks, similarity, options) -> Ranking``: SemRank by URL (a Mapping), and
  ``ranking.explain(url) -> Explanation`` when it is asked for. Base and current are mappings of URLs to keywords, best
  first; links and clicks are (from, to) pairs of URLs.
- ``parameters.NAMED``: the option sets ``semrank-2013``, ``semrank-2007``, ``formica``, each a ``SemRankOptions``.
- ``keyword_similarity.KeywordSimilarity`` (one method, ``matrix(rows, columns)``), with ``Exact`` and ``Vectors``.
- ``fcacrawler.values.omega.Omega`` is the lexical database Ω: ``weblogs`` makes it, this room reads it.
"""
