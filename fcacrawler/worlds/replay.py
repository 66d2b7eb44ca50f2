"""A recorded web: a folder with WARC files, and what is known about their pages.

    pages.warc.gz   any standard WARC, one or several files of any name
    labels.tsv      url, topic                        (optional)
    topics.toml     [topics.NAME] words, labels, seeds  (optional)
    clicks.tsv.gz   user, time, query, step, url      (optional)

A single WARC file is a world too. Of several records of one URL the last one answers.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from warcio.archiveiterator import ArchiveIterator

from fcacrawler.values.errors import BadWorld
from fcacrawler.worlds import Answer, Progress, WorldTopic
from fcacrawler.worlds.index import open_index
from fcacrawler.worlds.knowledge import read_labels, read_topics

BESIDE = (LABELS, TOPICS, CLICKS) = "labels.tsv", "topics.toml", "clicks.tsv.gz"
LARGEST = 64 << 20  # bytes of a body that are replayed
OF_THE_WIRE = frozenset(["transfer-encoding", "content-length", "connection", "keep-alive"])
DECODED = frozenset(["gzip", "deflate", "br"])


def warc_files(home: Path) -> list[Path]:
    """The WARC files of a folder, or the one file itself."""
    if not home.exists():
        raise BadWorld(f"no world {str(home)!r}: there is no such folder or file (demo is the embedded one)")
    found = [home] if home.is_file() else sorted(f for f in home.iterdir() if f.name.endswith((".warc", ".warc.gz")))
    if not found:
        raise BadWorld(
            f"{home}: there is no WARC file in this folder (*.warc.gz or *.warc); a crawl makes one with "
            f"-s FCA_RECORD={home / 'pages.warc.gz'}"
        )
    return found


def files_of(home: Path) -> list[Path]:
    """All files that a recorded world is made of: in a JOBDIR others lie beside them, which change."""
    files = warc_files(home)
    return [*files, *(f for name in BESIDE if (f := files[0].parent / name).is_file())]


class RecordedWorld:
    """A world of WARC files, read by offset: its size costs no memory."""

    whole = False

    def __init__(self, home: Path, progress: Progress | None = None) -> None:
        self.name = home.resolve().name.removesuffix(".gz").removesuffix(".warc")
        files = warc_files(home)
        self._files = {f.name: f for f in files}
        self._open: dict[str, BinaryIO] = {}
        self._one_reads = Lock()
        self._index = open_index(home, files, progress)
        notes = self._index.notes()
        if not self._index.count():
            self._index.close()
            raise BadWorld("\n".join([f"{home}: no HTTP responses in {', '.join(self._files)}", *notes]))
        self._labels = read_labels(files[0].parent / LABELS, self._index.spelt)
        topics = read_topics(files[0].parent / TOPICS, self._labels, self._index.spelt)
        self.topics: Mapping[str, WorldTopic] = topics
        self.notes = (*notes, *self._labels.notes)
        self.orders = self._index.orders()
        self._clicks = files[0].parent / CLICKS

    def tell(self, topic: WorldTopic, pages: Iterable[str], note: str) -> None:
        """A topic that its folder does not tell, and the pages that are relevant to it."""
        self._labels.pages[topic.name] = [spelt for url in pages if (spelt := self._index.spelt(url))]
        seeds = tuple(spelt for url in topic.seeds if (spelt := self._index.spelt(url)))
        self.topics = {**self.topics, topic.name: replace(topic, seeds=seeds)}
        self.notes = (*self._index.notes(), note)

    def answer(self, url: str) -> Answer | None:
        """To whichever thread: a page of PISE asks in another one each time."""
        with self._one_reads:
            return self._answer(url)

    def _answer(self, url: str) -> Answer | None:
        place = self._index.place(url)
        if place is None:
            return None
        file = self._open.get(place.file) or self._open.setdefault(place.file, self._files[place.file].open("rb"))
        file.seek(place.offset)
        with redirect_stdout(None):  # warcio prints when it meets damage
            record = next(ArchiveIterator(file))
            headers = record.http_headers
            encoding = (headers.get_header("Content-Encoding") or "").lower()
            left_out = OF_THE_WIRE | ({"content-encoding"} if encoding in DECODED else frozenset())
            body = record.content_stream().read(LARGEST)
        kept = [(n, v) for n, v in headers.headers if n.lower() not in left_out]
        return Answer(int(headers.get_statuscode()), (*kept, ("Content-Length", str(len(body)))), body)

    def urls(self) -> Iterator[str]:
        return self._index.urls()

    def labels(self) -> Iterator[tuple[str, str]]:
        return ((url, label) for label, urls in self._labels.pages.items() for url in urls)

    def relevant(self, topic: str) -> frozenset[str]:
        return frozenset(url for label in self.topics[topic].labels for url in self._labels.under(label))

    def clicks(self) -> Iterator[str]:
        if self._clicks.is_file():
            with gzip.open(self._clicks, "rt", encoding="utf-8", errors="replace", newline="\n") as lines:
                yield from (line.rstrip("\r\n") for line in lines)

    def close(self) -> None:
        self._index.close()
        for file in self._open.values():
            file.close()
