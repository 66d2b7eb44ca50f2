"""Between memory and disk: what is warmed, changed and cooled many times over is what a sorted list says it is."""

from __future__ import annotations

import random
from math import inf
from pathlib import Path

import pytest

from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.sqlite import urls
from fcacrawler.frontier.sqlite.frontier import SqliteFrontier
from fcacrawler.values.links import Candidate, Evidence
from tests.contract.model import SortedList

HOSTS = [f"host{n}" for n in range(30)]
OPTIONS = FrontierOptions(evidence=3, attempts=3)


def link(number: int, parent: int) -> Candidate:
    host = HOSTS[number % len(HOSTS)]
    evidence = Evidence(f"http://p/{parent}", "anchor", "context", parent, 3)
    return Candidate(b"%d" % number, f"http://{host}/{number}", host, 1, (evidence,))


@pytest.mark.parametrize(("seed", "hot"), [(0, 20), (1, 20), (2, 100), (3, 300)])
def test_nothing_is_lost_or_out_of_order_between_memory_and_disk(
    seed: int, hot: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(urls, "LONG", 5000)
    rng = random.Random(seed)
    model, frontier = SortedList(OPTIONS), SqliteFrontier(tmp_path, OPTIONS, {}, hot=hot)
    leased: list[bytes] = []
    for epoch in range(1, 500):
        links = [link(rng.randrange(6 * epoch), epoch) for _ in range(rng.randrange(9))]
        ranks = [(c.key, rng.randrange(50) / 50) for c in links]
        links += links[:1] * 40
        assert frontier.add(links) == model.add(links)
        ranks += [(b"%d" % rng.randrange(6 * epoch), rng.random()) for _ in range(3)]
        if epoch % 20 == 0:
            best = frontier.top(30)
            assert best == model.waiting()[:30]
            ranks += [(e.candidate.key, rng.random() ** 3) for e in best]
        for one in (frontier, model):
            one.update(ranks, epoch)
        free = set(rng.sample(HOSTS, 10)).__contains__
        for _ in range(rng.randrange(3)):
            entry = frontier.lease(free, 0.1)
            assert entry == model.lease(free, 0.1)
            leased += [entry.candidate.key] if entry else []
        if leased and rng.random() < 0.7:
            key = leased.pop(rng.randrange(len(leased)))
            ends = rng.choice(["done", "done", "done", "release", "forget"])
            for one in (frontier, model):
                one.done(key, True) if ends == "done" else getattr(one, ends)(key)
        assert frontier.sizes(0.3) == model.sizes(0.3)
        assert frontier.best() == max((e.rank for e in model.waiting()), default=None)
        if epoch % 100 == 0:
            frontier.commit()
            frontier.close()
            frontier = SqliteFrontier(tmp_path, OPTIONS, {}, hot=hot)
            model.come_back()
            leased.clear()
            assert sorted(frontier, key=lambda e: (-e.rank, e.arrival)) == model.waiting()
    while entry := model.lease(lambda host: True, -inf):
        assert frontier.lease(lambda host: True, -inf) == entry
    assert frontier.dead() == model.dead()
    frontier.close()
