"""Languages: catalogues of messages, read with the standard library's gettext.

English messages are their own ids and need no catalogue; the others are compiled files in
``chargesim/locale``.
"""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "es")
"""Languages of texts for people; the first is that of the message ids."""
LOCALES = Path(__file__).resolve().parent / "locale"


@cache
def translation(domain: str, lang: str) -> gettext.NullTranslations:
    """The messages of one domain in one language.

    Parameters
    ----------
    domain
        Name of the catalogue, such as ``wh6``.
    lang
        One of :data:`LANGUAGES`.

    Returns
    -------
    gettext.NullTranslations
        With the methods ``gettext`` and ``ngettext``.

    Raises
    ------
    ValueError
        For a language that is not offered.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"no language {lang!r}: one of {', '.join(LANGUAGES)}")
    if lang == LANGUAGES[0]:
        return gettext.NullTranslations()
    return gettext.translation(domain, LOCALES, [lang])
