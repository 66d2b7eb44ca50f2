"""What corpus builders hold against a text: the rules of C4, Gopher and FineWeb, each with its number. Pure; linear.

- C4: Raffel et al. 2020, "Exploring the limits of transfer learning", section 2.2. Its rules drop lines too; here they
  judge the whole, by the lines that would be left. The list of bad words is not applied.
- Gopher: Rae et al. 2021, "Scaling language models", appendix A1.1 and table A1. Its stop words are English: the rule
  is left out for other languages.
- FineWeb: Penedo et al. 2024, "The FineWeb datasets", section 3.6.

Words are what white space parts; of scripts that do not part words the numbers of words say little.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

RULES = ("c4", "gopher", "fineweb")
READ = 200_000  # characters of a text that are looked at
_ENDS = (".", "?", "!", '"', "'", "”", "。", "！", "？", "؟", "۔", "।")
_SENTENCE = re.compile(r"[.!?。！？؟۔।]+[\"'”]?(?=\s|$)|[。！？]")
_POLICY = ("terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies")
_CITATION = re.compile(r"\[\d*\]|\[edit\]|\[citation needed\]")
_STOP_WORDS = frozenset(("the", "be", "to", "of", "and", "that", "have", "with"))
_BULLETS = ("•", "‣", "▪", "●", "-   ", "* ")
_AT_MOST = {  # Gopher's table A1: n words → of the characters of all words
    2: 0.20, 3: 0.18, 4: 0.16,  # in the commonest n words in a row
    5: 0.15, 6: 0.14, 7: 0.13, 8: 0.12, 9: 0.11, 10: 0.10,  # in all that come again
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Quality:
    """What was counted, and which rules are broken: "c4: too few sentences"."""

    numbers: dict[str, float]
    flags: tuple[str, ...]


def quality(text: str, language: str = "") -> Quality:
    """
    >>> quality("One short line").flags[:2]
    ('c4: too few sentences', 'gopher: too few words')
    """
    text = text[:READ]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    words = text.split()
    numbers = {**_c4(lines), **_gopher(text, lines, words), **_repeated(lines, words), **_fineweb(lines, words)}
    return Quality({name: round(value, 4) for name, value in numbers.items()}, tuple(_flags(numbers, language)))


def _c4(lines: Sequence[str]) -> dict[str, float]:
    kept = [line for line in lines if _c4_keeps(_CITATION.sub("", line).strip())]
    lower = "\n".join(lines).lower()
    return {
        "c4_sentences": sum(max(1, len(_SENTENCE.findall(line))) for line in kept),
        "c4_lines_kept": len(kept) / max(1, len(lines)),
        "c4_lorem_ipsum": float("lorem ipsum" in lower),
        "c4_curly_bracket": float("{" in lower),
    }


def _c4_keeps(line: str) -> bool:
    lower, words = line.lower(), line.split()
    return (
        line.endswith(_ENDS)
        and not line.endswith("...")
        and len(words) >= 3
        and max(map(len, words)) <= 1000
        and "javascript" not in lower
        and not any(phrase in lower for phrase in _POLICY)
    )


def _gopher(text: str, lines: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    bare = [word for word in words if any(map(str.isalnum, word))]
    count, most = max(1, len(bare)), max(1, len(lines))
    return {
        "words": len(bare),
        "mean_word": sum(len(word.strip(".,;:!?\"'()[]")) for word in bare) / count,
        "hashes": text.count("#") / count,
        "ellipses": (text.count("...") + text.count("…")) / count,
        "bullet_lines": sum(line.startswith(_BULLETS) for line in lines) / most,
        "ellipsis_lines": sum(line.endswith(("...", "…")) for line in lines) / most,
        "alphabetic_words": sum(any(map(str.isalpha, word)) for word in words) / max(1, len(words)),
        "stop_words": len(_STOP_WORDS & {word.lower().strip(".,;:!?\"'()") for word in words}),
    }


def _repeated(lines: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    """Gopher's repetitions. Characters of words, so that white space says nothing."""
    again = _again(lines)
    characters = max(1, sum(map(len, words)))
    found = {
        "repeated_lines": len(again) / max(1, len(lines)),
        "repeated_line_chars": sum(map(len, again)) / max(1, sum(map(len, lines))),
    }
    for n in _AT_MOST:
        grams = [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
        if n < 5:
            gram, times = max(
                Counter(grams).items(), key=lambda kv: (kv[1] > 1) * kv[1] * _size(kv[0]), default=((), 0)
            )
            found[f"top_{n}_words"] = (times > 1) * times * _size(gram) / characters
        else:
            found[f"repeated_{n}_words"] = _covered(grams, words, n) / characters
    return found


def _size(gram: Sequence[str]) -> int:
    return sum(map(len, gram))


def _again(things: Iterable[str]) -> list[str]:
    """Those that have been there before."""
    known: set[str] = set()
    return [thing for thing in things if thing in known or known.add(thing)]  # type: ignore[func-returns-value]


def _covered(grams: Sequence[tuple[str, ...]], words: Sequence[str], n: int) -> int:
    """Characters of words that stand in n words in a row which come more than once; each word once."""
    times = Counter(grams)
    covered = end = 0
    for i, gram in enumerate(grams):
        if times[gram] > 1:
            covered += sum(map(len, words[max(i, end) : i + n]))
            end = i + n
    return covered


def _fineweb(lines: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    most = max(1, len(lines))
    return {
        "ended_lines": sum(line.endswith(_ENDS) for line in lines) / most,
        "short_lines": sum(len(line) <= 30 for line in lines) / most,
        "lines_a_word": max(0, len(lines) - 1) / max(1, len(words)),
    }


def _flags(n: dict[str, float], language: str) -> Iterable[str]:
    broken = {
        "c4: too few sentences": n["c4_sentences"] < 5,
        "c4: lorem ipsum": n["c4_lorem_ipsum"],
        "c4: curly bracket": n["c4_curly_bracket"],
        "gopher: too few words": n["words"] < 50,
        "gopher: too many words": n["words"] > 100_000,
        "gopher: length of words": not 3 <= n["mean_word"] <= 10,
        "gopher: hashes": n["hashes"] > 0.1,
        "gopher: ellipses": n["ellipses"] > 0.1,
        "gopher: bullets": n["bullet_lines"] > 0.9,
        "gopher: lines that end in ellipses": n["ellipsis_lines"] > 0.3,
        "gopher: words without letters": n["alphabetic_words"] < 0.8,
        "gopher: stop words": language in ("", "en") and n["stop_words"] < 2,
        "gopher: repeated lines": n["repeated_lines"] > 0.3 or n["repeated_line_chars"] > 0.2,
        "gopher: repeated words": any(
            n[f"top_{size}_words" if size < 5 else f"repeated_{size}_words"] > share for size, share in _AT_MOST.items()
        ),
        "fineweb: lines without an end": n["ended_lines"] <= 0.12,
        "fineweb: short lines": n["short_lines"] >= 0.67,
        "fineweb: repeated lines": n["repeated_line_chars"] >= 0.01,
        "fineweb: a list": n["lines_a_word"] > 0.3,
    }
    return (flag for flag, is_so in broken.items() if is_so)
