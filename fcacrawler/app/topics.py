"""What a user typed → a Topic with seeds: words or a TOML file, URLs or a file of URLs, or a world that knows it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fcacrawler.app.config import RunOptions
from fcacrawler.page import TELLING, PageOptions, canonical_url, is_html, read_page
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.files import BadFile, read_bytes, read_text
from fcacrawler.values.topics import Topic
from fcacrawler.worlds import World, WorldTopic

TOPIC_BYTES, SEEDS_BYTES = 1 << 20, 100 << 20  # of files
NAMED = 5  # lines of a file that are named, of those with the same fault
KEYS: dict[str, type] = {"words": str, "seeds": list, "examples": list, "avoid": list}


def read_topic(run: RunOptions, world: World | None = None, needs_seeds: bool = True) -> Topic:
    """The topic of a crawl. Raises BadOptions that names everything wrong with it.

    Seeds come from ``-a seeds``, else from the topic's file, else from the world if it knows the topic's words; a
    spider that brings its own start URLs needs none.
    """
    problems: list[str] = []
    fields: dict[str, Any] = {"words": run.topic.strip()}
    if run.topic.endswith(".toml"):
        fields = _topic_file(Path(run.topic), problems)
    words = " ".join(str(fields.get("words", "")).split())
    if not words and not run.topic:
        problems.append('no topic: say what to look for with -a topic="auto racing" (words, or a TOML file)')
    known = _known(world, words)
    if run.seeds:
        seeds = _seeds(run.seeds, problems)
    elif known and not fields.get("seeds"):
        seeds, words = _urls("seed", known.seeds, problems), known.words
    else:
        seeds = _urls("seed", fields.get("seeds", ()), problems)
    said = fields.get("examples", ())
    paths = {e: path for e in said if (path := _path(e, Path(run.topic).parent))}
    pasted = [e for e in said if e not in paths and _is_text(e)]
    texts = tuple(filter(None, (*(_text(path, problems) for path in paths.values()), *(e[:TELLING] for e in pasted))))
    examples = _urls("example", [e for e in said if e not in paths and e not in pasted], problems)
    if needs_seeds and not (seeds or examples) and (not problems or not run.topic):
        problems.append(_no_seeds(words, world))
    if problems:
        raise BadOptions(problems)
    return Topic(words, seeds, examples, tuple(fields.get("avoid", ())), texts)


def _urls(what: str, said: Sequence[str], problems: list[str]) -> tuple[str, ...]:
    found = [(url, _url(url)) for url in said]
    problems += [f"{what} {url!r} is not an http or https URL" for url, canonical in found if not canonical]
    return tuple(dict.fromkeys(canonical for _, canonical in found if canonical))


def _url(said: str) -> str:
    """Canonical; "" for what is none. Without a scheme only what looks like a host is one.

    >>> _url("A.example/tea"), _url("localhost:8000"), _url("http://intranet"), _url("seeds")
    ('https://a.example/tea', 'https://localhost:8000/', 'http://intranet/', '')
    """
    if "://" in said:
        return canonical_url(said)
    url = canonical_url(f"https://{said}")
    host = (urlsplit(url).hostname or "") if url else ""
    return url if "." in host or ":" in host or host == "localhost" else ""


def _path(example: str, folder: Path) -> Path | None:
    """The file that an example names: one that is there, beside the topic's file or here, or that can be nothing else.

    >>> _path("https://a.example/", Path()), _path("a.example/tea.html", Path()), _path("./tea.html", Path("topics"))
    (None, None, PosixPath('topics/tea.html'))
    """
    if "://" in example:
        return None
    named = os.path.expanduser(example)
    for path in (folder / named, Path(named)):
        if os.path.exists(path):
            return path
    return folder / named if example.startswith(("/", "./", "../", "~")) else None


def _is_text(example: str) -> bool:
    """Whether an example that is no file is what a page says, and not its URL.

    >>> _is_text("Matcha is tea that is ground"), _is_text("https://a.example/a b"), _is_text("tea.html")
    (True, False, False)
    """
    return len(example.split()) > 1 and not example.lstrip().lower().startswith(("http:", "https:"))


def _text(path: Path, problems: list[str]) -> str:
    """What the page in a file says, or its text."""
    try:
        body = read_bytes(path, PageOptions().body_bytes)
        if not is_html("", body):
            return read_text(path, PageOptions().body_bytes)[:TELLING]
    except BadFile as error:
        problems.append(f"example {error}")
        return ""
    page = read_page("http://example.invalid/", "http://example.invalid/", body, content_type="text/html")
    text = f"{page.title}\n{page.text}"[:TELLING]
    if not text.strip():
        problems.append(f"example {path}: no text in it")
    return text


def _known(world: World | None, words: str) -> WorldTopic | None:
    if world is None:
        return None
    said = words.lower()
    return next((t for t in world.topics.values() if said in (t.name.lower(), t.words.lower())), None)


def _no_seeds(words: str, world: World | None) -> str:
    if world is not None:
        names = ", ".join(sorted(t.words for t in world.topics.values())) or "none"
        return (
            f"the world {world.name!r} has no seeds for {words!r}: give -a seeds=URL,URL or one of its topics ({names})"
        )
    return (
        "no seeds: say where to start with -a seeds=https://…,https://… (or a file with one URL a line), "
        "name search engines that know in engines.toml (docs/use/engines.md), or crawl the bundled demo web with "
        "-s FCA_WORLD=demo"
    )


def _topic_file(path: Path, problems: list[str]) -> dict[str, Any]:
    try:
        data = tomllib.loads(read_text(path, TOPIC_BYTES))
    except BadFile as error:
        problems.append(f"topic file {error}")
        return {}
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else error
        problems.append(f"topic file {path} is not TOML: {why}")
        return {}
    for key, value in data.items():
        if key not in KEYS:
            problems.append(f"topic file {path}: {key!r} is unknown; known: {', '.join(KEYS)}")
        elif type(value) is not (kind := KEYS[key]) or not all(isinstance(v, str) for v in data[key]):
            problems.append(f"topic file {path}: {key!r} must be {'text' if kind is str else 'a list of texts'}")
    if not problems and not str(data.get("words", "")).strip() and not data.get("examples"):
        problems.append(f'topic file {path}: neither words nor examples; add words = "auto racing"')
    return data if not problems else {}


def _seeds(value: str, problems: list[str]) -> tuple[str, ...]:
    """From URLs with commas between, or from a file. What is in a file that is none of seeds is not told."""
    if "://" in value or not os.path.exists(value):
        if "://" not in value and ("/" in value or value.endswith((".txt", ".csv", ".lst"))):
            problems.append(f"seeds file {value}: no such file")
            return ()
        return _urls("seed", [u.strip() for u in value.split(",") if u.strip()], problems)
    try:
        lines = read_text(Path(value), SEEDS_BYTES).splitlines()
    except BadFile as error:
        problems.append(f"seeds file {error}")
        return ()
    said = {n: line.split(" #")[0].strip() for n, line in enumerate(lines, 1) if not line.lstrip().startswith("#")}
    found = {n: _url(url) for n, url in said.items() if url}
    if wrong := [n for n, url in found.items() if not url]:
        more = f" and {len(wrong) - NAMED:,} more" if len(wrong) > NAMED else ""
        where = ", ".join(map(str, wrong[:NAMED]))
        problems.append(f"seeds file {value}: no http or https URL in line {where}{more}")
    elif not found:
        problems.append(f"seeds file {value}: no URL in it")
    return tuple(dict.fromkeys(filter(None, found.values())))
