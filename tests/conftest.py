"""Fixtures that several rooms' tests share."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.site import Site, serving

settings.register_profile("fcacrawler", deadline=None)  # how long a test takes is no property of the code under test
settings.load_profile("fcacrawler")


@pytest.fixture
def site() -> Iterator[Site]:
    """A real HTTP site on loopback."""
    with serving() as site:
        yield site
