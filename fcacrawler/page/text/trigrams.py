"""What the letters of a few words sound like: by which triples the common words of a language are made.

Said of words that nobody has listed, so that a line of text is told too; long texts need it not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log

Says = tuple[tuple[str, float], ...]
_STEEP = 2e5  # how sharply a share of the triples counts


class Trigrams:
    """A triple that makes the share p of a language's words says ln(1 + 2·10⁵·p) for it; words count by the roots of
    their frequencies.

    >>> words = {"en": {"the": 0.04, "with": 0.01}, "de": {"der": 0.04, "mit": 0.01}}
    >>> scores = Trigrams(words).scores(["bath"])  # it ends as "with" does, and as no German word
    >>> scores["en"] > 0, "de" in scores
    (True, False)
    """

    def __init__(self, words: Mapping[str, Mapping[str, float]]) -> None:
        found: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for language, frequencies in words.items():
            counts: defaultdict[str, float] = defaultdict(float)
            for word, frequency in frequencies.items():
                for triple in _triples(word):
                    counts[triple] += frequency**0.5
            total = sum(counts.values())
            for triple, count in counts.items():
                found[triple].append((language, log(1 + _STEEP * count / total)))
        self._says: Mapping[str, Says] = {triple: tuple(said) for triple, said in found.items()}

    def scores(self, words: Sequence[str]) -> dict[str, float]:
        """Language → what the triples of these words say for it, each word once."""
        scores: defaultdict[str, float] = defaultdict(float)
        for word in dict.fromkeys(words):
            for triple in _triples(word):
                for language, says in self._says.get(triple, ()):
                    scores[language] += says
        return scores


def _triples(word: str) -> Iterator[str]:
    padded = f" {word} "
    return (padded[i : i + 3] for i in range(len(word) if len(word) > 1 and word.isalpha() else 0))
