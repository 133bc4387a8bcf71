"""How many models a unit has: of all that a list counts, what stands for heads."""

from __future__ import annotations

from chargesim.rosters import vocabulary as words
from chargesim.rosters.findings import Findings, Message, _, message
from chargesim.rosters.lines import Line, Troop, between, counted
from chargesim.rosters.lists import Selection


def put_models(found: Findings, troop: Troop) -> None:
    """Write the number of models: those counted, or an option of the unit's name, or its number."""
    one, place = troop.selection, troop.selection.place
    if troop.of("machine"):
        _put_crew_models(found, troop)
        return
    if troop.of("body"):
        _put_chariots(found, troop)
        return
    models = counted(troop)
    ranks = troop.of("troops")
    extra = [line for line in ranks if line.count and not _on_models(line, models)]
    total = sum(model.number for model in models)
    if models and _is_pack(troop, models):
        names = " + ".join(sorted(line.name for line in ranks))
        found.tell("models", None, "missing", place,
                   message(_("{number} × {name} of {lines}: how many heads each has is not in the "
                             "file"), number=total, name=models[0].name, lines=names))  # fmt: skip
    elif models:
        total += sum(line.count for line in extra)
        several = len(models) > 1 or extra
        parts = [(model.name, model.number) for model in models]
        parts += [(line.name, line.count) for line in extra]
        parts.sort(key=lambda part: (-part[1], part[0]))
        note = message(_("added up: {sum}"), sum=" + ".join(f"{n} {name}" for name, n in parts))
        found.put("models", total, "derived" if several else "read",
            min(model.place for model in models),
                  note if several else Message())  # fmt: skip
    elif (named := _named_alike(troop)) and not troop.is_character:
        total = sum(s.number for s in named)
        note = message(_("from the option of the unit's name"))
        found.put("models", total, "derived", min(one.place for one in named), note)
    elif troop.is_character or one.type == "model" or one.number > 1:
        found.put("models", one.number, "read", place)
    else:
        note = message(_("no count of models: the unit's own number"))
        found.put("models", one.number, "assumed", place, note)


def _on_models(line: Line, models: list[Selection]) -> bool:
    return any(one in models for one in line.holders) or any(
        words.bears(one.name, line.name) for one in models
    )


def _is_pack(troop: Troop, models: list[Selection]) -> bool:
    """True when models hold two lines of ranks below them: so many of each, nobody says."""
    below = [
        line for line in troop.of("troops")
        if not line.count
        and all(one not in models and one is not troop.selection for one in line.holders)
    ]  # fmt: skip
    return len(below) > 1


def _named_alike(troop: Troop) -> list[Selection]:
    """Options that bear the unit's name, or that of a line of its ranks."""
    names = [troop.selection.name, *(line.name for line in troop.of("troops"))]
    return [
        one for one in troop.inside
        if one is not troop.selection and one.type not in ("unit", "model")
        and any(words.bears(one.name, name) for name in names)
    ]  # fmt: skip


def _put_crew_models(found: Findings, troop: Troop) -> None:
    """A war machine is as many models as serve it."""
    machines = _machines(troop)
    crew = troop.of("crew")
    count = sum(line.count for line in crew)
    status, place = "read", crew[0].place if crew else troop.selection.place
    if not count:
        named = [(words.crew_count(one.name), one.place) for one in troop.inside]
        named += [(words.crew_count(line.name), line.place) for line in crew]
        first = next(((n, at) for n, at in named if n), None)
        if first is None:
            found.tell("models", None, "missing", place,
                       message(_("how many serve the machine is not in the file")))  # fmt: skip
            return
        count, status, place = first[0] or 1, "derived", first[1]
    elif machines > 1:
        count, status = count // machines, "derived"
    note = message(_("a war machine counts as many models as serve it"))
    found.put("models", count, status, place, note if status == "derived" else Message())


def _machines(troop: Troop) -> int:
    return troop.selection.number if troop.selection.type == "model" else 1


def _put_chariots(found: Findings, troop: Troop) -> None:
    one = troop.selection
    members = [
        s for s in troop.inside
        if s is not one and s.type == "unit"
        and not any(above.type == "unit" for above in between(s, one) if above is not s)
    ]  # fmt: skip
    bodies = sum(line.count for line in troop.of("body"))
    if members or bodies:
        total = sum(s.number for s in members) or bodies
        note = message(_("chariots of one entry: if each stands by itself, give models = 1"))
        place = members[0].place if members else troop.of("body")[0].place
        alone = total == 1
        found.put("models", total, "read" if alone else "assumed", place,
                  Message() if alone else note)  # fmt: skip
        return
    note = message(_("no count of models: the unit's own number"))
    found.put("models", one.number, "assumed", one.place, note)
