"""An HTML response → text, title, language, links with anchor and context; and the keywords of a text.

Doors (all pure functions of plain values):

- ``read_page(url, final_url, body, headers…) -> Page``
- ``canonical_url(url) -> str``, ``key_of(url) -> (key, host)``
- ``terms(text, language) -> list[str]``: normalised words (stems), stop words left out
- ``weigh(terms, language) -> dict[str, float]``: TF-IDF against general word frequencies, L2 norm 1
- ``keywords(page, …) -> tuple[(keyword, weight), …]``: words and phrases, best first
"""
