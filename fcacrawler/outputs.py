"""Where a crawl's items go: read from the settings, and refused before anything is fetched if it cannot be."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path, PureWindowsPath
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings
from scrapy.utils.python import without_none_values
from w3lib.url import file_uri_to_path

from fcacrawler.app.harvest_files import FOLDER
from fcacrawler.exporters import LINES, TABLES
from fcacrawler.values.errors import BadOptions

Feeds = Mapping[str, Mapping[str, Any]]

HARVEST = f"harvest:{FOLDER}"
STORAGES = MappingProxyType(
    {**dict.fromkeys(("", "file"), "fcacrawler.storages.Files"), "harvest": "fcacrawler.storages.Harvest"}
)
OURS = MappingProxyType({HARVEST: {"format": "jsonlines", "store_empty": False}})
undone = object()  # signal, with a response: its page could not be visited, or an item of it not be written

_PACKAGES = {"s3": "boto3", "gs": "google"}  # without which Scrapy would go on and write nothing
_GIVEN = ("name", "time", "batch_time", "batch_id")
_HOLDER = re.compile(r"%\(([^)]+)\)[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[diouxXeEfFgGcrsa]")  # as Scrapy reads it


def are_named(settings: BaseSettings) -> bool:
    """Whether somebody has said where items go, be it nowhere."""
    return bool(settings.getpriority("FEEDS")) or bool(settings.get("FEED_URI"))


def added_to(feeds: Feeds) -> dict[str, dict[str, Any]]:
    """The feeds of a crawl that goes on and of which nobody keeps the items: what they hold stays.

    >>> added_to({"out.jsonl": {"format": "jsonlines", "overwrite": True}})
    {'out.jsonl': {'format': 'jsonlines', 'overwrite': False}}
    """
    return {
        str(uri): {**options, "overwrite": False} if _can_grow(uri, options) else dict(options)
        for uri, options in feeds.items()
    }


def check_outputs(settings: BaseSettings, feeds: Feeds, attributes: Collection[str], goes_on: bool) -> None:
    """Raises BadOptions for feeds that cannot be written. ``attributes``: of the spider, which may stand in names;
    ``goes_on``: nobody keeps the items of before."""
    storages = {**STORAGES, **without_none_values(settings.getwithbase("FEED_STORAGES"))}
    formats = without_none_values(settings.getwithbase("FEED_EXPORTERS"))
    problems = []
    for name, options in feeds.items():
        uri = str(name)
        scheme = "" if PureWindowsPath(uri).drive else urlsplit(uri).scheme
        known = {*_GIVEN, *attributes}
        wrong = [holder for holder in _HOLDER.findall(uri) if holder not in known]
        form = options.get("format", Path(uri).suffix[1:])
        batch = options.get("batch_item_count", settings.getint("FEED_EXPORT_BATCH_ITEM_COUNT"))
        if scheme not in storages:
            problems.append(
                f"{uri}: nothing can be written to {scheme}: (what can: {', '.join(filter(None, storages))})"
            )
        elif scheme in _PACKAGES and find_spec(_PACKAGES[scheme]) is None:
            problems.append(f"{uri}: writing to {scheme}: needs the package {_PACKAGES[scheme]}")
        elif form not in formats:
            problems.append(
                f"{uri}: the format {form!r} is unknown (known: {', '.join(formats)}); name it: {uri}:jsonl"
            )
        elif wrong and not options.get("uri_params", settings.get("FEED_URI_PARAMS")):
            problems.append(f"{uri}: %({wrong[0]}) stands for nothing; what does: {', '.join(_GIVEN)}")
        elif batch and not {"batch_time", "batch_id"} & set(_HOLDER.findall(uri)):
            problems.append(f"{uri}: files of {batch} items each need %(batch_id)d or %(batch_time)s in their name")
        elif scheme in ("", "file"):
            problems += _unwritable(uri)
            problems += _overwritten(uri, options) if goes_on else ()
    if problems:
        raise BadOptions(problems)


def _unwritable(uri: str) -> Iterator[str]:
    path = Path(local(uri))
    folder = path.parent
    while not folder.exists() and folder != folder.parent and "%(" not in folder.name:
        folder = folder.parent
    if path.is_dir():
        yield f"{uri}: is a folder: name a file in it"
    elif path.exists() and not os.access(path, os.W_OK):
        yield f"{uri}: may not be written to: take another name"
    elif folder.exists() and not folder.is_dir():
        yield f"{uri}: {folder} is no folder: take another one"
    elif not path.exists() and folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK):
        yield f"{uri}: the folder {folder} may not be written to: take another one"


def _overwritten(uri: str, options: Mapping[str, Any]) -> Iterator[str]:
    path = Path(local(uri))
    if options.get("overwrite") and not _can_grow(uri, options) and path.is_file() and path.stat().st_size:
        yield (
            f"{uri}: the crawl goes on, its pages of before are kept nowhere else, and a file of this kind cannot be "
            "added to: take another name, or lines (.jsonl)"
        )


def _can_grow(uri: str, options: Mapping[str, Any]) -> bool:
    """Whether more can be written behind what is there."""
    return options.get("format", Path(str(uri)).suffix[1:]) in {*LINES, *TABLES} and not options.get("postprocessing")


def local(uri: str) -> str:
    """A file's path."""
    return file_uri_to_path(uri) if uri.startswith("file:") else uri
