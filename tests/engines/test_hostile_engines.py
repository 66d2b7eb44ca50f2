"""What engines send to harm costs a bounded amount and is a line; a private address is never asked on their word."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from pathlib import Path

import pytest
from aiohttp import web

import fcacrawler.engines.looking as looking
import fcacrawler.engines.web as bounds
from fcacrawler.engines import Heard, Suggestion, ask, read_engines
from fcacrawler.engines.looking import look
from fcacrawler.engines.readers import MOST
from tests.engines.answering import Handler, says, searx, written
from tests.site import page, serving

GOOD = {"tea": ["http://a.test/1"]}


def heard(folder: Path, handler: Handler, kind: str = "searxng", seconds: float = 20.0, **row: object) -> Heard:
    """What the engine ``it`` says, and beside it one that answers as it should."""
    with serving({"/search": handler}) as bad, serving({"/search": searx(GOOD)}) as good:
        url = bad.base if kind == "searxng" else f"{bad.base}/search"
        path = written(folder, it={"kind": kind, "url": url, **row}, good={"kind": "searxng", "url": good.base})
        said = ask(read_engines(path, {}), {"it": [("tea", 1.0)], "good": [("tea", 1.0)]}, "test", seconds=seconds)
    assert [a.results[0].url for a in said.answers if a.engine == "good"] == ["http://a.test/1"]
    return said


REFUSED = [
    (says("x" * 3_000_000), "larger than"),
    (says(gzip.compress(b"0" * 50_000_000), **{"Content-Encoding": "gzip"}), "larger than"),
    (says(zlib.compress(b"{}")[:5] + b"\xff" * 40, **{"Content-Encoding": "deflate"}), "packed, and broken"),
    (says("{}", **{"Content-Encoding": "br"}), "packed as"),
    (says("<html>not found"), "is no JSON: ' not found'"),
    (says("[" * 100_000), "is no JSON"),
    (says('{"results": ' + "9" * 10_000 + "}"), "is no JSON"),
    (says('{"results": "many"}'), "no list at 'results'"),
    (says("null"), "no list at 'results'"),
    (says(b"\xff\xfe\x00"), "is no JSON"),
    (says("", status=500), "HTTP 500"),
    (says("", status=403), "is format=json allowed there?"),
    (says("", status=429, **{"Retry-After": "60"}), "asks to come back after 60"),
    (says("", status=302, Location="/search"), "redirects"),
    (says("", status=302, Location="file:///etc/passwd"), "no http or https URL"),
    (says("", status=302, Location="http://169.254.169.254/latest"), "private address"),
    (says("", status=302, Location="http://[::1]:1/"), "private address"),
]  # fmt: skip


@pytest.mark.parametrize(("handler", "said"), REFUSED)
def test_an_engine_that_answers_badly_is_a_line(tmp_path: Path, handler: Handler, said: str) -> None:
    (note,) = heard(tmp_path, handler).notes
    assert note.startswith("it: ")
    assert said in note
    assert note.isprintable()


def test_a_million_results_are_a_hundred(tmp_path: Path) -> None:
    rows = ",".join(f'{{"url":"http://a.test/{n}"}}' for n in range(60_000))
    (answer,) = (a for a in heard(tmp_path, says(f'{{"results":[{rows}]}}')).answers if a.engine == "it")
    assert len(answer.results) == MOST


def test_urls_of_strangers_are_of_the_public_web(tmp_path: Path) -> None:
    strange = [
        "javascript:alert(1)", "file:///etc/passwd", "http://127.0.0.1/x", "http://2130706433/", "http://[::1]/",
        "http://localhost/", "http://router/", "http://a.internal/", "http://10.0.0.1/", "//b.test/", "", "http://",
        "http://a.test/" + "x" * 3_000, "http://user:pw@c.test/", "http://good.test/",
    ]  # fmt: skip
    rows = [{"url": url} for url in strange] + [{"url": 7}, {"url": None}, 7, None, []]
    said = heard(tmp_path, says(json.dumps({"results": rows}))).answers
    found = [r.url for a in said if a.engine == "it" for r in a.results]
    assert "http://good.test/" in found
    assert set(found) <= {"http://good.test/", "http://c.test/"}


def test_another_charset_spoils_no_result(tmp_path: Path) -> None:
    body = '{"results": [{"url": "http://a.test/", "title": "café"}]}'.encode("latin-1")
    told = says(body, "application/json; charset=iso-8859-1")
    (answer,) = (a for a in heard(tmp_path, told).answers if a.engine == "it")
    assert answer.results[0].title == "café"
    (untold,) = (
        a for a in heard(tmp_path, says(body, "application/json; charset=punycode")).answers if a.engine == "it"
    )
    assert untold.results[0].title == "caf\ufffd"


def test_one_that_drips_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SECONDS", 0.3)

    async def drip(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        for _ in range(100):
            await answer.write(b" ")
            await asyncio.sleep(0.05)
        return answer

    assert heard(tmp_path, drip).notes == ("it: no answer within 0.3 s",)


def test_what_has_come_when_time_is_up_counts(tmp_path: Path) -> None:
    with serving({"/search": searx(GOOD)}) as site:
        path = written(tmp_path, it={"kind": "searxng", "url": site.base, "pause": 60})
        said = ask(read_engines(path, {}), {"it": [("tea", 1.0), ("cup", 0.5)]}, "test", seconds=1.0)
    assert [a.words for a in said.answers] == ["tea"]
    assert said.notes == ("it: it was not done after 1 s",)


def test_nobody_there_is_a_line(tmp_path: Path) -> None:
    with serving() as site:
        gone = site.base
    path = written(tmp_path, it={"kind": "searxng", "url": gone}, no={"kind": "searxng", "url": "http://x.invalid"})
    said = ask(read_engines(path, {}), {"it": [("tea", 1.0)], "no": [("tea", 1.0)]}, "test")
    assert (said.answers, len(said.notes)) == ((), 2)


ENTITY = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><rss><item><link>&b;</link></item></rss>'


@pytest.mark.parametrize("body", ["", "no xml", "<a" * 100_000, "<a>" * 100_000, ENTITY])
def test_descriptions_that_are_none_are_a_line(tmp_path: Path, body: str) -> None:
    (note,) = heard(tmp_path, says(body, "text/xml"), "opensearch").notes
    assert "XML" in note or "template" in note


def test_a_description_may_not_lead_into_private_networks(tmp_path: Path) -> None:
    text = '<OpenSearchDescription><Url type="text/html" template="http://192.168.0.1/?q={searchTerms}"/></OpenSearchDescription>'
    (note,) = heard(tmp_path, says(text, "text/xml"), "opensearch").notes
    assert "private address" in note


def test_a_key_is_sent_to_its_engine_alone(tmp_path: Path) -> None:
    seen: list[str] = []

    async def other(request: web.Request) -> web.StreamResponse:
        seen.append(request.headers.get("X-Key", ""))
        return web.Response(text="<rss/>")

    with serving({"/found": other}, host="127.0.0.2") as elsewhere, serving() as site:
        text = f'<O><Url type="text/html" template="{elsewhere.base}/found?q={{searchTerms}}"/></O>'
        site.pages["/d"] = says(text, "text/xml")
        row = {"kind": "opensearch", "url": f"{site.base}/d", "headers": {"X-Key": "$K"}}
        path = written(tmp_path, it=row, there={"kind": "searxng", "url": elsewhere.base})
        ask(read_engines(path, {"K": "s3cret"}), {"it": [("tea", 1.0)]}, "test")
    assert seen == [""]


@pytest.mark.parametrize("target", ["http://127.0.0.9:1/s?key=s3cret", "http://a.test:99999/?key=s3cret"])
def test_a_key_stands_in_no_message(tmp_path: Path, target: str) -> None:
    with serving({"/s": says("", status=302, Location=target)}) as site:
        row = {"kind": "json", "url": f"{site.base}/s?q={{words}}&key=$K", "results": "r", "headers": {"X-Key": "$K"}}
        said = ask(read_engines(written(tmp_path, it=row), {"K": "s3cret"}), {"it": [("tea", 1.0)]}, "test")
    assert len(said.notes) == 1
    assert "s3cret" not in said.notes[0]


# -- whether pages answer


def suggested(*urls: str) -> list[Suggestion]:
    return [Suggestion(url, "", "", (("it", 1),), 1.0) for url in urls]


def test_dead_pages_and_those_that_robots_may_not_ask_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "PAUSE", 0.0)
    pages: dict[str, str | Handler] = {
        "/robots.txt": says("User-agent: *\nDisallow: /private", "text/plain"), "/tea": page("Tea"),
        "/private/x": page("X"), "/busy": says("", status=503), "/last": page("Last"),
    }  # fmt: skip
    with serving(pages) as site:
        found = look(suggested(*map(site.url, ("/tea", "/gone", "/private/x"))), "test", everywhere=True, pause=0)
        busy = look(suggested(*map(site.url, ("/busy", "/last"))), "test", everywhere=True, pause=0)
    assert [(one.alive, one.state) for one in found] == [
        (True, ""), (False, "HTTP 404"), (False, "its robots.txt forbids it"),
    ]  # fmt: skip
    assert "/private/x" not in site.fetched
    assert [one.alive for one in busy] == [None, None]  # it is left alone then
    assert "/last" not in site.fetched


def test_nobody_looks_at_a_private_address() -> None:
    with serving({"/": page("secret")}) as site:
        (one,) = look(suggested(site.url("/")), "test", pause=0)
    assert one.alive is False
    assert "private address" in one.state
    assert site.hits == []


def test_one_that_never_answers_is_not_known() -> None:
    async def never(request: web.Request) -> web.StreamResponse:
        while request.transport is not None and not request.transport.is_closing():  # until nobody waits any more
            await asyncio.sleep(0.02)
        return web.Response()

    with serving({"/slow": never}) as site:
        (one,) = look(suggested(site.url("/slow")), "test", everywhere=True, seconds=0.5, pause=0)
    assert one.alive is None
