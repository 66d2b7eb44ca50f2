"""Who runs a crawl: told to every host in the User-Agent, asked for once, kept in the user's configuration."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from fcacrawler import __version__
from fcacrawler.crawl.manners import wrong_contact

QUESTION = (
    "This crawl visits other people's servers. Whom can they turn to if it troubles them?\n"
    "A mail address or a web page, for the User-Agent; it is remembered (Enter: none): "
)
UNKNOWN = (
    "nobody can tell who runs this crawl: say it with -s FCA_CONTACT=you@example.org (or https://your.site/), "
    "or set USER_AGENT"
)


def user_agent(contact: str) -> str:
    """
    >>> user_agent("me@a.org").partition(" ")[2], user_agent("https://a.org/bot").partition(" ")[2]
    ('(+mailto:me@a.org)', '(+https://a.org/bot)')
    """
    name = f"fcacrawler/{__version__}"
    if not contact:
        return name
    return f"{name} (+{contact})" if "://" in contact else f"{name} (+mailto:{contact})"


def remembered() -> str | None:
    """What the user answered; "" if that was nobody, None if he has not been asked."""
    try:
        contact = _place().read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return None if wrong_contact(contact) else contact


def remember(contact: str) -> str | None:
    """For the next crawls. Answers what went wrong, if something did."""
    try:
        _place().parent.mkdir(parents=True, exist_ok=True)
        _place().write_text(contact + "\n", "utf-8")
    except OSError as error:
        return f"{_place()}: {error.strerror}"
    return None


def ask(read: Callable[[str], str], tell: Callable[[str], object]) -> str:
    """The contact that the user gives, until it is one; "" for nobody."""
    question = QUESTION
    while wrong := wrong_contact(contact := read(question).strip()):
        tell(f"{contact!r} {wrong}")
        question = "Mail address or web page (Enter: none): "
    return contact


def goes_abroad(urls: Sequence[str]) -> bool:
    """Whether any of these URLs is on somebody else's computer.

    >>> goes_abroad(["http://127.0.0.2:8000/", "http://localhost/"]), goes_abroad(["http://a.org/"])
    (False, True)
    """
    hosts = {urlsplit(url).hostname or "" for url in urls}
    return any(host not in ("localhost", "::1") and not host.startswith("127.") for host in hosts)


def _place() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "fcacrawler" / "contact"
