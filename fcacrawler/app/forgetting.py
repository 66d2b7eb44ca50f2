"""``scrapy forget``: what a user names → what goes, from a crawl in a folder or in Redis."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from fcacrawler.frontier.forgetting import Removed
from fcacrawler.page import canonical_url, key_of
from fcacrawler.values.errors import BadOptions, BadStore
from fcacrawler.values.extras import extras
from fcacrawler.values.forgetting import Gone

HERE = 60  # seconds of silence after which a worker counts as gone


def gone_of(named: str) -> Gone:
    """A URL, or a host with all below it.

    >>> gone_of("http://A.test/x").urls, gone_of("A.test").host
    (frozenset({'http://a.test/x'}), 'a.test')
    """
    if "/" in named:
        url = canonical_url(named if "://" in named else f"http://{named}")
        if not url:
            raise BadOptions([f"{named!r} is not an http or https URL, nor a host such as www.example.com"])
        return Gone(frozenset([url]))
    url = canonical_url(f"http://{named}/")
    if not url or url.count("/") != 3:
        raise BadOptions([f"{named!r} is not a host such as www.example.com, nor a URL"])
    return Gone(host=key_of(url).host)


def moment_of(said: str) -> str:
    """As pages say when they were fetched.

    >>> moment_of("2026-11-01")
    '2026-11-01T00:00:00+00:00'
    """
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        raise BadOptions(
            [f"--before {said}: must be a date such as 2026-11-01, or with a time, 2026-11-01T12:00"]
        ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat(timespec="seconds")


def forget_in_folder(
    folder: Path, named: str | None, before: str | None, again: bool, told: Callable[[int, int], None]
) -> Removed:
    from fcacrawler.frontier.sqlite.forgetting import fetched_before, forget

    gone = gone_of(named) if named is not None else Gone(fetched_before(folder, moment_of(before or "")))
    return forget(folder, gone, again, told)


def forget_in_redis(url: str, name: str, named: str, again: bool) -> Removed:
    with extras():
        from fcacrawler.frontier.redis.admin import Admin
        from fcacrawler.frontier.redis.forgetting import forget

    admin = Admin(url, name)
    try:
        if here := [worker.name for worker in admin.status().workers if worker.silent < HERE]:
            raise BadStore(f"workers are at it, who know it by heart: {', '.join(here)}. End them first")
        each = [forget(part, gone_of(named), again, lambda url: key_of(url).key) for part in admin.parts]
        return Removed(*map(sum, zip(*each, strict=True)))
    finally:
        admin.close()
