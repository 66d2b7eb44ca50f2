"""How much each seed speaks for the topic. Seeds say where to start; words and examples say what is sought.

Why so: decision 180.
"""

from __future__ import annotations

import math
from urllib.parse import urlsplit

from fcacrawler.judge.contrast import Contrast, top
from fcacrawler.judge.profile import QUERY, Profile, norm, total
from fcacrawler.values.pages import SeenPage

LEAST = 0.3  # what a seed says that is like nothing else that was said
KIN, SOFT = 0.5, 0.1  # of what the most similar pages reach: where a seed is half believed, and how softly
UNSEEN = 0.5  # how far it is believed before there are pages to compare it with
ENOUGH = 10  # such pages
LIST = 8.0  # times as many links a word as pages have usually: a list
FEW = 20  # words that a page counts to have beside its own, where links are counted by words
MANY = 30  # seeds, beyond which each is compared with all of them, itself among them


def density(page: SeenPage) -> float:
    """Links by distinct words."""
    return len(page.links) / (len(page.terms) + FEW)


def is_home(url: str) -> bool:
    """Is it a site's home page?

    >>> is_home("http://a.test/"), is_home("http://a.test/cars")
    (True, False)
    """
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query


def trusts(profile: Profile, contrast: Contrast, pages: int, usual: float) -> list[float]:
    """Of each seed that has been read, by what is known of the web's ``pages``, which have ``usual`` links a word.

    1 for an example that the user gave; 0 for a home page and for a list: they lead everywhere. Else
    0.3 + 0.7·σ((kin - 0.5) / 0.1), where kin = t(seed) / top(t) with t = d·cos(page, norm(other seeds) + 0.8·words):
    whether a seed is like what the other seeds and the words say, as much as the most similar pages of this
    web are. Where nothing else says what is sought, seeds do.
    """
    found = []
    for n, seed in enumerate(profile.seeds_read):
        if seed.url in profile.topic.examples:
            found.append(1.0)
        elif is_home(seed.url) or (pages >= ENOUGH and density(seed) > LIST * usual):
            found.append(0.0)
        else:
            kin = _kin(profile, contrast, n) if pages >= ENOUGH else UNSEEN
            found.append(round(LEAST + (1 - LEAST) * kin, 2))
    return found if any(found) or profile.words or profile.topic.texts else [1.0] * len(found)


def _kin(profile: Profile, contrast: Contrast, n: int) -> float:
    seeds = profile.seeds_read
    alone = len(seeds) > MANY
    others = [(s.terms, t) for m, (s, t) in enumerate(zip(seeds, profile.trusts, strict=True)) if m != n or alone]
    own, pages = contrast.near(seeds[n].terms, total([(norm(total(others)), 1.0), (profile.words, QUERY)]))
    return 1 / (1 + math.exp(min((KIN - own / top(pages)) / SOFT, 700.0)))
