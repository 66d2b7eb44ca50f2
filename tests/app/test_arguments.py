"""What a user may get wrong is answered in one message, before the first request."""

from __future__ import annotations

import html
import os
import re
import shlex
from contextlib import closing
from pathlib import Path

import pytest

from fcacrawler.app.assembly import ORDERS, check_store, given_of
from fcacrawler.app.config import Config, RunOptions, declared, read_config
from fcacrawler.app.story import of_items
from fcacrawler.app.topics import read_topic
from fcacrawler.frontier.sqlite.store import read_store
from fcacrawler.values.errors import BadOptions, FcaError
from fcacrawler.values.topics import Topic
from fcacrawler.vectors import VectorOptions
from fcacrawler.weblogs import load_omega
from fcacrawler.worlds import open_world
from fcacrawler.worlds.record import Recording
from tests.site import page

SETTINGS = Path(__file__).parents[2] / "docs" / "use" / "settings.md"


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


@pytest.mark.parametrize("recall", ["2", "-0.1", "most"])
def test_a_recall_is_a_share(recall: str) -> None:
    with pytest.raises(BadOptions, match="recall"):
        read_config({}, {"recall": recall})


def test_a_language_that_is_none_is_named() -> None:
    found = problems({}, {"languages": "de, jp,german", "lang": "xx"})
    assert found[0].startswith(
        "-a languages=de, jp,german: jp, german: must be ISO 639-1 codes such as de, en, ja, zh;"
    )
    assert found[1].startswith("-a lang=xx: xx: must be ISO 639-1 codes")
    assert problems({}, {"lang": "de,en"})[0].startswith("-a lang=de,en: must be one code")
    read_config({}, {"languages": "pt-BR, EN,no", "lang": "zh_CN"})


