"""The web of manuals, from two packages as they would stand unpacked."""

from __future__ import annotations

from pathlib import Path

from fcacrawler.evaluation.web import NOTHING_HERE
from fcacrawler.worlds import open_world
from tests.webs.manuals import GENRES, PROJECTS, SUBJECTS, write

PYTHON = "usr/share/doc/python3.11/html"
DJANGO = "usr/share/doc/python-django-doc/html"


def page(title: str, *links: str) -> str:
    anchors = "".join(f'<a class="x" href="{link}">there</a>' for link in links)
    return f"<html><head><title>{title} — The Manual</title></head><body><h1>{title}</h1>{anchors}</body></html>"


def test_manuals_become_a_web_with_topics_by_place_and_by_title(tmp_path: Path) -> None:
    for path, text in {
        f"python3.11-doc/{PYTHON}/index.html": page(
            "Python", "tutorial/index.html", "search.html", "https://github.com/"
        ),
        f"python3.11-doc/{PYTHON}/tutorial/index.html": page("The Tutorial", "https://docs.djangoproject.com/en/dev/"),
        f"python3.11-doc/{PYTHON}/howto/logging.html": page("Logging HOWTO", "../index.html#x"),
        f"python3.11-doc/{PYTHON}/search.html": page("Search"),
        f"python-django-doc/{DJANGO}/index.html": page("Django", "https://docs.python.org/3.8/howto/logging.html#a"),
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    list(write(tmp_path / "world", tmp_path))

    world = open_world(str(tmp_path / "world"))
    labels = (tmp_path / "world" / "labels.tsv").read_text("utf-8").splitlines()[1:]
    assert labels == [
        "https://docs.python.org/3/tutorial/index.html\ttuning.tutorial",
        "https://docs.python.org/3/howto/logging.html\tuntouched.howto",
        "https://docs.python.org/3/howto/logging.html\ttuning.logging",
    ]
    texts = {url: (world.answer(url) or NOTHING_HERE).body.decode() for url in world.urls()}
    world.close()
    assert "https://docs.python.org/3/search.html" not in texts
    assert '<a class="x" href="https://docs.djangoproject.com/en/3.2/index.html">' in texts[labels[0].split("\t")[0]]
    assert (
        'href="https://docs.python.org/3/howto/logging.html#a"'
        in texts["https://docs.djangoproject.com/en/3.2/index.html"]
    )
    start = texts["https://docs.python.org/3/index.html"]
    assert start.count('<a class="x">there') == 2
    assert 'href="https://docs.python.org/3/links.html"' in start


def test_half_of_the_genres_and_half_of_the_subjects_are_kept_for_the_end() -> None:
    for topics in (GENRES, SUBJECTS):
        halves = [topic.half for topic in topics.values()]
        assert halves.count("tuning") == halves.count("untouched") == len(halves) / 2


def test_every_rule_is_for_a_project_that_there_is() -> None:
    assert {name for genre in GENRES.values() for name in genre.rules} <= {project.name for project in PROJECTS}
