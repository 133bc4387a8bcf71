"""Texts of a file: made plain for comparing and safe to show."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MOST_LETTERS = 200
"""Names and values are cut to this, so that no pattern works long on them."""
_remembered = lru_cache(maxsize=8192)  # a list says the same few words again and again
_HIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn"}


def clean(text: str) -> str:
    """A text in one plain form: NFKC, blanks collapsed, without what no eye can see.

    Control characters would move a terminal's cursor, format characters turn the direction of
    writing: neither belongs in a name.
    """
    text = text[: 4 * MOST_LETTERS]
    if text.isascii() and text.isprintable():
        return " ".join(text.split())[:MOST_LETTERS]
    text = unicodedata.normalize("NFKC", text)
    seen = "".join(
        " " if letter in "\t\n\r\v\f" else letter
        for letter in text
        if letter in "\t\n\r\v\f" or unicodedata.category(letter) not in _HIDDEN
    )
    return " ".join(seen.split())[:MOST_LETTERS]


@_remembered
def plain(text: str) -> str:
    """A name for comparing: no accents, no case, no marks but those of numbers."""
    bare = unicodedata.normalize("NFKD", clean(text).casefold())
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return " ".join(re.sub(r"[^\w+()/-]+", " ", bare.replace("’", "'").replace("'", "")).split())


@_remembered
def stem(text: str) -> str:
    """A plain name in the singular, as far as an ending tells: one man bears the line of many."""
    words = re.sub(r"[()/-]", " ", plain(text)).split()
    return " ".join(_singular(word) for word in words)


def _singular(word: str) -> str:
    for ending, instead in (("men", "man"), ("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + instead
    # "lancer" of "lanceros" and "lancero", "knight" of "knights": what is left of a last vowel
    return word


@_remembered
def root(text: str) -> str:
    """A stem without its last vowel, so that Spanish singulars and plurals meet."""
    return " ".join(word.rstrip("aeo") or word for word in stem(text).split())


def slug(text: str) -> str:
    """A name as the key of a TOML table and a word of a path; never empty, never a number."""
    found = re.sub(r"[^a-z0-9]+", "_", plain(text)).strip("_")[:60].strip("_")
    if not found or found.isdigit():
        found = f"unit_{found}".strip("_")
    return found
