"""What docs/design/page.md says of bounds and languages is so."""

import re
from dataclasses import fields
from pathlib import Path

from fcacrawler.page import PageOptions
from fcacrawler.page.text.background import background
from fcacrawler.page.text.stopwords import STOP_WORDS

DOCS = (Path(__file__).parents[2] / "docs" / "design" / "page.md").read_text("utf-8")


def test_the_bounds_of_a_page_are_the_settings() -> None:
    told = {name: int(number.replace(",", "")) for name, number in re.findall(r"\| `FCA_(\w+)` \| ([\d,]+) \|", DOCS)}
    assert told == {
        field.name.upper(): field.default for field in fields(PageOptions) if field.name not in ("text", "read")
    }


def test_the_languages_have_what_the_table_says() -> None:
    rows = re.findall(r"^\| ([a-z, ]+) \| (.+?) \| (.+?) \| .+? \| (.+?) \|$", DOCS, re.M)
    told = {code: row[1:] for row in rows for code in row[0].split(", ") if re.fullmatch("[a-z]{2}", code)}
    assert len(told) > 40
    for code, (stopped, stemmed, counted) in told.items():
        known = background(code) if code in ("en", "ja", "sr", "hr", "th", "ga") else None
        assert (code in STOP_WORDS) == (stopped == "listed")
        if known is not None:
            assert bool(known.stop) == (stopped != "none")
            assert bool(known.stem) == (stemmed == "Snowball")
            assert bool(known.frequency) == counted.startswith("yes")
