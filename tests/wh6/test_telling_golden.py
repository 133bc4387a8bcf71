"""Whole trials as a referee tells them, line by line: what a change of the words would break."""

from __future__ import annotations

import tomllib

from chargesim.report.trace import told
from chargesim.scenario import Scenario


def profile(name: str, side: str, models: int, more: str, **changes: int) -> str:
    """Table of a unit: an ordinary man, with changes."""
    man = {"M": 10, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7, **changes}
    numbers = "\n".join(f"{key} = {value}" for key, value in man.items())
    return f'[unit.{name}]\nside = "{side}"\nmodels = {models}\n{numbers}\n{more}\n'


KNIGHTS = """
save = "2+"
troop = "cavalry"
weapon = "lance"
champion = true
restrain = true
rules = ["hatred"]
mount = { WS = 3, S = 3, I = 3, A = 1 }
"""
WOLVES = """
troop = "cavalry"
rules = ["poison"]
restrain = true
"""
SPEARS = """
save = "5+"
ward = "6+"
weapon = "spear"
standard = true
battle_standard = true
general_ld = 9
neighbours = [{ unit = "levy", distance = 12 }]
"""
FLANK = f"""
ruleset = "wh6"
{profile("knights", "active", 5, KNIGHTS, M=18, WS=4, S=4, Ld=8)}
{profile("wolves", "active", 6, WOLVES, M=22)}
{profile("spears", "reactive", 20, SPEARS)}
{profile("levy", "reactive", 10, "", Ld=5)}
[[charge]]
charger = "knights"
target = "spears"
distance = 24
[[charge]]
charger = "wolves"
target = "spears"
distance = 30
arc = "flank"
"""
CHARIOT = """
save = "4+"
troop = "chariot"
[unit.carro.chariot]
impact_hits = "1D6"
crew = { count = 2, WS = 4, BS = 4, S = 3, I = 5, A = 1, Ld = 8 }
beasts = { count = 2, WS = 3, S = 4, I = 3, A = 1 }
"""
SAVAGES = """
weapon = "two_hand_weapons"
rules = ["frenzy"]
may_reach = [{ target = "enanos", distance = 18 }]
"""
SKELETONS = """
save = "6+"
shield = true
standard = true
rules = ["undead"]
"""
DWARFS = """
save = "4+"
weapon = "great_weapon"
rules = ["dwarf_legs", "stubborn"]
"""
REDIRECTED = f"""
ruleset = "wh6"
{profile("carro", "active", 1, CHARIOT, M=18, S=5, T=5, W=4, Ld=8)}
{profile("salvajes", "active", 10, SAVAGES, T=4)}
{profile("exploradores", "reactive", 8, "")}
{profile("esqueletos", "reactive", 20, SKELETONS, WS=2, I=2, Ld=3)}
{profile("enanos", "reactive", 16, DWARFS, M=8, WS=4, T=4, Ld=9)}
[[charge]]
charger = "carro"
target = "exploradores"
distance = 16
edge = 60
redirect = [{{ target = "esqueletos", distance = 30 }}]
[reaction]
exploradores = "flee"
"""


def texts(text: str, trial: int, lang: str) -> list[str]:
    lines = told(Scenario(**tomllib.loads(text)), seed=0, trial=trial, lang=lang)
    return ["  " * line.level + f"{line.rule} {line.text}" for line in lines]


