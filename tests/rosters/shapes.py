"""Every shape of a unit that real lists have, invented, in both languages, with what it means.

Each shape gives selections of a force and, by the key of each unit, what its table must hold;
``None`` for a key that must not be there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rosters.build import S, armour, line, weapon

Shape = tuple[list[S], dict[str, dict[str, Any]]]
SHAPES: dict[str, Callable[[str], Shape]] = {}
WORDS = {
    "heroes": ("Heroes", "Héroes"), "mounts": ("Mounts", "Monturas"),
    "command": ("Command group", "Grupo de mando"), "champion": ("Champion", "Campeón"),
    "musician": ("Musician", "Músico"), "standard": ("Standard Bearer", "Portaestandarte"),
    "shield": ("Shield", "Escudo"), "light": ("Light Armour", "Armadura ligera"),
    "heavy": ("Heavy Armour", "Armadura pesada"), "hand": ("Hand Weapon", "Arma de mano"),
    "great": ("Great Weapon", "Arma a dos manos"), "spears": ("Spears", "Lanzas"),
    "lance": ("Lance", "Lanza de caballería"), "bows": ("Short Bows", "Arcos cortos"),
    "crew": ("Crew", "Dotación"), "fear": ("Fear", "Miedo"), "frenzy": ("Frenzy", "Furia asesina"),
    "fast": ("Fast Cavalry", "Caballería rápida"), "core": ("Core", "Básicas"),
    "scythes": ("Scythed wheels", "Ruedas con cuchillas"), "barding": ("Barding", "Barda"),
    "cavalry": ("", "Caballería"), "infantry": ("", "Infantería"), "chariot": ("", "Carro"),
    "machine": ("", "Máquina de guerra"), "monstrous": ("", "Infantería monstruosa"),
}  # fmt: skip


def word(lang: str, key: str) -> str:
    return WORDS[key][lang == "es"]


def shape(build: Callable[[str], Shape]) -> Callable[[str], Shape]:
    SHAPES[build.__name__] = build
    return build


def feet(lang: str, inches: int) -> str:
    """A move as the data sets print it: 4 inches are 10 cm, 5 are 12."""
    return str(inches) if lang == "en" else str({4: 10, 5: 12, 6: 15, 7: 18, 8: 20, 9: 22}[inches])


def on_foot(lang: str, rest: str = "3 3 3 3 1 3 1 7", inches: int = 4) -> str:
    return f"{feet(lang, inches)} {rest}"


@shape
def character_with_a_mount_as_an_option(lang: str) -> Shape:
    steed = line(
        lang,
        "Marsh Pony",
        on_foot(lang, "3 0 3 3 1 3 1 5", 8),
        strength="1" if lang == "en" else "2",
    )
    unit = S(
        "Warden Captain", "unit", label="Old Marl", slot=word(lang, "heroes"), points=60,
        profiles=[line(lang, "Warden Captain", on_foot(lang, "5 4 4 4 2 5 3 8"), strength="1",
                       save="" if lang == "en" else "4+", troop="Personaje")],
        inside=[
            S(word(lang, "heavy")), S(word(lang, "shield"), points=2), S(word(lang, "lance")),
            S("Marsh Pony", group=word(lang, "mounts"), points=12, profiles=[steed]),
        ],
    )  # fmt: skip
    return [unit], {
        "old_marl": {
            "models": 1, "M": int(feet(lang, 8)), "WS": 5, "T": 4, "W": 2, "Ld": 8,
            "troop": "cavalry", "unit_strength": 2, "weapon": "lance", "shield": True,
            # heavy 2, shield 1, mounted 1; in Spanish the line counts it all
            "save": "3+" if lang == "en" else "4+", "points": 74,
            "mount": {"WS": 3, "S": 3, "I": 3, "A": 1},
        }
    }  # fmt: skip


@shape
def line_on_the_unit_count_on_models(lang: str) -> Shape:
    unit = S(
        "Reed Spears", "unit", slot=word(lang, "core"),
        profiles=[line(lang, "Reed Spear", on_foot(lang), troop=word(lang, "infantry"))],
        inside=[S("Reed Spears", "model", 20, points=100), S(word(lang, "spears")),
                S(word(lang, "musician"), group=word(lang, "command"), points=5),
                S(word(lang, "standard"), group=word(lang, "command"), points=10)],
    )  # fmt: skip
    return [unit], {
        "reed_spears": {
            "models": 20, "M": int(feet(lang, 4)), "weapon": "spear", "musician": True,
            "standard": True, "champion": None, "points": 115, "troop": "infantry",
        }
    }  # fmt: skip


@shape
def line_on_the_models(lang: str) -> Shape:
    unit = S(
        "Sling Boys", "unit",
        inside=[
            S("Sling Boys", "model", 12, points=60,
              profiles=[line(lang, "Sling Boy", on_foot(lang, "2 3 3 3 1 3 1 6"))]),
            S(word(lang, "bows")),
        ],
    )  # fmt: skip
    return [unit], {"sling_boys": {"models": 12, "missile": "short_bow", "Ld": 6, "BS": 3}}


@shape
def count_on_an_option_of_the_units_name(lang: str) -> Shape:
    name = "Ditch Diggers" if lang == "en" else "Zapadores"
    one = "Ditch Digger" if lang == "en" else "Zapador"
    unit = S(
        name, "unit", profiles=[line(lang, one, on_foot(lang))],
        inside=[S(name, "upgrade", 17, points=85), S(word(lang, "great"))],
    )  # fmt: skip
    key = "ditch_diggers" if lang == "en" else "zapadores"
    return [unit], {key: {"models": 17, "weapon": "great_weapon"}}


@shape
def champion_as_an_option_is_one_of_the_count(lang: str) -> Shape:
    unit = S(
        "Oak Shields", "unit", profiles=[line(lang, "Oak Shield", on_foot(lang))],
        inside=[
            S("Oak Shields", "model", 18, points=90),
            S("Oak Reeve", group=word(lang, "command"), points=10,
              profiles=[line(lang, "Oak Reeve", on_foot(lang, "3 3 3 3 1 3 2 7"))]),
        ],
    )  # fmt: skip
    return [unit], {"oak_shields": {"models": 18, "A": 1, "champion": True}}


@shape
def champion_line_is_there_though_nobody_took_him(lang: str) -> Shape:
    lines = [line(lang, "Fen Archer", on_foot(lang)),
             line(lang, "Fen Eye", on_foot(lang, "3 4 3 3 1 3 1 7"))]  # fmt: skip
    unit = S(
        "Fen Archers", "unit", profiles=lines, inside=[S("Fen Archers", "upgrade", 10, points=80)]
    )
    return [unit], {"fen_archers": {"models": 10, "BS": 3, "champion": None}}


@shape
def champion_line_on_the_unit_and_taken(lang: str) -> Shape:
    lines = [line(lang, "Hill Archer", on_foot(lang)),
             line(lang, "Hill Eye", on_foot(lang, "3 4 3 3 1 3 1 7"))]  # fmt: skip
    unit = S(
        "Hill Archers", "unit", profiles=lines,
        inside=[S("Hill Archers", "upgrade", 10, points=80), S(word(lang, "champion"), points=8)],
    )  # fmt: skip
    return [unit], {"hill_archers": {"models": 10, "BS": 3, "champion": True}}


@shape
def champion_as_a_model_of_his_own(lang: str) -> Shape:
    unit = S(
        "Gate Guard", "unit",
        inside=[
            S("Gate Guard", "model", 19, points=190,
              profiles=[line(lang, "Gate Guard", on_foot(lang, "4 3 3 3 1 4 1 8"))]),
            S("Gate Sergeant", "model", 1, points=20,
              profiles=[line(lang, "Gate Sergeant", on_foot(lang, "4 3 3 3 1 4 2 8"))]),
        ],
    )  # fmt: skip
    return [unit], {"gate_guard": {"models": 20, "A": 1, "champion": True}}


@shape
def cavalry_with_both_lines_on_the_unit(lang: str) -> Shape:
    unit = S(
        "Heron Riders", "unit", rules=[word(lang, "fast")],
        profiles=[
            line(lang, "Heron Rider", on_foot(lang), strength="1",
                save="" if lang == "en" else "5+"),
            line(lang, "Bog Pony", on_foot(lang, "3 0 3 3 1 3 1 4", 9),
                strength="1" if lang == "en" else "2",
                 save="+1" if lang == "en" else "+2"),
        ],
        inside=[S("Heron Riders", "model", 5, points=80), S(word(lang, "light"))],
    )  # fmt: skip
    return [unit], {
        "heron_riders": {
            "models": 5, "M": int(feet(lang, 9)), "T": 3, "Ld": 7, "troop": "cavalry", "save": "5+",
            "unit_strength": 2, "rules": ["fast_cavalry"], "mount": {"WS": 3, "S": 3, "I": 3,
                "A": 1},
        }
    }  # fmt: skip


@shape
def cavalry_with_the_mount_as_an_option(lang: str) -> Shape:
    unit = S(
        "Tower Knights", "unit",
        profiles=[line(lang, "Tower Knight", on_foot(lang, "4 3 4 3 1 3 1 8"), strength="1",
                       save="" if lang == "en" else "2+", troop=word(lang, "cavalry"))],
        inside=[
            S("Tower Knights", "model", 6, points=150), S(word(lang, "heavy")),
            S(word(lang, "shield")), S(word(lang, "lance")),
            S("Grey Charger", points=0, inside=[S(word(lang, "barding"))],
              profiles=[line(lang, "Grey Charger", on_foot(lang, "3 0 3 3 1 3 1 5", 8),
                             strength="1" if lang == "en" else "2")]),
        ],
    )  # fmt: skip
    return [unit], {
        "tower_knights": {
            "models": 6, "M": int(feet(lang, 8)), "save": "2+", "weapon": "lance", "shield": True,
            "troop": "cavalry", "unit_strength": 2,
        }
    }  # fmt: skip


@shape
def cavalry_of_one_merged_line(lang: str) -> Shape:
    unit = S(
        "Stag Folk", "unit",
        profiles=[line(lang, "Stag Folk", on_foot(lang, "4 3 4 4 1 2 1(2) 7", 8), strength="2",
                       troop=word(lang, "cavalry"))],
        inside=[S("Stag Folk", "model", 6, points=102)],
    )  # fmt: skip
    return [unit], {
        "stag_folk": {"models": 6, "M": int(feet(lang, 8)), "A": 1, "troop": "cavalry",
            "mount": None}
    }  # fmt: skip


def _chariot_lines(lang: str) -> list[Any]:
    return [
        line(lang, "Salt Chariot", "- - - 5 5 4 - D6 -", save="4+", troop=word(lang, "chariot")),
        line(lang, "Salt Crew" if lang == "en" else "Dotación de sal", "- 4 4 3 - - 5 1 8"),
        line(lang, "Marsh Ox", f"{feet(lang, 7)} 3 0 4 4 1 3 1 3"),
    ]


@shape
def chariot_of_three_lines(lang: str) -> Shape:
    crew = "Salt Crew" if lang == "en" else "Dotación de sal"
    unit = S(
        "Salt Chariot", "unit", rules=[word(lang, "fear")], points=90,
        profiles=_chariot_lines(lang),
        inside=[
            S(crew, "crew", 2, profiles=[_chariot_lines(lang)[1]]), S("Marsh Oxen", "upgrade", 1),
            S("Marsh Ox", "upgrade", 2), S(word(lang, "scythes")), S(word(lang, "spears")),
        ],
    )  # fmt: skip
    return [unit], {
        "salt_chariot": {
            "models": 1, "M": int(feet(lang, 7)), "S": 5, "T": 5, "W": 4, "save": "4+",
            "troop": "chariot", "weapon": "spear", "rules": ["fear"],
            "chariot": {
                "impact_hits": "1D6+1",
                "crew": {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8},
                "beasts": {"count": 2, "WS": 3, "S": 4, "I": 3, "A": 1},
            },
        }
    }  # fmt: skip


def _machine(lang: str) -> Any:
    return line(lang, "Long Sling", "- - - - 7 3 - - -", troop=word(lang, "machine"))


def _gunner(lang: str) -> Any:
    return line(lang, "Slinger", on_foot(lang))


@shape
def machine_with_crew_as_models(lang: str) -> Shape:
    unit = S(
        "Long Sling", "unit", points=80, profiles=[_machine(lang)],
        inside=[S("Slinger", "model", 3, profiles=[_gunner(lang)])],
    )  # fmt: skip
    return [unit], {"long_sling": {"models": 3, "troop": "war_machine", "T": 3, "W": 1}}


@shape
def machine_with_crew_as_an_option(lang: str) -> Shape:
    name = "3 Crew" if lang == "en" else "Dotación (3)"
    unit = S(
        "Stone Arm", "unit", points=75,
        profiles=[_machine(lang), line(lang, word(lang, "crew"), on_foot(lang))], inside=[S(name)],
    )  # fmt: skip
    return [unit], {"stone_arm": {"models": 3, "troop": "war_machine"}}


@shape
def machine_whose_crew_is_in_its_cost_alone(lang: str) -> Shape:
    unit = S("Bolt Wheel", "unit", points=60, profiles=[_machine(lang), _gunner(lang)])
    return [unit], {"bolt_wheel": {"models": None, "troop": "war_machine"}}


@shape
def detachments_within_a_unit(lang: str) -> Shape:
    unit = S(
        "Town Halberds", "unit", profiles=[line(lang, "Town Halberd", on_foot(lang))],
        inside=[
            S("Town Halberds", "model", 24, points=144),
            S("Town Rabble", "unit", profiles=[line(lang, "Rabble", on_foot(lang,
                "2 2 3 3 1 3 1 6"))],
              inside=[S("Rabble", "model", 9, points=36)]),
            S("Bow Detachment", "upgrade", profiles=[line(lang, "Bowman", on_foot(lang))],
              inside=[S("Bowman", "model", 8, points=64), S(word(lang, "bows"))]),
        ],
    )  # fmt: skip
    return [unit], {
        "town_halberds": {"models": 24, "points": 144, "missile": None},
        "town_rabble": {"models": 9, "points": 36, "Ld": 6},
        "bow_detachment": {"models": 8, "points": 64, "missile": "short_bow"},
    }


@shape
def squadron_of_chariots_each_a_unit(lang: str) -> Shape:
    lines = _chariot_lines(lang)
    crew = lines[1].name
    unit = S(
        "Salt Squadron", "unit",
        inside=[
            S("Salt Chariot", "unit", 2, points=180, profiles=lines,
              inside=[S(crew, "crew", 4, profiles=[lines[1]]), S("Marsh Ox", "upgrade", 4)]),
        ],
    )  # fmt: skip
    chariot = {
        "impact_hits": "1D6",
        "crew": {"count": 2, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8},
        "beasts": {"count": 2, "WS": 3, "S": 4, "I": 3, "A": 1},
    }
    return [unit], {"salt_chariot": {"models": 2, "points": 180, "chariot": chariot}}


@shape
def chariots_of_one_entry_with_their_crew_inside(lang: str) -> Shape:
    lines = _chariot_lines(lang)
    each = S(
        "One Chariot", "unit", points=60, inside=[S(lines[1].name, "model", 3, profiles=[lines[1]])]
    )
    unit = S("Bog Chariots", "unit", profiles=lines[:1] + lines[2:], inside=[each, S(**vars(each))])
    return [unit], {"bog_chariots": {"models": 2, "points": 120, "chariot": {
        "impact_hits": "1D6",
        "crew": {"count": 3, "WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8},
        "beasts": {"WS": 3, "S": 4, "I": 3, "A": 1},
    }}}  # fmt: skip


@shape
def chariot_whose_crew_nobody_counts(lang: str) -> Shape:
    unit = S(
        "Mud Chariots", "unit",
        inside=[S("Mud Chariot", "model", 1, points=80, profiles=_chariot_lines(lang))],
    )  # fmt: skip
    return [unit], {"mud_chariots": {"models": 1, "chariot": {
        "impact_hits": "1D6",
        "crew": {"WS": 4, "BS": 4, "S": 3, "I": 5, "A": 1, "Ld": 8},
        "beasts": {"WS": 3, "S": 4, "I": 3, "A": 1},
    }}}  # fmt: skip


@shape
def machines_counted_in_one_selection(lang: str) -> Shape:
    crew = "Crew" if lang == "en" else "Dotación"
    both = S(
        "Fen Bolt", "model", 2, points=70,
        inside=[S(crew, "model", 6, profiles=[_gunner(lang)]),
                S("Fen Frame", "model", 2, profiles=[_machine(lang)])],
    )  # fmt: skip
    one = {"models": 3, "troop": "war_machine", "points": 35}
    return [S("Fen Bolts", "unit", inside=[both])], {"fen_bolt": one, "fen_bolt_2": one}


@shape
def machines_with_their_crew_inside(lang: str) -> Shape:
    one = S(
        "Reed Bolt", "model", 1, points=35,
        inside=[S("Crew" if lang == "en" else "Dotación", "model", 3, profiles=[_gunner(lang)]),
                S("Bolt Frame", "model", 1, profiles=[_machine(lang)])],
    )  # fmt: skip
    unit = S("Reed Bolts", "unit", inside=[one, S(**vars(one))])
    return [unit], {
        "reed_bolt": {"models": 3, "troop": "war_machine", "points": 35},
        "reed_bolt_2": {"models": 3, "troop": "war_machine", "points": 35},
    }


@shape
def packs_whose_heads_nobody_counts(lang: str) -> Shape:
    unit = S(
        "Eel Packs", "unit",
        inside=[
            S("Eel Pack", "model", 2, points=100,
              inside=[S("Eel", profiles=[line(lang, "Eel", on_foot(lang, "4 0 5 4 3 4 3 5", 6))]),
                      S("Handler", profiles=[line(lang, "Handler", on_foot(lang))])]),
        ],
    )  # fmt: skip
    return [unit], {"eel_packs": {"models": None}}


@shape
def mixed_ranks(lang: str) -> Shape:
    unit = S(
        "Thorn Herd", "unit",
        profiles=[
            line(lang, "Thorn Brute", on_foot(lang, "4 3 3 4 1 3 1 6", 5)),
            line(lang, "Thorn Whelp", on_foot(lang, "3 3 3 3 1 3 1 6", 5)),
            line(lang, "Thorn Chief", on_foot(lang, "4 3 4 4 1 3 2 7", 5)),
        ],
        inside=[S("Thorn Brutes", "model", 8, points=56), S("Thorn Whelps", "upgrade", 6,
            points=24)],
    )  # fmt: skip
    return [unit], {"thorn_herd": {"models": 14, "WS": 4, "T": 4, "champion": None}}


@shape
def unit_typed_as_an_upgrade(lang: str) -> Shape:
    beast = S(
        "Bog Worm", "upgrade", points=200,
        rules=["Large Target" if lang == "en" else "Objetivo grande"],
        profiles=[line(lang, "Bog Worm", on_foot(lang, "4 0 5 5 5 3 4 6", 6))],
    )  # fmt: skip
    setting = S("Allow trial rules?", "upgrade", rules=["Trial rules"])
    return [setting, beast], {
        "bog_worm": {"models": 1, "troop": "monster", "rules": ["large_target"]}
    }


@shape
def the_same_name_twice(lang: str) -> Shape:
    def bows(number: int) -> S:
        return S(
            "Reed Bows", "unit", profiles=[line(lang, "Reed Bow", on_foot(lang))],
            inside=[S("Reed Bows", "model", number, points=7 * number)],
        )  # fmt: skip

    return [bows(8), bows(12)], {"reed_bows": {"models": 12}, "reed_bows_2": {"models": 8}}


@shape
def weapons_of_all_kinds(lang: str) -> Shape:
    if lang == "en":
        profiles = [weapon(lang, "Marsh gun", '24"', "4", "Armour piercing, move or fire")]
        value = {"range": 24, "S": 4, "armour_piercing": True}
    else:
        profiles = [weapon(lang, "Trabuco", "60 cm", "4", "Poder de penetración")]
        value = {"range": 60, "S": 4, "armour_piercing": True}
    unit = S(
        "Powder Men", "unit", rules=[word(lang, "frenzy")],
        profiles=[line(lang, "Powder Man", on_foot(lang))],
        inside=[
            S("Powder Men", "model", 10, points=80), S(profiles[0].name, profiles=profiles),
            S(word(lang, "hand")), S(word(lang, "light"), profiles=[armour("Light Armour", "-6")])
            if lang == "en" else S(word(lang, "light")),
        ],
    )  # fmt: skip
    return [unit], {
        "powder_men": {"models": 10, "missile": value, "weapon": "hand_weapon", "save": "6+",
            "rules": ["frenzy"]}
    }  # fmt: skip
