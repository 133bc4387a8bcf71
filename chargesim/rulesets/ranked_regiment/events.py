"""What the rules of ranked_regiment can say happened; :mod:`.telling_words` has their words."""

from __future__ import annotations

from enum import IntEnum, auto


class Event(IntEnum):
    """Notes of the rule text, told by ``trace``."""

    STEP = auto()
    STANDS = auto()
    MOVE_DRAWN = auto()
    FIRST = auto()
    DECLARES = auto()
    COUNTERS = auto()
    FLEES = auto()
    PASSES = auto()
    ILLEGAL = auto()
    NO_FLIGHT = auto()
    NO_COUNTER = auto()
    CANCELS = auto()
    DROPS_FLIGHT = auto()
    ORPHANED = auto()
    FLIGHT_POINTLESS = auto()
    SIGHT_DECIDES = auto()
    MEETS = auto()
    CANNOT_MEET = auto()
    CONTACT = auto()
    SLIDES = auto()
    FAILS = auto()
    RUNS = auto()
    STOPS_SHORT = auto()
    PURSUES = auto()
    LEAVES_TABLE = auto()
    NOT_PLAYED = auto()
    STRIKES = auto()
    STRIKES_NOT = auto()
    DUEL = auto()
    SCORE = auto()
    DISRUPTED = auto()
    DESTROYED = auto()
    TESTS = auto()
    HOLDS = auto()
    BREAKS = auto()
    SURROUNDED = auto()
    CRUMBLES = auto()
    RALLIES = auto()
    RUNS_ON = auto()
    FORCED = auto()
