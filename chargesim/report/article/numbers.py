"""Numbers, chances and plurals as each language writes them."""

from __future__ import annotations

from math import floor, isnan, log10

from babel import Locale
from babel.numbers import format_decimal

from chargesim.report.article.quantity import Quantity
from chargesim.words import translation

SHARE_DECIMALS, NUMBER_DECIMALS = 1, 2
"""Decimals of chances in per cent, and of other numbers, unless their error allows fewer."""
MOST_DECIMALS = 6


def plain(value: float, lang: str, decimals: int = 0, *, at_most: bool = False) -> str:
    """A number with so many decimals, or at most so many."""
    form = "#,##0" + ("." + ("#" if at_most else "0") * decimals if decimals else "")
    text: str = format_decimal(value + 0.0, format=form, locale=lang)
    # no minus sign before nothing, and a proper one before something
    return text.lstrip("-") if not text.strip("-0.,") else text.replace("-", "\u2212")


def signed(value: float, lang: str, decimals: int = 1) -> str:
    """A number with its sign."""
    return ("+" if value > 0 else "") + plain(value, lang, decimals)


def allowed(low: float, high: float, wanted: int) -> int:
    """So many decimals as asked for, or as the interval allows.

    The last digit is worth at least half of the half-width.
    """
    half = (high - low) / 2
    if not half > 0:
        return min(wanted, MOST_DECIMALS)
    return max(min(wanted, floor(-log10(half / 2)), MOST_DECIMALS), 0)


def percent(found: Quantity, lang: str, decimals: int | None = None) -> str:
    """A chance in per cent.

    0 % and 100 % only where exact; what is too small to show as below a bound.

    Parameters
    ----------
    found
        A single number.
    lang
        ``"en"`` or ``"es"``.
    decimals
        As many at most; the error may allow fewer.
    """
    p, low, high = (100 * float(part) for part in (found.value, found.low, found.high))
    if isnan(p):
        return translation("chargesim", lang).gettext("undefined")
    wanted = SHARE_DECIMALS if decimals is None else decimals
    digits = allowed(low, high, wanted)
    end = "\u00a0%"
    if found.is_exact and p in (0.0, 100.0):
        return plain(p, lang) + end
    shown = round(p, digits)
    least = 10.0**-digits
    if p >= 0 and shown == 0:
        bound = least if found.is_exact else max(high, least)
        return f"<\u00a0{plain(bound, lang, digits)}{end}"
    if p <= 100 and shown == 100:
        bound = 100 - least if found.is_exact else min(low, 100 - least)
        return f">\u00a0{plain(bound, lang, digits)}{end}"
    return plain(p, lang, digits) + end


def amount(found: Quantity, lang: str, decimals: int | None = None) -> str:
    """A number that is no chance; without ``decimals`` up to two, closing zeros left out."""
    value = float(found.value)
    if isnan(value):
        return translation("chargesim", lang).gettext("undefined")
    digits = allowed(
        float(found.low), float(found.high), NUMBER_DECIMALS if decimals is None else decimals
    )
    return plain(value, lang, digits, at_most=decimals is None)


def points(found: Quantity, lang: str, decimals: int | None = None) -> str:
    """A difference of chances in percentage points, without a sign where it is positive."""
    scaled = Quantity(100 * found.value, 100 * found.low, 100 * found.high, found.exact, "points")
    return amount(scaled, lang, SHARE_DECIMALS if decimals is None else decimals)


def written(found: Quantity, lang: str, decimals: int | None = None) -> str:
    """A number as its kind is written in a table."""
    if found.kind == "chance":
        return percent(found, lang, decimals)
    return (points if found.kind == "points" else amount)(found, lang, decimals)


def unrounded(found: Quantity) -> str:
    """A number with its interval, for messages: six figures, English."""
    value, low, high = (float(part) for part in (found.value, found.low, found.high))
    if isnan(value):
        return "undefined"
    text = f"{value:.6g}"
    return f"{text} (exact)" if found.is_exact else f"{text} (95 %: {low:.6g} to {high:.6g})"


def plural_word(count: float, lang: str) -> str:
    """Which form of a word goes with a number: ``"one"`` or ``"other"`` in our languages."""
    return str(Locale.parse(lang).plural_form(count))


def language_name(lang: str) -> str:
    """What a language calls itself."""
    name = Locale.parse(lang).get_display_name(lang)
    return str(name or lang).capitalize()
