"""Where a crawl begins when nobody says so: search engines are asked, and what comes of their answers is learned.

Why so: decision 240.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

from fcacrawler.app.assembly import world_of
from fcacrawler.app.config import Config, RunOptions, codes
from fcacrawler.app.logs import log_of
from fcacrawler.app.topics import read_topic
from fcacrawler.engines import Engine, Heard, Keyword, Performance, Said, Suggestion, ask, expanded, fused, read_engines
from fcacrawler.engines.fusion import allotted
from fcacrawler.engines.looking import look
from fcacrawler.engines.performance import SAID, by_words, learn
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.topics import Topic
from fcacrawler.vectors import load_vectors
from fcacrawler.vectors.static import Static

logger = logging.getLogger(__name__)

FILE, KEPT, NONE = "engines.toml", "engines.json", "none"  # by default, in a JOBDIR, and for nobody
SEEDS = 10  # a crawl begins with
KEYWORDS = 6  # are added where nobody chooses


class Begun(NamedTuple):
    """A topic with seeds, and who said them."""

    topic: Topic
    said: Said | None = None


class Known(NamedTuple):
    """What came of an engine's first results so far."""

    name: str
    worth: float  # the chance that a result of its for this topic is relevant
    crawls: int
    named: int
    relevant: int


def engines_file(config: Config) -> Path | None:
    """None: nobody is asked. In an offline world only who was named with it."""
    named = config.engines.engines
    if named:
        return None if named == NONE else Path(named)
    return Path(FILE) if Path(FILE).is_file() and not config.run.world else None


def engines_of(config: Config) -> tuple[Engine, ...]:
    """Raises BadOptions."""
    path = engines_file(config)
    return read_engines(path) if path is not None else ()


@dataclass(frozen=True)
class Desk:
    """Everything that a question to the engines needs."""

    config: Config
    user_agent: str

    @cached_property
    def engines(self) -> tuple[Engine, ...]:
        return engines_of(self.config)

    @property
    def learned(self) -> Path:
        """Where performance is kept: beside the engines' file."""
        path = engines_file(self.config) or Path(FILE)
        return path.with_name(f"{path.stem}.learned.jsonl")

    def records(self, words: str) -> list[Known]:
        """What is known of each engine, and what it is worth for a topic of these words."""
        learned = Performance.read(self.learned)
        worth = learned.of([engine.name for engine in self.engines], words, self._alike)
        return [Known(name, worth[name], *learned.record(name)) for name in worth]

    def performance(self, words: str, engines: Sequence[Engine]) -> dict[str, float]:
        return Performance.read(self.learned).of([engine.name for engine in engines], words, self._alike)

    def _alike(self, words: str, others: Sequence[str]) -> list[float]:
        """By vectors where they can read both, else by words."""
        shared, near = by_words(words, others), self._near(words, others)
        return [max(pair) for pair in zip(shared, near, strict=True)] if near else shared

    def _near(self, words: str, texts: Sequence[str]) -> list[float]:
        """Their cosines with the words; [] where the vectors cannot read these."""
        rows = self._static.embed([words, *texts]) if self._static else np.zeros((1, 1), np.float32)
        found: list[float] = (rows[1:] @ rows[0]).tolist() if rows[0].any() else []
        return found

    @cached_property
    def _static(self) -> Static | None:
        """Vectors with a vocabulary."""
        found = load_vectors(self.config.vectors.vectors)
        return found if isinstance(found, Static) else None

    def ask(
        self, words: str, keywords: Sequence[str] | None = None, only: Sequence[str] = (),
        languages: Sequence[str] | None = None,
    ) -> tuple[Heard, list[Keyword]]:  # fmt: skip
        """What engines say to the topic's words, then to keywords: those given, else the best that are proposed; and
        the proposals, in ``languages`` too (unless they are given: those that the crawl wants)."""
        engines = [engine for engine in self.engines if not only or engine.name in only]
        first = self._asked(engines, {engine.name: [(words, 1.0)] for engine in engines})
        proposed = self.proposed(words, first, codes(self.config.run.languages) if languages is None else languages)
        more = [k.words for k in proposed[:KEYWORDS]] if keywords is None else keywords
        left = [engine for engine in engines if any(a.engine == engine.name for a in first.answers)]
        alone = {keyword.words for keyword in proposed if keyword.alone}
        questions = allotted(words, more, self.performance(words, left), alone) if left else {}
        rest = {name: asked[1:] for name, asked in questions.items() if asked[1:]}
        return (first + self._asked(left, rest) if rest else first), proposed

    def _asked(self, engines: Sequence[Engine], questions: dict[str, list[tuple[str, float]]]) -> Heard:
        return ask(engines, questions, self.user_agent, self.config.run.private or bool(self.config.run.world))

    def proposed(self, words: str, heard: Heard, languages: Sequence[str]) -> list[Keyword]:
        near: Callable[[str, int], list[tuple[str, float]]] | None = self._static.near if self._static else None
        abroad = self._static.abroad if self._static else None
        known = [code for code in languages if self._static and code in self._static.languages]
        results = [result for answer in heard.answers for result in answer.results[:10]]
        return expanded(words, log_of(self.config.run.log).omega, near, results, abroad=abroad, languages=known)

    def suggested(self, words: str, heard: Heard, most: int = SEEDS, check: bool = True) -> list[Suggestion]:
        """The best, those that are surely dead left out; ``check``: it is looked whether they answer."""
        near = partial(self._near, words) if self._near(words, [words]) else None
        found = fused(heard.answers, self.performance(words, self.engines), near=near)
        world = world_of(self.config.run.world)
        if world is not None:
            answers = ((s, world.answer(s.url)) for s in found)
            return [replace(s, alive=True) for s, at in answers if at is not None and at.status < 400][:most]
        if not check:
            return found[:most]
        return look(found[: 2 * most], self.user_agent, self.config.run.private)

    def said(self, words: str, heard: Heard) -> Said:
        """Best first, the topic's own words before keywords."""
        urls: dict[str, dict[str, None]] = {}
        for answer in heard.answers:
            urls.setdefault(answer.engine, {}).update(dict.fromkeys(result.url for result in answer.results))
        return Said(secrets.token_hex(8), words, {name: tuple(found)[:SAID] for name, found in urls.items() if found})


