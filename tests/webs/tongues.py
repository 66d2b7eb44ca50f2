"""A web of many languages: the help of an office suite, translated, out of Debian's packages libreoffice-help-*.

Each language has a host of its own, whose pages are numbered, so that no URL says anything; its home page leads to the
homes of the others and to the first page of each folder. Pages are linked as the help links them, to the one before and
after in their folder, and to the home page; those that are not translated are left out. Topics
are the parts of the suite, told by the folder that a file lies in: the same subjects in each language, with words of
that language; ``English words`` are the same topics asked for in English. The first word of a topic's name is its
language: LOOKED_AT is what was looked at while the code was written, the others were held back (es, fr and zh have been
crawled once since), as were the subjects HELD_BACK.

Run: python -m tests.webs.tongues FOLDER [SCRATCH]; then: scrapy compare FOLDER
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape, unescape
from itertools import pairwise
from pathlib import Path
from urllib.parse import urldefrag
from zlib import crc32

from fcacrawler.page import language_of
from tests.worlds.warcs import write_warc

TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
LANGUAGES: Mapping[str, Mapping[str, str]] = TABLE["languages"]
SUBJECTS: Mapping[str, str] = TABLE["subjects"]
LOOKED_AT = ("en", "de", "ru", "ja")
HELD_BACK = ("draw", "database")
ROOT = "usr/share/libreoffice/help"
THIN = {
    "sbasic": 8,
    "scalc": 7,
    "swriter": 7,
    "shared": 10,
    "simpress": 4,
    "smath": 2,
    "sdatabase": 2,
}  # one page in so many
SHOWN = re.compile(r'<div id="DisplayArea".*?>(.*)</div>\s*<footer', re.DOTALL)
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
LINK = re.compile(r"<a\b[^>]*?\bhref=\"([^\"]*)\"[^>]*>(.*?)</a>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
NOISE = re.compile(r"<script\b.*?</script>|<meta\b[^>]*>|<img\b[^>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Help:
    """A page of the help: where it lies below the language's folder, and what it shows."""

    language: str
    path: str
    title: str
    body: str

    @property
    def url(self) -> str:
        return f"http://{self.language}.office.test/{crc32((self.language + self.path).encode()) % 900_000 + 100_000}"

    @property
    def subject(self) -> str:
        return next((name for name, folder in SUBJECTS.items() if self.path.startswith(f"text/{folder}/")), "")


def unpack(scratch: Path) -> list[str]:
    """Download and unpack what is not there yet; names what cannot be had."""
    missing = []
    for about in LANGUAGES.values():
        if (scratch / ROOT / about["folder"]).is_dir():
            continue
        package = f"libreoffice-help-{about['folder'].lower()}"
        got = subprocess.run(["apt-get", "download", package], cwd=scratch, capture_output=True, check=False)
        debs = sorted(scratch.glob(f"{package}_*.deb"))
        if got.returncode or not debs:
            missing.append(package)
        else:
            subprocess.run(["dpkg", "-x", debs[-1], scratch], check=True)
    return missing


def pages_of(language: str, scratch: Path) -> Iterator[Help]:
    """Some pages of each folder, the same ones in each language."""
    root = scratch / ROOT / LANGUAGES[language]["folder"]
    for file in sorted(root.glob("text/**/*.html")):
        path = file.relative_to(root).as_posix()
        thin = THIN.get(path.split("/")[1], 1)
        if crc32(path.encode()) % thin:
            continue
        text = file.read_text("utf-8", "replace")
        shown, title = SHOWN.search(text), TITLE.search(text)
        if shown and title and len(shown[1]) > 400 and is_translated(language, shown[1]):
            yield Help(language, path, unescape(title[1]).strip(), NOISE.sub("", shown[1]))


def is_translated(language: str, body: str) -> bool:
    """Some of the help is not: it stands there in English."""
    return language_of("", TAG.sub(" ", NOISE.sub("", body))) in (language, "")


def written(page: Help, all_: Mapping[str, Help], near: list[Help]) -> str:
    """The page as it stands in the web: links to pages that it does not have are words."""

    def right(link: re.Match[str]) -> str:
        to = all_.get(urldefrag(link[1])[0].removeprefix(LANGUAGES[page.language]["folder"] + "/"))
        return f'<a href="{to.url}">{link[2]}</a>' if to else link[2]

    leads = {p.url: p.title for p in near} | {f"http://{page.language}.office.test/": "LibreOffice"}
    return sheet(page.language, page.title, LINK.sub(right, page.body), leads)


def sheet(language: str, title: str, body: str, links: Mapping[str, str]) -> str:
    items = "".join(f'<li><a href="{url}">{escape(name)}</a></li>' for url, name in links.items())
    head = f'<html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return f"{head}<body><main>{body}</main><ul>{items}</ul></body></html>"


def of_language(language: str, scratch: Path) -> tuple[dict[str, bytes], list[Help]]:
    """URL → page of one host; its pages."""
    found = list(pages_of(language, scratch))
    all_ = {page.path: page for page in found}
    folders: dict[str, list[Help]] = {}
    for page in found:
        folders.setdefault(page.path.rpartition("/")[0], []).append(page)
    near: dict[str, list[Help]] = {page.path: [] for page in found}
    for of in folders.values():
        for one, other in pairwise(of):
            near[one.path].append(other)
            near[other.path].append(one)
    bodies = {page.url: written(page, all_, near[page.path]).encode() for page in found}
    home = {of[0].url: of[0].title for of in folders.values()}
    others = {f"http://{x}.office.test/": about["name"] for x, about in LANGUAGES.items() if x != language}
    bodies[f"http://{language}.office.test/"] = sheet(language, "LibreOffice", "", home | others).encode()
    return bodies, found


def write(folder: Path, scratch: Path) -> Iterator[str]:
    """The world; tells of each topic how many pages it has."""
    bodies: dict[str, bytes] = {}
    rows, tables = ["url\ttopic"], []
    for language, about in LANGUAGES.items():
        if not (scratch / ROOT / about["folder"]).is_dir():
            continue
        new, found = of_language(language, scratch)
        bodies |= new
        for subject in SUBJECTS:
            of = sorted((p.url for p in found if p.subject == subject), key=lambda url: crc32(url.encode()))
            label = f"{language}.{subject}"
            rows += [f"{url}\t{label}" for url in of]
            asked = {label: about[subject]}
            if language != "en":
                asked[f"{label}-in-english"] = LANGUAGES["en"][subject]
            for name, words in asked.items():
                quoted = json.dumps(words, ensure_ascii=False)
                tables.append(
                    f'[topics."{name}"]\nwords = {quoted}\nlabels = ["{label}"]\nseeds = {json.dumps(of[:3])}\n'
                )
            yield f"{label:20}{len(of):4} pages"
    folder.mkdir(parents=True, exist_ok=True)
    write_warc(folder / "pages.warc.gz", bodies, headers=[("Content-Type", "text/html; charset=utf-8")])
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "topics.toml").write_text("\n".join(tables), "utf-8")
    yield f"{len(bodies)} pages"


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
