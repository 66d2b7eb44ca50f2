"""How often words and phrases occur on a page, and which of them say most of it: compiled.

What a compiled function calls stands in this file, or its cache would not know that it has changed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fcacrawler.lowlevel.compiled import compiled
from fcacrawler.page.text.background import NUMBER

Numbers = NDArray[np.int64]
Weights = NDArray[np.float64]
Table = tuple[Numbers, Numbers]

_TITLE, _ANCHOR, _HEADING = 2.0, 1.5, 1.25  # a keyword that stands there weighs more by so much
_PHRASE = 1.6  # a phrase says more than its words
_COHESION = 0.3  # exponent: how much it matters that a phrase's words occur in it and hardly elsewhere
_SHARED, _LEFT = 0.5, 0.3  # a word loses half its count to each phrase that it stands in, but keeps 0.3 of it
_MIX, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(40)


@compiled
def _table(items: int) -> Table:
    """Room for so many items: their keys, which are not 0, and their places in order of arrival."""
    size = 16
    while size < 2 * items:
        size *= 2
    return np.zeros(size, np.int64), np.empty(size, np.int64)


@compiled
def _at(keys: Numbers, key: int) -> np.int64:
    """Where a key stands in a table, or would stand."""
    mask = keys.size - 1
    at = np.int64((np.uint64(key) * _MIX) >> _SHIFT) & mask
    while keys[at] != key and keys[at] != 0:
        at = (at + 1) & mask
    return at


@compiled
def _words(numbers: Numbers, end: int) -> tuple[Numbers, Numbers, Numbers]:
    """The word at each place, by order of arrival before the end (-1: none); where each is first; and how often it
    occurs before the end."""
    keys, places = _table(end)
    word, first, counts = np.full(numbers.size, -1), np.empty(end, np.int64), np.zeros(end, np.int64)
    words = 0
    for i in range(numbers.size):
        if numbers[i] == 0:
            continue
        at = _at(keys, numbers[i])
        if keys[at] == 0 and i < end:
            keys[at], places[at], first[words] = numbers[i], words, i
            words += 1
        if keys[at] != 0:
            word[i] = places[at]
            if i < end:
                counts[places[at]] += 1
    return word, first[:words], counts[:words]


@compiled
def _key(word: int, next_: int) -> int:
    return (word + 1) << 32 | next_


@compiled
def _phrases(word: Numbers, counts: Numbers, joins: NDArray[np.bool_], sure: int, end: int) -> tuple[Table, Table]:
    """The table of phrases; where each is first, and how often it is counted."""
    keys, places = _table(end)
    first, times = np.empty(end, np.int64), np.zeros(end, np.int64)
    phrases = 0
    for i in range(end - 1):
        a, b = word[i], word[i + 1]
        if a < 0 or b < 0 or a == b or not (joins[a] and joins[b]):
            continue
        if i < sure or (counts[a] > 1 and counts[b] > 1):
            at = _at(keys, _key(a, b))
            if keys[at] == 0:
                keys[at], places[at], first[phrases] = _key(a, b), phrases, i
                phrases += 1
            times[places[at]] += 1
    return (keys, places), (first[:phrases], times[:phrases])


@compiled
def _insert(order: Numbers, scores: Weights, first: Numbers, filled: int, new: int) -> int:
    """Put a new one where it belongs among the best; how many these are then."""
    if scores[new] <= 0.0:
        return filled
    at = filled
    while at > 0:
        other = order[at - 1]
        if scores[other] > scores[new] or (scores[other] == scores[new] and first[other] <= first[new]):
            break
        if at < order.size:
            order[at] = other
        at -= 1
    if at < order.size:
        order[at] = new
    return min(filled + 1, order.size)


@compiled
def best(
    numbers: Numbers, ends: tuple[int, int, int, int], weights: Weights, most: int
) -> tuple[Numbers, Numbers, Weights]:
    """The best keywords, best first: a phrase's first word or 0, the word or the phrase's second one, and the score.

    ``numbers`` of words: those of the title, of what is said of the page, its description, text and headings, with a 0
    after each; ``ends``: of the first four. What begins in the first two makes phrases even if it does so only once. Of
    equals comes first what does so on the page, and a word before a phrase.
    """
    title, said, described, text = ends
    word, first, counts = _words(numbers, text)
    words = first.size
    says = weights[numbers[first]]
    (keys, places), (begins, times) = _phrases(word, counts, says != NUMBER, said, text)

    factors = np.ones(words + begins.size)
    for start, end, factor in (
        (said + 1, described, _HEADING),
        (text + 1, numbers.size - 1, _HEADING),
        (title + 1, said, _ANCHOR),
        (0, title, _TITLE),
    ):
        for i in range(start, end):
            if word[i] >= 0:
                factors[word[i]] = factor
                at = _at(keys, _key(word[i], word[i + 1]))  # after the part is no word
                if word[i + 1] >= 0 and keys[at] != 0:
                    factors[words + places[at]] = factor

    first, scores = np.concatenate((first, begins)), np.empty(words + begins.size)
    left = counts.astype(np.float64)
    for p in range(begins.size):
        a, b, n = word[begins[p]], word[begins[p] + 1], times[p]
        scores[words + p] = 0.0
        if n > 1 or begins[p] < said:
            left[a] -= _SHARED * n
            left[b] -= _SHARED * n
            cohesion = (n / min(counts[a], counts[b])) ** _COHESION
            scores[words + p] = _PHRASE * n * cohesion * (says[a] + says[b]) / 2 * factors[words + p]
    order, filled = np.empty(most, np.int64), 0
    for n in range(first.size):
        if n < words:
            scores[n] = max(left[n], _LEFT * counts[n]) * says[n] * factors[n]
        filled = _insert(order, scores, first, filled, n)
    phrase, second, score = np.zeros(filled, np.int64), np.empty(filled, np.int64), np.empty(filled)
    for k in range(filled):
        n = order[k]
        score[k], at = scores[n], first[n]
        if n >= words:
            phrase[k], at = numbers[at], at + 1
        second[k] = numbers[at]
    return phrase, second, score


@compiled
def tallied(numbers: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct numbers above 0 in order of arrival, and how often each occurs."""
    _, first, counts = _words(numbers, numbers.size)
    return numbers[first], counts
