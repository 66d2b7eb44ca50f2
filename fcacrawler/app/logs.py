"""What a crawl is told of users: the log that was learned, and the one that grows while it runs."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fcacrawler.app.config import Config
from fcacrawler.page import canonical_url
from fcacrawler.values.clicks import NO_CLICKS, Clicks
from fcacrawler.values.errors import BadOptions, FcaError, collected
from fcacrawler.values.extras import extras
from fcacrawler.values.omega import Omega
from fcacrawler.weblogs import GrowingLog, load_clicks, load_omega, pairs_of

READS_OMEGA = ("semrank", "semrank-2013", "semrank-2007", "formica")  # orders that learn how keywords belong together …
READS_CLICKS = (*READS_OMEGA, "hmm")  # … and what users have clicked
THOSE = f"those that do: {', '.join(READS_CLICKS)}"


class Log(NamedTuple):
    """What users searched and clicked."""

    omega: Omega | None
    clicks: Clicks


def check_log(config: Config) -> None:
    """Raises BadOptions for what is said of logs and would change nothing."""
    order, path = config.run.order, config.run.log
    problems: list[str] = []
    with collected(problems):
        if growing_of(config.run.clicks) and order not in READS_CLICKS:
            problems.append(f"-s FCA_CLICKS={config.run.clicks}: the order {order} looks at no clicks; {THOSE}")
    if log_of(path).omega is not None and order not in READS_CLICKS:
        problems.append(f"-s FCA_LOG={path}: the order {order} looks at no log; {THOSE}")
    elif path and not len(log_of(path).clicks) and order not in READS_OMEGA:
        problems.append(
            f"-s FCA_LOG={path}: {pairs_of(Path(path)).name} is not beside it, or empty, and the order {order} looks "
            "at the clicks of a log alone; scrapy learn writes them where users share pages: see --click-users"
        )
    changed = [f.name for f in fields(config.log) if getattr(config.log, f.name) != f.default]
    if changed and (path or order not in READS_OMEGA):
        names = ", ".join(f"FCA_{name.upper()}" for name in changed)
        problems.append(
            f"{names}: no effect on the order {order}{' with an FCA_LOG' if path else ''}: of the crawl's own links "
            f"learn {', '.join(READS_OMEGA)}, where no FCA_LOG is given"
        )
    if problems:
        raise BadOptions(problems)


@cache
def log_of(path: str) -> Log:
    """What a log taught (``scrapy learn``), read once a process; nothing without one."""
    if not path:
        return Log(None, NO_CLICKS)
    try:
        with extras():
            return Log(load_omega(Path(path)), load_clicks(Path(path)))
    except FcaError as error:
        raise BadOptions([f"-s FCA_LOG={path}: {error}"]) from None


def growing_of(path: str) -> GrowingLog | None:
    """The log that grows; None without one."""
    if not path:
        return None
    log = GrowingLog(Path(path), lambda url: canonical_url(url) or url)
    if not Path(path).is_file():
        raise BadOptions([f"-s FCA_CLICKS={path}: there is no such file; an empty one will do, clicks may come later"])
    return log
