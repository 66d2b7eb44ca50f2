"""What another link to a URL that waits adds to what is known of it."""

from __future__ import annotations

from fcacrawler.values.links import Candidate


def joined(known: Candidate, found: Candidate, most: int) -> Candidate:
    """``known`` with the evidence of ``found``: the first link ever found and the latest, ``most`` in all; each once,
    so a page that is read again adds nothing. The depth is the smaller one. ``known`` itself if all that is nothing
    new."""
    parents = [e.parent for e in known.evidence]
    news = [e for e in found.evidence if e.parent not in parents or e not in known.evidence]
    if not news and found.depth >= known.depth:
        return known
    evidence = [*known.evidence, *news]
    if len(evidence) > most:
        evidence = evidence[:1] + evidence[len(evidence) - most + 1 :]
    depth = min(known.depth, found.depth)
    return Candidate(known.key, known.url, known.host, depth, tuple(evidence), known.request)
