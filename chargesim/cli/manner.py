"""How commands tell what they are and take: whole sentences, and no words of Python."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

ASKING = """\b
PATH  leads into the scenario, places counted from 0: charge.0.distance,
      unit.NAME.Ld, reaction.NAME, switches.NAME; unit.NAME by itself takes
      names of units to stand in its place.
SPEC  is 10:40:2 (from, to inclusive, step) or values with commas: 6,7,8;
      none leaves a key out, fear+frenzy is a list.
OUTCOME
      contact                      a word; "run FILE --format csv" has them all
      contact+blocked              a sum of words of one charge
      1:contact, spears:draw       of the charge in place 1, of a unit's fight
      spears:target_broke*         a pattern
      0:contact & 1:contact        both
      spears:draw | 0:contact      the first, where the second holds
      shooting_casualties>=2       chance of a number
      mean:impact_wounds           a mean
      exactly:flee_distance        a whole distribution (table); also at_least:
"""
"""What stands below the help of commands that ask for values over paths."""


def _whole(text: str | None) -> str:
    """The first paragraph in one line: the list of commands folds it, and cuts nothing off."""
    return " ".join((text or "").split("\n\n")[0].split())


class Command(TyperCommand):
    """A command; its usage names arguments as they are, without braces and types."""

    def __init__(self, *positional: Any, **keywords: Any) -> None:
        super().__init__(*positional, **keywords)
        for one in self.params:
            if isinstance(one, TyperArgument) and one.metavar is not None:
                one.display_type_rich = _no_type  # type: ignore[method-assign]  # typer has no option for it

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Pieces of the line of usage."""
        return [
            piece[1 : piece.index("}")] if piece.startswith("{") else piece
            for piece in super().collect_usage_pieces(ctx)
        ]

    def get_short_help_str(self, limit: int = 45) -> str:
        """What the list of commands says of it."""
        return _whole(self.help)


class Group(TyperGroup):
    """A group of commands, which stands in a list of commands too."""

    def get_short_help_str(self, limit: int = 45) -> str:
        """What the list of commands says of it."""
        return _whole(self.help)


def _no_type(ctx: Any) -> None:
    return None


def group(name: str, text: str, **keywords: Any) -> typer.Typer:
    """A group of commands of this name and help."""
    return typer.Typer(
        name=name,
        help=text,
        cls=Group,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        **keywords,
    )
