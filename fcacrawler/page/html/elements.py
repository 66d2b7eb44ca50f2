"""What HTML's elements mean to a reading of a page."""

from __future__ import annotations

from fcacrawler.page.html.zones import names

BLOCKS = names("""
    address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search
    section summary table tbody td tfoot th thead tr ul""")
HEADINGS = names("h1 h2 h3 h4 h5 h6")
SILENT = names("""
    script style template svg math select button textarea iframe object applet canvas audio video datalist noembed
    noframes noscript title""")  # their text is not shown, or not as text
CLOSED_BY = names("p div h1 h2 h3 table ul ol section article main footer header nav aside body")
CLOSEABLE = names("svg math select button canvas audio video object applet noscript template title")
SPECIAL = names("meta base link area frame img time")
BLOCK, LINK, QUIET, ELSE, CODE = 1, 2, 3, 4, 5
KINDS = {
    **dict.fromkeys(BLOCKS, BLOCK),
    **dict.fromkeys(SILENT, QUIET),
    **dict.fromkeys(SPECIAL, ELSE),
    **dict.fromkeys(names("code kbd samp tt"), CODE),
    "a": LINK,
}  # all other elements mean nothing to us
ZONES = names("nav footer aside menu dialog search main article header")
