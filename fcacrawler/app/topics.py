"""What a user typed → a Topic with seeds: words or a TOML file, URLs or a file of URLs, or a world that knows it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fcacrawler.app.config import RunOptions
from fcacrawler.page import canonical_url
from fcacrawler.values.errors import BadOptions
from fcacrawler.values.topics import Topic
from fcacrawler.worlds import World, WorldTopic

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
    mistakes = len(problems)
    raw = _seed_list(run.seeds, problems) if run.seeds else list(fields.get("seeds", ()))
    known = _known(world, words)
    if not raw and known:
        raw, words = list(known.seeds), known.words
    seeds = _canonical("seed", raw, problems)
    examples = _canonical("example", fields.get("examples", ()), problems)
    if needs_seeds and not (raw or examples) and len(problems) == mistakes:
        problems.append(_no_seeds(words, world))
    if problems:
        raise BadOptions(problems)
    return Topic(words, seeds, examples, tuple(fields.get("avoid", ())))


def _canonical(what: str, urls: Sequence[str], problems: list[str]) -> tuple[str, ...]:
    found = []
    for url in urls:
        if canonical := canonical_url(url if "://" in url else f"https://{url}"):
            found.append(canonical)
        else:
            problems.append(f"{what} {url!r} is not an http or https URL")
    return tuple(dict.fromkeys(found))


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
        "or crawl the bundled demo web with -s FCA_WORLD=demo"
    )


def _topic_file(path: Path, problems: list[str]) -> dict[str, Any]:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        problems.append(f"topic file {path}: {error.strerror}")
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(f"topic file {path} is not TOML: {error}")
        return {}
    for key, value in data.items():
        if key not in KEYS:
            problems.append(f"topic file {path}: {key!r} is unknown; known: {', '.join(KEYS)}")
        elif type(value) is not (kind := KEYS[key]) or not all(isinstance(v, str) for v in data[key]):
            problems.append(f"topic file {path}: {key!r} must be {'text' if kind is str else 'a list of texts'}")
    if not problems and not str(data.get("words", "")).strip():
        problems.append(f'topic file {path}: no words; add words = "auto racing"')
    return data if not problems else {}


def _seed_list(value: str, problems: list[str]) -> list[str]:
    if "://" in value or not Path(value).exists():
        if "://" not in value and ("/" in value or value.endswith((".txt", ".csv", ".lst"))):
            problems.append(f"seeds file {value}: no such file")
            return []
        return [u.strip() for u in value.split(",") if u.strip()]
    try:
        lines = Path(value).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        problems.append(f"seeds file {value}: {error}")
        return []
    seeds = [line.split(" #")[0].strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not seeds:
        problems.append(f"seeds file {value}: no URL in it")
    return seeds