def test_two_chargers_break_their_target_in_english() -> None:
    assert texts(FLANK, 3, "en") == [
        "WH6-SEQ-02 1. Declaration and reactions",
        "  WH6-CHG-01 knights declared a charge on spears.",
        "  WH6-CHG-01 wolves declared a charge on spears.",
        "  WH6-CHG-10 Reaction of spears: hold.",
        "WH6-SEQ-02 4. Reach",
        "  WH6-CHG-02 Reach of knights: 36 cm (twice M 18 cm); distance to spend: 24 cm.",
        "  WH6-SEQ-02 In reach: 24 cm is at most 36 cm.",
        "  WH6-CHG-02 Reach of wolves: 44 cm (twice M 22 cm); distance to spend: 30 cm.",
        "  WH6-SEQ-02 In reach: 30 cm is at most 44 cm.",
        "WH6-SEQ-01 10. Charge moves",
        "  WH6-CHG-02 Contact: knights spent 24 cm and reached spears.",
        "  WH6-CHG-02 Contact: wolves spent 30 cm and reached spears.",
        "WH6-IMPACT-02 12. Combat: knights and wolves against spears",
        "  WH6-CC-05 Models at the start: knights 5, wolves 6, spears 20.",
        "WH6-CC-03 13. Blows: knights and wolves against spears",
        "  WH6-CC-05 Attacks of the riders of knights on spears: 6 (champion +1 [WH6-CC-07]).",
        "    WH6-CC-01 To hit: WS 4 against WS 3: 3+.",
        "    WH6-HATE-01 Hatred: misses are re-rolled.",
        "    WH6-WND-01 To wound: S 6 (lance +2) [WH6-WPN-lance] against T 3: 2+.",
        "    WH6-SAVE-01 Armour save of spears: 5+; S 6 -3: 8+, so none.",
        "    WH6-SAVE-03 Ward save of spears: 6+.",
        "    WH6-WND-01 Unsaved wounds: 3; 6 attacks at 3+, misses re-rolled: 4 hits; 4 "
        "to wound at 2+: 3 wounds; 3 ward saves of 6+: 3 failed",
        "  WH6-SPEC-05 Wounds suffered by spears: 3; models lost: 3; left: 17.",
        "  WH6-CC-05 Attacks of the steeds of knights on spears: 5.",
        "    WH6-CC-01 To hit: WS 3 against WS 3: 4+.",
        "    WH6-HATE-01 Hatred: misses are re-rolled.",
        "    WH6-WND-01 To wound: S 3 against T 3: 4+.",
        "    WH6-SAVE-01 Armour save of spears: 5+.",
        "    WH6-SAVE-03 Ward save of spears: 6+.",
        "    WH6-WND-01 Unsaved wounds: 1; 5 attacks at 4+, misses re-rolled: 5 hits; 5 "
        "to wound at 4+: 3 wounds; 3 saves of 5+: 1 failed; 1 ward save of 6+: 1 failed",
        "  WH6-SPEC-05 Wounds suffered by spears: 1; models lost: 1; left: 16.",
        "  WH6-CC-05 Attacks of wolves on spears: 5.",
        "    WH6-CC-01 To hit: WS 3 against WS 3: 4+.",
        "    WH6-SPEC-04 Poison: a natural 6 to hit wounds by itself.",
        "    WH6-WND-01 To wound: S 3 against T 3: 4+.",
        "    WH6-SAVE-01 Armour save of spears: 5+.",
        "    WH6-SAVE-03 Ward save of spears: 6+.",
        "    WH6-WND-01 Unsaved wounds: 0; 5 attacks at 4+: 3 hits, 2 of them poisoned; 1"
        " to wound at 4+: 1 wound; 3 saves of 5+: 1 failed; 1 ward save of 6+: 0 failed",
        "  WH6-SPEC-05 Wounds suffered by spears: 0; models lost: 0; left: 16.",
        "  WH6-CC-05 Attacks of spears on knights: 10.",
        "    WH6-CC-01 To hit: WS 3 against WS 4: 4+.",
        "    WH6-WND-01 To wound: S 3 against T 3: 4+.",
        "    WH6-SAVE-01 Armour save of knights: 2+.",
        "    WH6-WND-01 Unsaved wounds: 0; 10 attacks at 4+: 7 hits; 7 to wound at 4+: 4 "
        "wounds; 4 saves of 2+: 0 failed",
        "  WH6-SPEC-05 Wounds suffered by knights: 0; models lost: 0; left: 5.",
        "  WH6-CC-05 Attacks of spears on wolves: none.",
        "WH6-CR-01 14. Combat result: knights and wolves against spears",
        "  WH6-CR-03 spears: charged in flank or rear by unit strength 5 or more, its "
        "ranks did not count.",
        "  WH6-CR-01 knights and wolves: 4 wounds + 1 flank [WH6-CR-07] + 1 outnumber "
        "(unit strength 22 to 16) [WH6-CR-04] = 6, against spears: 0 wounds + 1 standard "
        "[WH6-CR-05] = 1. knights and wolves won by 5.",
        "WH6-BRK-01 15. Break tests: knights and wolves against spears",
        "  WH6-BRK-01 Break test of spears: Ld 9 of the General [WH6-LD-02] - 5 = 4; 2D6:"
        " 2 + 3 = 5 against 4: failed",
        "  WH6-LD-04 The battle standard let spears roll once more; 2D6: 4 + 2 = 6 "
        "against 4: failed",
        "  WH6-BRK-01 spears broke and had to flee.",
        "WH6-PANIC-01 16. Panic among friends",
        "  WH6-PANIC-01 levy saw spears break near by: Panic test.",
        "    WH6-LD-01 Leadership test: Ld 5; 2D6: 3 + 4 = 7 against 5: failed",
        "  WH6-PANIC-07 levy panicked and had to flee.",
        "  WH6-FLEE-01 levy fled 15 cm (M 10 cm is at most 15 cm [WH6-UNIT-04]). 5D6: 6 +"
        " 3 + 2 + 3 + 1 = 15",
        "WH6-PURS-02 17. Flight and pursuit: knights and wolves against spears",
        "  WH6-HATE-01 knights, full of hatred, could not be held back from pursuit.",
        "  WH6-PURS-02 knights pursued spears.",
        "  WH6-PURS-01 wolves tried to hold back from pursuit: Leadership test.",
        "    WH6-LD-01 Leadership test: Ld 7; 2D6: 3 + 4 = 7 against 7: passed",
        "  WH6-PURS-01 wolves did not pursue.",
        "  WH6-PURS-02 spears fled 13 cm, not further than the pursuit: run down, "
        "destroyed. spears 5D6: 3 + 4 + 2 + 3 + 1 = 13; knights 8D6: 3 + 6 + 1 + 5 + 3 + "
        "5 + 2 + 5 = 30",
    ]


