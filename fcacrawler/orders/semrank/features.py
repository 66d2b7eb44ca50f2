"""The parts of a graded SemRank: what speaks for a link that waits, each a number in [0, 1].

n is the number of links known to lead to a candidate, rel what the judge thinks of a page now, base the mean of it. All
are compiled, but for those of vectors, which are in ``near``: what a compiled function calls stands in the same file.
"""

from __future__ import annotations

from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.orders.semrank.known import Groups, Known, Links, Pages, Said, Walked, Worth
from fcacrawler.page.text.short_texts import SPACE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
CLOSE = np.array([1.0, 0.7, 0.5, 0.35])  # weight of a neighbour in the parent's list of links, by the steps to it
ANCHOR, URL, CONTEXT = 0, SPACE, 2 * SPACE  # where words stand: what they have led to is kept by number and place


# -- of the pages that link there -----------------------------------------------------------------------------------


@compiled
def mean_of(values: Floats, k: Known, out: Floats) -> None:
    """Over the linking pages; base for pages that have none."""
    of, base = k.of, k.pages.base
    for i in range(len(out)):
        total = 0.0
        for link in of.links[of.first[i] : of.first[i + 1]]:
            page = of.stands[link, 0]
            total += values[page] if 0 <= page < len(values) else base
        out[i] = total / max(of.first[i + 1] - of.first[i], 1)


@compiled
def meanrel(k: Known, out: Floats) -> None:
    """Σ rel of the linking pages / n."""
    mean_of(k.pages.relevance, k, out)


@compiled
def thr(k: Known, out: Floats) -> None:
    """(Σ rel of the linking pages + base) / (n + 1): one link is less sure than many."""
    meanrel(k, out)
    for i in range(len(out)):
        n = k.of.first[i + 1] - k.of.first[i]
        out[i] = (out[i] * n + k.pages.base) / (n + 1)


@compiled
def child(k: Known, out: Floats) -> None:
    """Mean child rate of the linking pages: what their other links have led to; base for the latest pages."""
    mean_of(k.pages.rates, k, out)


@compiled
def loc(k: Known, out: Floats) -> None:
    """Mean over the links of (Σ w_s·worth of the fetched page s steps on in the parent's list + r) / (Σ w_s + 1), r the
    parent's child rate."""
    of, worth, rates, base = k.of, k.pages.worth, k.pages.rates, k.pages.base
    starts, gone, oldest, slots = k.pages.starts, k.pages.gone, k.pages.oldest, k.pages.slots
    for i in range(len(out)):
        mean = 0.0
        for link in of.links[of.first[i] : of.first[i + 1]]:
            page, slot = of.stands[link, 0], of.stands[link, 1]
            total, weight = rates[page] if 0 <= page < len(rates) else base, 1.0
            at = max(page - gone, 0)
            if slot >= 0 and at + 1 < len(starts):
                begin, end = max(slot - len(CLOSE), starts[at], oldest), min(slot + len(CLOSE) + 1, starts[at + 1])
                for there in range(begin, end):
                    led = slots[there & (len(slots) - 1)] - 1
                    if there != slot and 0 <= led < len(worth):
                        total += CLOSE[abs(there - slot) - 1] * worth[led]
                        weight += CLOSE[abs(there - slot) - 1]
            mean += total / weight
        out[i] = mean / max(of.first[i + 1] - of.first[i], 1)


@compiled
def within(groups: NDArray[np.int32], known: Groups, rate: float) -> float:
    """The rate of the last of the groups, each within the one before, drawn towards theirs and at last to this one."""
    for group in groups:
        if group < 0:
            break
        rate = (known.total[group] + known.doubt * rate) / (known.pages[group] + known.doubt)
    return rate


@compiled
def place(k: Known, out: Floats) -> None:
    """Mean rel of the pages in the same folder, drawn towards that of the folder around it, the host, all pages."""
    for i in range(len(out)):
        out[i] = within(k.of.places[k.of.names[i]], k.folders, k.pages.base)


@compiled
def path(k: Known, out: Floats) -> None:
    """Mean over the links of the worth of what links led to that stand at such a place of the layout on the same page,
    drawn towards those of the host, of all hosts, of its kind, all links."""
    for i in range(len(out)):
        total = 0.0
        for link in k.of.links[k.of.first[i] : k.of.first[i + 1]]:
            total += within(k.of.paths[link], k.layout, k.expected)
        out[i] = total / max(k.of.first[i + 1] - k.of.first[i], 1)


