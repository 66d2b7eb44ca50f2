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
        return "Make static vectors, a row a word, of sentence models (minutes)"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--out", default="out/vectors", help="folder to write to (default: out/vectors)")
        parser.add_argument("--phrases", default="", help="file with an English phrase a line that rows are fitted to")
        parser.add_argument(
            "--english-only", action="store_true", help="no rows of other languages, for which use is needed"
        )
        told_of = "file of texts that other languages' rows are fitted to: language, tab, text"
        parser.add_argument("--texts", default="", help=told_of)
        parser.add_argument("--rows", type=int, default=36_500, help="English words and word pieces (default: 36500)")
        parser.add_argument("--others", type=int, default=105_000, help="words of other languages (default: 105000)")
        parser.add_argument("--size", type=int, default=256, help="numbers a row (default: 256)")
        parser.add_argument("--width", type=int, default=64, help="bytes a row, twice as many in English (default: 64)")

    @as_long_as_read
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 2 or args[0] != "distill":
            raise UsageError("name the folder of a sentence model, as in: scrapy vectors distill models/minilm")
        from fcacrawler.vectors.distill import Shape, distill
        from fcacrawler.vectors.use import Use

        if min(opts.rows, opts.others, opts.size, opts.width) < 1:
            raise UsageError("--rows, --others, --size and --width must be at least 1", print_help=False)
        if opts.size % (2 * opts.width):
            raise UsageError(f"--size must be a multiple of {2 * opts.width}, twice --width", print_help=False)
        try:
            phrases = [p for line in _lines(opts.phrases) if (p := line.strip())]
            texts = [(language, text) for language, tab, text in (x.partition("\t") for x in _lines(opts.texts)) if tab]
            shape = Shape(opts.rows, opts.others, opts.size, opts.width)
            teacher = None if opts.english_only else Use()
            distill(Path(args[1]), teacher, Path(opts.out), phrases, texts, shape, told)
        except (FcaError, OSError, UnicodeDecodeError) as error:
            raise UsageError(str(error), print_help=False) from error
        except KeyboardInterrupt:
            print("\nStopped; nothing was written.", file=sys.stderr)
            self.exitcode = 130
            return
        print(f"Written to {opts.out}")


def told(what: str, done: int, of: int) -> None:
    print(f"\r{what}: {done} of {of}", end="\n" if done == of else "", file=sys.stderr, flush=True)


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if path else []
