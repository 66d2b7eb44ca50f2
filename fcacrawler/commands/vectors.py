"""``scrapy vectors distill MODEL_DIR``: make static vectors of a sentence model."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import as_long_as_read
from fcacrawler.values.errors import FcaError


class Command(ScrapyCommand):
    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012

    def syntax(self) -> str:
        return "distill MODEL_DIR [options]"

    def short_desc(self) -> str:
        return "Make static vectors, a row a word, of a sentence model (minutes)"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--out", default="out/vectors", help="folder to write to (default: out/vectors)")
        parser.add_argument("--phrases", default="", help="file with a phrase a line that sums of rows are fitted to")
        parser.add_argument("--rows", type=int, default=36_500, help="words and word pieces (default: 36500)")
        parser.add_argument("--size", type=int, default=256, help="numbers a row (default: 256)")

    @as_long_as_read
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 2 or args[0] != "distill":
            raise UsageError("name the folder of a sentence model, as in: scrapy vectors distill models/minilm")
        from fcacrawler.vectors.distill import distill

        if opts.rows < 1 or opts.size < 1:
            raise UsageError("--rows and --size must be at least 1", print_help=False)
        try:
            phrases = Path(opts.phrases).read_text(encoding="utf-8").split("\n") if opts.phrases else []
            kept = [p for p in (p.strip() for p in phrases) if p]
            distill(Path(args[1]), Path(opts.out), kept, opts.size, opts.rows, told)
        except (FcaError, OSError, UnicodeDecodeError) as error:
            raise UsageError(str(error), print_help=False) from error
        except KeyboardInterrupt:
            print("\nStopped; nothing was written.", file=sys.stderr)
            self.exitcode = 130
            return
        print(f"Written to {opts.out}")


def told(what: str, done: int, of: int) -> None:
    print(f"\r{what}: {done} of {of}", end="\n" if done == of else "", file=sys.stderr, flush=True)
