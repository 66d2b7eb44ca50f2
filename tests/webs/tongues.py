"""A web of many languages, of what Debian's packages have translated: see tests/webs/translations.py.

Each manual has a host of its own in each language, whose pages are numbered, so that no URL says anything; its home
page leads to the first page of each folder or chapter, to its homes in other languages and to the other manuals of its
own. Pages are linked as the manual links them, to the one before and after, to the home page, and in books from and to
the first of their chapter; links to pages that the web does not have are words. Topics are parts of the suite, or of
what there is to say about Debian, told by the files that pages come from: the same subjects in each language, with
words of that language; ``-in-english`` are the same topics asked for in English. A topic of fewer than FEWEST pages is
none: books are translated less far than the help, and Arabic would have none. The first word of a topic's name is its
language: LOOKED_AT is what was looked at while the code was written, the others were held back (es, fr and zh have been
crawled since), as were the subjects HELD_BACK, all that is about Debian among them.

Run: python -m tests.webs.tongues FOLDER [SCRATCH]; then: scrapy compare FOLDER
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from tests.webs.translations import LANGUAGES, MANUALS, OFFICE, SUBJECTS, Leaf, Manual, leaves_of, unpack
from tests.worlds.warcs import write_warc

LOOKED_AT = ("en", "de", "ru", "ja")
HELD_BACK = ("draw", "database", "installing", "packages", "building", "network", "servers", "security")
HELD_BACK += ("desktop", "shell", "project")
FEWEST = 10
LINK = re.compile(r"<a\b[^>]*?\bhref=\"([^\"]*)\"[^>]*>(.*?)</a>", re.DOTALL)
Leads = dict[str, str]  # URL → what the link says


def written(leaf: Leaf, names: Mapping[str, Leaf], near: Leads) -> str:
    """The page as it stands in the web: links to pages that it does not have are words."""

    def right(link: re.Match[str]) -> str:
        name = leaf.manual.named(link[1], leaf.language)
        name = leaf.file + name if name.startswith("#") else name
        to = names.get(name) or names.get(name.partition("#")[0])
        return f'<a href="{to.url}">{link[2]}</a>' if to and to is not leaf else link[2]

    return sheet(leaf.language, leaf.title, LINK.sub(right, leaf.body), near)


def sheet(language: str, title: str, body: str, links: Mapping[str, str]) -> str:
    items = "".join(f'<li><a href="{url}">{escape(name)}</a></li>' for url, name in links.items())
    head = f'<html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return f"{head}<body><main>{body}</main><ul>{items}</ul></body></html>"


def of_manual(manual: Manual, language: str, scratch: Path) -> tuple[dict[str, bytes], list[Leaf]]:
    """URL → page of one host but for its home; its pages."""
    by_url = {leaf.url: leaf for leaf in leaves_of(manual, language, scratch)}  # two of one number are one page
    found = list(by_url.values())
    names = {leaf.file: leaf for leaf in reversed(found)} | {name: leaf for leaf in found for name in leaf.places}
    near: dict[str, Leads] = {leaf.url: {} for leaf in found}
    for of in grouped(found):
        for one, other in pairwise(of):
            near[one.url][other.url] = other.title
            near[other.url][one.url] = one.title
        for leaf in of[1:] if manual.name != OFFICE else ():
            near[leaf.url][of[0].url] = of[0].title
            near[of[0].url][leaf.url] = leaf.title
    for leaf in found:
        near[leaf.url][leaf.home] = leaf.book
    return {leaf.url: written(leaf, names, near[leaf.url]).encode() for leaf in found}, found


def grouped(found: list[Leaf]) -> list[list[Leaf]]:
    """The pages of each folder or chapter."""
    groups: dict[str, list[Leaf]] = {}
    for leaf in found:
        groups.setdefault(leaf.group, []).append(leaf)
    return list(groups.values())


def homes(leaves: Mapping[tuple[str, str], list[Leaf]]) -> dict[str, bytes]:
    """The home page of each host, by manual and language."""
    made: dict[str, bytes] = {}
    for (manual, language), found in leaves.items():
        links = {of[0].url: of[0].title for of in grouped(found)}
        for (other, tongue), pages in leaves.items():
            if (other == manual) != (tongue == language):
                links[pages[0].home] = LANGUAGES[tongue]["name"] if other == manual else pages[0].book
        made[found[0].home] = sheet(language, found[0].book, "", links).encode()
    return made


def write(folder: Path, scratch: Path) -> Iterator[str]:
    """The world; tells of each topic how many pages it has."""
    bodies: dict[str, bytes] = {}
    leaves: dict[tuple[str, str], list[Leaf]] = {}
    for manual in MANUALS:
        for language in manual.languages:
            new, found = of_manual(manual, language, scratch)
            bodies |= new
            if found:
                leaves[manual.name, language] = found
    bodies |= homes(leaves)
    labelled: dict[str, list[str]] = {f"{language}.{subject}": [] for language in LANGUAGES for subject in SUBJECTS}
    for leaf in (leaf for found in leaves.values() for leaf in found if leaf.subject):
        labelled[f"{leaf.language}.{leaf.subject}"].append(leaf.url)
    rows, tables = ["url\ttopic"], []
    for label, urls in labelled.items():
        if len(urls) < FEWEST:
            continue
        language, _, subject = label.partition(".")
        of = sorted(urls, key=lambda url: crc32(url.encode()))
        rows += [f"{url}\t{label}" for url in of]
        asked = {label: LANGUAGES[language][subject]}
        if language != "en":
            asked[f"{label}-in-english"] = LANGUAGES["en"][subject]
        for name, words in asked.items():
            quoted = json.dumps(words, ensure_ascii=False)
            tables.append(f'[topics."{name}"]\nwords = {quoted}\nlabels = ["{label}"]\nseeds = {json.dumps(of[:3])}\n')
        yield f"{label:20}{len(of):4} pages"
    folder.mkdir(parents=True, exist_ok=True)
    write_warc(folder / "pages.warc.gz", bodies, headers=[("Content-Type", "text/html; charset=utf-8")])
    (folder / "labels.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "topics.toml").write_text("\n".join(tables), "utf-8")
    for (manual, language), found in leaves.items():
        yield f"{language} {manual:12}{len(found):4} pages"
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
