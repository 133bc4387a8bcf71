"""Stat lines of a unit and the part each of them plays: who fights, who rides, who is ridden.

A list does not say which line is the rider's, the mount's, the champion's or the crew's. What it
does say is where a line stands, how many bear it, and which of its cells are empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from chargesim.rosters import vocabulary as words
from chargesim.rosters.dialects import STATS, Dialect
from chargesim.rosters.findings import RosterError
from chargesim.rosters.lists import Profile, Selection
from chargesim.rosters.values import Stat, stat

MOST_LINES = 60
"""Most stat lines of a unit; real ones have four."""
ROLES = ("troops", "champion", "mount", "body", "machine", "crew", "beast", "absent", "other")
"""Parts that a line plays; a body is a chariot's, ``absent`` a champion nobody took, ``other``
models that hide in a unit and are no part of its ranks."""


@dataclass(eq=False)
class Line:
    """A stat line, once, with all who bear it.

    Parameters
    ----------
    profile
        As it stands in the file.
    stats
        Its nine values.
    holders
        Selections it hangs on.
    role
        One of :data:`ROLES`.
    count
        How many models bear it, 0 when the file does not say.
    """

    profile: Profile
    stats: dict[str, Stat]
    holders: list[Selection]
    role: str = "troops"
    count: int = 0

    @property
    def name(self) -> str:
        """Its own name."""
        return self.profile.name

    @property
    def place(self) -> str:
        """Where it stands first; the same whatever the order of the file."""
        return min(one.place for one in self.holders)

    def value(self, name: str) -> int | None:
        """A statistic, the base of two; ``None`` when it is no number."""
        return self.stats[name].value

    def has(self, *names: str) -> bool:
        """True when each of some statistics is a number."""
        return all(self.value(name) is not None for name in names)

    @property
    def weight(self) -> int:
        """Sum of its numbers: the better line weighs more."""
        return sum(self.value(name) or 0 for name in STATS)


@dataclass(eq=False)
class Troop:
    """A unit of the game, found in a list.

    Parameters
    ----------
    selection
        The selection that is the unit.
    inside
        Selections of it, those of units inside it left out.
    lines
        Its stat lines.
    members
        Selections inside it that are one of several machines or chariots.
    """

    selection: Selection
    inside: list[Selection]
    lines: list[Line] = field(default_factory=list)
    members: list[Selection] = field(default_factory=list)

    def of(self, *roles: str) -> list[Line]:
        """Its lines of some roles, the most borne first, then the best, then by name."""
        found = [line for line in self.lines if line.role in roles]
        return sorted(found, key=lambda line: (-line.count, -line.weight, line.name))

    @property
    def is_character(self) -> bool:
        """True for a character."""
        return words.is_character((*self.selection.categories, self.selection.primary))


def is_below(one: Selection, top: Selection) -> bool:
    """True when a selection is another, or hangs below it."""
    at: Selection | None = one
    while at is not None:
        if at is top:
            return True
        at = at.above
    return False


def between(one: Selection, top: Selection) -> Iterator[Selection]:
    """A selection and those above it, up to but without another."""
    at: Selection | None = one
    while at is not None and at is not top:
        yield at
        at = at.above


def troops_of(selection: Selection, dialect: Dialect) -> list[Troop]:
    """The units that a selection of a force is: itself and those inside it.

    Parameters
    ----------
    selection
        A selection of a force.
    dialect
        How its columns are called.
    """
    found: list[Troop] = []
    _gather(selection, dialect, found)
    return found


def _gather(top: Selection, dialect: Dialect, found: list[Troop]) -> None:
    inside: list[Selection] = []
    apart: list[Selection] = []
    waiting = [top]
    while waiting:
        one = waiting.pop()
        if one is not top and _stands_alone(one, top, dialect):
            apart.append(one)
            continue
        inside.append(one)
        waiting.extend(reversed(one.selections))
    inside.sort(key=lambda one: one.place)  # what stands first in a file is of no account
    troop = Troop(top, inside)
    troop.lines = _lines(inside, dialect)
    machines = [one for one in inside if one is not top and _is_whole_machine(one, dialect)]
    total = sum(one.number for one in machines)
    if machines and total > 1:
        # several machines in one entry: each stands by itself on the table
        for one in machines:
            member = Troop(one, [s for s in inside if is_below(s, one)])
            member.lines = _lines(member.inside, dialect)
            found += [_with_roles(member)] * one.number
    elif troop.lines or (top.type in ("unit", "model") and not apart):
        found.append(_with_roles(troop))
    for one in apart:
        _gather(one, dialect, found)


def _stands_alone(one: Selection, top: Selection, dialect: Dialect) -> bool:
    """True for a unit within a unit: it has whole lines and a count of its own."""
    if one.type in ("model", "mount", "crew") or words.is_mounts(one.group):
        return False
    if one.type != "unit" and (
        words.is_command(f"{one.group} {one.name}") or words.is_crew(one.name)
    ):
        return False
    models = [child for child in one.selections if child.type == "model"]
    if one.type != "unit" and not models:
        return False
    own = [line for line in _lines(list(one.walk()), dialect) if line.has("T", "W")]
    return bool(own)


def _is_whole_machine(one: Selection, dialect: Dialect) -> bool:
    """True for a model without a line of its own that holds a machine and its crew."""
    if one.type != "model" or _lines([one], dialect):
        return False
    below = _lines([s for s in one.walk() if s is not one], dialect)
    return any(_is_machine(line) for line in below) and any(line.has("WS", "A") for line in below)


def _lines(inside: list[Selection], dialect: Dialect) -> list[Line]:
    """Stat lines of some selections; the same one on several of them is one."""
    found: dict[tuple[object, ...], Line] = {}
    for one in inside:
        for profile in one.profiles:
            cells = dialect.columns(profile)
            if not cells:
                continue
            key = (profile.name, *(cells[name] for name in STATS), *sorted(profile.columns.items()))
            if key in found:
                found[key].holders.append(one)
            else:
                stats = {name: stat(cells[name]) for name in STATS}
                found[key] = Line(profile, stats, [one])
    if len(found) > MOST_LINES:
        raise RosterError(
            f"{inside[0].place}: has {len(found)} different stat lines: at most {MOST_LINES} are a "
            "unit's"
        )
    return list(found.values())


def _is_machine(line: Line) -> bool:
    """True for a war machine: it can be hit, and does nothing in a fight."""
    return line.has("T", "W") and not any(line.has(name) for name in ("WS", "S", "I", "Ld"))


def _is_body(line: Line) -> bool:
    """True for a chariot: it runs down, and strikes with nothing else."""
    idle = not any(line.has(name) for name in ("WS", "I", "Ld"))
    return line.has("S", "T", "W") and idle


def _with_roles(troop: Troop) -> Troop:
    """Give each line of a unit its role, and count who bears it."""
    for line in troop.lines:
        if _is_machine(line):
            line.role = "machine"
        elif _is_body(line):
            line.role = "body"
    if troop.of("body"):
        _roles_on_chariot(troop)
    elif troop.of("machine"):
        for line in troop.of("troops"):
            line.role = "crew"
        _find_mount(troop, "crew")
    else:
        _find_champion(troop)
        _find_mount(troop, "troops")
        _find_others(troop)
    for line in troop.lines:
        line.count = _borne(troop, line)
    if troop.of("troops"):
        # nobody bears it though others are borne: a line of what was not taken
        counted = [line for line in troop.of("troops") if line.count]
        for line in troop.of("troops"):
            if counted and not line.count and len(troop.of("troops")) > 1:
                line.role = "absent"
    return troop


def _roles_on_chariot(troop: Troop) -> None:
    """On a chariot those without feet are crew; those with feet draw it."""
    rest = troop.of("troops")
    for line in rest:
        line.role = "crew"
    if not any(troop.selection in body.holders for body in troop.of("body")):
        # who mounts a chariot does not draw it
        rest = [line for line in rest if troop.selection not in line.holders]
    moving = [line for line in rest if line.has("M") or line.stats["M"].kind == "dice"]
    if len(moving) == len(rest) and len(rest) > 1:
        # all have feet: the quickest draw it, unless a name tells who rides
        fastest = max(line.value("M") or 0 for line in moving)
        moving = [line for line in moving if line.value("M") == fastest and not _is_crew(line)]
    elif len(moving) == len(rest):
        moving = []
    for line in moving:
        if not _is_crew(line):
            line.role = "beast"


def _is_crew(line: Line) -> bool:
    return words.is_crew(line.name) or any(one.type == "crew" for one in line.holders)


def _is_on_model(line: Line) -> bool:
    """True when models of their own bear it, so that nobody rides them."""
    return any(one.type == "model" and not words.is_mounts(one.group) for one in line.holders)


def _find_mount(troop: Troop, riders: str) -> None:
    """What is ridden: said to be, or quicker and with less of a head than all who may ride it."""
    for line in troop.of(riders):
        said = any(
            holder.type == "mount" or words.is_mounts(holder.group)
            for one in line.holders
            for holder in between(one, troop.selection)
        )
        if said:
            line.role = "mount"
    rest = troop.of(riders)
    if troop.of("mount") or len(rest) < 2:
        return
    for line in rest:
        others = [other for other in rest if other is not line]
        if _is_on_model(line) or any(_is_option(other, troop) for other in others):
            continue
        if all(_is_deep(one, troop) for each in rest for one in each.holders):
            continue  # a beast and its master, each on its own feet, look just the same
        if all(_may_ride(other, line) for other in others):
            line.role = "mount"
            return


def _may_ride(rider: Line, mount: Line) -> bool:
    if mount.stats["M"].kind != "number" or rider.stats["M"].kind == "dice":
        return False
    quicker = rider.value("M") is None or (mount.value("M") or 0) > (rider.value("M") or 0)
    return quicker and (mount.value("Ld") or 0) < (rider.value("Ld") or 0)


def _find_champion(troop: Troop) -> None:
    """A champion: chosen as command, or a line like another with one more of something."""
    rest = troop.of("troops")
    for line in rest:
        if len(troop.of("troops")) == 1:
            return  # the unit's own line is nobody's champion
        by_command = all(
            one is not troop.selection and one.type != "unit"
            and (words.is_command(one.group) or words.command_of(one.name) == "champion")
            for one in line.holders
        )  # fmt: skip
        if by_command or _outdoes(line, rest, troop):
            line.role = "champion" if by_command or _is_taken(line, troop) else "absent"


def _outdoes(line: Line, rest: list[Line], troop: Troop) -> bool:
    """True for a line that is another's with a little more, and that no group of models bears."""
    if any(
        one.number > 1 and words.bears(one.name, line.name)
        for one in troop.inside
        if one is not troop.selection
    ) or any(one.type == "model" and one.number > 1 for one in line.holders):
        return False
    for other in rest:
        gains = [(line.value(name) or 0) - (other.value(name) or 0) for name in STATS]
        same = all(line.value(name) == other.value(name) for name in ("M", "T", "W"))
        if other is line or not same or min(gains) < 0 or max(gains) > 2:
            continue
        if any(gains[STATS.index(name)] for name in ("A", "WS", "BS", "Ld")):
            return True
    return False


