"""The names of what speaks for a link in a graded SemRank, and what each of them says."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXT = (
    "meanrel",
    "thr",
    "child",
    "loc",
    "place",
    "path",
    "votes",
    "early",
)  # features by name, as ``features.link_features`` orders them …
WORDS = ("anchor", "url", "named", "outcome")
CONCEPTS = ("extent", "shared", "borne", "intent")  # … ``Base.features``, the first of which is of Ext …
VECTORS = ("near", "seeds", "query")  # … and ``Neighbours.features``
CLICKS = ("clicks",)  # … and ``clicks``, of Ext too, where users' clicks are known
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "meanrel": "how relevant the pages are that link there",
        "thr": "the same, drawn to the mean of all pages where few link there",
        "child": "what other links of those pages have led to",
        "loc": "what the links beside it in those pages have led to",
        "place": "how relevant the pages of its folder are",
        "path": "what links have led to that stand at such a place of a page's layout",
        "votes": "how many hosts link there",
        "early": "how few links lead there from a seed",
        "clicks": "how relevant the pages are that users clicked in the same walks",
        "anchor": "how near the links' own words are to the topic",
        "url": "how near the words in its URL are to the topic",
        "named": "how many of the topic's words a link's text says, or the URL",
        "outcome": "what links with such words have led to",
        "extent": "how many of the pages that link there bear the concept of relevant pages that it shares most with",
        "shared": "how many of that concept's keywords stand at the links",
        "borne": "how many relevant pages bear that concept",
        "intent": "how alike its keywords and those of a concept of relevant pages are",
        "near": "what pages have turned out to be whose names mean nearly the same",
        "seeds": "how near its name is to the names of the seeds",
        "query": "how near its name is to the topic's words",
    }
)
