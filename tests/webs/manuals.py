"""A real web of many hosts: the manuals of some fifty projects, out of Debian's documentation packages.

Its topics are kinds of pages (tutorial, release notes, installation guide …), whose words say little since pages of all
kinds speak of the same things, and a few subjects. A kind is told by where its project keeps it, a subject by titles.
Of each sort, one half is for tuning and the other stays untouched: the first word of a topic's label tells which.

Run: python -m tests.webs.manuals FOLDER [SCRATCH]; then: scrapy compare FOLDER
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from urllib.parse import quote, urldefrag, urljoin, urlsplit
from zlib import crc32

from tests.worlds.warcs import write_warc

DIRECTORY = "http://www.manuals-directory.test/"
LARGEST = 1_000_000
LINK = re.compile(rb"""(<a\b[^>]*?\s)href\s*=\s*(["'])(.*?)\2""", re.IGNORECASE | re.DOTALL)
HEADING = re.compile(r"<(title|h1)\b[^>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
TAG = re.compile(r"<[^>]*>")
NO_SUBJECT = re.compile(r"genindex|py-modindex|/_modules/|links\.html$")


@dataclass(frozen=True, slots=True)
class Project:
    """Where its manual is, and what of it; see manuals.toml."""

    name: str
    package: str
    root: str
    base: str
    area: str
    home: str = "index.html"
    known_as: str = ""
    keep: str = ""
    drop: str = ""
    thin: Mapping[str, int] = field(default_factory=dict)

    def url(self, path: str) -> str:
        return self.base + quote(path)

    def keeps(self, path: str) -> bool:
        """Whether the world has the page: no search forms and sources, one in so many where there are very many."""
        if not re.match(self.keep, path) or re.search(r"(^|/)(_sources|_static|search\.html)", path):
            return False
        return not (self.drop and re.match(self.drop, path)) and all(
            crc32(path.encode()) % n == 0 for rule, n in self.thin.items() if re.match(rule, path)
        )


@dataclass(frozen=True, slots=True)
class Topic:
    """What a user types, which half it is of; a genre's rules by project or a subject's terms."""

    words: str
    half: str
    rules: Mapping[str, str] = field(default_factory=dict)
    terms: str = ""


TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PROJECTS = [Project(name, **row) for name, row in TABLE["projects"].items()]
GENRES = {name: Topic(**row) for name, row in TABLE["genres"].items()}
SUBJECTS = {name: Topic(**row) for name, row in TABLE["subjects"].items()}


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a project."""

    project: Project
    path: str
    body: bytes


def unpack(scratch: Path) -> list[str]:
    """Download and unpack what is not there yet; names what cannot be had."""
    missing = []
    for package in dict.fromkeys(p.package for p in PROJECTS):
        if (scratch / package).is_dir():
            continue
        got = subprocess.run(["apt-get", "download", package], cwd=scratch, capture_output=True, check=False)
        debs = sorted(scratch.glob(f"{package}_*.deb"))
        if got.returncode or not debs:
            missing.append(package)
        else:
            subprocess.run(["dpkg", "-x", debs[-1], scratch / package], check=True)
    return missing


def files(project: Project, scratch: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """Path → page, and path → path of the other names that pages have in the file system."""
    root = (scratch / project.package / project.root).resolve()
    bodies: dict[str, bytes] = {}
    names: dict[str, str] = {}
    for file in sorted(f for f in root.rglob("*.htm*") if re.search(r"\.html?(\.gz)?$", f.name) and f.is_file()):
        path = file.relative_to(root).as_posix().removesuffix(".gz")
        if file.is_symlink():
            if (real := file.resolve()).is_relative_to(root):
                names[path] = real.relative_to(root).as_posix().removesuffix(".gz")
        elif project.keeps(path):
            body = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
            if len(body) <= LARGEST:
                bodies[path] = body
    return bodies, names


def read(scratch: Path) -> tuple[dict[str, Page], dict[str, str]]:
    """URL → page, URL → the page's own URL."""
    pages: dict[str, Page] = {}
    names: dict[str, str] = {}
    for project in PROJECTS:
        bodies, others = files(project, scratch)
        for path, body in bodies.items():
            url = project.url(path)
            pages[url] = Page(project, path, body)
            if path.endswith("index.html"):
                names[url.removesuffix("index.html")] = url
        names |= {project.url(other): project.url(path) for other, path in others.items()}
    return pages, names


def resolved(url: str, href: bytes) -> tuple[str, str]:
    """A link's URL and fragment; nothing for one that is no URL."""
    try:
        return urldefrag(urljoin(url, unescape(href.decode("utf-8", "replace")).strip()))
    except ValueError:
        return "", ""


class Links:
    """Where links lead to: pages under other names get their own URL; links out of the web are no links."""

    def __init__(self, pages: Mapping[str, Page], names: Mapping[str, str]) -> None:
        self._pages = pages
        self._names = names
        self._known = [(re.compile(p.known_as), p.base) for p in PROJECTS if p.known_as]

    def target(self, url: str) -> str | None:
        """The URL in the world, if there is one."""
        for pattern, base in self._known:
            url = base + url[known.end() :] if (known := pattern.match(url)) else url
        for name in (url, self._names.get(url, ""), url + ".html", url.rstrip("/") + "/index.html"):
            if name in self._pages:
                return name
        return None

    def body(self, at: str, page: Page) -> bytes:
        """The page, with its links set right."""

        def right(link: re.Match[bytes]) -> bytes:
            url, fragment = resolved(at, link[3])
            if url in self._pages:
                return link[0]
            if target := self.target(url):
                return link[1] + f'href="{escape(target + ("#" + fragment if fragment else ""))}"'.encode()
            return link[1].rstrip() if url.startswith("http") else link[0]

        return LINK.sub(right, page.body)

    def of(self, url: str, body: bytes) -> Iterator[str]:
        """The pages that a page links to."""
        for link in LINK.finditer(body):
            to, _ = resolved(url, link[3])
            if to in self._pages and to != url:
                yield to


def genres(pages: Mapping[str, Page]) -> Iterator[tuple[str, str]]:
    """URL and the kind of page that it is, after its project's rules."""
    for url, page in pages.items():
        for topic, kind in GENRES.items():
            rule = kind.rules.get(page.project.name)
            if rule and re.fullmatch(rule, page.path):
                yield url, topic


def headings(page: Page) -> set[str]:
    """The parts of a page's title and its main heading."""
    text = page.body.decode("utf-8", "replace")
    first = {kind.lower(): words for kind, words in reversed(HEADING.findall(text))}
    said = [" ".join(TAG.sub("", unescape(words)).split()) for words in first.values()]
    return {part for words in said for part in re.split(r" [—–-] |: ", words)}


def subjects(pages: Mapping[str, Page]) -> Iterator[tuple[str, str]]:
    """URL and subject that its title or main heading names; what many pages of a project say does not count."""
    said = {url: headings(page) for url, page in pages.items() if page.path and not NO_SUBJECT.search(url)}
    often = Counter((pages[url].project.name, words) for url, all_ in said.items() for words in all_)
    for url, words in said.items():
        own = " | ".join(sorted(w for w in words if often[pages[url].project.name, w] <= 5))
        for topic, subject in SUBJECTS.items():
            if re.search(subject.terms, own, re.IGNORECASE):
                yield url, topic


def directory(pages: Mapping[str, Page]) -> tuple[dict[str, bytes], dict[str, str]]:
    """The pages that hold the web together: a directory of all, and each project's links to others of its area."""
    there = {page.project.name for page in pages.values()}
    of = [p for p in PROJECTS if p.name in there]
    areas = {area: [p for p in of if p.area == area] for area in dict.fromkeys(p.area for p in of)}
    made = {DIRECTORY: sheet("Directory of manuals", {f"{DIRECTORY}{area}.html": area for area in areas})}
    links: dict[str, str] = {}
    for area, projects in areas.items():
        made[f"{DIRECTORY}{area}.html"] = sheet(area, homes(projects) | {DIRECTORY: "Directory"})
        for project in projects:
            others = homes(p for p in projects if p is not project)
            links[project.url(project.home)] = project.url("links.html")
            made[project.url("links.html")] = sheet(f"{project.name}: links", others | {DIRECTORY: "More manuals"})
    return made, links


def homes(projects: Iterable[Project]) -> dict[str, str]:
    return {p.url(p.home): p.name for p in projects}


def sheet(title: str, links: Mapping[str, str]) -> bytes:
    items = "".join(f'<li><a href="{escape(url)}">{escape(name)}</a></li>' for url, name in links.items())
    return f"<html lang=en><head><title>{escape(title)}</title></head><body><h1>{title}</h1><ul>{items}</ul>".encode()


def seeds(labelled: list[str]) -> list[str]:
    """Three pages of three hosts, drawn."""
    drawn: dict[str, str] = {}
    for url in sorted(labelled, key=lambda url: crc32(url.encode())):
        drawn.setdefault(urlsplit(url).hostname or "", url)
    return list(drawn.values())[:3]


def reached(start: list[str], leads: Mapping[str, list[str]]) -> set[str]:
    """What can be reached from some pages."""
    seen: set[str] = set()
    front = list(start)
    while front:
        if (url := front.pop()) not in seen:
            seen.add(url)
            front += leads[url]
    return seen


def write(folder: Path, scratch: Path) -> Iterator[str]:
    """The world; tells of each topic how many pages and hosts it has, and how many of them its seeds lead to."""
    pages, names = read(scratch)
    made, links = directory(pages)
    pages |= {url: Page(Project("", "", "", url, ""), "", body) for url, body in made.items()}
    right = Links(pages, names)
    bodies = {url: right.body(url, page) for url, page in pages.items()}
    for url, to in links.items():
        bodies[url] += f'<p><a href="{to}">Links to other manuals</a></p>'.encode()
    leads = {url: list(dict.fromkeys(right.of(url, body))) for url, body in bodies.items()}
    folder.mkdir(parents=True, exist_ok=True)
    write_warc(folder / "pages.warc.gz", dict(bodies), headers=[("Content-Type", "text/html")])
    yield f"{len(pages)} pages, {hosts(pages)} hosts, {sum(map(len, leads.values()))} links"
    labels: dict[str, list[str]] = {}
    for url, topic in (*genres(pages), *subjects(pages)):
        labels.setdefault(topic, []).append(url)
    rows, tables = ["url\ttopic"], []
    for topic, kind in (GENRES | SUBJECTS).items():
        of, label = labels.get(topic, []), f"{kind.half}.{topic}"
        start = seeds(of)
        rows += [f"{url}\t{label}" for url in of]
        named = f'[topics."{topic}"]\nwords = "{kind.words}"\nlabels = ["{label}"]'
        tables.append(f"{named}\nseeds = {json.dumps(start)}\n")
        yield f"{label:45}{len(of):4} pages{hosts(of):4} hosts {len(reached(start, leads) & set(of)):4} reached"
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "topics.toml").write_text("\n".join(tables), "utf-8")


def hosts(urls: Iterable[str]) -> int:
    return len({urlsplit(url).netloc for url in urls})


def main(folder: str, scratch: str | None = None) -> None:
    """Make the world; packages already unpacked in the scratch folder are not downloaded again."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(scratch or temporary)
        place.mkdir(parents=True, exist_ok=True)
        if missing := unpack(place):
            sys.stderr.write(f"not to be had, left out: {', '.join(missing)}\n")
        for line in write(Path(folder), place):
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
