"""Settings and arguments → frozen sections, read once; everything wrong with them in one message.

Arguments (``-a``) say what, settings (``-s FCA_…``) say how. A section is a dataclass beside the code that uses it;
here they are gathered. After ``read_config`` nobody looks at Scrapy's settings for an FCA_ name again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fcacrawler.browser import BrowserOptions
from fcacrawler.crawl.manners import MannersOptions
from fcacrawler.crawl.options import CrawlOptions
from fcacrawler.crawl.rules import RuleOptions
from fcacrawler.engines import EngineOptions
from fcacrawler.frontier.options import FrontierOptions
from fcacrawler.ontology.options import OntologyOptions
from fcacrawler.page import PageOptions
from fcacrawler.page.signals import USES
from fcacrawler.page.text.language import code_of
from fcacrawler.search import SearchOptions
from fcacrawler.values.errors import BadOptions, collected
from fcacrawler.values.names import nearest_of
from fcacrawler.values.options import KINDS, at_least, converted, one_of, option
from fcacrawler.vectors import VectorOptions
from fcacrawler.weblogs import CrawlLogOptions


def codes(text: str) -> list[str]:
    """
    >>> codes("de, EN, pt-BR, no")
    ['de', 'en', 'pt', 'nb']
    """
    return [code for part in text.split(",") if (code := code_of(part))]


def no_codes(text: str) -> str | None:
    """What of a list of languages is none, and what would be one."""
    wrong = [part.strip() for part in text.split(",") if part.strip() and not code_of(part)]
    return f"{', '.join(wrong)}: must be ISO 639-1 codes such as de, en, ja, zh" if wrong else None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What is crawled, and what is shown and kept of it."""

    topic: str = option("", "what to look for: words, or a TOML file (words, seeds, examples, avoid)", argument="topic")
    seeds: str = option(
        "", "where to start: URLs with commas between, or a file with one a line (# comments)", argument="seeds"
    )
    marks: str = option(
        "",
        "what is known of pages: a file of lines with URL, good or bad, who, when (tabs between, or JSON)",
        argument="marks",
    )
    languages: str = option(
        "",
        "languages that are wanted, ISO 639-1 codes with commas between; pages in others are not relevant, links to "
        "them rank lower; empty: any, where links that name another language than the topic's count half",
        no_codes,
        "languages",
    )
    lang: str = option(
        "",
        "the language of the topic's words, an ISO 639-1 code; empty: it is found out",
        lambda text: "must be one code" if "," in text else no_codes(text),
        "lang",
    )
    translate: bool = option(
        True,
        "the topic's words are looked for in the language of the first seed, or a wanted one, translated if they are of"
        " another",
    )
    order: str = option("semrank", "crawl order: which link leaves first", argument="order")
    log: str = option("", "what a search log taught about keywords, and about pages: the file that scrapy learn wrote")
    clicks: str = option("", "a log of users' clicks that is read while the crawl runs, as it grows")
    reading: str = option(
        "", "how an order of the papers reads its paper: NAME=VALUE with commas between, such as w=0.5,p_top=min"
    )
    world: str = option("", "crawl this offline web instead of the network: demo, or a folder with WARC files")
    record: str = option(
        "",
        "write every response to this WARC file (.warc.gz); a file that is there is kept, the next free name is taken",
        lambda path: None if not path or path.endswith((".warc.gz", ".warc")) else "must end in .warc.gz",
    )
    refresh: float = option(
        0.0,
        "ask again for pages of a JOBDIR's earlier runs that may have changed: after so many days for the first time, "
        "then as often as they do; 0: never",
        at_least(0),
        "refresh",
    )
    control: str = option(
        "", "listen at this Unix socket for scrapy control: pause, go on, change γ and more", argument="control"
    )
    private: bool = option(False, "go to private and loopback addresses also where it is not the seeds that are there")
    usage: str = option(
        "",
        "what the pages are for: search, ai-input, ai-train, tdm (text and data mining) or archive; pages whose owner "
        "refuses that are left out",
        one_of("", *USES),
        "usage",
    )
    log_lines: str = option("text", "how a log's lines are written: text, or json", one_of("text", "json"))
    progress: str = option(
        "auto",
        "auto: live view on a terminal, else a line now and then, in the log's file if it has one; live, lines or off",
        one_of("auto", "live", "lines", "off"),
    )


