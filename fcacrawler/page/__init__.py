"""An HTML response → text, title, language, links with anchor and context; and the keywords of a text.

Doors (all pure functions of plain values):

- ``read_page(url, final_url, body, headers…) -> Page``, ``is_html(content_type, body) -> bool``
- ``seen_page(page, keywords, depth, evidence) -> SeenPage``: what judge and order see of it
- ``canonical_url(url) -> str``, ``has_host(url) -> bool``, ``key_of(url) -> (key, host)`` (``keys_of`` many),
  ``url_words(url) -> str``; ``words_in_urls(urls, language, said) -> list[str]``: as the language writes them
- ``terms(text, language) -> list[str]``: normalised words (stems), stop words left out
- ``weigh(terms, language) -> dict[str, float]``: TF-IDF against general word frequencies, L2 norm 1
- ``vector(text, language) -> dict[str, float]``: both at once, faster
- ``keywords(page, …) -> tuple[(keyword, weight), …]``: words and phrases, best first
- ``product_of(html, url) -> dict``: what a shop's page offers, by schema.org
- ``normalise_query(text, language) -> list[keyword]``: the same keywords for topic words and log queries
- ``read_sitemap(body, most) -> Sitemap``: the URLs that a sitemap lists
- ``NearDuplicates``: has a page with (nearly) this text been seen? ``Variants``: one that says it is another?
"""

from fcacrawler.page.html.products import product_of
from fcacrawler.page.html.read import PageOptions, is_html, read_page
from fcacrawler.page.html.sitemap import read_sitemap
from fcacrawler.page.identity.duplicates import NearDuplicates, simhash
from fcacrawler.page.identity.urls import canonical_url, has_host, key_of, keys_of, url_words
from fcacrawler.page.identity.variants import Variants
from fcacrawler.page.seen import seen_page
from fcacrawler.page.text.keywords import TELLING, keywords, normalise_query
from fcacrawler.page.text.language import language_of
from fcacrawler.page.text.respelling import words_in_urls
from fcacrawler.page.text.vector import vector
from fcacrawler.page.text.words import terms, weigh

__all__ = [
    "TELLING",
    "NearDuplicates",
    "PageOptions",
    "Variants",
    "canonical_url",
    "has_host",
    "is_html",
    "key_of",
    "keys_of",
    "keywords",
    "language_of",
    "normalise_query",
    "product_of",
    "read_page",
    "read_sitemap",
    "seen_page",
    "simhash",
    "terms",
    "url_words",
    "vector",
    "weigh",
    "words_in_urls",
]