_BEFORE: dict[tuple[RunOptions, Path | None], Begun] = {}


def begin_before(config: Config, folder: Path | None, user_agent: str) -> None:
    """What ``begin`` will answer once, found out where a mistake can still be told without a crawl that has begun."""
    _BEFORE[config.run, folder] = begin(config, folder, user_agent)


def begin(config: Config, folder: Path | None, user_agent: str, needs_seeds: bool = True) -> Begun:
    """The topic of a crawl; seeds that nobody gave are asked for, once. Raises BadOptions."""
    if (before := _BEFORE.pop((config.run, folder), None)) is not None:
        return before
    engines = engines_of(config) if needs_seeds else ()
    topic = read_topic(config.run, world_of(config.run.world), needs_seeds and not engines)
    kept = folder / KEPT if folder is not None else None
    said = Said.read(kept) if kept is not None else None
    if topic.seeds or topic.examples or not needs_seeds:
        return Begun(replace(topic, suggested=_of_engines(topic, said)), said)
    if said is not None and said.words == topic.words and said.seeds:
        return Begun(replace(topic, seeds=said.seeds, suggested=said.seeds), said)
    desk = Desk(config, user_agent)
    heard, _ = desk.ask(topic.words)
    for note in heard.notes:
        logger.warning("an engine did not answer: %s", note)
    best = desk.suggested(topic.words, heard, check=False)  # the crawl's first step is to look
    if not best:
        names = ", ".join(engine.name for engine in engines)
        raise BadOptions(
            [
                f"no seeds: the engines of {engines_file(config)} ({names}) name no page for {topic.words!r}"
                f"{''.join(f'; {note}' for note in heard.notes)}; say where to start with -a seeds=https://…,https://…"
            ]
        )
    for one in best:
        logger.info("begins with %s, named by %s", one.url, ", ".join(f"{name} ({n}.)" for name, n in one.engines))
    seeds = tuple(one.url for one in best)
    said = replace(desk.said(topic.words, heard), seeds=seeds)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        said.write(kept)
    return Begun(replace(topic, seeds=seeds, suggested=seeds), said)


def _of_engines(topic: Topic, said: Said | None) -> tuple[str, ...]:
    """Those seeds that engines have said, which the user's word does not lead into private networks."""
    all_said = said.all | {*said.seeds} if said is not None else ()
    return tuple(url for url in topic.seeds if url in all_said)


def lesson(config: Config, said: Said, relevant: Callable[[str], bool | None]) -> None:
    """What came of the engines' results is kept."""
    lessons = said.lessons(relevant)
    path = Desk(config, "").learned
    if not lessons or engines_file(config) is None:
        return
    try:
        learn(path, lessons)
    except OSError as error:
        logger.warning("how good the engines are is not kept: %s: %s", path, error.strerror)


def told(said: Said, relevant: Callable[[str], bool | None]) -> list[str]:
    """A line an engine, for the summary."""
    count = {one.engine: one for one in said.lessons(relevant)}
    lines = []
    for engine, urls in said.urls.items():
        seeds = len(set(urls) & set(said.seeds))
        found = f"; {count[engine].relevant} of its first {count[engine].named} are relevant" if engine in count else ""
        lines.append(f"{engine} named {len(urls)} pages, {seeds} of the {len(said.seeds)} seeds{found}")
    return lines


def abroad(engines: Sequence[Engine]) -> list[str]:
    """Where questions go."""
    return ["{0.scheme}://{0.netloc}/".format(urlsplit(engine.url)) for engine in engines]
