"""Fixtures that several rooms' tests share."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.site import Site, serving

settings.register_profile("fcacrawler", deadline=None)  # how long a test takes is no property of the code under test
settings.load_profile("fcacrawler")
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in the background of a shell: its children hear no Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def site() -> Iterator[Site]:
    """A real HTTP site on loopback."""
    with serving() as site:
        yield site
