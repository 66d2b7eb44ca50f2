"""What is known of links that wait, of pages and of words: columns, as the loops of ``features`` take them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Said(NamedTuple):
    """Texts: words of the t-th are ids[starts[t]:starts[t+1]], with weights in ``values``."""

    starts: Ints
    ids: NDArray[np.int32]
    values: Floats


class Links(NamedTuple):
    """Candidates: i has the links[first[i]:first[i+1]], and one name."""

    first: Ints
    links: Ints  # numbers of links …
    names: Ints  # … and of names
    stands: Ints  # of links: the page and the slot where one stands, and the host
    said: Said  # of links: the anchor's text, and then the context's
    called: Said  # of names: the URL's text
    places: NDArray[np.int32]  # of names: the URL's folders
    paths: NDArray[np.int32]  # of links: where in the layout they stand
    clicked: NDArray[np.int32]  # of names: the URL's number among clicked pages
    depths: Ints  # of candidates: links from the nearest seed


class Pages(NamedTuple):
    """Fetched pages: see ``PageTable``."""

    relevance: Floats
    worth: Floats
    rates: Floats
    base: float
    starts: Ints
    gone: int
    oldest: int  # the first slot that is remembered
    slots: NDArray[np.int32]  # a ring, of a power of two


class Groups(NamedTuple):
    """What is known of groups of pages or links: see ``GroupTable``."""

    total: Floats
    pages: Floats  # how many
    doubt: float


class Walked(NamedTuple):
    """Clicked pages: n lies in walks with others[starts[n]:starts[n+1]]. See ``ClickTable``."""

    starts: Ints
    others: NDArray[np.int32]
    users: Floats  # whose walks show it
    pages: Ints  # of clicked pages: the numbers of those that have been fetched


class Worth(NamedTuple):
    """What words have led to: apart[word + where it stands] + scale·hint[word]."""

    apart: Floats
    hint: Floats
    scale: float


class Known(NamedTuple):
    """Candidates, and what is known of pages and of words when they are ranked."""

    of: Links
    pages: Pages
    folders: Groups
    layout: Groups
    topic: Floats  # by a word's number
    asked: Floats  # the share of a word in the words that the user gave, by its number
    outcomes: Worth
    expected: float  # of words that say nothing
