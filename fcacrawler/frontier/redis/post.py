"""Links on their way from the part that found them to the part that they belong to.

They are told to the finder's part before the end of the page that they are on, and stay in its outbox until the other
part has them. A worker delivers what it has posted; what lies there for long, since its worker is gone, anybody. So a
link arrives at least once, and a part that hears of one twice knows it already.

Why so: decision 350.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from fcacrawler.frontier.redis.outbox import TOGETHER
from fcacrawler.frontier.redis.server import Argument, Call
from fcacrawler.frontier.redis.talk import Talk

SOON = 0.2  # seconds for which links are gathered
FEW = 200  # links that are worth a round trip at once; fewer at first, a twentieth of those sent so far
LONG = 5.0  # seconds after which anybody delivers what lies in an outbox


class Letter(NamedTuple):
    """A link on its way."""

    sender: int
    id: bytes
    host: str
    link: tuple[Argument, ...]  # as push.lua takes it


class Post:
    """What this worker has to deliver. ``talks`` are with the parts."""

    def __init__(self, talks: Sequence[Talk], evidence: int) -> None:
        self._talks, self._evidence = talks, evidence
        self._letters: dict[int, list[Letter]] = {}  # by the part that is to have them
        self._since = inf
        self._sent = 0

    def __bool__(self) -> bool:
        return bool(self._letters) or any(talk.posted for talk in self._talks)

    def gather(self) -> bool:
        """What has been posted; is it time to deliver?"""
        for n, talk in enumerate(self._talks):
            posted, talk.posted = talk.posted, []
            for arguments, ids in posted:
                self._add(n, ids, arguments)
        waiting = sum(map(len, self._letters.values()))
        return waiting >= min(FEW, 1 + self._sent // 20) or monotonic() >= self._since + SOON

    def collect(self, sender: int) -> None:
        """What others have left lying in a part's outbox."""
        (found,) = self._talks[sender].line.run([("undelivered", [round(1000 * LONG), TOGETHER])]) or [()]
        self._add(sender, found[::6], [x for n, x in enumerate(found) if n % 6])

    def _add(self, sender: int, ids: Sequence[bytes], told: Sequence[Any]) -> None:
        """``told``: of each link the part, key, host, rank and record."""
        for n, name in enumerate(ids):
            to, key, host, rank, record = told[5 * n : 5 * n + 5]
            text = host.decode("utf-8", "surrogatepass") if isinstance(host, bytes) else host
            self._letters.setdefault(int(to), []).append(Letter(sender, name, text, (key, host, rank, record)))
            self._since = min(self._since, monotonic())

    def deliver(self, sites: Callable[[Talk, Sequence[str]], None]) -> None:
        """All that a part takes now; the others' stays. ``sites``: has the talk tell of these hosts' sites."""
        for to, letters in list(self._letters.items()):
            talk = self._talks[to]
            sites(talk, [letter.host for letter in letters])
            calls: list[Call] = []
            if talk.out.sites:
                calls.append(("name_sites", [x for pair in talk.out.sites.items() for x in pair]))
            calls += (("push", [self._evidence, *chain.from_iterable(links)]) for links in _each_once(letters))
            if (answers := talk.line.run(calls, kept=True)) is not None:
                for (name, _), answer in zip(calls, answers, strict=True):
                    talk.hear(name, answer)
                talk.out.sites = {}
                del self._letters[to]
                self._sent += len(letters)
                for letter in letters:
                    self._talks[letter.sender].out.delivered.append(letter.id)
        self._since = monotonic() if self._letters else inf


def _each_once(letters: Sequence[Letter]) -> Iterator[list[tuple[Argument, ...]]]:
    """What one script takes: so many links, and none twice."""
    some: dict[Argument, tuple[Argument, ...]] = {}
    for letter in letters:
        if len(some) == TOGETHER or letter.link[0] in some:
            yield list(some.values())
            some = {}
        some[letter.link[0]] = letter.link
    yield list(some.values())
