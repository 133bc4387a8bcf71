"""Cells and names: what they are taken for, and what they are not."""

from __future__ import annotations

import pytest

from chargesim.rosters import vocabulary as words
from chargesim.rosters.arms import COMMON, PREFERENCE
from chargesim.rosters.text import clean, slug
from chargesim.rosters.values import dice, first_save, reach, save, shots, stat
from chargesim.rulesets.wh6 import state
from chargesim.rulesets.wh6.weapons import MISSILES, WEAPONS


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("4", "number", 4), ("10", "number", 10), ('8"', "number", 8), ("20 cm", "number", 20),
        ("\u00a03\u00a0", "number", 3), ("３", "number", 3), ("1(2)", "two", 1), ("6 (7)", "two",
            6),
        ("7+1", "two", 7), ("4 (+1D3)", "two", 4), ("D6", "dice", None), ("5D6", "dice", None),
        ("1d3+2", "dice", None), ("-", "absent", None), ("", "absent", None), ("*", "absent", None),
        ("Special", "absent", None), ("Especial", "absent", None), ("55", "number", 55),
        (".3", "odd", None), ("2D5", "odd", None), ("C", "odd", None), ("5 OR (2D3+1)", "odd",
            None),
        ("+1", "odd", None), ("-1", "odd", None),
    ],
)  # fmt: skip
def test_cells_of_stat_lines(text: str, kind: str, value: int | None) -> None:
    found = stat(text)
    assert (found.kind, found.value) == (kind, value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("D6", "1D6"), ("2d6+1", "2D6+1"), ("1D3 + 2", "1D3+2"), ("D6-1", "1D6-1"), ("2D6+0", "2D6"),
     ("6", None), ("D5", None), ("0D6", None)],
)  # fmt: skip
def test_dice(text: str, wanted: str | None) -> None:
    assert dice(text) == wanted


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("4+", "save", 4), ("1+", "save", 1), ("4 +", "save", 4), ("-6", "save", 6),
        ("+1", "bonus", 1), ("-1", "bonus", 1), ("-1 SV, -2SV with HW", "bonus", 1), ("+2",
            "bonus", 2),
        ("-", "absent", None), ("", "absent", None), ("3+(1+)", "odd", None), ("7+", "odd", None),
        ("4+ (salvo que usen escudo que sería 3+)", "odd", None), ("2+ (en la howdah)", "odd",
            None),
    ],
)  # fmt: skip
def test_saves(text: str, kind: str, value: int | None) -> None:
    found = save(text)
    assert (found.kind, found.value) == (kind, value)


def test_first_save() -> None:
    assert first_save("3+(1+)") == 3
    assert first_save("heavy") is None
    assert first_save("14+") is None


@pytest.mark.parametrize(
    ("text", "value", "unit", "melee"),
    [
        ('24"', 24, "inch", False), ("24", 24, None, False), ("75 cm", 75, "cm", False),
        ("CC only", None, None, True), ("CC", None, None, True), ("-", None, None, True),
        ("", None, None, True), ("Cuerpo a cuerpo", None, None, True), ('12"*24"', None, None,
            False),
        ('6"-24"', None, None, False), ("Plantilla de llamas", None, None, False),
    ],
)  # fmt: skip
def test_ranges(text: str, value: float | None, unit: str | None, melee: bool) -> None:
    found = reach(text)
    assert (found.value, found.unit, found.is_melee) == (value, unit, melee)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("Fires X2", 2), ("2 x Multipleshot", 2), ("3xMultiple shots", 3), ("2x Multishot", 2),
     ("Disparos múltiples (x2)", 2), ("Armour piercing", None), ("2D6 shots", None)],
)  # fmt: skip
def test_shots(text: str, wanted: int | None) -> None:
    assert shots(text) == wanted


@pytest.mark.parametrize(
    ("name", "rule", "limit"),
    [
        ("Fear", "fear", ""), ("Miedo", "fear", ""), ("Terror", "terror", ""),
        ("Frenzy", "frenzy", ""), ("Frenzy: Wild Folk ", "frenzy", ""), ("Furia asesina", "frenzy",
            ""),
        ("Immune to Psycology", "immune_to_psychology", ""),
        ("IMMUNE TO PSYCHOLOGY", "immune_to_psychology", ""),
        ("Inmune a psicología", "immune_to_psychology", ""),
        ("Inmune a desmoralización", "unbreakable", ""), ("Stubborn", "stubborn", ""),
        ("Tozudez", "stubborn", ""), ("Estupidez", "stupidity", ""), ("Hostigadores",
            "skirmishers", ""),
        ("Skirmishers", "skirmishers", ""), ("Caballería rápida", "fast_cavalry", ""),
        ("Volar", "flyer", ""), ("Flying Cavalry", "flyer", ""), ("Objetivo grande",
            "large_target", ""),
        ("Poisoned Attacks", "poison", ""), ("Ataques envenenados", "poison", ""),
        ("Golpe letal", "killing_blow", ""), ("No muertos", "undead", ""), ("Hatred", "hatred", ""),
        ("Cold-blooded", "cold_blooded", ""), ("Siempre ataca primero", "always_strikes_first", ""),
        # what holds for a part, or against some
        ("Unbreakable (the rats)", "unbreakable", "the rats"),
        ("Miedo (sólo montura)", "fear", "solo montura"), ("Hate Reed Folk", "hatred",
            "Hate Reed Folk"),
        ("Odio a los juncos", "hatred", "Odio a los juncos"), ("Hatred (Reed Folk)", "hatred",
            "Hatred (Reed Folk)"),
        ("Hatred: Reed Folk", "hatred", "Hatred: Reed Folk"),
        # what sounds alike and is something else
        ("Fear Elves", None, ""), ("Miedo a los orejotas", None, ""), ("Sin miedo", None, ""),
        ("Immune to Panic", None, ""), ("Ignore Goblin Panic", None, ""), ("Skirmish Screen", None,
            ""),
        ("No se considera un carro", None, ""), ("Fearless", None, ""), ("", None, ""),
    ],
)  # fmt: skip
def test_rules_by_their_names(name: str, rule: str | None, limit: str) -> None:
    assert words.rule_of(name) == (rule, limit)


