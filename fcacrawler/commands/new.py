"""``fcacrawler new mytopic``: a folder with all that a crawl of one topic needs, to be filled in."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import OurCommand, plainly
from fcacrawler.values.errors import FcaError

FILES = {
    "topic.toml": """\
# What is looked for. fcacrawler crawl topic.toml --job job
words = {words}
seeds = [  # pages to start from: about the topic, or lists of such pages
]
examples = [  # pages about the topic, or files with their text: the more like what you want, the better
]
avoid = [  # words that speak against a page
]
""",
    "settings.py": '''\
"""Of this crawl; all of them: docs/use/settings.md of fcacrawler, or fcacrawler crawl --help."""

from fcacrawler.settings import *

# FCA_CONTACT = "you@example.org"  # every host is told
# FCA_HOST_PAGES = 200             # of one host at most
# FCA_JS = "never"                 # no browser, whatever pages need
''',
    "scrapy.cfg": "[settings]\ndefault = settings\n\n[fcacrawler]\n# the command fcacrawler takes these settings\n",
    ".gitignore": "out/\njob/\n",
}


class Command(OurCommand, ScrapyCommand):
    requires_project = False
    requires_crawler_process = False
    takes = "[options] FOLDER"
    does = "Begin a topic: a folder with topic.toml and settings"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--words", default="", help="what the topic is called (default: the folder's name)")

    @plainly
    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 1:
            raise UsageError("name one folder, as in: fcacrawler new mytopic")
        folder = Path(args[0])
        words = " ".join((opts.words or folder.name.replace("-", " ").replace("_", " ")).split())
        folder.mkdir(parents=True, exist_ok=True)
        if there := [name for name in FILES if (folder / name).exists()]:
            raise FcaError(f"{folder}: is there already, and kept: {', '.join(there)}; name another folder")
        for name, text in FILES.items():
            (folder / name).write_text(text.replace("{words}", _quoted(words)), "utf-8")
        print(f"{folder}/topic.toml: write there what is looked for and where to start, then")
        print(f"  cd {folder} && fcacrawler crawl topic.toml --job job")


def _quoted(text: str) -> str:
    r"""As TOML has it.

    >>> _quoted('a "b"')
    '"a \\"b\\""'
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'
