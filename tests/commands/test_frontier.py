"""``scrapy frontier``: a look into a crawl in Redis."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from fcacrawler.commands.frontier import Command
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.frontier.redis.frontier import RedisFrontier
from tests.contract.test_frontier import fill
from tests.redis_server import RedisServer, serving


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with serving() as running:
        yield running


def say(url: str, *arguments: str, force: bool = False, parts: int | None = None) -> int:
    """Its exit code."""
    command = Command()
    command.settings = Settings({"FCA_FRONTIER": url})
    command.run(list(arguments), Namespace(n=1, force=force, parts=parts))
    return command.exitcode


def test_a_crawl_is_shown_and_cleared_when_nobody_is_at_it(
    server: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = RedisFrontier(server.url, "x", FrontierOptions(), {"topic": "tea"})
    fill(worker, a1=0.9, b1=0.7)
    worker.sync()
    assert say(server.url, "status", "x") == 0
    status = capsys.readouterr().out
    assert "topic: tea" in status
    assert "on 2 hosts" in status
    assert say(server.url, "top", "x") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["0.9000"]
    assert say(server.url, "clear", "x") == 1
    assert "workers are at it" in capsys.readouterr().err
    assert say(server.url, "clear", "x", force=True) == 0
    assert "keys of x are gone" in capsys.readouterr().out
    assert say(server.url, "status", "x") == 1
    assert "there is no crawl 'x'" in capsys.readouterr().err


def test_what_is_missing_is_told(server: RedisServer) -> None:
    with pytest.raises(UsageError, match="say what and of which crawl"):
        say(server.url, "best", "x")
    with pytest.raises(UsageError, match="say in which Redis"):
        say("", "top", "x")
