"""``scrapy vectors distill``: static vectors of sentence models; ``texts``: what the shipped ones were fitted to."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from fcacrawler.commands import OurCommand, plainly
from fcacrawler.values.errors import FcaError


class Command(OurCommand, ScrapyCommand):
    requires_crawler_process = False
    takes = "distill MODEL_DIR|minilm [options], or: texts FOLDER [options]"
    does = "Make static vectors, a row a word, of sentence models (minutes); what is stopped goes on"

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("-o", "--out", default="out/vectors", help="folder to write to (default: out/vectors)")
        parser.add_argument(
            "--wordnet", default="/usr/share/wordnet", help="texts: WordNet 3.0's folder (default: /usr/share/wordnet)"
        )
        parser.add_argument(
            "--descriptions", default=".", help="texts: folder with Translation-de.bz2 …, of Debian's mirrors"
        )
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

    @plainly
    def run(self, args: list[str], opts: Namespace) -> None:
        if len(args) != 2 or args[0] not in ("distill", "texts"):
            raise UsageError("name the folder of a sentence model, as in: scrapy vectors distill models/minilm")
        try:
            done = self._texts(Path(args[1]), opts) if args[0] == "texts" else self._distill(args[1], opts)
        except KeyboardInterrupt:
            print("\nStopped; asked for again, it goes on.", file=sys.stderr)
            self.exitcode = 130
            return
        print(f"Written to {done}")

    def _texts(self, folder: Path, opts: Namespace) -> Path:
        from fcacrawler.vectors.corpora import compounds, glosses, sentences

        wordnet = Path(opts.wordnet)
        texts = [*glosses(wordnet), *sentences(Path(opts.descriptions))]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "phrases.txt").write_text("".join(f"{p}\n" for p in compounds(wordnet)), encoding="utf-8")
        (folder / "texts.tsv").write_text("".join(f"{language}\t{text}\n" for language, text in texts), "utf-8")
        return folder

    def _distill(self, model: str, opts: Namespace) -> Path:
        from fcacrawler.vectors.distill import Shape, distill
        from fcacrawler.vectors.model import installed_minilm
        from fcacrawler.vectors.use import Use

        if min(opts.rows, opts.others, opts.size, opts.width) < 1:
            raise UsageError("--rows, --others, --size and --width must be at least 1", print_help=False)
        if opts.size % (2 * opts.width):
            raise UsageError(f"--size must be a multiple of {2 * opts.width}, twice --width", print_help=False)
        phrases = [p for line in _lines(opts.phrases) if (p := line.strip())]
        texts = [(language, text) for language, tab, text in (x.partition("\t") for x in _lines(opts.texts)) if tab]
        shape = Shape(opts.rows, opts.others, opts.size, opts.width)
        teacher = None if opts.english_only else Use()
        folder = installed_minilm() if model == "minilm" else Path(model)
        distill(folder, teacher, Path(opts.out), phrases, texts, shape, told)
        return Path(opts.out)


def told(what: str, done: int, of: int) -> None:
    print(f"\r{what}: {done} of {of}", end="\n" if done == of else "", file=sys.stderr, flush=True)


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines() if path else []
    except UnicodeDecodeError as error:
        raise FcaError(f"{path}: {error}") from None
