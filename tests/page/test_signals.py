"""What owners say of the use of their pages."""

from __future__ import annotations

import pytest

from fcacrawler.page import read_page
from fcacrawler.page.signals import RobotsSignals, fits, refusal, tdm_of

ROBOTS = """
User-agent: *
Allow: /
Content-Signal: search=yes, ai-train=no   # for all
Content-Usage: /free/ train-ai=y, search=y
Content-Usage: train-ai=n

User-agent: fcacrawler
User-Agent: other
Content-Usage: train-ai=y
"""


def test_a_page_and_its_response_tell() -> None:
    body = (
        b"<meta name=robots content='index, NOAI, otherbot: noarchive'><meta name=tdm-reservation content=1><p>Words."
    )
    headers = {"x-robots-tag": "otherbot: noai, noarchive", "tdm-policy": "https://e.org/policy.json"}
    assert dict(read_page("http://e.org/", "http://e.org/", body, headers=headers).signals) == {
        "meta robots": "noai",
        "header x-robots-tag": "noarchive",
        "meta tdm-reservation": "1",
        "header tdm-policy": "https://e.org/policy.json",
    }


def test_the_group_of_a_crawler_is_heard_and_the_longest_path_in_it() -> None:
    all_others = RobotsSignals(ROBOTS, "somebody")
    assert all_others.of("http://e.org/x") == {
        "robots.txt Content-Signal": "search=yes, ai-train=no",
        "robots.txt Content-Usage": "train-ai=n",
    }
    assert all_others.of("http://e.org/free/x")["robots.txt Content-Usage"] == "train-ai=y, search=y"
    assert RobotsSignals(ROBOTS, "FCAcrawler").of("http://e.org/x") == {"robots.txt Content-Usage": "train-ai=y"}
    assert not RobotsSignals("User-agent: *\nDisallow: /", "somebody")


@pytest.mark.parametrize(
    ("signals", "use", "refused"),
    [
        ({}, "ai-train", ""),
        ({"robots.txt Content-Signal": "ai-train=no"}, "search", ""),
        ({"robots.txt Content-Signal": "ai-input=no"}, "ai-input", "robots.txt Content-Signal"),
        ({"robots.txt Content-Usage": "train-ai=n"}, "ai-train", "robots.txt Content-Usage"),
        ({"robots.txt Content-Signal": "ai-train=no", "header content-signal": "search=no"}, "ai-train",
            "robots.txt Content-Signal"),
        ({"header content-usage": "train-ai=y", "robots.txt Content-Usage": "train-ai=n"}, "ai-train",
            "robots.txt Content-Usage"),
        ({"robots.txt Content-Usage": "train-ai=no-idea, search=?0"}, "ai-train", ""),
        ({"header x-robots-tag": "noai"}, "ai-input", "header x-robots-tag"),
        ({"meta robots": "noarchive"}, "archive", "meta robots"),
        ({"meta robots": "noindex"}, "search", "meta robots"),
        ({"meta robots": "noimageai"}, "ai-train", ""),
        ({"meta tdm-reservation": "0"}, "tdm", ""),
        ({"tdmrep.json tdm-reservation": "1"}, "tdm", "tdmrep.json tdm-reservation"),
        ({"tdmrep.json tdm-reservation": "1"}, "search", ""),
    ],
)  # fmt: skip
def test_any_refusal_is_heard_and_said_where_it_stands(signals: dict[str, str], use: str, refused: str) -> None:
    assert refusal(signals, use) == refused


def test_a_tdm_file_tells_by_its_first_rule_that_fits() -> None:
    rules = [
        None,
        {"location": "/a/*", "tdm-reservation": 0},
        {"location": "/", "tdm-reservation": 1, "tdm-policy": "p"},
    ]
    assert tdm_of(rules, "http://e.org/a/b") == {"tdmrep.json tdm-reservation": "0"}
    assert tdm_of(rules, "http://e.org/b") == {"tdmrep.json tdm-reservation": "1", "tdmrep.json tdm-policy": "p"}


def test_a_pattern_of_stars_costs_its_length() -> None:
    assert not fits("/" + "a*" * 5000 + "b$", "/" + "a" * 8000)


def test_hostile_signals_are_bounded() -> None:
    robots = "User-agent: *\n" + "".join(f"Content-Usage: /x{n}y train-ai=n\n" for n in range(20_000))
    assert RobotsSignals(robots, "x").of("http://e.org/x19999y") == {}
    assert RobotsSignals("User-agent: *\nContent-Signal: a=\x1b[31m", "x").of("http://e.org/") == {}
