"""Fixtures that several rooms' tests share."""

from collections.abc import Iterator

import pytest

from tests.site import Site, serving


@pytest.fixture
def site() -> Iterator[Site]:
    """A real HTTP site on loopback."""
    with serving() as site:
        yield site
