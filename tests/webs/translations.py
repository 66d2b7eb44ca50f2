"""Pages of Debian's translated manuals, out of its packages: the help of an office suite, and four books about Debian.

A page of the help is a file. A chapter or section of a book is a page: files are cut at their headings, since one book
has a section in a file and another a chapter. What stands in a package in English only is left out.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from zlib import crc32

from fcacrawler.page import language_of

TABLE = tomllib.loads((Path(__file__).parent / "tongues.toml").read_text("utf-8"))
LANGUAGES: Mapping[str, Mapping[str, str]] = TABLE["languages"]
SUBJECTS: Mapping[str, str] = TABLE["subjects"]
OFFICE = "office"
SHORTEST = 200  # characters of text
NO_CHAPTERS = ("search", "developers-reference")  # a form, and all chapters of a book on one page
THIN = {
    "sbasic": 8,
    "scalc": 7,
    "swriter": 7,
    "shared": 10,
    "simpress": 4,
    "smath": 2,
    "sdatabase": 2,
}  # one page of the help in so many
SHOWN = re.compile(r'<div id="DisplayArea".*?>(.*)</div>\s*<footer', re.DOTALL)
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
HEADING = re.compile(r"<h[12]\b[^>]*>(.*?)</h[12]>", re.DOTALL)
CUT = re.compile(r'(?=(?:<section\b[^>]*>\s*)?(?:<span id="[^"]*"></span>\s*)*<h[12]\b)')
END = re.compile(r'<div class="(?:navfooter|sphinxsidebar|footer)"|<ul class="docnav')
UP = re.compile(r'<link rel="up" href="([^"]*)"')
HREF = re.compile(r'\bhref="([^"#]+)')
ID = re.compile(r'\b(?:id|name)="([^"]*)"')
TAG = re.compile(r"<[^>]*>")
NOISE = re.compile(r"<script\b.*?</script>|<meta\b[^>]*>|<img\b[^>]*>", re.DOTALL)
BOXES = re.compile(r"</?(?:div|section|span|body|html)\b[^>]*>")


@dataclass(frozen=True, slots=True)
class Manual:
    """A manual: how its package, folder and files are called, where {} stands for what it calls a language."""

    name: str
    package: str
    root: str
    files: str
    languages: Mapping[str, str]
    packages: Mapping[str, str]

    def folder(self, language: str, scratch: Path) -> Path:
        return scratch / self.root.format(self.languages[language])

    def pages(self, language: str, scratch: Path) -> list[Path]:
        return sorted(self.folder(language, scratch).glob(self.files.format(self.languages[language])))

    def named(self, href: str, language: str) -> str:
        """What a link names, whichever language's name and endings it carries."""
        called = self.languages[language]
        name, _, place = href.partition("#")
        name = name.removeprefix(f"{called}/").removesuffix(".html").removesuffix(f".{called}")
        return f"{name}#{place}" if place else name


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page of a manual: the manual's title, the pages that it lies among, what links call its
    file and its places, its path, what it shows."""

    manual: Manual
    language: str
    book: str
    group: str
    file: str
    places: tuple[str, ...]
    path: str
    title: str
    body: str

    @property
    def home(self) -> str:
        return f"http://{self.language}.{self.manual.name}.test/"

    @property
    def url(self) -> str:
        return f"{self.home}{crc32((self.language + self.path).encode()) % 900_000 + 100_000}"

    @property
    def subject(self) -> str:
        place = f"{self.manual.name}/{self.group}"
        return next((name for name, rule in SUBJECTS.items() if re.fullmatch(rule, place)), "")


MANUALS = [Manual(name, **({"packages": {}} | row)) for name, row in TABLE["manuals"].items()]


def unpack(scratch: Path) -> list[str]:
    """Download and unpack what is not there yet; names what cannot be had."""
    missing = []
    for manual in MANUALS:
        for language, called in manual.languages.items():
            if any(manual.pages(language, scratch)):
                continue
            package = manual.packages.get(language) or manual.package.format(called.lower())
            got = subprocess.run(["apt-get", "download", package], cwd=scratch, capture_output=True, check=False)
            debs = sorted(scratch.glob(f"{package}_*.deb"))
            if got.returncode or not debs:
                missing.append(package)
            else:
                subprocess.run(["dpkg", "-x", debs[-1], scratch], check=True)
    return missing


def leaves_of(manual: Manual, language: str, scratch: Path) -> Iterator[Leaf]:
    """The pages that are in the language, in the order of the manual."""
    made = help_pages if manual.name == OFFICE else sections
    for leaf in made(manual, language, scratch):
        text = " ".join(TAG.sub(" ", leaf.body).split())
        if len(text) >= SHORTEST and language_of("", text) in (language, ""):
            yield leaf


def help_pages(manual: Manual, language: str, scratch: Path) -> Iterator[Leaf]:
    """Some pages of each folder of the help, the same ones in each language."""
    for file in manual.pages(language, scratch):
        path = file.relative_to(manual.folder(language, scratch)).as_posix()
        if crc32(path.encode()) % THIN.get(path.split("/")[1], 1):
            continue
        text = file.read_text("utf-8", "replace")
        if (shown := SHOWN.search(text)) and (title := TITLE.search(text)):
            group, said = path.rpartition("/")[0], unescape(title[1]).strip()
            name = manual.named(path, language)
            yield Leaf(manual, language, "LibreOffice", group, name, (), path, said, NOISE.sub("", shown[1]))


def sections(manual: Manual, language: str, scratch: Path) -> Iterator[Leaf]:
    """The chapters and sections of a book; the group of a section is its chapter's file."""
    files = manual.pages(language, scratch)
    texts = {manual.named(file.name, language): file.read_text("utf-8", "replace") for file in files}
    index = texts.pop("index", "")
    book = unescape(title[1]).strip() if (title := TITLE.search(index)) else "Debian"
    listed = [manual.named(href, language) for href in HREF.findall(index)]
    for name in [name for name in dict.fromkeys([*listed, *texts]) if name in texts and name not in NO_CHAPTERS]:
        up = UP.search(texts[name])
        above = manual.named(up[1], language) if up else ""
        group = above if above in texts else name
        for n, part in enumerate(CUT.split(texts[name])[1:]):
            body = END.split(part)[0]
            head = HEADING.search(body)
            said = unescape(TAG.sub("", head[1])).replace("¶", "") if head else ""
            places = tuple(f"{name}#{place}" for place in ID.findall(body))
            path, shown = f"{manual.name}/{name}/{n}", BOXES.sub("", NOISE.sub("", body))
            yield Leaf(manual, language, book, group, name, places, path, " ".join(said.split()), shown)
