"""What another link to a URL that waits adds to what is known of it."""

from __future__ import annotations

from dataclasses import replace

from fcacrawler.items import Candidate


def joined(known: Candidate, found: Candidate, most: int) -> Candidate:
    """``known`` with the evidence of ``found``: the first link ever found and the latest, ``most`` in all; each once,
    so a page that is read again adds nothing. The depth is the smaller one. ``known`` itself if all that is nothing
    new."""
    news = [e for e in found.evidence if e not in known.evidence]
    if not news and found.depth >= known.depth:
        return known
    evidence = [*known.evidence, *news]
    if len(evidence) > most:
        evidence = evidence[:1] + evidence[len(evidence) - most + 1 :]
    return replace(known, depth=min(known.depth, found.depth), evidence=tuple(evidence))
