"""The house stands: every module imports, without effect."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import fcacrawler

PACKAGE = Path(fcacrawler.__file__).parent
BENCH = Path(__file__).parents[1] / "bench"


def test_every_module_imports() -> None:
    names = [m.name for m in pkgutil.walk_packages(fcacrawler.__path__, "fcacrawler.")]
    assert names
    for name in names:
        importlib.import_module(name)


def test_every_benchmark_finds_the_package_wherever_it_is_started() -> None:
    scripts = sorted(BENCH.glob("bench_*.py"))
    assert scripts
    for script in scripts:
        above, _, _ = script.read_text("utf-8").partition("\nfrom fcacrawler")
        assert "sys.path.insert(0, " in above, script.name


def test_what_a_plain_crawl_never_uses_is_not_imported() -> None:
    code = "import sys, fcacrawler.app.assembly; print(*{m.partition('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=BENCH.parent, capture_output=True, text=True, check=True)
    assert not {"redis", "sqlalchemy", "rdflib", "networkx", "concepts", "matplotlib"} & set(done.stdout.split())


def test_one_decoder_reads_what_strangers_send() -> None:
    """Scrapy's own decodes by any codec of Python's that a page names: one of them takes 90 s for 3 kB."""
    scrapys = re.compile(r"response\.(text|selector|css|xpath|json|jmespath|urljoin|follow|follow_all|encoding)\b")
    for file in PACKAGE.rglob("*.py"):
        assert not scrapys.search(file.read_text("utf-8")), file