def _is_taken(line: Line, troop: Troop) -> bool:
    """True when a selection says that the champion of this line was taken."""
    if any(one is not troop.selection and one.type != "unit" for one in line.holders):
        return True
    return any(
        words.bears(one.name, line.name) or words.command_of(one.name) == "champion"
        for one in troop.inside
        if one is not troop.selection
    )


def _find_others(troop: Troop) -> None:
    """Options with a line of their own, beside models that bear another: no part of the ranks."""
    rest = troop.of("troops")
    ranks = [line for line in rest if not _is_option(line, troop)]
    if not ranks or not any(one.type == "model" for one in troop.inside):
        return
    for line in rest:
        if line not in ranks:
            line.role = "other"


def _is_option(line: Line, troop: Troop) -> bool:
    return all(
        one is not troop.selection and one.type not in ("unit", "model", "crew", "mount")
        and not any(above.type == "model" for above in between(one, troop.selection))
        for one in line.holders
    )  # fmt: skip


def counted(troop: Troop) -> list[Selection]:
    """Selections of type model that stand for models, and not for a part or a choice of one."""
    found = []
    for one in troop.inside:
        if one.type != "model" or one is troop.selection:
            continue
        if any(
            above.type == "model" for above in between(one, troop.selection) if above is not one
        ):
            continue
        own = any(one in line.holders for line in troop.lines)
        if not own and words.is_gear(one.name):
            continue  # a choice of weapons that somebody typed as a model
        found.append(one)
    return found


