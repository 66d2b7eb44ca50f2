"""Bytes → text, whatever the headers claim."""

from __future__ import annotations

import codecs
import re

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.I)
_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.I)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WEB = {  # what a label means on the web (WHATWG Encoding), where Python takes it more narrowly
    "iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932",
    "euc_kr": "cp949", "iso8859-9": "cp1254", "big5": "big5hkscs", "tis-620": "cp874",
}  # fmt: skip
_HEAD = 4096  # a declaration must stand in the first bytes


def decode(body: bytes, content_type: str = "") -> str:
    """The text of a body: by byte order mark, HTTP header, meta, or a guess; never fails, never trusts blindly."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    declared = [_CHARSET.search(content_type), _META.search(body[:_HEAD])]
    names = [n for n in (_known(m[1]) for m in declared if m) if n]
    if b"\0" in body[:64] and body[1:64:2].count(0) > 16:
        names.insert(0, "utf-16-le")
    return _decoded(body, names)


def _known(label: str | bytes) -> str | None:
    name = label.decode("ascii") if isinstance(label, bytes) else label
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    if not info._is_text_encoding or info.name in ("unicode_escape", "raw_unicode_escape", "idna", "punycode", "utf-7"):
        return None
    return _WEB.get(info.name, info.name)


def _decoded(body: bytes, names: list[str]) -> str:
    """By the first name that fits; UTF-8 is tried before any one-byte encoding, which would fit anything."""
    try:
        return body.decode("utf-8") if not names or "utf-16" not in names[0] else body.decode(names[0])
    except UnicodeDecodeError as error:
        if error.start >= len(body) - 3:  # cut in the middle of a character
            return body.decode("utf-8", "ignore")
    for name in names:
        if name != "utf-8":
            return body.decode(name, "replace")
    return _guessed(body)


def _guessed(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if broken * 20 < sum(1 for c in text if c > "\x7f") or broken * 1000 < len(text):
        return text  # UTF-8 with a few stray bytes
    return body.decode("cp1252", "replace")
