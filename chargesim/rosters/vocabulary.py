"""Names in lists and what they mean in the scenario model, in both languages.

Names are compared whole, after :func:`chargesim.rosters.text.plain`: "Immune to Panic" is not
immunity to psychology, and those who are afraid of elves frighten nobody.
"""

from __future__ import annotations

import re

from chargesim.rosters.text import plain, root, stem

RULES = {
    "frenzy": ("frenzy", "furia asesina", "furia"),
    "fear": ("fear", "causes fear", "cause fear", "miedo", "causa miedo", "causan miedo"),
    "terror": ("terror", "causes terror", "cause terror", "causa terror", "causan terror"),
    "immune_to_psychology": (
        "immune to psychology", "immune to psycology", "immunity to psychology",
        "inmune a psicologia", "inmunes a psicologia", "inmune a la psicologia",
        "inmunes a la psicologia",
    ),
    "hatred": ("hatred", "odio"),
    "stubborn": ("stubborn", "tozudez", "tozudo", "tozudos", "testarudez", "testarudos"),
    "unbreakable": (
        "unbreakable", "inmune a desmoralizacion", "inmunes a desmoralizacion",
        "inmune a la desmoralizacion", "inmunes a la desmoralizacion", "indesmoralizable",
        "indesmoralizables",
    ),
    "stupidity": ("stupidity", "estupidez"),
    "cold_blooded": ("cold blooded", "cold-blooded", "sangre fria"),
    "undead": ("undead", "no muertos", "no muerto"),
    "daemon": ("daemon", "daemonic", "daemons", "demonio", "demonios"),
    "skirmishers": (
        "skirmishers", "skirmisher", "skirmish", "hostigadores", "hostigador", "hostigar",
    ),
    "fast_cavalry": ("fast cavalry", "caballeria rapida"),
    "flyer": (
        "fly", "flyer", "flyers", "flying unit", "flying units", "flying cavalry", "flying",
        "volar", "vuelo", "unidad voladora", "unidades voladoras", "caballeria voladora",
    ),
    "large_target": ("large target", "large targets", "objetivo grande"),
    "killing_blow": ("killing blow", "golpe letal"),
    "poison": (
        "poison", "poisoned attacks", "poisoned attack", "poisoned", "ataques envenenados",
        "ataque envenenado",
    ),
    "always_strikes_first": (
        "always strikes first", "always strike first", "strikes first", "siempre ataca primero",
        "siempre atacan primero", "ataca siempre primero",
    ),
    "strikes_last": (
        "strikes last", "strike last", "always strikes last", "always strike last",
        "ataca en ultimo lugar", "atacan en ultimo lugar", "siempre ataca en ultimo lugar",
        "siempre ataca ultimo",
    ),
    "zombie": ("zombie", "zombies", "zombi", "zombis"),
    "dwarf_legs": ("relentless dwarfs", "dwarf legs", "paticortos"),
    "bretonnian_lance": ("lance formation", "the lance formation", "formacion en lanza"),
    "skaven": ("strength in numbers", "la fuerza del numero"),
    "elf_spears": ("fight in three ranks", "martial prowess", "luchan en tres filas"),
    "bull_charge": ("bull charge", "carga de toro", "carga del toro"),
}  # fmt: skip
"""Special rules of the scenario model, and their whole names."""
_RULE_OF = {name: rule for rule, names in RULES.items() for name in names}
_AGAINST = re.compile(
    r"^(?:hates?|hatred|odio|odian?)\b(?:\s+(?:of|to|towards|a|al|los|las))*\s+\S"
)
_PARAMETER = re.compile(r"^\(?\s*(?:[1-6]\+|\d?d[36](?:\+\d)?)\s*\)?$")


def rule_of(name: str) -> tuple[str | None, str]:
    """A rule by its name in a list.

    Returns
    -------
    tuple
        The rule of the scenario model, or ``None``; and what limits it: the words in brackets or
        behind a colon, empty when it holds for the whole unit and always.
    """
    whole = plain(name)
    if whole in _RULE_OF:
        return _RULE_OF[whole], ""
    if _AGAINST.match(whole):
        return "hatred", name
    bracket = re.match(r"^([^()]+?)\s*\((.*)\)?$", whole)
    if bracket and bracket[1] in _RULE_OF:
        limit = bracket[2].rstrip(")")
        return _RULE_OF[bracket[1]], "" if _PARAMETER.match(limit) else limit
    # "Frenzy: Savage Orcs" names the army whose frenzy it is
    head = plain(name.partition(":")[0]) if ":" in name else ""
    return (_RULE_OF[head], "") if head in _RULE_OF else (None, "")


def save_of_rule(name: str, kinds: tuple[str, ...]) -> int | None:
    """The save in the name of a rule such as ``Ward Save (5+)``, if it is of one of the kinds."""
    found = re.match(rf"^(?:{'|'.join(kinds)})\s*:?\s*\(?\s*([1-6])?\+?\s*\)?$", plain(name))
    if found is None:
        return None
    return int(found[1]) if found[1] else 0


