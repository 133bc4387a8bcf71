"""Names that the tests of articles share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
