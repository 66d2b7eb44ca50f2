"""Pictures are well-formed SVG, hold what they are to show, and stay readable."""

import json
import re
from dataclasses import asdict
from xml.etree import ElementTree

import pytest

from fcacrawler.semrank.context import formal_context, table
from fcacrawler.semrank.draw import Why, covers, draw_hierarchy, draw_lattice, iceberg, why_of
from fcacrawler.semrank.hierarchy import hierarchy
from fcacrawler.semrank.layout import WIDEST, rows_of
from fcacrawler.semrank.rank import semrank
from tests.paper.example import BASE, CLICKS, CURRENT, LINKS, OMEGA
from tests.processes import scrapy

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = {"https://a/<&>": ["tab\tin", "line\nin", "🏎️", "\x00\x1f\ud800", "]]>", '"quoted"'], "https://b/": []}


def boxes(picture):
    """The groups of a picture, each with its class and what it tells the pointer."""
    return [
        (g.get("class").split(), g.find(f"{SVG}title").text) for g in ElementTree.fromstring(picture).iter(f"{SVG}g")
    ]


def texts(picture):
    return {text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")}


def written(explanation):
    """As a crawl writes it into an item."""
    out = asdict(explanation)
    out["int"] = out.pop("int_")
    return out


def test_the_lattice_of_the_paper_has_a_box_a_concept_with_its_extent_and_intent() -> None:
    picture = draw_lattice(table(CURRENT), "Internet, Spider")
    assert len(boxes(picture)) == 18
    assert set(CURRENT) | {k for row in CURRENT.values() for k in row} | {"Internet, Spider"} <= texts(picture)
    assert "3 URLs: U4, U5, U8\n2 keywords: Spider, Web page" in [title for _, title in boxes(picture)]


def test_the_way_by_which_a_url_came_to_its_rank_is_marked() -> None:
    why = semrank(BASE, CURRENT, LINKS, CLICKS).explain("U8")
    picture = draw_lattice(table(CURRENT), "", why=why_of("U8", written(why)))
    winner = [title for mark, title in boxes(picture) if "winner" in mark]
    assert winner == [
        f"{len(why.current_concept['extent'])} URLs: {', '.join(why.current_concept['extent'])}\n"
        f"{len(why.current_concept['intent'])} keywords: {', '.join(why.current_concept['intent'])}"
    ]
    assert all("U8" in title for mark, title in boxes(picture) if mark != ["box"])
    assert f"U8: rank {why.rank:.3f}" in texts(picture)
    parts = f"0.40 · {why.ext:.3f} (links, clicks) + 0.60 · {why.int_:.3f} (keywords)"
    assert f"SemRank {why.rank:.3f} = {parts}" in texts(picture)


def test_a_large_lattice_is_cut_to_an_iceberg_and_says_so() -> None:
    large = {f"u{i:03}": [f"k{j}" for j in range(12) if (i * 7 + j * j) % 5 < 2] for i in range(120)}
    large |= {f"v{i}": [f"own {i}"] for i in range(80)}
    picture = draw_lattice(table(large), "", most=60)
    assert len(boxes(picture)) <= 60
    note = re.compile(r"\d+ of \d+ concepts: those of \d+ URLs or more \(of 200\)")
    assert any(map(note.fullmatch, texts(picture)))
    found, whole, least = iceberg(table(large), 60)
    assert len(found) < whole
    assert all(x.bit_count() >= least for x, _ in found)


def test_covers_are_those_of_the_concepts_package() -> None:
    t = table(CURRENT)
    found, _, _ = iceberg(t, 100)
    names = [frozenset(u for i, u in enumerate(t.urls) if x >> i & 1) for x, _ in found]
    lattice = formal_context(t).lattice
    package = {(frozenset(up.extent), frozenset(c.extent)) for c in lattice for up in c.upper_neighbors}
    assert {(names[i], names[j]) for i, j in covers(found)} == package


def test_boxes_do_not_share_a_place_and_rows_stay_narrow() -> None:
    rows = rows_of({i: min(i, 1) for i in range(30)}, [(0, i) for i in range(1, 30)])
    assert sorted(n for row in rows for n in row) == list(range(30))
    assert max(map(len, rows)) <= WIDEST


def test_the_hierarchy_of_the_paper_shows_part_of_and_isa() -> None:
    picture = draw_hierarchy(hierarchy(OMEGA, ["Internet", "Spider"]), "")
    assert {"Top", *OMEGA.clicks} <= texts(picture)
    lines = [line.get("class") for line in ElementTree.fromstring(picture).iter(f"{SVG}line")]
    assert lines.count("isa") == 3
    assert len(lines) == 3 + 2 + 4


@pytest.mark.parametrize("given", [HOSTILE, {"u": []}, {"u": ["k"]}])
def test_hostile_names_and_empty_intents_make_a_picture_all_the_same(given) -> None:
    assert boxes(draw_lattice(table(given), "a\x00b")) != []


def test_nothing_to_draw_is_an_error_in_words() -> None:
    with pytest.raises(ValueError, match="no URL in the context"):
        draw_lattice(table({}), "")
    with pytest.raises(ValueError, match="'U9' is not in the context"):
        draw_lattice(table(CURRENT), "", why=Why("U9"))


@pytest.mark.slow
def test_the_command_draws_a_csv_of_the_concepts_package_and_a_crawls_items(tmp_path) -> None:
    context = tmp_path / "context.csv"
    context.write_text(",Internet,Spider\nU1,X,X\nU2,,X\n", "utf-8")
    items = tmp_path / "items.jsonl"
    ranks = semrank(BASE, CURRENT, LINKS, CLICKS)
    lines = [
        {"url": u, "topic": "spiders", "keywords": dict.fromkeys(row, 1.0), "explanation": written(ranks.explain(u))}
        for u, row in CURRENT.items()
    ]
    items.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    for source, url, concepts in ((context, "U1", 2), (items, "U8", 18)):
        out = tmp_path / "out" / "lattice.svg"
        done = scrapy("draw", "lattice", source, "--url", url, "-o", out)
        assert (done.returncode, done.stderr) == (0, "")
        assert len(boxes(out.read_text("utf-8"))) == concepts
    for args, said in (
        (["lattice", tmp_path / "none.csv"], "none.csv does not exist"),
        (["lattice", context, "--url", "U9"], "'U9' is not in the context"),
        (["lattice", items, "--url", "U9"], "U9 is not among the 5 pages"),
        (["hierarchy", tmp_path / "none.parquet"], "there is no such file"),
        (["hierarchy", tmp_path], "is a folder; a hierarchy is drawn of what scrapy learn wrote"),
    ):
        failed = scrapy("draw", *args)
        assert failed.returncode == 1
        assert said in failed.stderr
        assert "Traceback" not in failed.stderr