WARD = ("ward save", "ward", "tirada de salvacion especial", "salvacion especial", "tse")
REGENERATION = ("regeneration", "regenerates", "regenerate", "regeneracion")
SCALY = ("scaly skin", "piel escamosa")
IMPACT = ("impact hits", "impactos por carga", "impactos de carga")
STRENGTH = ("unit strength", "potencia de unidad", "potencia")

WEAPONS = {
    "hand_weapon": ("hand weapon", "arma de mano", "sword", "espada"),
    "two_hand_weapons": (
        "two hand weapons", "additional hand weapon", "extra hand weapon", "two weapons",
        "dos armas de mano", "arma de mano adicional", "segunda arma de mano",
    ),
    "great_weapon": (
        "great weapon", "double handed weapon", "two handed weapon", "arma a dos manos",
    ),
    "flail": ("flail", "mayal"),
    "morning_star": ("morning star", "lucero del alba"),
    "halberd": ("halberd", "alabarda"),
    "spear": (
        "spear", "spear mounted", "spear infantry", "mounted spear", "spear and shield", "lanza",
        "lanza y escudo",
    ),
    "pike": ("pike", "pica"),
    "lance": ("lance", "lanza de caballeria"),
    "brace_of_pistols": ("brace of pistols", "par de pistolas", "dos pistolas"),
    "pistol": ("pistol", "pistola"),
}  # fmt: skip
"""Weapons of close combat."""
MISSILES = {
    "repeater_crossbow": ("repeater crossbow", "ballesta de repeticion"),
    "crossbow": ("crossbow", "ballesta"),
    "short_bow": ("short bow", "arco corto"),
    "long_bow": ("long bow", "longbow", "arco largo"),
    "bow": ("bow", "arco"),
    "handgun": ("handgun", "empire handgun", "arcabuz", "arcabuces"),
    "pistol": ("pistol", "brace of pistols", "pistola", "par de pistolas", "dos pistolas"),
    "sling": ("sling", "honda"),
    "javelin": ("javelin", "jabalina"),
    "throwing_axe": ("throwing axe", "hacha arrojadiza"),
    "throwing_knife": ("throwing knife", "throwing knives", "cuchillo arrojadizo"),
}  # fmt: skip
"""Missile weapons of the common tables."""
ARMOUR = {
    "light": ("light armour", "light armor", "armadura ligera"),
    "heavy": ("heavy armour", "heavy armor", "armadura pesada"),
    "plate": (
        "full plate armour", "full plate", "plate armour", "gromril armour", "armadura de placas",
        "armadura de placas completa",
    ),
}  # fmt: skip
BODY = {"light": 1, "heavy": 2, "plate": 3}
"""Points of a save that body armour gives: a save is 7 less its points."""
SHIELDS = ("shield", "escudo")
BARDING = ("barding", "barda", "bardas")


def _stems(table: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {root(name): key for key, names in table.items() for name in names}


_WEAPON_OF, _MISSILE_OF, _ARMOUR_OF = _stems(WEAPONS), _stems(MISSILES), _stems(ARMOUR)


def _bare(name: str) -> str:
    """A name's root without what stands in brackets."""
    return root(re.sub(r"\(.*?\)", " ", name))


def weapon_of(name: str) -> str | None:
    """A weapon of close combat by its name."""
    return _WEAPON_OF.get(root(name)) or _WEAPON_OF.get(_bare(name))


def missile_of(name: str) -> str | None:
    """A missile weapon of the common tables by its name."""
    return _MISSILE_OF.get(root(name)) or _MISSILE_OF.get(_bare(name))


def armour_of(name: str) -> str | None:
    """``light``, ``heavy`` or ``plate`` by the name of an armour."""
    return _ARMOUR_OF.get(root(name)) or _ARMOUR_OF.get(_bare(name))


def has_shield(name: str) -> bool:
    """True for a shield, and for arms that come with one: "spears and shield"."""
    words = root(name).split()
    shield = {root(word) for word in SHIELDS}
    if not shield & set(words):
        return False
    others = [word for word in words if word not in shield and word not in ("and", "y", "n")]
    rest = " ".join(others)
    return not rest or rest in _WEAPON_OF or rest in _ARMOUR_OF


def is_barding(name: str) -> bool:
    """True for barding."""
    return root(name) in {root(one) for one in BARDING}


def is_gear(name: str) -> bool:
    """True for a weapon, an armour, a shield or barding by name."""
    return bool(
        weapon_of(name) or missile_of(name) or armour_of(name) or has_shield(name)
        or is_barding(name)
    )  # fmt: skip


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)")


_COMMAND = _words("command", "command group", "mando", "grupo de mando")
_MOUNTS = _words("mounts?", "steeds?", "monturas?")
_MAGIC = _words("magic", "magical", "arcane", "talismans?", "enchanted", "magicos?", "magicas?",
                "arcanos?", "talismanes", "hechizados?", "estandartes? magicos?")  # fmt: skip
