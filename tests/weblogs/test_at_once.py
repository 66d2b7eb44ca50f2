"""Many lines at once say what the lines say one by one; pseudonyms of many are those of each."""

from __future__ import annotations

import gzip
import random
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fcacrawler.weblogs.events import BadLine, Click, ClickColumns
from fcacrawler.weblogs.evidence import Evidence, Lately
from fcacrawler.weblogs.formats.own import TSV
from fcacrawler.weblogs.learn import read
from fcacrawler.weblogs.lines import LONGEST_LINE
from fcacrawler.weblogs.pseudonyms import pseudonyms

HEADERS = ["user\ttime\tquery\tstep\turl", "url\tclicks\tquery\tother\tgroup\tuser", "user\tquery\turl"]
ODD = {  # field → what may stand there that not every reader takes for what it is
    "user": ["", " ", "ü", "a\rb", "\udc81"],
    "query": ["", "  two words ", "w " * 49, "w " * 51, "w  " * 40, "x" * 1001, "a\x85b\u2028c", "q\r", "\t"],
    "url": ["", "http://a/\r", "http://a/\n", "\x1c"],
    "clicks": ["7", "0", "many", "٣", "1" * 12],
    "time": ["then", "2006-03-01 11:58:51"],
}


class Heard(Evidence):
    """Keeps the clicks as they come."""

    def __init__(self) -> None:
        self.clicks: list[Click] = []

    def add(self, clicks: ClickColumns) -> None:
        self.clicks += map(Click._make, zip(*clicks, strict=True))


def one_by_one(content: bytes) -> tuple[list[Click], list[tuple[int, str]], int]:
    """The clicks, the rejected lines, and how many lines there are."""
    lines = content.removesuffix(b"\n").split(b"\n")
    parse = TSV.parser([lines[0].decode().rstrip("\r")])
    assert parse
    clicks, rejected = [], []
    for number, line in enumerate(lines, start=1):
        try:
            if len(line) >= LONGEST_LINE:
                raise BadLine(f"line of more than {LONGEST_LINE:,} bytes")
            try:
                text = line.decode()
            except UnicodeDecodeError:
                try:
                    text = line.decode("cp1252")
                except UnicodeDecodeError:
                    raise BadLine("neither utf-8 nor cp1252") from None
            click = parse(text.rstrip("\r\n"))
        except BadLine as e:
            rejected.append((number, str(e)))
            continue
        if click:
            clicks.append(click)
    return clicks, rejected, len(lines)


def row(header: str, dice: random.Random, odd: float) -> str:
    plain = {"user": "u", "query": "auto racing", "url": "http://a/", "clicks": "1"}
    fields = [
        dice.choice(ODD[name]) if name in ODD and dice.random() < odd else plain.get(name, "") + str(dice.randrange(9))
        for name in header.split("\t")
    ]
    return "\t".join(fields)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(HEADERS),
    st.integers(0, 10_000),
    st.sampled_from([0.0, 0.0005, 0.3]),
    st.lists(st.sampled_from(["", "\r", "one column", "HEADER", "a\tb\tc\td\te\tf\tg", "LONG"]), max_size=3),
    st.sampled_from(["\n", "\r\n", "\r\r\n"]),
    st.booleans(),
)
def test_a_file_is_read_as_its_lines_are_one_by_one(
    header: str, seed: int, odd: float, others: list[str], end: str, ended: bool
) -> None:
    """Blocks of good lines, of good and bad ones, and lines that go from block to block; zipped or not."""
    dice = random.Random(seed)
    rows = [row(header, dice, odd) for _ in range(dice.choice([5, 6000]))]
    for other in others:
        text = {"HEADER": header, "LONG": "\t".join(["u" * LONGEST_LINE] * len(header.split("\t")))}.get(other, other)
        rows.insert(dice.randrange(len(rows)), text)
    begin = [header, *(row(header, dice, 0) for _ in range(20))]  # by which the format is told
    content = (end.join([*begin, *rows]) + end * ended).encode("utf-8", "surrogateescape")
    clicks, rejected, lines = one_by_one(content)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.tsv"
        path.write_bytes(gzip.compress(content, 1) if ended else content)
        heard = Heard()
        report = read(path, heard, "tsv", 1.0, lambda message: None)
    assert heard.clicks == clicks
    assert (report.lines, report.clicks, report.rejected) == (lines, len(clicks), len(rejected))
    assert [(r.line, r.why) for r in report.first] == rejected[:5]


def test_what_is_as_it_should_be_is_read_at_once() -> None:
    assert TSV.at_once
    parse = TSV.at_once(["url\tquery\tuser\tclicks"])
    found = parse("http://a/\t auto \tu1\t2\n\tno click\tu2\tx\nhttp://b/\tracing\tu1\t1")
    assert found == (["u1", "u1"], ["auto", "racing"], ["http://a/", "http://b/"], *[["", ""]] * 3, [2, 1], [0, 0])
    for unclear in ("http://a/\tauto\tu1", "http://a/\tauto\t\t1", "url\tquery\tuser\tclicks", ""):
        assert parse(f"http://a/\tauto\tu1\t1\n{unclear}") is None


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=200), max_size=20))
def test_pseudonyms_are_the_keyed_hash_of_each(texts: list[str]) -> None:
    def alone(text: str) -> int:
        data = text.encode("utf-8", "replace")
        return int.from_bytes(blake2b(data, digest_size=8, key=b"k" * 32, person=b"user").digest()) if text else 0

    assert pseudonyms(b"user", texts, b"k" * 32).tolist() == [alone(text) for text in texts]


@settings(max_examples=30)
@given(st.lists(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 5), max_size=9), max_size=9))
def test_what_is_new_is_never_taken_for_known(batches: list[list[int]]) -> None:
    lately, come = Lately(), set[int]()
    for batch in batches:
        new = lately.new(np.array(batch, dtype=np.uint64)).tolist()
        assert all(number == 0 or number in come for number, is_new in zip(batch, new, strict=True) if not is_new)
        come.update(batch)


def test_what_came_last_is_known() -> None:
    lately, numbers = Lately(), np.arange(5, dtype=np.uint64)
    assert lately.new(numbers).tolist() == [False, True, True, True, True]
    assert not lately.new(numbers).any()
