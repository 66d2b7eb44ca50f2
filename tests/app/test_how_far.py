"""How far something is, told to a log: a line every ten seconds, nothing of what is done before."""

import pytest

from fcacrawler.app.how_far import HowFar


def test_a_long_work_is_told_every_ten_seconds_and_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 0.0, 9.0, 12.0, 15.0, 20.0])
    told = HowFar("reading", "pages", lambda: next(times))
    for done in (0, 300, 400, 500, 2000):
        told(done, 2000)
    assert capsys.readouterr().err == "reading: 400 of 2,000 pages, about 48 s left\nreading: 2,000 of 2,000 pages\n"


def test_a_short_work_is_not_told_and_one_without_an_end_without_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = HowFar("reading", "pages", iter([0.0, 1.0, 2.0]).__next__)
    told(1, 2)
    told(2, 2)
    assert capsys.readouterr().err == ""
    told = HowFar("gathering", "pages", iter([0.0, 1.0, 20.0]).__next__)
    told(1, 0)
    told(5, 0)
    assert capsys.readouterr().err == "gathering: 5 pages\n"