_MUSICIAN = _words("musicians?", "drummer", "hornblower", "musicos?", "tambor", "cornetas?")
_STANDARD = _words("standard bearers?", "standard", "portaestandartes?", "estandarte")
_BATTLE = _words("battle standard bearers?", "battle standard", "portaestandarte de batalla",
                 "estandarte de batalla")  # fmt: skip
_CHAMPION = _words("champions?", "campeon(?:es)?")
_CREW = _words("crew", "crewm[ae]n", "dotacion", "tripulacion", "riders?", "drivers?",
               "charioteers?", "conductor(?:es)?", "aurigas?")  # fmt: skip
_SWARM = _words("swarms?", "enjambres?", "plagas?")
_CHARACTER = _words("characters?", "lords?", "heroes?", "heros?", "personajes?", "comandantes?",
                    "senor(?:es)?")  # fmt: skip
_SCYTHES = _words("scythed wheels?", "scythes?", "scythed", "ruedas con cuchillas", "cuchillas",
                  "guadanas?")  # fmt: skip
_LIGHT_CHARIOT = _words("light chariots?", "carros? ligeros?")


def is_command(group: str) -> bool:
    """True for the group of options of a unit's command."""
    return bool(_COMMAND.search(plain(group)))


def is_mounts(group: str) -> bool:
    """True for the group of options of what is ridden."""
    return bool(_MOUNTS.search(plain(group)))


def is_magic(group: str) -> bool:
    """True for the group of options of magic items."""
    return bool(_MAGIC.search(plain(group)))


def command_of(name: str) -> str | None:
    """``battle_standard``, ``standard``, ``musician`` or ``champion`` by the name of an option."""
    text = plain(name)
    for key, words in (("battle_standard", _BATTLE), ("musician", _MUSICIAN),
                       ("champion", _CHAMPION)):  # fmt: skip
        if words.search(text):
            return key
    return "standard" if re.fullmatch(_STANDARD.pattern, text) else None


def is_crew(name: str) -> bool:
    """True for those who serve a machine or a chariot."""
    return bool(_CREW.search(plain(name)))


def crew_count(name: str) -> int | None:
    """The number in a name such as ``3 Goblin crew`` or ``Dotación (3)``."""
    text = plain(name)
    if not _CREW.search(text):
        return None
    found = re.search(r"(?<!\w)(\d{1,2})(?!\w)", text)
    return int(found[1]) if found and 1 <= int(found[1]) <= 10 else None


def is_swarm(name: str) -> bool:
    """True for the name of a swarm."""
    return bool(_SWARM.search(plain(name)))


def is_character(categories: tuple[str, ...]) -> bool:
    """True for the categories of a character."""
    return any(_CHARACTER.search(plain(name)) for name in categories)


def has_scythes(name: str) -> bool:
    """True for the scythes of a chariot."""
    return bool(_SCYTHES.search(plain(name)))


TROOPS = (
    ("war_machine", _words("war machine", "maquina de guerra", "artilleria")),
    ("light_chariot", _LIGHT_CHARIOT),
    ("chariot", _words("chariots?", "carros?")),
    ("swarm", _words("swarms?", "enjambres?")),
    ("ogre", _words("monstrous infantry", "infanteria monstruosa", "ogros?")),
    ("cavalry", _words("cavalry", "light cavalry", "heavy cavalry", "caballeria",
                       "war beasts?", "bestias? de guerra")),
    ("monster", _words("monsters?", "behemoth", "monstruos?", "monstruo grande")),
    ("infantry", _words("infantry", "regular infantry", "heavy infantry", "infanteria")),
)  # fmt: skip
"""Troop types by the words that name them, the most telling first."""
_NOT = _words("not", "no", "never", "nunca")


def troop_of(text: str) -> str | None:
    """A troop type by a column's words; ``None`` when they name none or deny one."""
    words = plain(text)
    if _NOT.search(words):
        return None
    return next((troop for troop, pattern in TROOPS if pattern.search(words)), None)


def is_light_chariot(name: str) -> bool:
    """True for the rule or the name of a light chariot."""
    return bool(_LIGHT_CHARIOT.search(plain(name)))


def bears(selection: str, line: str) -> bool:
    """True when a selection's name is that of a stat line, one or many of it."""
    return root(selection) == root(line) or stem(selection) == stem(line)


_PART = _words("crew", "crewm[ae]n", "dotacion", "tripulacion", "riders?", "drivers?", "beasts?",
               "charioteers?", "conductor(?:es)?", "aurigas?", "bestias?", "steeds?", "de", "of",
               r"\d+")  # fmt: skip


def bears_part(selection: str, line: str) -> bool:
    """True when a selection names those of a chariot's line: "2 Boar beasts" and "Boar"."""
    if bears(selection, line):
        return True
    one, other = (
        root(_PART.sub(" ", re.sub("[()]", " ", plain(name)))) for name in (selection, line)
    )
    return bool(one) and one == other
