"""Hooks of mkdocs.yml: documents of the repository as pages of a site, and the reference made from the code.

A link from one document to another is a link between their pages; one to a file that is no document becomes its name.
Headings have the anchors that they have where the repository is read (tests/test_docs.py holds those).
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from scrapy.commands import ScrapyCommand  # noqa: E402
from scrapy.commands.list import Command as Bare  # noqa: E402
from scrapy.settings import Settings  # noqa: E402

import fcacrawler  # noqa: E402
from fcacrawler import commands, harvests  # noqa: E402
from fcacrawler.app.config import declared  # noqa: E402
from fcacrawler.items import PageItem  # noqa: E402
from fcacrawler.values.topics import Topic  # noqa: E402

logging.getLogger("scrapy").setLevel(logging.ERROR)
OUTSIDE = {"README.md": "about.md", "CHANGELOG.md": "changelog.md", "bench/README.md": "bench.md"}  # in the site
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.mdx_configs["toc"] = {"slugify": lambda heading, separator: anchor(heading)}
    config.extra["version"] = fcacrawler.__version__
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    made = {page: (ROOT / source).read_text("utf-8") for source, page in OUTSIDE.items()}
    made["use/first-topic.md"] = notebook(ROOT / "docs/use/first-topic.ipynb")
    made["reference/settings.md"] = "\n".join(settings())
    made["reference/commands.md"] = "\n".join(all_commands())
    made["reference/python.md"] = "\n".join(python())
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links lead to pages of the site."""
    here = page.file.src_uri
    source = next((s for s, p in OUTSIDE.items() if p == here), f"docs/{here}")

    def link(found: re.Match[str]) -> str:
        image, text, target = found.groups()
        path, mark, heading = target.partition("#")
        if ":" in target or not path:
            return found[0]
        to = os.path.normpath(f"{PurePosixPath(source).parent}/{path}")
        place = OUTSIDE.get(to) or (to.removeprefix("docs/") if to.startswith("docs/") else "")
        if not place:
            return text
        return f"{image}[{text}]({os.path.relpath(place, PurePosixPath(here).parent)}{mark}{heading})"

    parts = re.split(r"(^```.*?^```|`[^`\n]+`)", markdown, flags=re.M | re.S)
    return "".join(part if part.startswith("`") else LINK.sub(link, part) for part in whole_links(parts))


def whole_links(parts: list[str]) -> Iterator[str]:
    """A link whose text has code in it is not cut there."""
    kept = ""
    for part in parts:
        if part.startswith("```"):
            yield from (kept, part)
            kept = ""
        else:
            kept += part
    yield kept


def anchor(heading: str) -> str:
    """As GitHub and others make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def notebook(path: Path) -> str:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    parts = ("".join(cell["source"]) if cell["cell_type"] == "markdown" else code(cell) for cell in cells)
    return "\n\n".join([*parts, f"The [notebook itself]({path.name})."])


def code(cell: dict[str, Any]) -> str:
    return f"```python\n{''.join(cell['source'])}\n```"


# -- the reference


def settings() -> Iterator[str]:
    yield "# Settings and arguments\n\nMade from the code. By subject: [settings](../use/settings.md).\n"
    yield "| setting (`-s`) | argument (`-a`) | default | meaning |\n| --- | --- | --- | --- |"
    for s in declared():
        argument = f"`{s.argument}`" if s.argument else ""
        yield f"| `{s.name}` | {argument} | `{s.default!r}` | {cell(s.meaning)} |"


def all_commands() -> Iterator[str]:
    yield "# Commands\n\nMade from the code. In any folder; in a project or a checkout, `scrapy` too."
    bare = Bare()
    bare.settings = Settings()
    common = {action.dest: action for action in actions(bare)}
    yield "\n## Options of all\n"
    yield from options([*common.values()])
    folder = Path(commands.__file__).parent
    for name in sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__"):
        module = __import__(f"fcacrawler.commands.{name}", fromlist=["Command"])
        command = module.Command()
        command.settings = Settings()
        yield f"\n## {name}\n\n    fcacrawler {name} {command.syntax()}\n\n{cell(command.long_desc())}\n"
        yield from options([action for action in actions(command) if action.dest not in common])


def actions(command: ScrapyCommand) -> list[argparse.Action]:
    parser = argparse.ArgumentParser(add_help=False, conflict_handler="resolve")
    command.add_options(parser)
    return [action for action in parser._actions if action.option_strings and action.help != argparse.SUPPRESS]


def options(found: list[argparse.Action]) -> Iterator[str]:
    if found:
        yield "| option | meaning |\n| --- | --- |"
    for action in found:
        flags = ", ".join(f"`{flag}`" for flag in action.option_strings)
        yield f"| {flags} | {cell((action.help or '') % vars(action))} |"


def python() -> Iterator[str]:
    yield "# Python\n\nMade from the code. With examples: [from Python](../use/python.md).\n"
    for thing in (Topic, harvests.crawl, harvests.crawl_async, harvests.Harvest, PageItem):
        yield f"## {thing.__name__}\n"
        if inspect.isfunction(thing):
            yield f"    {thing.__name__}{inspect.signature(thing)}\n"
        yield inspect.cleandoc(thing.__doc__ or "") + "\n"
        if dataclasses.is_dataclass(thing):
            yield "| field | type |\n| --- | --- |"
            yield from (f"| `{f.name}` | `{cell(str(f.type))}` |" for f in dataclasses.fields(thing))
            yield ""
        elif inspect.isclass(thing):
            for name, member in vars(thing).items():
                if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                    shown = "" if isinstance(member, property) else str(inspect.signature(member))
                    yield f"### {name}\n\n    harvest.{name}{shown.replace('self, ', '').replace('self', '')}\n"
                    yield inspect.cleandoc(member.__doc__ or "") + "\n"


def cell(text: str) -> str:
    """In one line of a table, with nothing that Markdown would read."""
    return re.sub(r"([|<*_])", r"\\\1", " ".join(text.split()))