def _borne(troop: Troop, line: Line) -> int:
    """How many models bear a line: those it hangs on, or those that bear its name."""
    models = counted(troop)
    on = [one for one in line.holders if one in models or one.type in ("crew", "mount")]
    if not on and line.role in ("crew", "beast", "machine", "body"):
        on = [one for one in line.holders if one.type == "model"]
    if line.role in ("crew", "beast"):
        # who bears the chariot's own line too is the whole chariot, not one of its crew
        whole = {one for other in troop.of("body", "machine") for one in other.holders}
        on = [one for one in on if one not in whole]
    if on:
        return sum(one.number for one in on)
    same = words.bears_part if line.role in ("crew", "beast") else words.bears
    named = [
        one for one in troop.inside
        if one is not troop.selection and one.type != "unit"
        and one not in line.holders and same(one.name, line.name)
    ]  # fmt: skip
    if named:
        return sum(one.number for one in named)
    options = [
        one for one in line.holders
        if one is not troop.selection and one.type not in ("unit", "model")
    ]  # fmt: skip
    if options and line.role == "troops" and not any(_is_deep(one, troop) for one in options):
        return sum(one.number for one in options)
    return 0


def _is_deep(one: Selection, troop: Troop) -> bool:
    """True below a model: how many of it each model holds, the file does not say."""
    return any(above.type == "model" for above in between(one, troop.selection))
