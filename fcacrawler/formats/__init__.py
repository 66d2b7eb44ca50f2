"""A harvest in the forms that others read: Parquet, Markdown, Hugging Face's folders, WET, CDXJ and WACZ.

Doors: ``Choice`` leaves items out, or fields of them; ``write(kind, items, place, card)`` writes what is left. Items
come as lines of JSON and are read one at a time; but for indexes, which are sorted in memory, a form takes as much
memory as a few thousand items.

Why so: decision 281.
"""

from fcacrawler.formats.card import Card
from fcacrawler.formats.choosing import Choice, only
from fcacrawler.formats.writing import KINDS, kind_of, write

__all__ = ["KINDS", "Card", "Choice", "kind_of", "only", "write"]
