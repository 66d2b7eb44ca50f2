"""Pages in a search engine of somebody else's: what is sent is what its documentation asks for, and what it refuses is
told. The stub refuses what OpenSearch refuses."""

from __future__ import annotations

import json
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from fcacrawler.app.bulk import LARGEST, MOST, Engine, requests
from fcacrawler.app.searching import index
from fcacrawler.commands.export import Command as Export
from fcacrawler.commands.search import Command as Search
from fcacrawler.pise.asked import Asked
from fcacrawler.pise.harvest import Harvest
from fcacrawler.values.errors import BadOptions, FcaError
from tests.search.harvests import harvest, item


class OpenSearch(BaseHTTPRequestHandler):
    """As much of it as is spoken to."""

    indexes: dict[str, dict[str, Any]]
    types: dict[str, dict[str, Any]]
    headers_seen: list[str]

    def log_message(self, format: str, *args: object) -> None: ...

    def _say(self, code: int, body: dict[str, Any]) -> None:
        told = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def _refuse(self, code: int, kind: str, reason: str) -> None:
        self._say(code, {"error": {"type": kind, "reason": reason}, "status": code})

    def _body(self) -> bytes:
        self.headers_seen.append(self.headers.get("Authorization", ""))
        return self.rfile.read(int(self.headers["Content-Length"]))

    def do_PUT(self) -> None:
        name, told = self.path.strip("/"), json.loads(self._body())
        if name != name.lower():
            self._refuse(400, "invalid_index_name_exception", "must be lowercase")
        elif name in self.types:
            self._refuse(400, "resource_already_exists_exception", f"index [{name}] already exists")
        else:
            self.types[name], self.indexes[name] = told["mappings"]["properties"], {}
            self._say(200, {"acknowledged": True})

    def do_POST(self) -> None:
        body = self._body()
        if self.path == "/_bulk":
            self._bulk(body)
            return
        asked = json.loads(body)
        name, words = self.path.split("/")[1], set(asked["query"]["multi_match"]["query"].lower().split())
        if name not in self.indexes:
            self._refuse(404, "index_not_found_exception", f"no such index [{name}]")
            return
        if asked["size"] > 10_000:
            self._refuse(400, "illegal_argument_exception", "Result window is too large")
            return
        found = [d for d in self.indexes[name].values() if words & set(f"{d['title']} {d['text']}".lower().split())]
        kept = [{name: d[name] for name in asked["_source"] if name in d} for d in found]
        more = [{"highlight": {"text": [d["text"]]}} if "highlight" in asked else {} for d in found]
        hits = [{"_score": 1.0 / n, "_source": d, **m} for n, (d, m) in enumerate(zip(kept, more, strict=True), 1)]
        self._say(200, {"hits": {"hits": hits[: asked["size"]]}})

    def _bulk(self, body: bytes) -> None:
        if self.headers["Content-Type"] != "application/x-ndjson":
            self._refuse(406, "media_type_header_exception", "Content-Type")
            return
        if not body.endswith(b"\n"):
            self._refuse(400, "illegal_argument_exception", "The bulk request must be terminated by a newline [\\n]")
            return
        lines = list(map(json.loads, body.splitlines()))
        if len(lines) % 2 or any(set(action) != {"index"} for action in lines[::2]):
            self._refuse(400, "illegal_argument_exception", "Malformed action/metadata line")
            return
        told = [self._put(action["index"], doc) for action, doc in zip(lines[::2], lines[1::2], strict=True)]
        self._say(200, {"errors": any("error" in one["index"] for one in told), "items": told})

    def _put(self, action: dict[str, str], doc: dict[str, Any]) -> dict[str, Any]:
        if len(action["_id"].encode()) > 512:
            return {"index": {"error": {"type": "illegal_argument_exception", "reason": "id is too long"}}}
        for name, value in doc.items():
            if self.types[action["_index"]][name]["type"] == "date":
                try:
                    datetime.fromisoformat(value)
                except ValueError:
                    return {"index": {"error": {"type": "mapper_parsing_exception", "reason": f"field [{name}]"}}}
        self.indexes[action["_index"]][action["_id"]] = doc
        return {"index": {"status": 201}}


