"""Hosts are told who crawls them: asked for once where somebody can answer, else a warning, never a wait."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from aiohttp import web

from fcacrawler import __version__
from fcacrawler.app.config import read_config
from fcacrawler.app.contact import ask, remember, remembered
from fcacrawler.values.errors import BadOptions
from tests.manners import crawled
from tests.site import Site, page, serving

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "scrapy", "crawl", "semrank", "-a", "topic=tea", "-a", "seeds=http://shop.test/"]
SETTINGS = ["ROBOTSTXT_OBEY=0", "FEEDS={}", "FCA_VECTORS=none", "FCA_PROGRESS=off"]


def agents(site: Site) -> list[str]:
    """The User-Agents of all requests to a site, from now on."""
    told: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        told.append(request.headers["User-Agent"])
        return web.Response(text=page("Tea"), content_type="text/html")

    site.pages["/"] = answer
    return told


def on_the_web(site: Site, home: Path, terminal: int | None = None, *settings: str) -> tuple[int, str]:
    """A crawl in a process of its own, for which the site is the whole web; exit code and what it said."""
    command = COMMAND + [x for s in (*SETTINGS, *settings) for x in ("-s", s)]
    told = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "http_proxy": site.base, "XDG_CONFIG_HOME": str(home)},
        stdin=subprocess.DEVNULL if terminal is None else terminal,
        stderr=subprocess.PIPE if terminal is None else terminal,
        timeout=60,
    )
    return told.returncode, (told.stderr or b"").decode()


@pytest.mark.slow
def test_the_answer_is_asked_for_once_and_told_to_every_host(tmp_path: Path) -> None:
    with serving() as site:
        told = agents(site)
        mine, its = pty.openpty()
        os.write(mine, b"nonsense\nme@example.org\n")
        for _ in range(2):
            assert on_the_web(site, tmp_path, its)[0] == 0
        os.close(its)
        said = os.read(mine, 65536).decode()
        os.close(mine)
    assert told == [f"fcacrawler/{__version__} (+mailto:me@example.org)"] * 2
    assert "'nonsense' must be a mail address, or a web page" in said
    assert said.count("Whom can they turn to") == 1


@pytest.mark.slow
def test_where_nobody_can_answer_a_warning_says_how_to_set_it(tmp_path: Path) -> None:
    with serving() as site:
        told = agents(site)
        code, said = on_the_web(site, tmp_path)
        assert (code, "-s FCA_CONTACT=you@example.org" in said) == (0, True)
        code, said = on_the_web(site, tmp_path, None, "FCA_CONTACT=https://example.org/bot")
        assert (code, "FCA_CONTACT" in said) == (0, False)
    assert told == [f"fcacrawler/{__version__}", f"fcacrawler/{__version__} (+https://example.org/bot)"]


def test_a_user_agent_that_was_set_is_left_alone() -> None:
    with serving() as site:
        told = agents(site)
        crawled(site.url("/"), {"USER_AGENT": "mine/1.0", "FCA_CONTACT": "me@example.org"})
    assert told == ["mine/1.0"]


@pytest.mark.parametrize(
    "contact", ["nobody", "me@", "@example.org", "a@b\r\nX: y", "me (at) b@c", "ftp://a/", "é@b.org"]
)
def test_what_is_no_contact_is_refused(contact: str) -> None:
    with pytest.raises(BadOptions, match="FCA_CONTACT"):
        read_config({"FCA_CONTACT": contact})


def test_nobody_is_an_answer_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "there"))
    assert remembered() is None
    assert remember(ask(lambda question: "\n", print)) is None
    assert remembered() == ""


def test_a_configuration_that_cannot_be_written_is_said_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fcacrawler").write_text("in the way")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert "contact: " in (remember("me@example.org") or "")
    assert remembered() is None