def test_rules_are_the_rulesets() -> None:
    assert set(words.RULES) == {rule.name.lower() for rule in state.Rule}


@pytest.mark.parametrize(
    ("name", "weapon"),
    [("Hand Weapons", "hand_weapon"), ("Halberds", "halberd"), ("Spears (Infantry)", "spear"),
     ("Two Hand Weapons", "two_hand_weapons"), ("Additional Hand weapon", "two_hand_weapons"),
     ("Great Weapon", "great_weapon"), ("Lance (with a vow)", "lance"), ("Alabardas", "halberd"),
     ("Armas a dos manos", "great_weapon"), ("Lanza de caballería", "lance"), ("Lanzas", "spear"),
     ("Sword of Might", None), ("Lancers", None), ("Throwing Spear", None)],
)  # fmt: skip
def test_weapons_by_their_names(name: str, weapon: str | None) -> None:
    assert words.weapon_of(name) == weapon


@pytest.mark.parametrize(
    ("name", "missile"),
    [("Short Bows", "short_bow"), ("Bow", "bow"), ("Long Bow", "long_bow"), ("Ballestas",
        "crossbow"),
     ("Repeater Crossbow", "repeater_crossbow"), ("Arcabuces", "handgun"), ("Jabalinas", "javelin"),
     ("Throwing knives", "throwing_knife"), ("Bowmen", None), ("Bow of Doom", None)],
)  # fmt: skip
def test_missile_weapons_by_their_names(name: str, missile: str | None) -> None:
    assert words.missile_of(name) == missile


@pytest.mark.parametrize(
    ("name", "there"),
    [("Shield", True), ("Shields", True), ("Spears and Shield", True), ("Hand Weapons and Shields",
        True),
     ("Escudos", True), ("Lanza y escudo", True), ("Ungrown Shields", False), ("Shield of Light",
         False),
     ("Oak Shields", False), ("Shieldbearers", False)],
)  # fmt: skip
def test_shields(name: str, there: bool) -> None:
    assert words.has_shield(name) is there


@pytest.mark.parametrize(
    ("name", "key"),
    [("Musician", "musician"), ("Standard Bearer", "standard"), ("Battle Standard Bearer",
        "battle_standard"),
     ("Portaestandarte", "standard"), ("Músico", "musician"), ("Campeón", "champion"),
     ("Steel Standard", None), ("Banner of Wrath", None)],
)  # fmt: skip
def test_command(name: str, key: str | None) -> None:
    assert words.command_of(name) == key


@pytest.mark.parametrize(
    ("name", "count"),
    [("3 Crew", 3), ("Dotación (4)", 4), ("2 Bog crew", 2), ("Crew", None), ("3 Arrows", None),
        ("30 crew", None)],
)  # fmt: skip
def test_crew_in_a_name(name: str, count: int | None) -> None:
    assert words.crew_count(name) == count


@pytest.mark.parametrize(
    ("text", "troop"),
    [("Infantería", "infantry"), ("Caballería", "cavalry"), ("Carro", "chariot"), ("Monstruo",
        "monster"),
     ("Máquina de guerra", "war_machine"), ("Enjambre", "swarm"), ("Infantería monstruosa", "ogre"),
     ("Carro ligero", "light_chariot"), ("Heavy Cavalry", "cavalry"), ("Behemoth", "monster"),
     ("No se considera un carro", None), ("Personaje", None)],
)  # fmt: skip
def test_troop_types(text: str, troop: str | None) -> None:
    assert words.troop_of(text) == troop


def test_common_weapons_are_the_rulesets() -> None:
    """The reader's table beside the rules' own: two places that must not drift apart."""
    theirs = {
        name: (m.inches, m.centimetres, m.strength, m.armour_piercing, m.shots)
        for name, m in MISSILES.items()
    }
    assert {name: tuple(one) for name, one in COMMON.items()} == theirs
    assert set(PREFERENCE) == set(WEAPONS)
    assert set(words.MISSILES) == set(MISSILES)


def test_names_are_safe_to_show() -> None:
    assert clean("A\x1b[31mB\u202eC\u200bD\x00E\tF\n G") == "A[31mBCDE F G"
    assert clean("  Reed\u00a0Bows  ") == "Reed Bows"
    assert len(clean("x" * 10_000)) == 200
    assert slug("Ñandúes & Co.") == "nandues_co"
    assert slug("12") == "unit_12"
    assert slug("—") == "unit"