@pytest.fixture
def stub() -> Iterator[tuple[str, type[OpenSearch]]]:
    handler = type("Stub", (OpenSearch,), {"indexes": {}, "types": {}, "headers_seen": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", handler
        server.shutdown()


def page(n: int, **more: Any) -> dict[str, Any]:
    known = {
        "title": f"Page {n}",
        "text": "green tea",
        "fetched_at": "2026-05-01T00:00:00+00:00",
        "keywords": {"tea": 1},
    }
    return {"url": f"http://tea.test/{n}", **known, **more}


def test_pages_are_put_there_once_and_found(stub: tuple[str, type[OpenSearch]]) -> None:
    url, there = stub
    engine = Engine.at(f"{url}/pages", "Bearer x")
    for _ in range(2):
        engine.make()
        assert list(engine.add(page(n) for n in range(MOST + 3))) == [MOST, MOST + 3]
    assert len(there.indexes["pages"]) == MOST + 3
    assert set(there.headers_seen) == {"Bearer x"}
    assert [hit["url"] for hit in engine.find("7", 5)] == ["http://tea.test/7"]
    assert engine.find("7", 5)[0]["snippet"] == ["green tea"]


def test_what_is_not_taken_is_told(stub: tuple[str, type[OpenSearch]]) -> None:
    engine = Engine.at(f"{stub[0]}/pages")
    engine.make()
    with pytest.raises(FcaError, match=r"does not take 1 of 2 pages: mapper_parsing_exception: field \[fetched_at\]"):
        list(engine.add([page(1), page(2, fetched_at="yesterday")]))


def test_a_server_that_is_none_is_told(stub: tuple[str, type[OpenSearch]]) -> None:
    with pytest.raises(FcaError, match="does not answer"):
        Engine.at("http://127.0.0.1:9/pages").make()
    with pytest.raises(FcaError, match="answers 501"):
        Engine.at(f"{stub[0]}/pages")._ask("DELETE", "/", b"", "text/plain")


@pytest.mark.parametrize("url", ["ftp://x/pages", "http://x/", "http://x/Pages", "http://x/a/b", "http://u:p@x/pages"])
def test_an_address_that_makes_no_sense_is_refused(url: str) -> None:
    with pytest.raises(BadOptions, match="opensearch "):
        Engine.at(url)


def test_requests_have_bounds_and_take_any_page() -> None:
    large = [page(n, text="x" * (LARGEST // 2)) for n in range(3)]
    assert [count for _, count in requests(large, "pages")] == [1, 1, 1]
    ((body, count),) = requests([page(1, title="\ud800\u2028\x00", url="http://x/" + "ä" * 5000)], "pages")
    assert (count, len(body.splitlines())) == (1, 2)
    assert len(json.loads(body.splitlines()[0])["index"]["_id"]) == 32


def run(command: Export | Search, *words: object) -> int:
    parser = ArgumentParser()
    command.settings = Settings()
    command.add_options(parser)
    opts, args = parser.parse_known_args(list(map(str, words)))
    command.run(args, opts)
    return command.exitcode


def test_a_crawl_is_exported_there_and_searched_there(
    stub: tuple[str, type[OpenSearch]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url, there = stub
    pages = [item("http://tea.test/1", "Green tea", "steamed"), item("http://tea.test/2", "Cars", "", relevant=False)]
    folder = harvest(tmp_path / "job", pages)
    assert run(Export(), folder, "--relevant", "--to", "opensearch", f"{url}/pages") == 0
    assert [doc["url"] for doc in there.indexes["pages"].values()] == ["http://tea.test/1"]
    assert f"1 pages → {url}/pages" in capsys.readouterr().err
    assert run(Search(), "--json", "--opensearch", f"{url}/pages", "green") == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Green tea"
    assert run(Search(), "--opensearch", f"{url}/pages", "zebra") == 1
    assert run(Export(), folder, "--to", "opensearch", "http://127.0.0.1:9/pages") == 1
    assert "does not answer" in capsys.readouterr().err
    with pytest.raises(UsageError):
        run(Export(), folder, "--to", "solr", f"{url}/pages")


def test_pages_are_found_there_and_shown_here(stub: tuple[str, type[OpenSearch]], tmp_path: Path) -> None:
    """In the engine's order; what it has of other crawls is told; where it is away our own index answers."""
    pages = [item(f"http://tea.test/{n}", f"Page {n}", "green tea", language="en" if n else "de") for n in range(3)]
    index(harvest(tmp_path / "tea", pages))
    engine = Engine.at(f"{stub[0]}/pages")
    with pytest.raises(FcaError, match="index_not_found_exception"):
        engine.urls("green", 5)
    engine.make()
    list(engine.add([page(9), *(page(n) for n in (2, 0, 1))]))
    assert [url for url, _ in engine.urls("green", 20_000)] == [f"http://tea.test/{n}" for n in (9, 2, 0, 1)]
    here = Harvest(tmp_path, False, engine.urls)
    found, notes, _ = here.search(Asked("green", job="tea"))
    assert [hit.url[-1] for hit in found.hits] == ["2", "0", "1"]
    assert found.notes == ("1 of the 4 pages that were found there are in no crawl here",)
    assert ("green", True) in found.hits[0].snippet
    assert [hit.url[-1] for hit in here.search(Asked("green", language="de"))[0].hits] == ["0"]
    assert not notes
    away = Harvest(tmp_path, False, Engine.at("http://127.0.0.1:9/pages").urls)
    found, notes, _ = away.search(Asked("green"))
    assert len(found.hits) == 3
    assert "does not answer" in notes[0]
    assert "found by our own index" in notes[0]
    for harvested in (here, away):
        harvested.close()
