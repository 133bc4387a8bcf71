"""A grid as a document, and the names of its axes and values for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chargesim.report.caveats import caveats
from chargesim.report.labels import LABELS, label
from chargesim.report.provenance import made_by, provenance
from chargesim.report.render import Document, Table, colour_of, interval, number, percent
from chargesim.report.values import MEAN, Estimate, is_mean
from chargesim.study.axes import NONE, shown
from chargesim.words import translation

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

    from chargesim.report.grid import Grid
    from chargesim.scenario import Scenario
    from chargesim.study.axes import Axis

LENGTHS = ("distance", "gap", "reach", "edge", "M", "mean", "sd", "range")
"""Keys whose values are lengths."""


def _(text: str) -> str:
    """Mark a text for the catalogue."""
    return text


KEYS = {
    "distance": _("distance"),
    "gap": _("gap"),
    "reach": _("reach"),
    "edge": _("distance to the table edge"),
    "arc": _("arc"),
    "cover": _("cover"),
    "terrain": _("terrain"),
    "models": _("models"),
    "width": _("models in the front rank"),
    "shooters": _("shooters"),
    "save": _("armour save"),
    "ward": _("ward save"),
    "regeneration": _("regeneration"),
    "weapon": _("weapon"),
    "missile": _("missile weapon"),
    "rules": _("special rules"),
    "combat_bonus": _("bonus to the combat result"),
    "increments": _("increments"),
    "melee": _("melee strength"),
    "morale": _("morale"),
    "stand_modifier": _("modifier to stand"),
    "modifier": _("modifier"),
    "leader": _("leader"),
    "recall": _("recall"),
    "pursue": _("pursuit"),
    "path": _("way"),
    "changes": _("changes of width"),
    "targets": _("targets"),
    "formation": _("formation"),
    "facing": _("facing"),
    "state": _("order"),
    "kind": _("kind"),
    "charger": _("charger"),
    "target": _("target"),
    "units": _("units of length"),
    "mean": _("mean"),
    "sd": _("standard deviation"),
    "unit_strength": _("unit strength"),
    "troop": _("troop type"),
    "shield": _("shield"),
    "standard": _("standard"),
    "musician": _("musician"),
    "champion": _("champion"),
    "battle_standard": _("battle standard near"),
    "general_ld": _("Ld of the General"),
    "mount": _("mount"),
    "crew": _("crew"),
    "beasts": _("beasts"),
    "commander": _("commander"),
    "blocked_by": _("units in the way"),
    "high_ground": _("high ground"),
    "frontage": _("frontage"),
    "depth": _("depth"),
    "move": _("move"),
    "attacks": _("attacks"),
    "skill": _("skill"),
    "power": _("power"),
    "defense": _("defence"),
    "wounds": _("wounds"),
    "discipline": _("discipline"),
    "banners": _("banners"),
    "charge_bonus": _("bonus on the charge"),
    "noise": _("error of the place"),
    "may_reach": _("enemy in reach"),
    "neighbours": _("friends near"),
    "turn": _("turn"),
    "first": _("first to declare"),
    "points": _("points"),
    "restrain": _("restrain pursuit"),
    "chariot": _("chariot"),
    "impact_hits": _("impact hits"),
    "redirect": _("redirection"),
    "declare": _("declare"),
    "base": _("front of a base, mm"),
    "terror_tested": _("Terror test taken before"),
    "engaged": _("in a fight already"),
    "fleeing": _("fleeing already"),
    "redirect_choice": _("redirection"),
    "count": _("number"),
    "rally": _("rally tests played"),
    "after": _("declarations before it"),
    "range": _("range"),
    "armour_piercing": _("armour piercing"),
    "shots": _("shots a model"),
    "thrown": _("thrown"),
    "square": _("modifiers of the square"),
    "stand": _("modifiers of the stand"),
    "troop_class": _("class in the tables"),
    "can_retire": _("may retire"),
    "defensive_fire": _("defensive fire"),
    "opportunity_fire": _("opportunity fire"),
    "late": _("came late into the zone"),
    "cost": _("movement points"),
    "shelter": _("shelter"),
    "blocks_sight": _("blocks sight"),
}
"""Names of keys for people; statistics go by the names of each edition."""


def axis_label(scenario: Scenario, path: str, lang: str) -> str:
    """What a path means, with its unit of length."""
    say = translation("chargesim", lang).gettext
    parts = path.split(".")
    last = parts[-1]
    if len(parts) == 1 or parts[0] == "switches":
        bare = path.removeprefix("switches.").rstrip("=><")
        return label(bare, lang) if bare in LABELS else say(KEYS.get(bare, bare))
    if parts[0] == "reaction":
        return say("reaction of {unit}").format(unit=parts[1])
    name = say(KEYS[last]) if last in KEYS else stat_label(scenario, last, lang).replace("_", " ")
    if parts[0] == "charge" and len(parts) > 3 and parts[2] in KEYS:
        name = f"{say(KEYS[parts[2]])} ({name})"
    unit = scenario.switches.get("units")
    if last in LENGTHS and unit:
        name = f"{name}, {unit}"
    if parts[0] == "unit" and len(parts) == 2:
        return say("unit in the place of {unit}").format(unit=parts[1])
    if parts[0] == "unit":
        # numbers of a table within it, such as of a mount
        above = [say(KEYS.get(part, part)) for part in parts[2:-1] if not part.isdigit()]
        return f"{parts[1]}: {', '.join([*above, name])}"
    if parts[0] == "charge" and len(scenario.model.charge) > 1:
        return say("charge {place}: {name}").format(place=parts[1], name=name)
    return name


def stat_label(scenario: Scenario, word: str, lang: str) -> str:
    """What a statistic is called in a language, such as L for Ld; any other word is itself."""
    theirs = {mine: other for other, mine in scenario.ruleset.aliases.items()}
    return word if lang == "en" else theirs.get(word, word)


def value_label(expression: str, lang: str) -> str:
    """What an expression means where it is one word; else itself."""
    say = translation("chargesim", lang).gettext
    plain = expression.strip()
    if plain.startswith(MEAN):
        name = plain.removeprefix(MEAN)
        prefix, colon, word = name.rpartition(":")
        text = say("mean of {quantity}").format(quantity=label(word, lang))
        return f"{prefix}: {text}" if colon else text
    for sign, text in ((">=", say("{quantity}, at least")), ("=", say("{quantity}, exactly"))):
        if plain.endswith(sign):
            return text.format(quantity=label(plain.removesuffix(sign).rpartition(":")[2], lang))
    prefix, colon, word = plain.rpartition(":")
    if word in LABELS and "|" not in prefix and "&" not in prefix:
        text = label(word, lang)
        return f"{prefix}: {text}" if colon else text
    return plain


def grid_label(grid: Grid, lang: str) -> str:
    """What the values of a grid are."""
    name = value_label(grid.value, lang)
    if grid.against is None:
        return name
    say = translation("chargesim", lang).gettext
    text = (
        say("{value}: difference to {path} = {level}")
        if is_mean(grid.value)
        else say("{value}: difference to {path} = {level}, points")
    )
    path = axis_label(grid.scenario, grid.against.path, lang)
    return text.format(value=name, path=path, level=level(grid.against.values[0], lang))


def level(value: Any, lang: str) -> str:
    """A value of an axis for people."""
    say = translation("chargesim", lang).gettext
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if value in (None, NONE):
        return say("none")
    if isinstance(value, float):
        return format(value, "g").replace(".", "," if lang == "es" else ".")
    return label(value, lang) if isinstance(value, str) and value in LABELS else shown(value)


def cell_text(cell: Estimate, lang: str, *, mean: bool) -> str:
    """A value with the decimals that its error allows."""
    if not mean:
        return percent(cell.value, cell.low, cell.high, lang, exact=cell.is_exact)
    return amount(cell, lang)


def amount(cell: Estimate, lang: str) -> str:
    """A mean with the decimals that its error allows."""
    if cell.value != cell.value:
        return translation("chargesim", lang).gettext("undefined")
    return number(cell.value, _decimals(cell), lang)


def _decimals(cell: Estimate) -> int:
    half = 0.0 if cell.is_exact else (cell.high - cell.low) / 2
    decimals = 3
    while decimals > 0 and 10.0**-decimals < half / 2:
        decimals -= 1
    return decimals


def shares(grid: Grid) -> list[list[float | None]]:
    """Colour of each cell: chances as they are, means between the least and the greatest."""
    values = grid.array()
    defined = values[values == values]
    low, high = 0.0, 1.0
    if grid.is_mean and defined.size:
        low, high = float(defined.min()), float(defined.max())
    span = (high - low) or 1.0
    return [[None if v != v else (float(v) - low) / span for v in row] for row in values]


def grid_document(grid: Grid, lang: str) -> Document:
    """A grid as a table, coloured by value, and long in CSV.

    Parameters
    ----------
    grid
        Its values.
    lang
        ``"en"`` or ``"es"``.
    """
    say = translation("chargesim", lang).gettext
    name, row_name = grid_label(grid, lang), axis_label(grid.scenario, grid.rows.path, lang)
    if grid.cols is None:
        heads, caption = [name], ""
        if grid.against is not None:
            heads, caption = [say("difference")], name
    else:
        heads = [_head(grid.cols, v, lang) for v in grid.cols.values]
        col_name = axis_label(grid.scenario, grid.cols.path, lang)
        caption = say("{value}; across: {columns}").format(value=name, columns=col_name)
    body = [[cell_text(cell, lang, mean=grid.is_mean) for cell in row] for row in grid.cells]
    if grid.cols is None and not grid.is_exact:
        heads.append(say("interval (95 %)") if grid.is_mean else say("interval (95 %), %"))
        body = [
            [*row, span(cells[0], lang, grid.is_mean)]
            for row, cells in zip(body, grid.cells, strict=True)
        ]
    firsts = [level(v, lang) for v in grid.rows.values]
    shades = [[None, *row, *[None] * (len(heads) - len(row))] for row in shares(grid)]
    table = Table(
        (row_name, *heads),
        tuple((first, *row) for first, row in zip(firsts, body, strict=True)),
        caption,
        (),
        _raw(grid),
        frozenset(range(0 if grid.rows.is_numeric else 1, len(heads) + 1)),
        heads=_raw_heads(grid),
        shades=tuple(map(tuple, shades)),
    )
    blocks: list[str | Table] = [table]
    if any(cell.value != cell.value for row in grid.cells for cell in row):
        blocks.append(say("undefined: its condition is impossible, or was never seen."))
    caveat = " ".join(caveats([grid.scenario], lang))
    return Document(grid.scenario.title, tuple(blocks), source(grid, lang), caveat)


def _head(axis: Axis, value: Any, lang: str) -> str:
    sign = axis.path.removeprefix(axis.path.rstrip(">="))
    return ("\u2265 " if sign == ">=" else "") + level(value, lang)


def span(cell: Estimate, lang: str, mean: bool) -> str:
    """The interval of a cell, empty when there is none."""
    if cell.value != cell.value or cell.is_exact:
        return ""
    if not mean:
        return interval(cell.low, cell.high, lang)
    decimals = _decimals(cell) + 1
    return f"{number(cell.low, decimals, lang)}\u2013{number(cell.high, decimals, lang)}"


def _raw_heads(grid: Grid) -> tuple[str, ...]:
    paths = [grid.rows.path] if grid.cols is None else [grid.rows.path, grid.cols.path]
    return (*paths, grid.value, "low", "high", "engine")


def _raw(grid: Grid) -> tuple[tuple[object, ...], ...]:
    columns = [()] if grid.cols is None else [(shown(v),) for v in grid.cols.values]
    return tuple(
        (shown(first), *column, cell.value, cell.low, cell.high, cell.engine)
        for first, row in zip(grid.rows.values, grid.cells, strict=True)
        for column, cell in zip(columns, row, strict=True)
    )


def source(grid: Grid, lang: str) -> tuple[str, ...]:
    """How the numbers were made."""
    say = translation("chargesim", lang).gettext
    lines = []
    if len(grid.engines) == 2:
        exact = sum(cell.is_exact for row in grid.cells for cell in row)
        cells = sum(len(row) for row in grid.cells)
        lines.append(
            say("{exact} of {cells} cells are exact, the others sampled.").format(
                exact=exact, cells=cells
            )
        )
    return (
        *caveats([grid.scenario], lang),
        *lines,
        made_by(grid.trials, grid.seed, lang, mean=grid.is_mean),
        *provenance(grid.scenario, lang),
    )


def styled(grid: Grid, lang: str) -> Styler:
    """The frame of a grid with texts, and a background by value."""
    texts = [[cell_text(cell, lang, mean=grid.is_mean) for cell in row] for row in grid.cells]
    colours = [
        ["" if s is None else f"color: black; background-color: {colour_of(s)}" for s in row]
        for row in shares(grid)
    ]
    frame = grid.frame()
    shown_texts = type(frame)(texts, index=frame.index, columns=frame.columns)
    styles = type(frame)(colours, index=frame.index, columns=frame.columns)
    # the same page every time: else each has an identifier of its own
    page = shown_texts.style.set_uuid(grid.scenario.hash[:8])
    return page.apply(lambda _: styles, axis=None).set_caption(grid_label(grid, lang))
