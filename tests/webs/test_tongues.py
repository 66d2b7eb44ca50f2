"""The web of many languages, from two languages' help as it would stand unpacked."""

from __future__ import annotations

import tomllib
from pathlib import Path

from fcacrawler.evaluation.web import NOTHING_HERE
from fcacrawler.worlds import open_world
from tests.webs.tongues import LANGUAGES, ROOT, SUBJECTS, THIN, write

GERMAN = "Ein Absatz, der lang genug ist und in dem nicht viel steht, was man nicht schon weiß. " * 8
ENGLISH = "A paragraph that is long enough and in which there is not much that is not known already. " * 8


def shown(title: str, text: str, link: str = "") -> str:
    body = f'<div id="DisplayArea" itemscope="true"><h1>{title}</h1><p>{text}</p>{link}</div><footer>f</footer>'
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


def test_help_becomes_a_web_with_the_same_topics_in_each_language(tmp_path: Path) -> None:
    said = {"de/a": GERMAN, "de/b": GERMAN, "de/not-translated": ENGLISH, "en-US/a": ENGLISH, "en-US/b": ENGLISH}
    for place, text in said.items():
        folder, _, name = place.partition("/")
        file = tmp_path / ROOT / folder / "text" / "schart" / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        link = f'<a target="_top" href="{folder}/text/schart/b.html">B</a>'
        file.write_text(shown(f"{folder} {name}", text, link), "utf-8")
    assert "schart" not in THIN
    list(write(tmp_path / "world", tmp_path))

    labels = [row.split("\t") for row in (tmp_path / "world" / "labels.tsv").read_text("utf-8").splitlines()[1:]]
    assert sorted(label for _, label in labels) == ["de.chart", "de.chart", "en.chart", "en.chart"]
    topics = tomllib.loads((tmp_path / "world" / "topics.toml").read_text("utf-8"))["topics"]
    assert topics["de.chart"]["words"] == "Diagramm Achsen Datenreihen"
    assert topics["de.chart-in-english"] == topics["de.chart"] | {"words": "chart axes data series"}

    world = open_world(str(tmp_path / "world"))
    texts = {url: (world.answer(url) or NOTHING_HERE).body.decode() for url in world.urls()}
    world.close()
    german = {url for url, label in labels if label == "de.chart"}
    assert all(url.rpartition("/")[2].isdigit() for url in german)
    first = next(url for url in german if "de a</h1>" in texts[url])
    (second,) = german - {first}
    assert f'<a href="{second}">B</a>' in texts[first]
    assert "English" in texts["http://de.office.test/"]
    assert "footer" not in texts[first]


def test_every_language_has_words_for_every_subject() -> None:
    for about in LANGUAGES.values():
        assert {"folder", "name", *SUBJECTS} == about.keys()
