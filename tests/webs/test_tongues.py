"""The web of many languages, from manuals in two languages as they would stand unpacked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from fcacrawler.evaluation.web import NOTHING_HERE
from fcacrawler.worlds import open_world
from tests.webs import tongues
from tests.webs.translations import LANGUAGES, MANUALS, SUBJECTS, THIN

GERMAN = "Ein Absatz, der lang genug ist und in dem nicht viel steht, was man nicht schon weiß. " * 8
ENGLISH = "A paragraph that is long enough and in which there is not much that is not known already. " * 8
HELP, HANDBOOK = "usr/share/libreoffice/help", "usr/share/doc/debian-handbook/html"


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Topics of two pages are some."""
    monkeypatch.setattr(tongues, "FEWEST", 2)


def shown(title: str, text: str, link: str = "") -> str:
    body = f'<div id="DisplayArea" itemscope="true"><h1>{title}</h1><p>{text}</p>{link}</div><footer>f</footer>'
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


def made(folder: Path, files: dict[str, str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """URL → text of the world that is made of these files, and topic → URLs that are labelled."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    list(tongues.write(folder / "world", folder))
    world = open_world(str(folder / "world"))
    texts = {url: (world.answer(url) or NOTHING_HERE).body.decode() for url in world.urls()}
    world.close()
    labels: dict[str, list[str]] = {}
    for row in (folder / "world" / "labels.tsv").read_text("utf-8").splitlines()[1:]:
        labels.setdefault(row.split("\t")[1], []).append(row.split("\t")[0])
    return texts, labels


def titled(texts: dict[str, str], title: str) -> str:
    """The URL of the page of that title."""
    (url,) = [url for url, text in texts.items() if f"<title>{title}</title>" in text]
    return url


def test_help_becomes_a_web_with_the_same_topics_in_each_language(tmp_path: Path) -> None:
    said = {"de/a": GERMAN, "de/b": GERMAN, "de/not-translated": ENGLISH, "en-US/a": ENGLISH, "en-US/b": ENGLISH}
    files = {}
    for place, text in said.items():
        folder, _, name = place.partition("/")
        link = f'<a target="_top" href="{folder}/text/schart/b.html">B</a>'
        files[f"{HELP}/{folder}/text/schart/{name}.html"] = shown(f"{folder} {name}", text, link)
    assert "schart" not in THIN
    texts, labels = made(tmp_path, files)

    assert {label: len(urls) for label, urls in labels.items()} == {"en.chart": 2, "de.chart": 2}
    topics = tomllib.loads((tmp_path / "world" / "topics.toml").read_text("utf-8"))["topics"]
    assert topics["de.chart"]["words"] == "Diagramm Achsen Datenreihen"
    assert topics["de.chart-in-english"] == topics["de.chart"] | {"words": "chart axes data series"}
    assert all(url.rpartition("/")[2].isdigit() for url in labels["de.chart"])
    first, second = titled(texts, "de a"), titled(texts, "de b")
    assert {first, second} == set(labels["de.chart"])
    assert f'<a href="{second}">B</a>' in texts[first]
    assert "English" in texts["http://de.office.test/"]
    assert "footer" not in texts[first]


def test_books_are_cut_at_headings_and_their_chapters_are_topics(tmp_path: Path) -> None:
    up = '<link rel="up" href="apt.html">'
    chapter = (
        f'{up.replace("apt", "index")}<h1>Pakete</h1><p>{GERMAN}</p><div class="section"><h2><a id="here"></a>Hier'
    )
    chapter += f'</h2><p>{GERMAN}<a href="sect.mirror.html#x">Spiegel</a> <a href="shop.html">Laden</a></p></div>'
    texts, labels = made(
        tmp_path,
        {
            f"{HANDBOOK}/de-DE/index.html": "<title>Das Handbuch</title>",
            f"{HANDBOOK}/de-DE/apt.html": chapter,
            f"{HANDBOOK}/de-DE/sect.mirror.html": f'{up}<h2>Ein Spiegel</h2><p>{GERMAN}<a href="apt.html#here">dort</a>'
            f'</p><ul class="docnav">weiter</ul>',
            f"{HANDBOOK}/de-DE/sect.english.html": f"{up}<h2>Not translated</h2><p>{ENGLISH}</p>",
            f"{HANDBOOK}/de-DE/preface.html": f"<h2>Vorwort</h2><p>{GERMAN}</p>",
            f"{HELP}/de/text/schart/a.html": shown("Diagramme", GERMAN),
        },
    )

    packages, here, mirror = titled(texts, "Pakete"), titled(texts, "Hier"), titled(texts, "Ein Spiegel")
    assert set(labels["de.packages"]) == {packages, here, mirror}
    assert len(labels) == 1
    assert not any("Not translated" in text or "docnav" in text or "<div" in text for text in texts.values())
    assert f'<a href="{mirror}">Spiegel</a> Laden' in texts[here]
    assert f'<a href="{here}">dort</a>' in texts[mirror]
    listed = re.findall(r'<li><a href="([^"]*)"', texts[packages])
    assert listed == [here, mirror, "http://de.handbook.test/"]
    home = re.findall(r'<li><a href="([^"]*)"', texts["http://de.handbook.test/"])
    assert home == [packages, titled(texts, "Vorwort"), "http://de.office.test/"]


def test_every_language_has_words_for_every_subject() -> None:
    for about in LANGUAGES.values():
        assert {"name", *SUBJECTS} == about.keys()


def test_every_manual_is_of_languages_that_have_words() -> None:
    assert {language for manual in MANUALS for language in manual.languages} == LANGUAGES.keys()
