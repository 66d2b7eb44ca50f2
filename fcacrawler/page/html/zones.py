"""What surrounds a text: does it say of itself, or sound as if, it were boilerplate?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache


def names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


SOUNDS_SO, CLAIMED = 1, 2  # by its class or id; by its element or role
_LOOKED_AT = 200  # characters of a class or id
_ELEMENTS = names("nav footer aside menu dialog search")
_ROLES = names("navigation complementary contentinfo banner search menu menubar dialog alertdialog toolbar")
_HINT = re.compile(
    r"(?:^|[\s_-])(?:(?:top|main|site|side|sub|mega)?-?(?:nav(?:igation|bar)?|menu|bar)|site-?header|mast-?head"
    r"|(?:page|site|global|main)?-?foot(?:er)?|bread-?crumbs?|cookies?|cookie(?:bar|banner|bot|consent|law|notice|policy)\w*|consent|gdpr|onetrust|cybot\w*|didomi|promo|promoted|sponsor(?:ed)?|advert\w*"
    r"|ads?|shar(?:e|ing)|social|related|recommend\w*|newsletter|subscri\w+|sign-?up|popup|modal|comments?|comment-?list"
    r"|respond|disqus|pagination|pager|toolbar|widgets?|skip|login|toc|print-?footer|catlinks|copyright|legal|noprint"
    r"|outbrain|taboola|tags|(?:post|entry)-?meta\w*|by-?line|post-?profile|topic-actions|author)(?:$|[\s_-])",
    re.I,
)


def zone_of(tag: str, attributes: Mapping[str, str], heading: bool) -> int:
    """0 for what may be content. ``heading``: a <header> here would be that of an article, not of the site."""
    if tag in _ELEMENTS or attributes.get("role") in _ROLES:
        return CLAIMED
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return CLAIMED
    if tag == "header" and not heading:
        return SOUNDS_SO
    return _sounding((attributes.get("class") or "")[:_LOOKED_AT], (attributes.get("id") or "")[:_LOOKED_AT])


@lru_cache(maxsize=4096)
def _sounding(classes: str, name: str) -> int:
    return SOUNDS_SO if _HINT.search(classes) or _HINT.search(name) else 0
