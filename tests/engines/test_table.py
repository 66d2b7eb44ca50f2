"""What can stand in engines.toml, and what is said of what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcacrawler.engines import read_engines
from fcacrawler.values.errors import BadOptions
from tests.engines.answering import written


def test_keys_come_from_the_environment(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        api={
            "kind": "json", "url": "https://a.test/s?q={words}&key=$MY_KEY", "results": "web.results",
            "headers": {"X-Token": "Bearer $MY_KEY"},
        },
    )  # fmt: skip
    (engine,) = read_engines(path, {"MY_KEY": "s3cret"})
    assert engine.url == "https://a.test/s?q={words}&key=s3cret"
    assert engine.headers == {"X-Token": "Bearer s3cret"}
    assert "s3cret" not in repr(engine).replace(engine.url, "")
    with pytest.raises(BadOptions, match="the variable MY_KEY is not set"):
        read_engines(path, {})


def test_known_kinds_need_only_their_address(tmp_path: Path) -> None:
    path = written(
        tmp_path, s={"kind": "searxng", "url": "https://s.test/"}, p={"kind": "pise", "url": "http://127.0.0.1:8087"}
    )
    searx, pise = read_engines(path, {})
    assert searx.url == "https://s.test/search?q={words}&format=json"
    assert (searx.results, searx.snippet) == ("results", "content")
    assert pise.url == "http://127.0.0.1:8087/api/search?q={words}"


WRONG = [
    ({"kind": "serxng", "url": "https://s.test"}, "did you mean searxng"),
    ({"kind": "searxng", "url": "ftp://s.test"}, "no http or https URL"),
    ({"kind": "searxng"}, "no http or https URL"),
    ({"kind": "json", "url": "https://s.test/?q=tea", "results": "r"}, "{words}"),
    ({"kind": "json", "url": "https://s.test/?q={words}"}, "results is where"),
    ({"kind": "cdx", "url": "https://s.test"}, "patterns says"),
    ({"kind": "searxng", "url": "https://s.test", "link": "u"}, "'link' is of json only"),
    ({"kind": "searxng", "url": "https://s.test", "patterns": ["*"]}, "'patterns' is of cdx only"),
    ({"kind": "searxng", "url": "https://s.test", "heders": {}}, "did you mean headers"),
    ({"kind": "searxng", "url": "https://s.test", "headers": {"X-Api-Key": "abc"}}, "a key stands in the environment"),
    ({"kind": "json", "url": "https://s.test/?q={words}&api_key=abcdefgh12", "results": "r"}, "in the environment"),
    ({"kind": "searxng", "url": 7}, "'url' must be text"),
    ({"kind": "cdx", "url": "https://s.test", "patterns": "*"}, "'patterns' must be a list of texts"),
]


@pytest.mark.parametrize(("row", "said"), WRONG)
def test_what_is_wrong_is_named(tmp_path: Path, row: dict[str, object], said: str) -> None:
    with pytest.raises(BadOptions) as caught:
        read_engines(written(tmp_path, it=row), {})
    assert said in str(caught.value)
    assert "engines.toml: it" in str(caught.value)


@pytest.mark.parametrize("text", ["x", "[[", "a = 1", "a = " + "[" * 5000, "\x00"])
def test_a_file_that_is_none_of_engines_is_told_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "engines.toml").write_text(text)
    with pytest.raises(BadOptions):
        read_engines(tmp_path / "engines.toml", {})
