"""What the judge's opinion of a page is made of: the names, in their order, and what each means to people."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PARTS: Mapping[str, str] = MappingProxyType(
    {
        "text": "what its words say, against what pages of this crawl say anyway",
        "query": "how near its title is to the topic's words",
        "seeds": "how near its title is to the titles of the seeds that are believed",
        "company": "what the fetched pages say that it is linked with, either way",
        "reach": "what the best fifth of the pages come to: the scale of the four above",
        "learned": "log odds by what all that it shows was worth on other pages: the sum of the six below, 5 at most",
        "by text": "of these by its words",
        "by title": "by the words of its title, and their shape",
        "by url": "by the words and the shape of its URL, its host and depth",
        "by anchor": "by what the links are called that lead to it",
        "by counts": "by how many words and links it has",
        "by any": "what holds for all pages",
        "taught": "share of these in the log odds, half at the most; the rest is what the five above say",
        "said": "what marks of other pages, and of it, add to the log odds; it stands here only if there are any",
        "mark": "what a user says of it, 1 or 0, whatever the rest says; it stands here only if somebody does",
        "language": "1 if its language is wanted or cannot be told, else 0: times this; it stands here only with -a "
        "languages=",
        "doubt": "what comes off the log odds where else more pages were relevant than those that say the words allow",
        "part": "which page it is of its series, as page 2, 3 … of a list: the k-th counts 1/k",
    }
)