@compiled
def votes(k: Known, out: Floats) -> None:
    """ln(1 + hosts that link there) / ln 9. A host's own pages, menus on all of them, are one vote together."""
    first, links, stands = k.of.first, k.of.links, k.of.stands
    for i in range(len(out)):
        hosts = 0
        for at in range(first[i], first[i + 1]):
            new = 1
            for earlier in range(first[i], at):
                if stands[links[earlier], 2] == stands[links[at], 2]:
                    new = 0
                    break
            hosts += new
        out[i] = log1p(hosts) / log(9.0)


@compiled
def early(k: Known, out: Floats) -> None:
    """1 / links from the nearest seed: users begin where they think that what they look for is near."""
    for i in range(len(out)):
        out[i] = 1.0 / max(k.of.depths[i], 1)


@compiled
def clicks(of: Links, walked: Walked, pages: Pages, out: Floats) -> None:
    """(Σ users·rel of the fetched pages that users clicked in the same walks + 2·base) / (Σ users + 2)."""
    relevance = pages.relevance
    for i in range(len(out)):
        total, weight = 2 * pages.base, 2.0
        at = of.clicked[of.names[i]]
        if at >= 0:
            for near in range(walked.starts[at], walked.starts[at + 1]):
                page = walked.pages[walked.others[near]]
                if 0 <= page < len(relevance):
                    total += walked.users[near] * relevance[page]
                    weight += walked.users[near]
        out[i] = total / weight


# -- of the words at the links --------------------------------------------------------------------------------------


@compiled
def said_of(said: Said, texts: Ints, words: Floats, weighed: bool) -> Floats:
    """Σ of these words' values, times their weights in the text or not, over each text; between 0 and 1."""
    found = np.empty(len(texts))
    for i in range(len(texts)):
        total = 0.0
        for at in range(said.starts[texts[i]], said.starts[texts[i] + 1]):
            total += words[said.ids[at]] * (said.values[at] if weighed else 1.0)
        found[i] = min(max(total, 0.0), 1.0)
    return found


@compiled
def greatest(k: Known, of_links: Floats, out: Floats) -> None:
    """Of what is there and what each of a candidate's links has."""
    for i in range(len(out)):
        for at in range(k.of.first[i], k.of.first[i + 1]):
            out[i] = max(out[i], of_links[at])


@compiled
def anchor(k: Known, out: Floats) -> None:
    """The greatest cosine of an anchor with the topic."""
    out[:] = 0.0
    greatest(k, said_of(k.of.said, 2 * k.of.links, k.topic, True), out)


@compiled
def url(k: Known, out: Floats) -> None:
    """Cosine of the URL's words with the topic."""
    out[:] = said_of(k.of.called, k.of.names, k.topic, True)


@compiled
def named(k: Known, out: Floats) -> None:
    """The greatest share of the user's words, each by its weight squared, that an anchor says, or the URL."""
    out[:] = said_of(k.of.called, k.of.names, k.asked, False)
    greatest(k, said_of(k.of.said, 2 * k.of.links, k.asked, False), out)


@compiled
def led(said: Said, texts: Ints, place: int, worth: Worth) -> Floats:
    """Σ weight · what the word has led to, over the words of each text, which stand there."""
    found = np.empty(len(texts))
    for i in range(len(texts)):
        total = 0.0
        for at in range(said.starts[texts[i]], said.starts[texts[i] + 1]):
            word = said.ids[at]
            total += (worth.apart[word + place] + worth.scale * worth.hint[word]) * said.values[at]
        found[i] = total
    return found


@compiled
def outcome(k: Known, out: Floats) -> None:
    """What the words in anchors, contexts and URL have led to so far: a ridge regression's answer; base before it."""
    links = led(k.of.said, 2 * k.of.links, ANCHOR, k.outcomes) + led(k.of.said, 2 * k.of.links + 1, CONTEXT, k.outcomes)
    names = led(k.of.called, k.of.names, URL, k.outcomes)
    for i in range(len(out)):
        total = 0.0
        for at in range(k.of.first[i], k.of.first[i + 1]):
            total += links[at]
        total /= max(k.of.first[i + 1] - k.of.first[i], 1)
        out[i] = min(max(k.expected + total + names[i], 0.0), 1.0)


@compiled
def link_features(k: Known, columns: Floats) -> None:
    """Each of ``EXT`` and ``WORDS``."""
    meanrel(k, columns[0])
    thr(k, columns[1])
    child(k, columns[2])
    loc(k, columns[3])
    place(k, columns[4])
    path(k, columns[5])
    votes(k, columns[6])
    early(k, columns[7])
    anchor(k, columns[8])
    url(k, columns[9])
    named(k, columns[10])
    outcome(k, columns[11])
