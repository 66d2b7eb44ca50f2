"""What a user may get wrong is answered in one message, before the first request."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcacrawler.app.assembly import ORDERS
from fcacrawler.app.config import Config, RunOptions, declared, read_config
from fcacrawler.app.topics import read_topic
from fcacrawler.values.errors import BadOptions

ROOT = Path(__file__).parents[2]


def problems(settings: dict[str, object], arguments: dict[str, object] | None = None) -> list[str]:
    with pytest.raises(BadOptions) as raised:
        read_config(settings, arguments)
    return list(raised.value.problems)


def test_one_message_names_everything_that_is_wrong() -> None:
    found = problems({"FCA_GAMA": "0.4", "FCA_PAGES": "many", "FCA_GAMMA": "2"}, {"topik": "tea"})
    assert len(found) == 4
    assert "FCA_GAMMA?" in found[0]
    assert "whole number" in found[1]
    assert "between 0 and 1" in found[2]
    assert "topic?" in found[3]


def test_an_argument_wins_over_its_setting() -> None:
    assert read_config({"FCA_GAMMA": "0.3"}, {"gamma": "0.6"}).crawl.gamma == 0.6


def test_scrapyds_own_arguments_are_accepted() -> None:
    assert read_config({}, {"_job": "1234", "topic": "tea"}).run.topic == "tea"


def test_other_peoples_settings_are_not_looked_at() -> None:
    assert read_config({"BOT_NAME": "x", "FCALC": 1}) == Config()


def test_nan_is_not_a_number_here() -> None:
    assert "number" in problems({"FCA_GAMMA": "nan"})[0]


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (RunOptions(), "-a topic="),
        (RunOptions(topic="tea"), "-a seeds="),
        (RunOptions(topic="tea", seeds="ftp://a.example/"), "ftp://a.example/"),
        (RunOptions(topic="tea", seeds="seeds.txt"), "seeds file seeds.txt"),
        (RunOptions(topic="missing.toml"), "topic file missing.toml"),
    ],
)
def test_a_bad_topic_or_seed_is_named(
    run: RunOptions, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOptions, match=told.replace("?", r"\?").replace(".", r"\.")):
        read_topic(run)


def test_a_topic_may_be_a_file_and_seeds_another(tmp_path: Path) -> None:
    topic = tmp_path / "tea.toml"
    topic.write_text('words = "green tea"\nexamples = ["https://a.example/tea"]\navoid = ["coffee"]\n')
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("# where to start\nhttps://b.example/ # the best\n\nc.example/x\n")
    found = read_topic(RunOptions(topic=str(topic), seeds=str(seeds)))
    assert found.words == "green tea"
    assert found.seeds == ("https://b.example/", "https://c.example/x")
    assert found.examples == ("https://a.example/tea",)
    assert found.avoid == ("coffee",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("words = 3", "must be text"),
        ("seeds = 'x'", "list"),
        ("wordz = 'x'", "wordz"),
        ("[", "not TOML"),
        ("", "no words"),
    ],
)
def test_a_bad_topic_file_is_named_with_its_fault(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(text)
    with pytest.raises(BadOptions, match=told):
        read_topic(RunOptions(topic=str(path), seeds="https://a.example/"))


def test_the_readme_lists_every_argument_and_setting_with_its_default() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = [line for line in readme.splitlines() if line.startswith("| `")]
    for setting in declared():
        default = {True: "1", False: "0", "": ""}.get(setting.default, str(setting.default))
        name = f"`-a {setting.argument}`, `{setting.name}`" if setting.argument else f"`{setting.name}`"
        assert f"| {name} | {f'`{default}`' if default else ''} | {setting.meaning} |" in rows
    settings = {word for row in rows for word in row.split("`") if word.startswith("FCA_")}
    assert settings <= {s.name for s in declared()}


def test_the_readme_names_every_order() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [name for name in ORDERS if f"`{name}`" not in readme] == []