@dataclass(frozen=True, slots=True)
class Config:
    """All sections."""

    run: RunOptions = field(default_factory=RunOptions)
    crawl: CrawlOptions = field(default_factory=CrawlOptions)
    rules: RuleOptions = field(default_factory=RuleOptions)
    manners: MannersOptions = field(default_factory=MannersOptions)
    page: PageOptions = field(default_factory=PageOptions)
    browser: BrowserOptions = field(default_factory=BrowserOptions)
    frontier: FrontierOptions = field(default_factory=FrontierOptions)
    vectors: VectorOptions = field(default_factory=VectorOptions)
    log: CrawlLogOptions = field(default_factory=CrawlLogOptions)
    ontology: OntologyOptions = field(default_factory=OntologyOptions)
    search: SearchOptions = field(default_factory=SearchOptions)
    engines: EngineOptions = field(default_factory=EngineOptions)


@dataclass(frozen=True, slots=True)
class Setting:
    """One option as its user sees it."""

    name: str  # FCA_…
    argument: str  # -a …, "" if there is none
    default: Any
    meaning: str
    section: str
    field: dataclasses.Field[Any]


def sections() -> dict[str, Any]:
    """Name → dataclass of every section."""
    return {f.name: f.default_factory for f in dataclasses.fields(Config)}


def declared() -> Iterator[Setting]:
    """Every option of every section."""
    for name, section in sections().items():
        for f in dataclasses.fields(section):
            meta = f.metadata
            yield Setting(f"FCA_{f.name.upper()}", meta["argument"], f.default, meta["meaning"], name, f)


def read_config(settings: Mapping[str, Any], arguments: Mapping[str, Any] | None = None) -> Config:
    """The sections. Raises BadOptions that names every unknown FCA_ setting, unknown argument and bad value."""
    problems: list[str] = []
    config = as_meant(settings, arguments or {}, problems)
    if problems:
        raise BadOptions(problems)
    return config


def as_meant(settings: Mapping[str, Any], arguments: Mapping[str, Any], problems: list[str]) -> Config:
    """The sections, as far as they can be told: of a name that nobody knows the nearest is taken, so that nothing else
    seems to be missing. What is wrong is added to ``problems``."""
    table = list(declared())
    kinds = {
        "-s FCA_": {s.name.removeprefix("FCA_"): s for s in table},
        "-a ": {s.argument: s for s in table if s.argument},
    }
    given = [("-s FCA_", n.removeprefix("FCA_"), settings[n]) for n in settings if n.startswith("FCA_")]
    given += [("-a ", n, v) for n, v in arguments.items() if not n.startswith("_")]  # scrapyd's own
    values: dict[str, dict[str, Any]] = {}
    for kind, name, raw in given:
        known = kinds[kind]
        setting = known.get(name)
        if setting is not None:
            with collected(problems):
                values.setdefault(setting.section, {})[setting.field.name] = read_value(setting, kind + name, raw)
            continue
        meant = known.get(nearest_of(name, known) or "")
        problems.append(f"{kind}{name} is unknown; " + _hint(kind, meant, known))
        if meant is not None:
            with collected([]):
                value = read_value(meant, name, raw)
                values.setdefault(meant.section, {}).setdefault(meant.field.name, value)
    return Config(**{name: section(**values.get(name, {})) for name, section in sections().items()})


def _hint(kind: str, meant: Setting | None, known: Iterable[str]) -> str:
    if meant is not None:
        return f"did you mean {meant.argument if kind == '-a ' else meant.name}?"
    return f"known: {', '.join(sorted(known))}" if kind == "-a " else "scrapy crawl -h lists what there is"


def read_value(setting: Setting, shown: str, raw: Any) -> Any:
    """The value of one option; raises BadOptions."""
    try:
        value = converted(raw, setting.default)
    except (ValueError, TypeError):
        raise BadOptions([f"{shown}={raw!r}: must be {KINDS[type(setting.default)]}; {setting.meaning}"]) from None
    check = setting.field.metadata["check"]
    if check and (wrong := check(value)):
        raise BadOptions([f"{shown}={raw}: {wrong}; {setting.meaning}"])
    return value