def test_redirected_and_compulsory_charges_in_spanish() -> None:
    assert texts(REDIRECTED, 3, "es") == [
        "WH6-SEQ-02 1. Declaración y reacciones",
        "  WH6-CHG-01 Carga declarada: carro contra exploradores.",
        "  WH6-FRENZ-01 Carga obligatoria (Furia Asesina): salvajes contra enanos, a la "
        "vista y al alcance.",
        "  WH6-CHG-10 Reacción de exploradores: Huir.",
        "  WH6-CHG-10 Reacción de enanos: Mantener la posición.",
        "WH6-SEQ-02 4. Alcance",
        "  WH6-CHG-02 Alcance de carga de carro: 36 cm (el doble de M 18 cm); distancia a"
        " recorrer: 16 cm.",
        "  WH6-SEQ-02 Al alcance: 16 cm no supera 36 cm.",
        "  WH6-CHG-02 Alcance de carga de salvajes: 20 cm (el doble de M 10 cm); "
        "distancia a recorrer: 18 cm.",
        "  WH6-SEQ-02 Al alcance: 18 cm no supera 20 cm.",
        "WH6-SEQ-02 6. Huidas de las unidades cargadas",
        "  WH6-FLEE-01 Huida de exploradores: 21 cm (M 10 cm no supera 15 cm "
        "[WH6-UNIT-04]). 5D6: 5 + 2 + 6 + 2 + 6 = 21",
        "WH6-REDIR-01 7. Cargas redirigidas",
        "  WH6-REDIR-01 Carga redirigida: carro contra esqueletos.",
        "  WH6-CHG-10 Reacción de esqueletos: Mantener la posición.",
        "  WH6-REDIR-03 Alcance de carga de carro: 36 cm (el mismo que contra el primer "
        "objetivo); distancia a recorrer: 30 cm.",
        "  WH6-SEQ-02 Al alcance: 30 cm no supera 36 cm.",
        "  WH6-FEAR-03 Miedo de carro a esqueletos: Chequeo de Miedo.",
        "    WH6-LD-01 Chequeo de Liderazgo: L 8; 2D6: 3 + 5 = 8 contra 8: superado",
        "  WH6-FEAR-03 carro: Chequeo de Miedo superado.",
        "WH6-SEQ-01 10. Movimientos de carga",
        "  WH6-CHG-02 Contacto de salvajes con enanos tras recorrer 18 cm.",
        "  WH6-CHG-02 Contacto de carro con esqueletos tras recorrer 30 cm.",
        "WH6-IMPACT-02 12. Combate: salvajes contra enanos",
        "  WH6-CC-05 Miniaturas al comienzo: salvajes 10, enanos 16.",
        "WH6-CC-03 13. Ataques: salvajes contra enanos",
        "  WH6-CC-05 Ataques de salvajes contra enanos: 15 (Furia Asesina, +1 por "
        "miniatura [WH6-FRENZ-03]; dos armas de mano, +1 por miniatura [WH6-WPN-"
        "two_hand_weapons]).",
        "    WH6-CC-01 Para impactar: HA 3 contra HA 4: 4+.",
        "    WH6-WND-01 Para herir: F 3 contra R 4: 5+.",
        "    WH6-SAVE-01 Tirada de salvación por armadura de enanos: 4+.",
        "    WH6-WND-01 Heridas no salvadas: 0; 15 ataques a 4+: 9 impactos; 9 para herir"
        " a 5+: 2 heridas; 2 tiradas de salvación de 4+: 0 falladas",
        "  WH6-SPEC-05 Heridas sufridas por enanos: 0; bajas: 0; miniaturas que quedan: 16.",
        "  WH6-CC-05 Ataques de enanos contra salvajes: 5.",
        "    WH6-CC-01 Para impactar: HA 4 contra HA 3: 3+.",
        "    WH6-WND-01 Para herir: F 5 (arma a dos manos +2) [WH6-WPN-great_weapon] "
        "contra R 4: 3+.",
        "    WH6-WND-01 Heridas no salvadas: 2; 5 ataques a 3+: 3 impactos; 3 para herir "
        "a 3+: 2 heridas",
        "  WH6-SPEC-05 Heridas sufridas por salvajes: 2; bajas: 2; miniaturas que quedan: 8.",
        "WH6-CR-01 14. Resultado del Combate: salvajes contra enanos",
        "  WH6-CR-01 salvajes: 0 heridas + 1 fila [WH6-CR-02] = 1, contra enanos: 2 "
        "heridas + 2 filas [WH6-CR-02] + 1 superioridad numérica (potencia de unidad 16 a"
        " 8) [WH6-CR-04] = 5. Victoria de enanos por 4.",
        "WH6-BRK-01 15. Chequeos de Desmoralización: salvajes contra enanos",
        "  WH6-FRENZ-05 salvajes: Furia Asesina perdida por la derrota.",
        "  WH6-BRK-01 Chequeo de Desmoralización de salvajes: L 7 - 4 = 3; 2D6: 6 + 1 = 7"
        " contra 3: no superado",
        "  WH6-BRK-01 salvajes: Chequeo de Desmoralización no superado; la unidad debe huir.",
        "WH6-IMPACT-02 12. Combate: carro contra esqueletos",
        "  WH6-CC-05 Miniaturas al comienzo: carro 1, esqueletos 20.",
        "  WH6-IMPACT-01 Impactos por carga de carro: 3 de F 5; carros en contacto: 1. 1D6: 3",
        "    WH6-WND-01 Para herir: F 5 contra R 3: 2+.",
        "    WH6-SAVE-01 Tirada de salvación por armadura de esqueletos: 6+; arma de mano"
        " y escudo +1 [WH6-SAVE-02]; F 5 -2: 7+, así que ninguna.",
        "    WH6-WND-01 Heridas no salvadas: 3; 3 para herir a 2+: 3 heridas",
        "  WH6-IMPACT-02 Heridas sufridas por esqueletos: 3; miniaturas que quedan: 17.",
        "WH6-CC-03 13. Ataques: carro contra esqueletos",
        "  WH6-CC-05 Ataques de la dotación de carro contra esqueletos: 2.",
        "    WH6-CC-01 Para impactar: HA 4 contra HA 2: 3+.",
        "    WH6-WND-01 Para herir: F 3 contra R 3: 4+.",
        "    WH6-SAVE-01 Tirada de salvación por armadura de esqueletos: 6+; arma de mano"
        " y escudo +1 [WH6-SAVE-02]: 5+.",
        "    WH6-WND-01 Heridas no salvadas: 1; 2 ataques a 3+: 1 impacto; 1 para herir a"
        " 4+: 1 herida; 1 tirada de salvación de 5+: 1 fallada",
        "  WH6-SPEC-05 Heridas sufridas por esqueletos: 1; bajas: 1; miniaturas que quedan: 16.",
        "  WH6-CC-05 Ataques de las bestias de carro contra esqueletos: 2.",
        "    WH6-CC-01 Para impactar: HA 3 contra HA 2: 3+.",
        "    WH6-WND-01 Para herir: F 4 contra R 3: 3+.",
        "    WH6-SAVE-01 Tirada de salvación por armadura de esqueletos: 6+; arma de mano"
        " y escudo +1 [WH6-SAVE-02]; F 4 -1: 6+.",
        "    WH6-WND-01 Heridas no salvadas: 1; 2 ataques a 3+: 2 impactos; 2 para herir "
        "a 3+: 1 herida; 1 tirada de salvación de 6+: 1 fallada",
        "  WH6-SPEC-05 Heridas sufridas por esqueletos: 1; bajas: 1; miniaturas que quedan: 15.",
        "  WH6-CC-05 Ataques de esqueletos contra carro: ninguno.",
        "WH6-CR-01 14. Resultado del Combate: carro contra esqueletos",
        "  WH6-CR-01 carro: 5 heridas = 5, contra esqueletos: 0 heridas + 3 filas "
        "[WH6-CR-02] + 1 estandarte [WH6-CR-05] + 1 superioridad numérica (potencia de "
        "unidad 15 a 4) [WH6-CR-04] = 5. Empate.",
        "WH6-PURS-02 17. Huida y persecución: salvajes contra enanos",
        "  WH6-PURS-02 Persecución: enanos contra salvajes.",
        "  WH6-PURS-02 Huida de salvajes: 15 cm, no más que la persecución; la unidad es "
        "alcanzada y destruida. salvajes 5D6: 2 + 3 + 2 + 4 + 4 = 15; enanos 5D6: 1 + 6 +"
        " 5 + 4 + 1 = 17, piernas cortas de enano -2 [WH6-ARMY-06] = 15",
    ]
