"""Several engines asked at once, each one question after the other: what has come when time is up counts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from fcacrawler.engines.kinds import KINDS, Library
from fcacrawler.engines.readers import Result, plain
from fcacrawler.engines.table import Engine, host_of
from fcacrawler.engines.web import Unanswered, Web
from fcacrawler.page.identity.addresses import sounds_private

SECONDS = 30.0  # for all of them


@dataclass(frozen=True, slots=True)
class Answered:
    """What one engine said to one question."""

    engine: str
    words: str
    weight: float  # of the question: 1 for the topic's own words
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What all of them said, in the order in which they stand in the file."""

    answers: tuple[Answered, ...] = ()
    notes: tuple[str, ...] = ()  # who did not answer, and why

    def __add__(self, other: Heard) -> Heard:
        return Heard(self.answers + other.answers, self.notes + other.notes)


Question = tuple[str, float]  # words, and what they weigh


def ask(
    engines: Sequence[Engine], questions: Mapping[str, Sequence[Question]], user_agent: str, everywhere: bool = False,
    seconds: float = SECONDS,
) -> Heard:  # fmt: skip
    """``questions``: by engine's name. It never raises for what an engine does: that is a line of the notes.
    ``everywhere``: whether engines may send us to private addresses that nobody has named."""
    with ThreadPoolExecutor(1) as apart:  # where an event loop runs already, it is another thread's
        return apart.submit(asyncio.run, _ask(engines, questions, user_agent, everywhere, seconds)).result()


async def _ask(
    engines: Sequence[Engine], questions: Mapping[str, Sequence[Question]], user_agent: str, everywhere: bool,
    seconds: float,
) -> Heard:  # fmt: skip
    answers: dict[str, list[Answered]] = {engine.name: [] for engine in engines}
    notes: dict[str, str] = {}
    async with Web(user_agent, {host_of(engine.url) for engine in engines}, everywhere) as web:
        library = Library(web)
        tasks = {
            asyncio.ensure_future(_one(e, questions.get(e.name, ()), library, answers[e.name])): e.name for e in engines
        }  # fmt: skip
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
                notes[tasks[task]] = f"it was not done after {seconds:g} s"
            await asyncio.gather(*tasks, return_exceptions=True)
        for task, name in tasks.items():
            if not task.cancelled() and (error := task.exception()) is not None:
                if not isinstance(error, Unanswered):
                    raise error
                notes[name] = plain(str(error))
    said = tuple(answer for engine in engines for answer in answers[engine.name])
    return Heard(said, tuple(f"{engine.name}: {notes[engine.name]}" for engine in engines if engine.name in notes))


async def _one(engine: Engine, questions: Sequence[Question], library: Library, into: list[Answered]) -> None:
    """Raises Unanswered with the first question that fails: it is left alone then."""
    for number, (words, weight) in enumerate(questions):
        if number:
            await asyncio.sleep(engine.pause)
        found = await KINDS[engine.kind](engine, words, library)
        public = [result for result in found if library.web.everywhere or not sounds_private(host_of(result.url))]
        into.append(Answered(engine.name, words, weight, tuple(public)))
