"""A world over real HTTP: as a proxy, by the Host header, and what the command says to mistakes."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from fcacrawler.worlds import open_world
from fcacrawler.worlds.demo import DemoWorld
from fcacrawler.worlds.server import Server
from tests.processes import scrapy

from .warcs import write_warc

ROOT = Path(__file__).parents[2]
SCRAPY = [sys.executable, "-m", "scrapy", "world"]


@pytest.fixture(scope="module")
def world() -> DemoWorld:
    return DemoWorld(500)


@asynccontextmanager
async def served(world: DemoWorld, unreliable: float = 0.0) -> AsyncIterator[str]:
    """The server's address while the block runs."""
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(Server(world, unreliable).run(0, port.set_result))
    try:
        yield f"http://127.0.0.1:{await port}"
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def over_http(
    world: DemoWorld, ask: Callable[[aiohttp.ClientSession, str], Coroutine[Any, Any, Any]], **more: Any
) -> Any:
    """What ``ask`` answers when the world is served."""

    async def run() -> Any:
        async with served(world, **more) as base, aiohttp.ClientSession(auto_decompress=False) as client:
            return await ask(client, base)

    return asyncio.run(run())


def test_a_client_reaches_every_host_through_the_proxy(world: DemoWorld) -> None:
    urls = list(world.urls())[::60]

    async def ask(client: aiohttp.ClientSession, base: str) -> list[bytes]:
        return [await (await client.get(url, proxy=base)).read() for url in urls]

    assert over_http(world, ask) == [world.answer(url).body for url in urls]  # type: ignore[union-attr]


def test_a_client_reaches_a_host_by_its_header(world: DemoWorld) -> None:
    async def ask(client: aiohttp.ClientSession, base: str) -> bytes:
        answer = await client.get(f"{base}/robots.txt", headers={"Host": "www.sportsdesk.test"})
        return await answer.read()

    assert b"Disallow: /search" in over_http(world, ask)


def test_the_server_itself_tells_which_hosts_and_topics_there_are(world: DemoWorld) -> None:
    async def ask(client: aiohttp.ClientSession, base: str) -> str:
        return await (await client.get(base)).text()

    told = over_http(world, ask)
    assert "www.sportsdesk.test" in told
    assert "auto racing" in told


def test_redirects_unknown_pages_and_other_methods(world: DemoWorld) -> None:
    async def ask(client: aiohttp.ClientSession, base: str) -> list[int]:
        advertisement = client.get("http://click.adfarm.test/c/1", proxy=base, allow_redirects=False)
        lost = client.get("http://nowhere.test/", proxy=base)
        post = client.post("http://www.sportsdesk.test/", proxy=base)
        return [(await answer).status for answer in (advertisement, lost, post)]

    assert over_http(world, ask) == [302, 404, 405]


def test_a_copy_that_is_still_good_is_not_sent_again(world: DemoWorld) -> None:
    url = next(world.urls())

    async def ask(client: aiohttp.ClientSession, base: str) -> tuple[int, bytes, int]:
        tag = (await client.get(url, proxy=base)).headers["ETag"]
        again = await client.get(url, proxy=base, headers={"If-None-Match": tag})
        other = await client.get(url, proxy=base, headers={"If-None-Match": '"other"'})
        return again.status, await again.read(), other.status

    assert over_http(world, ask) == (304, b"", 200)


def test_an_unreliable_server_asks_to_come_back_later(world: DemoWorld) -> None:
    async def ask(client: aiohttp.ClientSession, base: str) -> set[tuple[int, str]]:
        answers = [await client.get(next(world.urls()), proxy=base) for _ in range(40)]
        return {(a.status, a.headers.get("Retry-After", "")) for a in answers}

    assert over_http(world, ask, unreliable=0.5) == {(200, ""), (429, "1"), (503, "1")}


# -- the command ------------------------------------------------------------------------------------------------------


def told(*arguments: str, cache: Path) -> subprocess.CompletedProcess[str]:
    return scrapy("world", *arguments, XDG_CACHE_HOME=str(cache))


@pytest.mark.slow  # as the others that start a process of their own
def test_info_tells_what_a_world_holds(tmp_path: Path) -> None:
    first = '<a href="http://b.test/2">two</a> <a href="http://c.test/">three</a> <a href="3">four</a>'
    write_warc(tmp_path / "pages.warc.gz", {"http://a.test/1": first, "http://b.test/2": "two"}, crawl_order="bfs")
    (tmp_path / "labels.tsv").write_text("url\ttopic\nhttp://a.test/1\tgolf\nhttp://a.test/9\tgolf\n")
    done = told("info", str(tmp_path), cache=tmp_path)
    assert done.returncode == 0
    assert "pages   2 on 2 hosts" in done.stdout
    assert "golf: -a topic='golf', 1 seeds" in done.stdout
    assert "orders  recorded by crawls of the order bfs" in done.stdout
    assert "33.3 % of 3 lead to what is recorded: 0.0 % of those that stay on their host, 50.0 % of the" in done.stdout
    assert "a.test, 33.3 % of its links" in done.stdout
    assert "1 labelled pages are not in this world" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["info", "nowhere"], "there is no such folder or file"),
        pytest.param(["info"], "name one world", marks=pytest.mark.slow),
        pytest.param(["serve", "demo", "--port", "70000"], "--port lies between", marks=pytest.mark.slow),
        pytest.param(["serve", "demo?size=1"], "recipe is pages=N, seed=N and closed=1", marks=pytest.mark.slow),
    ],
)
def test_a_mistake_is_answered_with_exit_code_2_and_no_traceback(
    arguments: list[str], answer: str, tmp_path: Path
) -> None:
    done = told(*arguments, cache=tmp_path)
    assert done.returncode == 2
    assert answer in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_taken_port_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = told("demo?pages=500", "--port", str(taken.getsockname()[1]), cache=tmp_path)
    assert done.returncode == 2
    assert "choose another one with --port" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_ctrl_c_ends_the_server_cleanly() -> None:
    server = subprocess.Popen(
        [*SCRAPY, "demo?pages=500", "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    assert "answers on http://127.0.0.1:" in server.stdout.readline()
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=30)
    assert (server.returncode, errors) == (0, "")


def test_the_world_of_a_recording_can_be_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = write_warc(tmp_path / "a.warc.gz", {"http://a.test/1": "one"})
    recorded = open_world(str(file))

    async def ask(client: aiohttp.ClientSession, base: str) -> bytes:
        return await (await client.get("http://a.test/1", proxy=base)).read()

    assert over_http(recorded, ask) == b"one"  # type: ignore[arg-type]
    recorded.close()
