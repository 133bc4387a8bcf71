"""Sentences of shots, impact hits and blows: to hit, to wound, saves, and what they cost."""

from __future__ import annotations

from chargesim.rulesets.telling import Sentence, mark, marks
from chargesim.rulesets.wh6.events import Event
from chargesim.rulesets.wh6.telling_words import noted, told

SENTENCES: dict[Event, Sentence] = {
    # stand and shoot
    Event.NO_TARGET: told(
        "SS-10",
        mark("{unit} did not shoot: the charge of {charger} did not take place."),
        "charger",
    ),
    Event.STAYS_OUT_OF_RANGE: told(
        "SS-06",
        mark(
            "{unit} did not shoot: the failed charge would end {short} away, "
            "beyond the range of {range}."
        ),
        "short range",
    ),
    Event.BEYOND_RANGE: noted(
        "SS-04",
        mark("{unit} shot as at full range: {gap} is beyond the range of {range}."),
        "gap range",
    ),
    Event.SHOOTS: told(
        "SHOOT-04",
        mark("{unit} stood and shot at {enemy}, number of shots: {shots}."),
        "enemy shots",
    ),
    Event.BALLISTIC_SKILL: told("SHOOT-01", mark("7 - BS {skill} = {need}+"), "skill need", 2),
    Event.MOD_STAND_AND_SHOOT: told(
        "SS-05", mark("standing and shooting {modifier}"), "modifier", 2
    ),
    Event.MOD_LONG_RANGE: told(
        "SHOOT-02", mark("long range {modifier} ({part} of {range})"), "modifier part range", 2
    ),
    Event.MOD_LARGE_TARGET: told("SHOOT-02", mark("large target {modifier}"), "modifier", 2),
    Event.MOD_SINGLE_OR_SKIRMISHERS: told("SHOOT-02", mark("{what} {modifier}"), "modifier", 2),
    Event.MOD_COVER: told("SHOOT-02", mark("{cover} {modifier}"), "modifier cover", 2),
    Event.MOD_MULTIPLE_SHOTS: told(
        "SHOOT-02", mark("multiple shots {modifier} ({shots} a model)"), "modifier shots", 2
    ),
    Event.TO_HIT: told("SHOOT-01", mark("To hit: {sum}: {target}."), "need", 2),
    Event.CANNOT_HIT: noted(
        "SHOOT-03", mark("To hit: {sum}: {target}, which no roll reaches."), "need", 2
    ),
    Event.POISONED: told("SPEC-04", mark("Poison: a natural 6 to hit wounds by itself."), level=2),
    Event.KILLING_BLOW: told(
        "SPEC-03", mark("Killing blow: a natural 6 to wound slays, past any armour save."), level=2
    ),
    # wounds
    Event.TO_WOUND: told(
        "WND-01",
        mark("To wound: S {strength} against T {toughness}: {need}+."),
        "need strength toughness",
        2,
    ),
    Event.CANNOT_WOUND: noted(
        "WND-01",
        mark("To wound: S {strength} cannot wound {unit} of T {toughness}."),
        "strength toughness",
        2,
    ),
    Event.ARMOUR: told(
        "SAVE-01", mark("Armour save of {unit}: {sum}: {target}."), "base need strength", 2
    ),
    Event.NO_ARMOUR: told(
        "SAVE-01", mark("Armour save of {unit}: {sum}: {target}, so none."), "base need strength", 2
    ),
    Event.WARD: told("SAVE-03", mark("Ward save of {unit}: {need}+."), "need", 2),
    Event.WRECKS_CHARIOT: told(
        "CHAR-03",
        mark("S {strength}: every wound destroys one chariot of {unit}, without armour save."),
        "strength",
        2,
    ),
    Event.REGENERATES: told(
        "SPEC-01",
        mark("Wounds that {unit} regenerated: {regained} of {wounds}."),
        "wounds regained need",
    ),
    Event.SHOOTING_LOSSES: told(
        "SPEC-05", mark("Models of {unit} lost: {lost}; left: {left}."), "lost left"
    ),
    # impact hits
    Event.IMPACT_HITS: told(
        "IMPACT-01",
        mark("Impact hits of {unit}: {hits} at S {strength}; chariots in contact: {chariots}."),
        "hits chariots strength",
    ),
    Event.BULL_CHARGE: told(
        "IMPACT-07",
        marks(
            "Bull charge of {unit}: {hits} hit, one for each ogre in contact.",
            "Bull charge of {unit}: {hits} hits, one for each ogre in contact.",
        ),
        "hits strength",
    ),
    Event.CHAMPION_SPARED: noted(
        "IMPACT-04", mark("Impact hits do not reach the champion of {unit}.")
    ),
    Event.IMPACT_WOUNDS: told(
        "IMPACT-02",
        mark("Wounds suffered by {unit}: {wounds}; models left: {left}."),
        "wounds left",
    ),
    # blows
    Event.STRIKES_FIRST: told(
        "CC-03",
        mark("{unit} and an enemy of equal Initiative rolled off: {first} struck first."),
        "won",
    ),
    Event.STRIKES: told("CC-05", mark("Attacks of {who} on {enemy}: {attacks}."), "enemy"),
    Event.NOBODY_STRIKES: told("CC-05", mark("Attacks of {who} on {enemy}: none."), "enemy steeds"),
    Event.NEEDS_SIXES: told(
        "FEAR-09", mark("{unit} failed to overcome the fear of {enemy}."), "enemy", 2
    ),
    Event.STRIKE_TO_HIT: told(
        "CC-01",
        mark("To hit: WS {skill} against WS {theirs}: {need}+."),
        "need skill theirs",
        2,
    ),
    Event.HATES: told("HATE-01", mark("Hatred: misses are re-rolled."), level=2),
    Event.STRIKE_LOSSES: told(
        "SPEC-05",
        mark("Wounds suffered by {unit}: {wounds}; models lost: {lost}; left: {left}."),
        "wounds lost left",
    ),
}
PHRASES = {
    "enemy": mark("the enemy"),
    "destroyed": mark("{unit} lost every model: {lost}."),
    "skirmishers": mark("skirmishers"),
    "lone": mark("single man-sized model on foot"),
    "strength": mark("S {strength} {modifier}"),
    "piercing": mark("armour piercing {modifier}"),
    "shield": mark("hand weapon and shield +1"),
    "no shield": mark("both hands on the weapon, no shield -1"),
    "plain save": mark("Armour save of {unit}: {target}."),
    "re-rolled": mark("{need}, misses re-rolled"),
    "unsaved": mark("Unsaved wounds: {wounds}"),
    "wrecked": mark("Unsaved wounds that each destroy a chariot: {slain}"),
    "slain": mark("Slain outright: {slain}; unsaved wounds: {wounds}"),
    "riders": mark("the riders of {unit}"),
    "steeds": mark("the steeds of {unit}"),
    "crew": mark("the crew of {unit}"),
    "beasts": mark("the beasts of {unit}"),
    "frenzy": mark("frenzied, +1 a model"),
    "second weapon": mark("{weapon}, +1 a model"),
    "champion": mark("champion +1"),
    "armed": mark("{strength} ({weapon} +{more})"),
    "shot close": mark("{strength} ({weapon})"),
    "defended": mark("{enemy} defended an obstacle against {unit}."),
    "sixes": mark("To hit: natural sixes alone: 6+."),
}
PLURALS = {
    "shots": marks("{n} shot at {need}", "{n} shots at {need}"),
    "attacks": marks("{n} attack at {need}", "{n} attacks at {need}"),
    "hits": marks("{n} hit", "{n} hits"),
    "poisoned": marks("{n} of them poisoned", "{n} of them poisoned"),
    "to wound": marks("{n} to wound at {need}", "{n} to wound at {need}"),
    "wounds": marks("{n} wound", "{n} wounds"),
    "killing": marks("{n} of them by a killing blow", "{n} of them by killing blows"),
    "saves": marks("{n} save of {need}", "{n} saves of {need}"),
    "wards": marks("{n} ward save of {need}", "{n} ward saves of {need}"),
    "fails": marks("{n} failed", "{n} failed"),
    "regenerates": marks("{n} roll to regenerate at {need}", "{n} rolls to regenerate at {need}"),
    "succeeds": marks("{n} succeeded", "{n} succeeded"),
}
