"""Documents are true as far as a machine can tell: links lead somewhere, files and fields that they name exist."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from fcacrawler.app.config import declared
from fcacrawler.items import NOW, PageItem
from fcacrawler.values.verdicts import Explanation, written

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "bench/README.md", *sorted(DOCS.rglob("*.md"))]
SUFFIXES = "md|py|sql|toml|cfg|sh|conf|svg|lua|ttl|html"


def told(page: Path) -> str:
    return page.read_text("utf-8")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub and others make them."""
    headings = re.findall(r"^#+ (.+)$", told(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", told(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_file_that_is_named_exists(page: Path) -> None:
    """From the root, from the package, from the page's own folder; a bare name anywhere in the repository."""
    for named in re.findall(rf"`(?:python |\.venv/bin/)*([\w./-]+\.(?:{SUFFIXES}))\b[^`]*`", told(page)):
        if named.startswith("out/") or "NAME" in named:
            continue  # what a user makes, what somebody adds
        if "/" in named:
            assert any((place / named).exists() for place in (ROOT, ROOT / "fcacrawler", page.parent)), named
        elif named not in OF_A_USER:
            assert named in FILES, named


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_setting_that_is_named_exists(page: Path) -> None:
    known = {setting.name for setting in declared()}
    assert set(re.findall(r"\bFCA_[A-Z]+(?:_[A-Z]+)*\b", told(page))) <= known


def test_every_page_is_in_the_index() -> None:
    index = told(DOCS / "README.md")
    pages = [p.relative_to(DOCS) for p in DOCS.rglob("*.md") if p.parent.name != "decisions" and p.name != "README.md"]
    assert [str(page) for page in pages if f"]({page})" not in index] == []


def test_every_field_of_an_item_is_told() -> None:
    fields_told, now, explained, _ = told(DOCS / "use/items.md").split("\n## ")
    assert re.findall(r"^\| `(\w+)` \|", fields_told, re.M) == [f.name for f in fields(PageItem)]
    assert re.findall(r"^\| (`\w+` \| .*) \|$", now, re.M) == [f"`{name}` | {means}" for name, means in NOW.items()]
    assert sorted(re.findall(r"^\| `(\w+)` \|", explained, re.M)) == sorted(written(Explanation(0.0)))


def test_the_picture_has_the_numbers_of_the_text() -> None:
    _, picture, text = told(DOCS / "design/architecture.md").split("```")
    steps = re.findall(r"^(\d)\. \*\*", text, re.M)
    assert sorted(re.findall("[①-⑳]", picture)) == [chr(ord("①") + n) for n in range(len(steps))]
    assert steps == [str(n + 1) for n in range(len(steps))]


def test_the_rooms_are_the_layers() -> None:
    contracts = tomllib.loads(told(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = [set(layer.split(" | ")) for layer in reversed(contracts[0]["layers"])]
    rooms: dict[int, set[str]] = {}
    for layer, room in re.findall(r"^\| (\d+) \| `(\w+)` \|", told(DOCS / "design/architecture.md"), re.M):
        rooms.setdefault(int(layer), set()).add(room)
    assert [rooms[layer] for layer in sorted(rooms)] == layers
    assert set().union(*layers) == {
        path.stem for path in (ROOT / "fcacrawler").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    } - {"__init__"}


def test_every_word_of_the_glossary_is_where_it_says() -> None:
    words = re.findall(r"^\| ([^|]+) \| [^|]+ \| (`[^|]+`) \|$", told(DOCS / "design/glossary.md"), re.M)
    assert len(words) > 25
    for word, where in words:
        file, name = re.findall(r"`([^`]+)`", where)
        code = told(ROOT / "fcacrawler" / file)
        assert re.search(rf"^ *(?:class|def) {name}\b|^    {name}: ", code, re.M), word
    assert len({word for word, _ in words}) == len(words)


def test_every_decision_has_a_status_and_is_in_the_index() -> None:
    index = told(DOCS / "decisions/README.md")
    assert len(set(DECISIONS)) == len(DECISIONS)
    for number, page in zip(DECISIONS, DECIDED, strict=True):
        head = re.match(rf"# {number} (.+)\n\n\*\*Status\.\*\* (.+)\n", told(page))
        assert head, f"{page.name} begins with '# {number} Title', an empty line and '**Status.** Holds.' (or what not)"
        assert re.match(r"Holds|Replaced by \[\d{3}\]|No longer true", head[2]), page.name
        row = re.escape(f"| {number} | [{head[1]}]({page.name}) | ") + "[^|]+" + re.escape(f" | {head[2]} |\n")
        assert re.search(row, index), f"{page.name}: title and status in docs/decisions/README.md"
    assert len(re.findall(r"^\| \d{3} \|", index, re.M)) == len(DECISIONS)


def test_every_decision_that_is_named_exists() -> None:
    code = [path for folder in ("fcacrawler", "bench", "tests") for path in (ROOT / folder).rglob("*.py")]
    code = [path for path in code if ".venv" not in path.parts]  # of the peers, bench/peers/make_environment.sh
    named = [(n, path) for path in (*PAGES, *code) for n in NUMBERS.findall(told(path))]
    assert len(named) > 50
    assert [(n, str(path)) for numbers, path in named for n in numbers.split(", ") if n not in DECISIONS] == []


def test_the_readme_and_the_results_say_the_same_of_wikispeedia() -> None:
    """AUC, harvest at R/4 and R; the results have R/10 before."""
    good = told(DOCS / "results/results.md").partition("\n## Wikispeedia\n")[2].partition("\nHub seeds:\n")[0]
    share = r"(\.\d{3})"
    said = re.findall(rf"^\| [^|]+ \| \**{share}\** \| {share} \| {share} \|", told(ROOT / "README.md"), re.M)
    found = re.findall(rf"^\| [^|]+ \| \**{share}\** \| [^|]+ \| {share} \| {share} \|", good, re.M)
    assert len(said) > 4
    assert set(said) <= set(found)


FILES = {
    path.name for folder in ("fcacrawler", "tests", "bench", "docs", "data") for path in (ROOT / folder).rglob("*.*")
}
FILES |= {path.name for path in ROOT.iterdir()}
DECIDED = sorted((DOCS / "decisions").glob("[0-9]*.md"))
DECISIONS = [path.name[:3] for path in DECIDED]
NUMBERS = re.compile(r"[Dd]ecisions? (\d{3}(?:, \d{3})*)")
OF_A_USER = {"engines.toml", "topics.toml", "topic.toml", "scrapyd.conf", "out.svg"}
