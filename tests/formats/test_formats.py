"""A harvest in the forms of others, read again by DuckDB and warcio; and bad items, which cost no form its place."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import duckdb
import pytest
from warcio.archiveiterator import ArchiveIterator

from fcacrawler.exporters import Columns
from fcacrawler.formats import KINDS, Card, Choice, kind_of, only, write
from fcacrawler.formats.folders import name_of
from fcacrawler.formats.huggingface import told
from fcacrawler.items import PageItem
from fcacrawler.values.errors import BadOptions, BadOutput
from fcacrawler.worlds.record import Exchange, Recording


def item(n: int = 0, **more: Any) -> str:
    page = PageItem(
        f"http://e{n % 3}.org/{n}", f"http://e{n % 3}.org/{n}", 200, f"Page {n}", "en", "2026-01-02T03:04:05+00:00",
        n, None, ["http://e.org/"], "anchor", "tea", {"green tea": 1.0, "cup": 0.5}, n / 10, text=f"Text of {n}. äöü",
        relevant=n > 4, signals={"meta robots": "noai"} if n == 7 else {},
    )  # fmt: skip
    return json.dumps({**asdict(page), **more}, ensure_ascii=False)


def ids(lines: Any) -> list[int]:
    return [json.loads(line)["depth"] for line in lines]


def table(path: Path, what: str = "depth") -> list[Any]:
    return duckdb.sql(f"SELECT {what} FROM read_parquet('{path}') ORDER BY depth").fetchall()


# -- what is wanted


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        (Choice(), list(range(10))),
        (Choice(relevant=True), [5, 6, 7, 8, 9]),
        (Choice(least=0.8), [8, 9]),
        (Choice(since="2026-01-03"), []),
        (Choice(since="2026-01-02T03"), list(range(10))),
        (Choice(languages=("de",)), []),
        (Choice(hosts=("e0.org",)), [0, 3, 6, 9]),
        (Choice(hosts=("org",), use="ai-train", relevant=True), [5, 6, 8, 9]),
        (Choice(clean=("gopher",)), []),
        (Choice(distinct=True), list(range(10))),
    ],
)
def test_what_is_not_wanted_is_left_out(choice: Choice, left: list[int]) -> None:
    assert ids(choice.of(map(item, range(10)))) == left
    assert choice.left_out.total() == 10 - len(left)


def test_of_nearly_the_same_texts_the_first_is_kept() -> None:
    words = " ".join(f"word{n} of a long text" for n in range(100))
    lines = [item(0, text=words), item(1, text=words + " more"), item(2, text="another"), item(3, text="another")]
    assert ids(Choice(distinct=True).of(lines)) == [0, 2]


def test_quality_is_told_where_it_is_asked_for() -> None:
    (line,) = Choice(tell_quality=True).of([item(1)])
    assert "gopher: too few words" in json.loads(line)["quality_flags"]
    assert json.loads(line)["quality"]["words"] == 4


def test_only_the_fields_that_are_asked_for_are_there() -> None:
    assert list(map(json.loads, only(("depth", "nothing"), [item(3)]))) == [{"depth": 3, "nothing": None}]


# -- Parquet


def test_parquet_has_types_and_every_value(tmp_path: Path) -> None:
    place = tmp_path / "it's.parquet"
    assert write("parquet", map(item, range(7)), place, Card(part=3)) == 7
    place = place.rename(tmp_path / "a.parquet")
    rows = table(
        place, "url, semrank, relevant, keywords['cup'], path, epoch(fetched_at), signals, record, text, explanation"
    )
    assert [row[:5] for row in rows][6] == ("http://e0.org/6", 0.6, True, 0.5, ["http://e.org/"])
    assert rows[0][5] == 1767323045  # date -d 2026-01-02T03:04:05Z +%s
    assert rows[0][6:] == ({}, None, "Text of 0. äöü", "{}")
    types = dict(duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE FROM '{place}')").fetchall())
    assert types["keywords"] == "MAP(VARCHAR, DOUBLE)"
    assert types["fetched_at"] == "TIMESTAMP WITH TIME ZONE"


def test_a_folder_of_parts_has_so_many_items_each(tmp_path: Path) -> None:
    assert write("parts", map(item, range(7)), tmp_path / "new", Card(part=3)) == 7
    parts = sorted((tmp_path / "new").iterdir())
    assert [len(table(part)) for part in parts] == [3, 3, 1]
    assert len(table(tmp_path / "new/*.parquet")) == 7


def test_of_foreign_items_all_fields_are_there(tmp_path: Path) -> None:
    lines = ['{"depth": 1, "price": 3.5}', '{"depth": 2, "tags": ["a"]}']
    write("parquet", lines, tmp_path / "a.parquet", Card(part=1))
    assert table(tmp_path / "a.parquet", "depth, price, tags") == [(1, "3.5", None), (2, None, '["a"]')]


@pytest.mark.parametrize("bad", [{"text": "\ud800"}, {"semrank": float("nan")}, {"keywords": {}}, {"text": "a\0b"}])
def test_strange_values_do_not_stop_it(bad: dict[str, Any], tmp_path: Path) -> None:
    assert write("parquet", [item(1, **bad)], tmp_path / "a.parquet", Card()) == 1


def test_what_has_another_type_than_it_should_is_one_message_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadOutput, match="Parquet cannot be written"):
        write("parquet", [item(1, fetched_at="yesterday")], tmp_path / "a.parquet", Card())
    assert list(tmp_path.iterdir()) == []


def test_no_item_is_a_table_too(tmp_path: Path) -> None:
    assert write("parquet", [], tmp_path / "a.parquet", Card()) == 0
    assert table(tmp_path / "a.parquet") == []


# -- WET, Markdown, Hugging Face


def test_wet_is_a_warc_of_texts(tmp_path: Path) -> None:
    place = tmp_path / "a.warc.wet.gz"
    assert write(kind_of(place, ""), [item(1), item(2, text="")], place, Card(topic="tea")) == 1
    with place.open("rb") as file:
        info, page = [(r.rec_type, r.rec_headers, r.content_stream().read()) for r in ArchiveIterator(file)]
    assert b"topic: tea" in info[2]
    assert page[0] == "conversion"
    assert page[1]["WARC-Target-URI"] == "http://e1.org/1"
    assert page[1]["WARC-Date"] == "2026-01-02T03:04:05Z"
    assert page[1]["WARC-Identified-Content-Language"] == "en"
    assert page[2].decode() == "Text of 1. äöü"


def test_a_folder_of_markdown_has_a_file_a_page(tmp_path: Path) -> None:
    assert write("markdown", map(item, range(5)), tmp_path / "md", Card()) == 5
    files = sorted((tmp_path / "md").rglob("*.md"))
    assert len(files) == 5
    head, _, text = files[0].read_text("utf-8").removeprefix("---\n").partition("\n---\n")
    known = {name: json.loads(value) for name, value in (line.split(": ", 1) for line in head.splitlines())}
    assert known["title"] == "Page 0"
    assert known["keywords"] == {"green tea": 1.0, "cup": 0.5}
    assert text.strip() == "Text of 0. äöü"


STRANGE = [
    "http://../../etc/passwd", "http://e.org/%2e%2e/%2e%2e/x", "http://e.org/\0", "file:///etc/passwd", "", "http://[",
    "http://e.org/" + "ä/" * 900,
]  # fmt: skip


@pytest.mark.parametrize("url", STRANGE)
def test_names_of_files_are_harmless(url: str) -> None:
    name = name_of({"url": url})
    folder, _, file = name.partition("/")
    assert "/" not in file
    assert folder.strip(".")
    assert len(file.encode()) < 200
    assert not {"..", "\0"} & set(name.split("/"))


def test_the_card_tells_what_is_in_a_folder_and_its_table_is_read(tmp_path: Path) -> None:
    card = Card(topic="tea [x](http://evil.test) <b>", order="semrank", gamma=0.45, part=4)
    assert write("huggingface", map(item, range(9)), tmp_path / "hf", card) == 9
    assert sorted(p.name for p in (tmp_path / "hf/data").iterdir()) == [
        f"train-0000{n}-of-00003.parquet" for n in range(3)
    ]
    assert len(table(tmp_path / "hf/data/*.parquet")) == 9
    text = (tmp_path / "hf/README.md").read_text("utf-8")
    assert "| Pages | 9 (4 judged relevant) |" in text
    assert "| meta robots: noai | 1 |" in text
    assert "| e0.org | 3 |" in text
    assert "\\<b>" in text
    assert "\\[x\\](" in text
    assert text == told(card)


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/file").write_text("x")
    with pytest.raises(BadOptions, match="is there already"):
        write("markdown", [item()], tmp_path / "mine", Card())
    assert (tmp_path / "mine/file").read_text() == "x"


def test_a_place_that_says_nothing_needs_a_kind() -> None:
    assert kind_of(Path("a.csv"), "") == "csv"
    assert kind_of(Path("folder"), "markdown") == "markdown"
    with pytest.raises(BadOptions, match="needs --as one of markdown"):
        kind_of(Path("folder"), "")


# -- CDXJ and WACZ


@pytest.fixture(params=["r.warc.gz", "r.warc"])
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[list[str], Card]:
    recording = Recording(tmp_path / request.param, {"software": "test"})
    lines = []
    for n in (2, 0, 1):
        answer = Exchange(
            f"http://www.e{n}.org/", "GET", [], b"", 200, [("Content-Type", "text/html; charset=x")], b"<p>%d" % n
        )
        written = recording.add(answer)
        place = {"file": request.param, "offset": written.offset, "length": written.length, "url": answer.url}
        lines.append(item(n, record=place))
    recording.close()
    return lines, Card(topic="tea", recordings=(str(tmp_path),))


def test_a_line_of_the_index_leads_to_its_record(recorded: tuple[list[str], Card], tmp_path: Path) -> None:
    lines, card = recorded
    assert write("cdxj", [*lines, item(5)], tmp_path / "a.cdxj", card) == 3
    found = [line.split(" ", 2) for line in (tmp_path / "a.cdxj").read_text().splitlines()]
    assert [key for key, _, _ in found] == ["org,e0)/", "org,e1)/", "org,e2)/"]
    for n, (_, moment, said) in enumerate(found):
        entry = json.loads(said)
        assert (len(moment), entry["mime"], entry["status"]) == (14, "text/html", "200")
        with (tmp_path / entry["filename"]).open("rb") as file:
            file.seek(int(entry["offset"]))
            record = next(iter(ArchiveIterator(file)))
            assert record.content_stream().read() == b"<p>%d" % n
            assert record.rec_headers["WARC-Payload-Digest"] == entry["digest"]


def test_a_wacz_holds_records_index_pages_and_their_digests(recorded: tuple[list[str], Card], tmp_path: Path) -> None:
    lines, card = recorded
    assert write("wacz", [*lines, lines[0]], tmp_path / "a.wacz", card) == 3
    with ZipFile(tmp_path / "a.wacz") as wacz:
        package = json.loads(wacz.read("datapackage.json"))
        digest = json.loads(wacz.read("datapackage-digest.json"))
        assert digest["hash"] == f"sha256:{hashlib.sha256(wacz.read('datapackage.json')).hexdigest()}"
        for resource in package["resources"]:
            body = wacz.read(resource["path"])
            assert (resource["hash"], resource["bytes"]) == (f"sha256:{hashlib.sha256(body).hexdigest()}", len(body))
        assert wacz.getinfo("archive/data.warc.gz").compress_type == ZIP_STORED
        archive = wacz.read("archive/data.warc.gz")
        for line in wacz.read("indexes/index.cdxj").decode().splitlines():
            entry = json.loads(line.split(" ", 2)[2])
            start = int(entry["offset"])
            (tmp_path / "one.gz").write_bytes(archive[start : start + int(entry["length"])])
            with (tmp_path / "one.gz").open("rb") as file:
                (record,) = ArchiveIterator(file)
                assert record.rec_headers["WARC-Target-URI"] == entry["url"]
        header, *pages = map(json.loads, wacz.read("pages/pages.jsonl").decode().splitlines())
        assert header["format"] == "json-pages-1.0"
        assert [page["url"] for page in pages] == ["http://www.e2.org/", "http://www.e0.org/", "http://www.e1.org/"]


def spoil(**place: Any) -> Callable[[str], str]:
    def spoilt(line: str) -> str:
        value = json.loads(line)
        return json.dumps({**value, "record": {**value["record"], **place}})

    return spoilt


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (spoil(file="../../etc/passwd"), "no name of a recording"),
        (spoil(file="other.warc.gz"), "is not there: name its folder"),
        (spoil(offset=7), "is it the recording of this crawl|cannot be read"),
        (spoil(offset=10**9), "is it the recording of this crawl|cannot be read"),
        (spoil(length=2**40), "no place that could be"),
        (spoil(offset="0"), "no place that could be"),
    ],
)
@pytest.mark.parametrize("kind", ["cdxj", "wacz"])
def test_a_record_that_is_not_there_is_one_message(
    kind: str, change: Callable[[str], str], said: str, recorded: tuple[list[str], Card], tmp_path: Path
) -> None:
    with pytest.raises(BadOutput, match=said):
        write(kind, [change(recorded[0][0])], tmp_path / f"a{KINDS[kind].ending}", recorded[1])
    assert not list(tmp_path.glob("a*"))


def test_without_recorded_pages_there_is_nothing_to_index(tmp_path: Path) -> None:
    with pytest.raises(BadOutput, match="FCA_RECORD"):
        write("wacz", [item(1)], tmp_path / "a.wacz", Card())


def test_a_feed_may_be_parquet(tmp_path: Path) -> None:
    with (tmp_path / "feed.parquet").open("wb") as file:
        exporter = Columns(file)
        exporter.start_exporting()
        for n in range(3):
            exporter.export_item(PageItem(**json.loads(item(n))))
        exporter.finish_exporting()
    assert table(tmp_path / "feed.parquet", "depth, title") == [(n, f"Page {n}") for n in range(3)]
