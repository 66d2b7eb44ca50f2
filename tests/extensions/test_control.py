"""A running crawl is asked over its socket, and does what it is asked."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from aiohttp import web
from scrapy.exceptions import UsageError

from fcacrawler.addon import focus_of
from fcacrawler.app.asking import remedy, talk
from fcacrawler.app.metrics import metrics
from fcacrawler.commands.control import told, wanted
from fcacrawler.extensions.control import LONGEST, bound, check_path
from fcacrawler.spiders.semrank import SemRankSpider
from fcacrawler.values.errors import BadOptions
from tests.crawling import Outcome, crawl
from tests.processes import ROOT, scrapy
from tests.site import Site, serving

PAGES = 12


def page(n: int) -> str:
    links = "".join(f'<a href="/{m}">green tea number {m}</a>' for m in range(n + 1, min(n + 2, PAGES)))
    return f"<html><title>Green tea {n}</title><body><p>All about green tea, leaf {n}. {links}</body></html>"


@pytest.fixture
def tea() -> Iterator[Site]:
    with serving({f"/{n}": page(n) for n in range(PAGES)}) as site:
        yield site


def run(tea: Site, path: Path, asks: Callable[[], Any], **settings: Any) -> tuple[Outcome, list[Any]]:
    """The crawl, and what came of the asks: they are made while the fourth page is waited for."""
    answers: list[Any] = []

    async def third(request: web.Request) -> web.Response:
        if not answers:
            answers.append(await asyncio.to_thread(asks))
        return web.Response(text=page(3), content_type="text/html")

    tea.pages["/3"] = third
    settings = {"CONCURRENT_REQUESTS": 1, "ROBOTSTXT_OBEY": False, "FCA_CONTROL": str(path), **settings}
    outcome = crawl(SemRankSpider, settings, topic="green tea", seeds=tea.url("/0"), gamma="0.01")
    return outcome, answers[0]


def ask(path: Path, *words: str) -> list[dict[str, Any]]:
    return list(talk(str(path), list(wanted(words))))


def test_the_socket_is_its_users_alone_and_gone_after_the_crawl(tea: Site, tmp_path: Path) -> None:
    path = tmp_path / "tea"
    outcome, (mode, (answer,)) = run(tea, path, lambda: (stat.S_IMODE(path.stat().st_mode), ask(path, "status")))
    assert (mode, path.exists()) == (0o600, False)
    assert answer["said"] == "runs"
    assert (answer["status"]["pages"], answer["status"]["leased"], answer["status"]["topic"]) == (3, 1, "green tea")
    assert len(outcome.items) == PAGES


def test_a_budget_can_be_given_and_the_crawl_ends_with_it(tea: Site, tmp_path: Path) -> None:
    outcome, answers = run(tea, tmp_path / "tea", lambda: ask(tmp_path / "tea", "pages=5", "gamma=0.9999"))
    assert [a["said"] for a in answers] == ["the budget is 5", "γ is 0.9999"]
    assert (len(outcome.items), outcome.reason) == (5, "budget")
    assert [item.relevant for item in outcome.items] == [True, True, True, False, False]


def test_a_seed_is_next_and_a_blocked_host_is_left_alone(tea: Site, tmp_path: Path) -> None:
    tea.pages["/hidden"] = "<title>Nobody links here</title>"
    path = tmp_path / "tea"
    outcome, answers = run(tea, path, lambda: ask(path, "seed", tea.url("/hidden"), "seed", tea.url("/0")))
    assert [a["ok"] for a in answers] == [True, False]
    assert "known" in answers[1]["error"]
    assert tea.fetched[4] == "/hidden"
    tea.hits.clear()
    outcome, answers = run(tea, path, lambda: ask(path, "block", "127.0.0.1"))
    assert answers[0]["status"]["blocked"] == ["127.0.0.1"]
    assert tea.fetched == ["/0", "/1", "/2", "/3"]
    assert outcome.reason == "exhausted"


def test_what_is_said_of_pages_counts_from_then_on(tea: Site, tmp_path: Path) -> None:
    path = tmp_path / "tea"
    asks = (
        "good",
        tea.url("/0"),
        "bad",
        tea.url("/1"),
        "good",
        tea.url("/2"),
        "undo",
        tea.url("/2"),
        "bad",
        tea.url("/9"),
    )
    outcome, answers = run(tea, path, lambda: ask(path, *asks))
    assert [a["said"].partition(": ")[2] for a in answers] == [
        "good",
        "bad",
        "good",
        "its mark is taken back",
        "bad, not read yet",
    ]
    assert answers[-1]["status"]["marks"] == 3
    assert "3 pages are marked" in told(answers[-1])[-1]
    judge = focus_of(outcome.crawler).parts.crawl.judge
    assert [judge.relevance(tea.url(f"/{n}")) for n in range(2)] == [1.0, 0.0]
    assert "/9" not in tea.fetched


def test_a_paused_crawl_fetches_nothing_until_it_goes_on(tea: Site, tmp_path: Path) -> None:
    path = tmp_path / "tea"
    seen: list[list[str]] = []

    def rest() -> None:
        while ask(path, "status")[0]["status"]["leased"]:
            pass
        for _ in range(20):
            seen.append([a["said"] for a in ask(path, "status")] + tea.fetched)
        ask(path, "resume")

    def asks() -> Thread:
        ask(path, "pause")
        thread = Thread(target=rest)
        thread.start()
        return thread

    outcome, thread = run(tea, path, asks)
    thread.join()
    assert seen == [["paused", "/0", "/1", "/2", "/3"]] * 20
    assert len(outcome.items) == PAGES


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"pause", "JSON"),
        (b"[" * 9000, "nested"),
        (b'["pause"]', "ask like this"),
        (b'{"ask": "exit"}', "'exit' cannot be asked; what can: status, pause"),
        (b'{"ask": "gamma", "value": NaN}', "gamma=nan"),
        (b'{"ask": "gamma", "value": 7}', "between 0 and 1"),
        (b'{"ask": "gamma", "value": {"a": 1}}', "must be a number"),
        (b'{"ask": "pages", "value": true}', "must be a number"),
        (b'{"ask": "pages", "value": -1}', "at least 0"),
        (b'{"ask": "seed", "value": "file:///etc/passwd"}', "http://"),
        (b'{"ask": "block", "value": "http://a.test/x"}', "must be a host"),
        (b'{"ask": "good", "value": "mailto:a"}', "good 'mailto:a': must be a URL"),
        (b'{"ask": "pause", "value": "' + b"x" * LONGEST, "shorter than"),
    ],
)
def test_what_makes_no_sense_is_answered_and_changes_nothing(tea: Site, tmp_path: Path, line: bytes, why: str) -> None:
    def asks() -> dict[str, Any]:
        with socket.socket(socket.AF_UNIX) as to, to.makefile("rwb") as lines:
            to.connect(str(tmp_path / "tea"))
            lines.write(line + b"\n")
            lines.flush()
            answer: dict[str, Any] = json.loads(lines.readline())
            return answer

    outcome, answer = run(tea, tmp_path / "tea", asks)
    assert not answer["ok"]
    assert why in answer["error"]
    assert why in told(answer)[0]
    assert len(outcome.items) == PAGES


def test_a_place_that_cannot_be_listened_at_is_told_before_the_crawl(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with bound(tmp_path / "taken") as taken:
        taken.listen()
        for name, why in (("file", "something else"), ("taken", "another crawl"), ("file/where", "is no folder")):
            with pytest.raises(BadOptions, match=why):
                check_path(tmp_path / name)
    with pytest.raises(BadOptions, match="too long"):
        check_path(tmp_path / ("x" * 100))
    bound(tmp_path / "taken").close()  # as a killed crawl leaves it
    check_path(tmp_path / "new" / "job" / "control")
    assert not (tmp_path / "new").exists()
    bound(tmp_path / "new" / "job" / "control").close()  # the folder is made


def test_an_ask_to_nobody_says_what_is_wrong(tmp_path: Path) -> None:
    bound(tmp_path / "left").close()
    for name, why in (("left", "has ended"), ("missing", "does the crawl run")):
        with pytest.raises((FileNotFoundError, ConnectionRefusedError)) as error:
            ask(tmp_path / name, "status")
        assert why in remedy(error.value)


@pytest.mark.parametrize("words", [["stop"], ["gamma"], ["seed"], ["tunnel=3"]])
def test_what_cannot_be_asked_is_a_usage_error(words: list[str]) -> None:
    with pytest.raises(UsageError):
        list(wanted(words))


def test_a_state_is_what_prometheus_reads(tea: Site, tmp_path: Path) -> None:
    path = tmp_path / "control"
    _, answers = run(tea, path, lambda: ask(path, "status"))
    state = answers[0]["status"]
    told = metrics({state["topic"]: {**state, "recall": {"share": 0.5}, "dropped": {"deny": 2}}})
    lines = [line for line in told.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'fcacrawler_\w+\{crawl="green tea"(,\w+="\w+")?\} [\d.e+-]+', line) for line in lines)
    assert f'fcacrawler_pages{{crawl="green tea"}} {state["pages"]}' in lines
    assert 'fcacrawler_left_out{crawl="green tea",rule="deny"} 2' in lines
    assert 'fcacrawler_urls{crawl="green tea",state="leased"} 1' in lines


def test_a_log_is_lines_of_json(tmp_path: Path) -> None:
    log = tmp_path / "log"
    settings = ["FCA_WORLD=demo", "FCA_LOG_LINES=json", f"LOG_FILE={log}", "FCA_PROGRESS=off", "LOG_LEVEL=INFO"]
    words = [word for setting in settings for word in ("-s", setting)]
    done = scrapy("crawl", "semrank", "-a", "topic=golf", "-a", "pages=3", *words, cwd=ROOT, FCA_JS="never")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()[-3:]]
    assert {line["level"] for line in lines} == {"INFO"}
    assert lines[-1]["message"].startswith("Spider closed")
