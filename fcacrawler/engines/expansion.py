"""More words for a topic, each with where it comes from: what a log says, what vectors find near, in other languages
too, and what the first results speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from fcacrawler.engines.readers import Result
from fcacrawler.page import keywords, language_of, normalise_query, terms
from fcacrawler.page.text.background import background
from fcacrawler.values.omega import Omega, Support
from fcacrawler.values.pages import Page

MOST = 16  # keywords that are proposed
OF_EACH = 8  # of one source
NEAR = 0.45  # cosine from which on a word is near
READ = 50  # results whose words are read
AGREE = 2  # results that must have a word
SAME, LOOKED = 0.6, 1000  # cosine from which on a word may be a translation, and how many of the nearest are looked at
RARE, FOREIGN = (
    1e-6,
    3.0,
)  # it is a word of a language that makes up so much of it, and so much more than of the topic's
Near = Callable[[str, int], Sequence[tuple[str, float]]]  # a text's nearest words, with their cosines


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word that may be asked for beside the topic."""

    words: str
    source: str  # for people: "the log: ISA of tea"
    alone: bool = False  # it is asked for without the topic's own words


def expanded(
    words: str, omega: Omega | None = None, near: Near | None = None, found: Iterable[Result] = (), most: int = MOST,
    abroad: Near | None = None, languages: Sequence[str] = (),
) -> list[Keyword]:  # fmt: skip
    """The best of each source in turn, each keyword once, none that the topic says already; in these languages too."""
    results = list(found)[:READ]
    language = language_of("", "\n".join([words, *(result.snippet for result in results)])) or "en"
    sources = [
        list(_abroad(words, language, languages, abroad)) if abroad is not None else [],
        list(_of_log(words, language, omega)) if omega is not None else [],
        [Keyword(w, f"near in meaning ({c:.2f})") for w, c in (near(words, OF_EACH) if near else ()) if c >= NEAR],
        list(_of_results(words, language, results)),
    ]
    turns = chain.from_iterable(zip_longest(*(source[:OF_EACH] for source in sources)))
    said, kept = {frozenset(terms(words, language))}, list[Keyword]()
    own = frozenset(terms(words, language))
    for keyword in filter(None, turns):
        stems = frozenset(terms(keyword.words, language))
        if stems - own and stems not in said:
            said.add(stems)
            kept.append(keyword)
    return kept[:most]


def _abroad(words: str, own: str, languages: Sequence[str], near: Near) -> Iterator[Keyword]:
    """Word by word: of the nearest words the first that is at home in the language, and not in the topic's own. None in
    a language that lacks one of them."""
    telling = [word for word in words.lower().split() if terms(word, own)][:MOST]
    found = {word: [w for w, cosine in near(word, LOOKED) if cosine >= SAME] for word in telling}
    known = {code: background(code).frequency for code in dict.fromkeys([own, *languages])} if languages else {}
    own = max(known, key=lambda code: sum(known[code].get(word, 0.0) for word in telling), default=own)
    for language in languages:
        there, here = known[language], known[own]
        best = [
            next((w for w in found[t] if there.get(w, 0) > max(RARE, FOREIGN * here.get(w, 0))), "") for t in telling
        ]
        if best and all(best):
            yield Keyword(" ".join(dict.fromkeys(best)), f"in {language}, by its vectors", alone=True)


def _of_log(words: str, language: str, omega: Omega) -> Iterator[Keyword]:
    """The firmest relations first."""
    for said in reversed(normalise_query(words, language)):  # phrases before words
        found: list[tuple[Support, str, str]] = []
        found += [(s, b if a == said else a, "ISA") for (a, b), s in omega.isa.items() if said in (a, b)]
        found += [(s, part, "Part-Of, a part") for (whole, part), s in omega.part_of.items() if whole == said]
        found += [(s, whole, "Part-Of, the whole") for (whole, part), s in omega.part_of.items() if part == said]
        for _, keyword, how in sorted(found, key=lambda row: (-row[0].users, -row[0].count, row[1])):
            yield Keyword(keyword, f"the log: {how} of {said}")


def _of_results(words: str, language: str, results: Sequence[Result]) -> Iterator[Keyword]:
    """Words and phrases that stand out in titles and snippets, of which several results speak."""
    texts = [f"{result.title}. {result.snippet}" for result in results]
    stems = [set(terms(text, language)) for text in texts]
    page = Page("", "", "", language, "\n".join(texts), ())
    for keyword, _ in keywords(page, most=4 * OF_EACH):
        wanted = set(terms(keyword, language))
        count = sum(wanted <= said for said in stems)
        if wanted and count >= AGREE:
            yield Keyword(keyword, f"in {count} of the first {len(results)} results")