@pytest.mark.parametrize(
    ("words", "lang", "language", "stem"),
    [
        ("Passwörter und Zugriffsrechte", "", "de", "passwort"),
        ("network configuration", "", "en", "network"),
        ("network configuration", "de", "de", "configuration"),
    ],
)
def test_a_topics_words_are_read_in_their_own_language_before_any_seed(
    words: str, lang: str, language: str, stem: str
) -> None:
    profile = given_of(Config(run=RunOptions(lang=lang), vectors=VectorOptions("none")), Topic(words)).profile
    assert profile.language == language
    assert stem in profile.words


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
        ("", "neither words nor examples"),
    ],
)
def test_a_bad_topic_file_is_named_with_its_fault_and_nothing_else(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(text)
    with pytest.raises(BadOptions, match=told) as raised:
        read_topic(RunOptions(topic=str(path)))
    assert len(raised.value.problems) == 1


def test_an_example_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_text(page("Green tea", "Leaves of a bush, dried and brewed."))
    (tmp_path / "tea.txt").write_text("gyokuro")
    topic = tmp_path / "topic.toml"
    topic.write_text(f"words = 'tea'\nexamples = ['tea.html', '{tmp_path}/tea.txt', 'a.example/tea.html']")
    found = read_topic(RunOptions(topic=str(topic), seeds="https://a.example/"))
    assert found.examples == ("https://a.example/tea.html",)
    assert ["brewed" in text for text in found.texts] == [True, False]
    assert found.texts[1] == "gyokuro"
    assert given_of(Config(vectors=VectorOptions("none")), found).profile.text("gyokuro") > 0


def test_an_example_may_be_a_pasted_text_and_then_words_may_be_missing(tmp_path: Path) -> None:
    topic = tmp_path / "topic.toml"
    topic.write_text("""examples = ['''Gyokuro is a tea
that grows in the shade.''', "https://a.example/tea"]""")
    found = read_topic(RunOptions(topic=str(topic), seeds="https://a.example/"))
    assert (found.words, found.examples) == ("", ("https://a.example/tea",))
    assert found.texts == ("Gyokuro is a tea\nthat grows in the shade.",)
    assert given_of(Config(vectors=VectorOptions("none")), found).profile.text("gyokuro") > 0


def test_an_example_that_is_no_file_is_told_as_one(tmp_path: Path) -> None:
    topic = tmp_path / "topic.toml"
    topic.write_text("words = 'tea'\nexamples = ['/nowhere/tea.html']")
    with pytest.raises(BadOptions, match=r"^example /nowhere/tea.html: No such file"):
        read_topic(RunOptions(topic=str(topic), seeds="https://a.example/"))


def test_what_is_in_a_file_that_holds_no_seeds_is_not_told(tmp_path: Path) -> None:
    secrets = tmp_path / "shadow"
    secrets.write_text("root:$6$secret:19000:0\nhttps://a.example/\n" + "daemon\n" * 8)
    with pytest.raises(BadOptions) as raised:
        read_topic(RunOptions(topic="tea", seeds=str(secrets)))
    assert str(raised.value) == f"seeds file {secrets}: no http or https URL in line 1, 3, 4, 5, 6 and 4 more"


def test_no_file_is_waited_for_or_read_without_an_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    deep = tmp_path / "deep.toml"
    deep.write_text(f"words = {'[' * 100_000}")
    for run, told in (
        (RunOptions(topic="tea", seeds="/dev/zero"), "seeds file /dev/zero: is no plain file"),
        (RunOptions(topic="tea", seeds=str(pipe)), f"seeds file {pipe}: is no plain file"),
        (RunOptions(topic=str(pipe)), f"topic file {pipe}: is no plain file"),
        (RunOptions(topic=str(deep)), f"topic file {deep} is not TOML: it is nested too deep"),
    ):
        with pytest.raises(BadOptions) as raised:
            read_topic(run)
        assert str(raised.value) == told
    for opens in (lambda: open_world(str(pipe)), lambda: load_omega(pipe), lambda: of_items(pipe, "")):
        with pytest.raises(FcaError, match=r"pipe\.toml"):
            opens()


def test_a_setting_that_is_like_none_is_called_like_none() -> None:
    assert problems({"FCA_FOO": "1"}) == ["-s FCA_FOO is unknown; scrapy crawl -h lists what there is"]


def test_files_whose_names_are_no_utf_8_are_files(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"x\xff")
    check_store(Config(), Topic("tea"), folder)
    with closing(read_store(folder)):
        pass
    Recording(folder / os.fsdecode(b"y\xff.warc.gz"), {}).close()


def test_the_page_of_settings_lists_every_argument_and_setting_with_its_default() -> None:
    rows = [line for line in SETTINGS.read_text("utf-8").splitlines() if line.startswith("| `")]
    for setting in declared():
        default = {True: "1", False: "0", "": ""}.get(setting.default, str(setting.default))
        name = f"`-a {setting.argument}`, `{setting.name}`" if setting.argument else f"`{setting.name}`"
        assert f"| {name} | {f'`{default}`' if default else ''} | {setting.meaning} |" in rows
    assert len(rows) == len(list(declared()))


def test_the_pictured_command_is_one_that_can_be_given() -> None:
    picture = html.unescape((SETTINGS.parent / "terminal.svg").read_text("utf-8")).replace("\xa0", " ")
    _, *words = shlex.split(re.findall(r"\$ (scrapy crawl semrank [^<]*)<", picture)[0])
    said: dict[str, dict[str, str]] = {"-a": {}, "-s": {}}
    for kind, pair in zip(words[2::2], words[3::2], strict=True):
        name, _, value = pair.partition("=")
        said[kind][name] = value
    run = read_config(said["-s"], said["-a"]).run
    assert read_topic(run, open_world(run.world)).seeds


def test_the_page_of_settings_names_every_order() -> None:
    page = SETTINGS.read_text("utf-8")
    assert [name for name in ORDERS if f"`{name}`" not in page] == []
