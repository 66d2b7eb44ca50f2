"""Bytes → text, whatever the headers claim."""

from __future__ import annotations

import codecs
import re

from fcacrawler.page.html.charsets import guess

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.I)
_META = re.compile(
    rb"(?:<meta\s[^>]{0,300}?charset|<\?xml\s[^>]{0,100}?encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.I
)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_HEAD = 4096  # a declaration must stand in the first bytes
_STRAY = 0.05  # so large a part of what is not ASCII may be broken in a text that is UTF-8 all the same
_NOT_FIRST = bytes(range(0xC2))  # no byte of a character outside ASCII begins with these in UTF-8
_TEXT = bytes(byte for byte in range(256) if byte >= 0x20 or byte in b"\t\n\f\r\x1b")
_MEANT = {  # by a label on the web (WHATWG Encoding), where Python takes it more narrowly
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949",
}  # fmt: skip
_ALSO = {  # labels of the web that Python does not know
    "windows-874": "cp874", "windows-949": "cp949", "windows-31j": "cp932", "x-sjis": "cp932", "x-gbk": "gbk",
    "x-mac-cyrillic": "mac-cyrillic", "iso-8859-8-i": "iso8859-8",
}  # fmt: skip
_SEVEN_BITS = "iso2022_jp"  # its bytes are ASCII, and so UTF-8
_ON_THE_WEB = frozenset(  # Python's names of the encodings of WHATWG's list; others may take any time, or run code
    """
    utf-8 ascii tis-620 cp866 cp874 cp932 cp949 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 koi8-r
    koi8-u mac-roman mac-cyrillic gb2312 gbk gb18030 big5 big5hkscs euc_jp iso2022_jp shift_jis euc_kr iso8859-1
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11 iso8859-13
    iso8859-14 iso8859-15 iso8859-16
    """.split()
)


def decode(body: bytes, content_type: str = "") -> str:
    """The text of a body: by byte order mark, HTTP header, meta element, or a guess; never fails.

    UTF-8 wins over a declaration whenever the bytes are UTF-8: what is no UTF-8 nearly never looks like it.

    >>> decode("Größe".encode(), "text/html; charset=iso-8859-1")
    'Größe'
    >>> decode("Größe".encode("cp1252"), "text/html; charset=utf-8")
    'Größe'
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    even, odd = (body[i:64:2].count(0) for i in (0, 1))
    if max(even, odd) > 16 and not min(even, odd):
        return body.decode("utf-16-be" if even else "utf-16-le", "replace")
    if is_binary(body):
        return ""
    declared = [_known(m[1]) for m in (_CHARSET.search(content_type), _META.search(body[:_HEAD])) if m]
    name = next((n for n in declared if n not in ("", "utf-8")), "")
    try:
        return body.decode(name if name.startswith(_SEVEN_BITS) else "utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":  # cut off in the middle of a character
            return body.decode("utf-8", "ignore")
    text = body.decode("utf-8", "replace")
    if text.count("\ufffd") <= _STRAY * len(body.translate(None, _NOT_FIRST)):
        return text
    return body.decode(name or guess(body), "replace")


def is_binary(body: bytes) -> bool:
    """An image, an archive, a program: more control characters in it than a stray one.

    >>> is_binary(bytes(range(256))), is_binary(b"<p>one stray\\0 byte</p>")
    (True, False)
    """
    begin = body[:_HEAD]
    return len(begin.translate(None, _TEXT)) > _STRAY * len(begin)


def _known(label: str | bytes) -> str:
    """Python's name of an encoding; "" for what is none, or none that a page may have."""
    label = (label.decode("ascii", "replace") if isinstance(label, bytes) else label).lower()
    try:
        name = codecs.lookup(_ALSO.get(label, label)).name
    except (LookupError, ValueError):
        return ""
    return _MEANT.get(name, name) if name in _ON_THE_WEB else ""
