"""A page from several sides: what it says, its title, its URL, what it is called, what it is made of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcacrawler.page.text.short_texts import SPACE
from fcacrawler.values.pages import SeenPage

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Features = tuple[Ints, Floats]  # their numbers and weights

WEIGHTS: Mapping[str, float] = MappingProxyType({"title": 0.5, "url": 0.5, "anchor": 0.5, "counts": 0.2})
NAMES = ("text", *WEIGHTS)
ROOM = 2 * SPACE  # numbers: of stems, and of features of the other views, each with a quarter of the second half
_ROOM = SPACE // len(WEIGHTS)
LONGEST = 40  # characters of a shape
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_LARGE, _SMALL, _DIGITS = re.compile("[A-Z]+"), re.compile("[a-z]+"), re.compile("[0-9]+")


def row(page: SeenPage, text: Features) -> Features:
    """Numbers and weights of its features: of the text's stems (``weighted``) with norm 1, of each other view with norm
    √weight."""
    ids, values = [text[0]], [text[1]]
    views = (_words(page.title), _place(page.url), _anchors(page), _counts(page))
    for n, (weight, features) in enumerate(zip(WEIGHTS.values(), views, strict=True)):
        found = sorted({SPACE + n * _ROOM + crc32(f.encode()) % _ROOM for f in features})
        ids.append(np.array(found, np.int32))
        values.append(np.full(len(found), math.sqrt(weight / max(len(found), 1))))
    return np.concatenate(ids), np.concatenate(values)


def by_view(ids: Ints, said: Floats, owners: NDArray[np.integer] | int = 0, count: int = 1) -> Floats:
    """What features say, summed up by view, a row an owner: of feature k owners[k]."""
    views = np.maximum(ids // _ROOM - len(WEIGHTS) + 1, 0)
    summed = np.bincount(owners * len(NAMES) + views, said, count * len(NAMES))
    return np.asarray(summed, np.float64).reshape(count, -1)


def shape(text: str) -> str:
    """
    >>> shape("ch06s03.html"), shape("CS470")
    ('a9a9.a', 'A9')
    """
    return _DIGITS.sub("9", _SMALL.sub("a", _LARGE.sub("A", text[:LONGEST])))


def _words(text: str) -> list[str]:
    return [*_TOKEN.findall(text.lower()), shape(text)] if text else []


def _anchors(page: SeenPage) -> Iterable[str]:
    return {word for e in page.evidence for word in _TOKEN.findall(e.anchor.lower())}


def _place(url: str) -> list[str]:
    """Words, shapes and depth of where the page stands."""
    parts = urlsplit(url)
    *folders, file = parts.path.split("/")[1:] or [""]
    above = "/".join(folders)
    found = [f"host {parts.netloc}", f"folder {parts.netloc}/{above}", f"file {shape(file)}", f"depth {len(folders)}"]
    found.append("path " + "/".join(map(shape, (*folders, file))))
    for segment in (*folders, file):
        found += [f"segment {segment.lower()}", *_TOKEN.findall(segment.lower())]
    return found + ["query"] * bool(parts.query)


def _counts(page: SeenPage) -> list[str]:
    """Orders of magnitude."""
    words, links = len(page.terms), len(page.links)
    host = f"//{urlsplit(page.url).netloc}/"
    own = sum(host in link.url for link in page.links)
    sizes = {"words": words, "links": links, "own": own, "foreign": links - own, "density": 10 * links / (words + 1)}
    return [f"{name} {int(math.log2(1 + size))}" for name, size in sizes.items()]
