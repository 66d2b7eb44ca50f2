"""New crawl: search engines are asked for pages to begin with, keywords and pages are taken or left, and it starts.

One form; which of its buttons was pressed says what is to be done. What engines said is remembered for a while under a
name that the form carries, and is forgotten without harm: the pages that are taken stand in the form themselves.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from fcacrawler.app.beginning import KEYWORDS, SEEDS, Desk, engines_file
from fcacrawler.app.config import codes, declared
from fcacrawler.engines import Keyword, Said, Suggestion
from fcacrawler.page import canonical_url
from fcacrawler.pise.harvest import Harvest
from fcacrawler.pise.shown import page
from fcacrawler.pise.wanted import LONGEST_TOPIC, Wanted
from fcacrawler.values.errors import BadOptions, FcaError

REMEMBERED = 50  # askings
FIELDS = ("topic", "seeds", "examples", "pages", "stay", "languages")


@dataclass(frozen=True, slots=True)
class Offer:
    """What came of asking: to be taken or left."""

    keywords: tuple[tuple[Keyword, bool], ...] = ()  # and whether it was asked for
    pages: tuple[tuple[Suggestion, bool], ...] = ()  # and whether it is taken
    notes: tuple[str, ...] = ()  # who did not answer
    said: Said | None = None
    name: str = ""


@dataclass(slots=True)
class Beginning:
    """What new crawls begin with, as far as engines know."""

    desk: Desk
    _offers: OrderedDict[str, Offer] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def engines(self) -> str:
        """Their file as a crawl elsewhere finds it; "" if nobody is to be asked."""
        path = engines_file(self.desk.config)
        return str(path.resolve()) if path is not None and self.desk.engines else ""

    def ask(self, words: str, form: Mapping[str, str], languages: Sequence[str] = ()) -> Offer:
        """With the keywords that are ticked, if some were shown already."""
        before = self.offer(form)
        chosen = [form[name] for name in sorted(form) if re.fullmatch("k[0-9]{1,2}", name)] if before.name else None
        heard, proposed = self.desk.ask(words, chosen, languages=languages)
        asked = {keyword.words for keyword in proposed[:KEYWORDS]} if chosen is None else set(chosen)
        known = {keyword.words for keyword in proposed}
        more = [keyword for keyword, _ in before.keywords if keyword.words in asked - known]
        found = self.desk.suggested(words, heard)
        best = [one.url for one in found if one.alive is not False][:SEEDS]
        offer = Offer(
            tuple((keyword, keyword.words in asked) for keyword in [*more, *proposed]),
            tuple((one, one.url in best) for one in found),
            heard.notes,
            self.desk.said(words, heard),
            secrets.token_hex(8),
        )
        with self._lock:
            self._offers[offer.name] = offer
            while len(self._offers) > REMEMBERED:
                self._offers.popitem(last=False)
        return offer

    def offer(self, form: Mapping[str, str]) -> Offer:
        """What was offered when this form was made, with what is ticked now; an empty one if nothing was."""
        known = self._offers.get(form.get("offer", ""), Offer())
        ticked = set(form.values())
        keywords = tuple((keyword, keyword.words in ticked) for keyword, _ in known.keywords)
        return replace(known, keywords=keywords, pages=tuple((one, one.url in ticked) for one, _ in known.pages))


def new(request: Request, harvest: Harvest) -> Response:
    return _form(request, Wanted(request.query_params.get("topic", "")[:LONGEST_TOPIC]))


def start(request: Request, harvest: Harvest) -> Response:
    form, beginning = request.scope["form"], _beginning(request)
    wanted = Wanted(**{n: form[n] for n in FIELDS if n in form}, demo=form.get("demo") == "1")
    offer = beginning.offer(form)
    try:
        words = " ".join(wanted.topic.split())[:LONGEST_TOPIC]
        if form.get("do") == "ask":
            if not any(c.isalnum() for c in words):
                raise BadOptions(["topic: say what to look for, such as auto racing"])
            return _form(request, wanted, beginning.ask(words, form, codes(wanted.codes)))
        taken = tuple(u for n in sorted(form) if re.fullmatch("s[0-9]{1,2}", n) and (u := canonical_url(form[n])))
        said = offer.said if offer.said is not None and offer.said.words == words else None
        whole = replace(wanted, taken=taken, said=said, engines=beginning.engines)
        return RedirectResponse(f"/crawl/{harvest.crawls.start(whole)}", 303)
    except FcaError as error:
        return _form(request, wanted, offer, str(error))


def _beginning(request: Request) -> Beginning:
    found: Beginning = request.app.state.beginning
    return found


def _form(request: Request, wanted: Wanted, offer: Offer | None = None, problem: str = "") -> Response:
    try:
        engines = _beginning(request).desk.records(wanted.topic[:LONGEST_TOPIC])
    except FcaError as error:
        engines, problem = [], problem or str(error)
    offer, status = offer or Offer(), 400 if problem else 200
    languages = any(setting.argument == "languages" for setting in declared())
    return page(
        request, "new.html", status, wanted=wanted, offer=offer, engines=engines, languages=languages, problem=problem
    )
