"""Names that the tests of articles share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from chargesim.report.article.build import build

HEAD = """+++
title = { en = "Title", es = "Título" }
languages = ["en", "es"]
[scenarios]
flee = { file = "FLEE", label = { en = "archers run", es = "los arqueros huyen" } }
shoot = "SHOOT"
[names.es]
archers = "arqueros"
+++
"""
SHIPPED = Path(__file__).parent.parent.parent / "chargesim" / "data" / "scenarios"
FLEE = (SHIPPED / "run_or_hold.toml").as_posix()
SHOOT = (SHIPPED / "boar_riders.toml").as_posix()
HEAD = HEAD.replace("FLEE", FLEE).replace("SHOOT", SHOOT)
Write = Callable[..., Path]
FIGURES = [
    "figure('lines', [curve('a', 'contact @ shoot', 'charge.0.distance=10:40:10')], mark=0.5)",
    "figure('bars', 'contact', ['shoot', 'flee'])",
    "figure('bars', {'a': 'contact', 'b': 'blocked'}, ['shoot'])",
    "figure('bars', 'contact @ shoot - 0.9', ['shoot'])",
    "figure('outcomes', ['shoot', 'flee'])",
    "figure('outcomes', ['shoot'], of='combat')",
    "figure('spread', [spread('a', 'flee_distance @ flee'), spread('b', '2d6 @ dice', scale=2.5)])",
    "figure('spread', [spread('a', 'shooting_casualties @ shoot')], at_least=True)",
    "figure('map', 'contact @ shoot', rows='charge.0.distance=10:40:10', cols='unit.boars.Ld=5:9')",
    "figure('charge', 'shoot')",
    "figure('combat', 'shoot', target='handgunners')",
    "figure('why', 'handgunners:target_broke* @ shoot')",
]


def text_of(file: Path, out: Path, lang: str = "en", **options: Any) -> str:
    """The text of an article, without what stands under it, with plain spaces."""
    build(file, out, **options)
    text = (out / f"{file.stem}.{lang}.md").read_text(encoding="utf-8")
    return text.partition("\n---\n")[0].replace("\u00a0", " ").strip()


def line_of(file: Path, text: str) -> int:
    lines = file.read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, start=1) if text in line)
