"""The naive reading of the hex charge rules against the vectors of its specification."""

import random
from fractions import Fraction as F

import pytest
from oracles import naive_hex_dice as dice
from oracles import naive_hex_map as board
from oracles import naive_hex_tables as tables
from oracles.naive_hex import simulate_melee


def parsed(texts):
    """Results as they are written, read."""
    return [tables.parse_result(text) for text in texts]


def of_results(texts):
    """A table of one column where these results come on 11, 12, ...; and a roll that shows them."""
    row = {dice.face_of(i + 1): text for i, text in enumerate(texts)}
    table = {"columns": [("1:1", F(1))], "rows": {"1:1": row}}
    faces = iter(list(row))
    return table, lambda: next(faces)


def waves(texts, count=3, **switches):
    """A column of waves at 1:1 that gets these results."""
    table, roll = of_results(texts)
    return tables.run_column(33, count, 11, table, roll, **switches)


def flat_tables(texts):
    """Tables whose melee results are these on faces 11, 12, ... at any odds."""
    row = dict.fromkeys(dice.FACES, "BLANK")
    for i, text in enumerate(texts):
        row[dice.face_of(i + 1)] = text
    return {"melee": {"columns": [("1:1", F(1))], "rows": {"1:1": row}}}


def fight(formation, texts, state="GOOD", hexes=None, targets=None, **more):
    """A charge whose melees give these results; every stack stands (PGD ones apart)."""
    steady = {"melee": 11, "morale": 11, "stand_modifier": 36, "contacts": 1}
    if targets is None:
        count = len(texts) if formation == "LINE" else 1
        targets = [{} for _ in range(count)]
    targets = [{"id": f"t{i}", **steady, **target} for i, target in enumerate(targets)]
    charge = {
        "formation": formation,
        "hexes": hexes or max(2, len(texts)),
        "melee": 33,
        "increments": 12,
        "state": state,
        "targets": targets,
        "tables": flat_tables(texts),
        "switches": {"stages": ("melee",), **more},
    }
    return simulate_melee(
        charge, dice.written_d66([dice.face_of(i + 1) for i in range(len(texts))])
    )


@pytest.mark.parametrize(
    ("face", "modifier", "after"),
    [
        (43, 4, 51),
        (36, 6, 46),
        (16, 1, 21),
        (66, 1, 66),
        (11, -1, 11),
        (62, -12, 42),
        (41, -18, 11),
        (25, 12, 45),
    ],
)
def test_base_six(face, modifier, after):
    """V-HEX-01."""
    assert dice.shift_face(face, modifier) == after


@pytest.mark.parametrize(
    ("value", "modifier", "p"),
    [
        (36, 0, F(1, 2)),
        (36, -6, F(1, 3)),
        (36, 12, F(5, 6)),
        (26, 0, F(2, 3)),
        (46, -12, 0),
        (16, 6, 1),
        (56, 0, F(1, 6)),
        (66, 0, 0),
        (66, 36, 0),
        (66, -7, 0),
        (11, 0, F(35, 36)),
    ],
)
def test_morale(value, modifier, p):
    """V-HEX-02, by formula and die by die."""
    assert dice.morale_probability(value, modifier) == p
    rolled = dice.every_roll(lambda rng: dice.check_morale(rng, value, modifier))
    assert rolled.get(True, 0) == p


def test_automatic_faces():
    """With automatic faces 11 fails and 66 passes, whatever the value."""
    assert dice.morale_probability(66, 0, "11_fails_66_passes") == F(1, 36)
    assert dice.morale_probability(11, 6, "11_fails_66_passes") == F(35, 36)


def test_chances_are_dice():
    """A chance and a draw are made of dice that can be counted out."""
    assert dice.every_roll(lambda rng: dice.chance(rng, 0.3)) == {True: F(3, 10), False: F(7, 10)}
    pmf = [(0, F(1, 2)), (1, F(1, 3)), (2, F(1, 6))]
    assert dice.every_roll(lambda rng: dice.draw(rng, pmf)) == dict(pmf)


def test_mix():
    """V-HEX-07: cavalry alone where there is some; one roll for each unit."""
    assert board.chargeable(["INF", "CAV"]) == [1]
    assert board.chargeable(["INF", "ART"]) == [0, 1]
    assert board.chargeable(["CAV", "CAV"]) == [0, 1]
    assert board.melees(["A", "A"]) == ["A"]
    for kinds, rolls in [(["INF", "CAV"], 1), (["INF", "ART"], 2), (["CAV", "CAV"], 2)]:
        done = fight("LINE", ["BLANK"] * rolls, hexes=2, targets=[{"kind": kind} for kind in kinds])
        assert done["rolls"] == rolls
    mixed = fight("LINE", ["DR"], hexes=2, targets=[{}, {"kind": "CAV"}])
    assert [t["stage"] for t in mixed["targets"]] == ["not_charged", "melee"]
    wide = fight("LINE", ["BLANK"], hexes=2, targets=[{"contacts": 2}])
    assert (wide["rolls"], wide["targets"][0]["share"]) == (1, 33)


def test_first_long_example():
    """V-HEX-08: a line of four hexes, three stacks, a square, a retirement."""
    charge = {
        "formation": "LINE",
        "hexes": 4,
        "increments": 16,
        "melee": 48,
        "targets": [
            {"id": "S1", "melee": 12, "choice": "square", "distance": 2, "touches": (0, 1)},
            {
                "id": "S2",
                "melee": 4,
                "formation": "SKIRMISH",
                "choice": "retire",
                "touches": (1, 2),
            },
            {
                "id": "S3",
                "melee": 12,
                "formation": "COLUMN",
                "choice": "square",
                "distance": 2,
                "touches": (2, 3),
            },
        ],
    }
    # S1 fails its square, S3 forms it, S1 stands at -6; then the melees: 24:12 and 8:12
    rng = dice.written_d66([41, 22, 55, 55, 33])
    done = simulate_melee(charge, rng)
    assert len(rng.tops) == len(rng.script) == 10
    s1, s2, s3 = done["targets"]
    assert s2["stage"] == "retired"
    assert (s1["contact"], s3["contact"]) == (2, 2)
    assert (s1["share"], s1["share_increments"], s1["column"]) == (24, 8, "2:1")
    assert (s3["share"], s3["share_increments"], s3["column"]) == (8, 8, "1:2")
    assert s3["formation"] == "SQUARE"
    assert (s1["result"], s1["state"], s1["recoil"]) == ("DD2", "PGD", 2)
    assert (s3["result"], s3["state"]) == ("BLANK", "GOOD")
    assert (done["attacker"], done["bounce"], done["pursuit"]) == ("NONE", False, False)
    assert done["attacker_state"] == "DISORDERED"
    assert done["charge_over"]
    assert done["rally"]


def test_second_long_example():
    """V-HEX-09: three waves of 11, 41 and 62."""
    charge = {
        "formation": "COMPANY_COLUMN",
        "hexes": 3,
        "increments": 9,
        "melee": 33,
        "targets": [{"id": "T", "melee": 11}],
        "switches": {"stages": ("melee",)},
    }
    rng = dice.written_d66([41, 62, 11])
    done = simulate_melee(charge, rng)
    target = done["targets"][0]
    assert (target["share"], target["column"], target["rolls"]) == (11, "1:1", 2)
    assert len(rng.tops) == 4
    assert (target["state"], target["result"], target["recoil"]) == ("DISORDERED", "DD2", 2)
    assert (done["attacker"], done["attacker_state"], done["bounce"]) == ("NONE", "GOOD", False)
    assert done["pursuit"]
    assert done["pursues"]
    assert not done["consolidate_head"]


@pytest.mark.parametrize(
    ("results", "label", "pursuit"),
    [
        (["BLANK", "BLANK"], "BOUNCE", False),
        (["DD1", "DR"], "NONE", True),
        (["AD1", "DD2"], "AD1", False),
        (["AD1", "AD2"], "AD2", False),
        (["AR", "DR"], "AR", False),
        (["AS", "DS"], "AS", False),
        (["BLANK", "DS"], "NONE", False),
        (["BLANK", "AD1"], "AD1", False),
        (["DS"], "NONE", True),
        (["DD2", "BLANK"], "NONE", False),
    ],
)
def test_combine_line(results, label, pursuit):
    """V-HEX-10, in either order, alone and within a charge."""
    for texts in (results, results[::-1]):
        assert tables.combine_line(parsed(texts)) == (label, pursuit)
        done = fight("LINE", texts)
        assert (done["attacker"], done["pursuit"]) == (label, pursuit)
        if label.startswith("AD"):
            assert done["attacker_state"] == "DISORDERED"
            assert done["attacker_recoil"] == int(label[2:])


def test_combine_line_switches():
    """HEX-LINE-11, HEX-LINE-13, losses, and no melee at all."""
    assert tables.combine_line(parsed(["AD1", "AD2"]), two_disorders="rout") == ("ROUT", False)
    assert tables.combine_line(parsed(["DS"]), ds_counts_as_retreat=False) == ("NONE", False)
    assert tables.combine_line(parsed(["1/2*"])) == ("NONE", False)
    assert tables.combine_line([]) == ("NONE", False)
    assert tables.parse_result("10*/2") == ("LOSS", (10, True, 2, False))
    assert tables.parse_result("AD", default_recoil=1) == ("AD", 1)
    with pytest.raises(ValueError, match="needs a number"):
        tables.parse_result("DD")


@pytest.mark.parametrize(
    ("results", "attacker", "defender", "rolls"),
    [
        (["BLANK"] * 3, "BOUNCE", "-", 3),
        (["AD1", "AD1", "BLANK"], "ROUT", "-", 3),
        (["AD1", "BLANK", "DD2"], "DISORDER", "DD2", 3),
        (["AD1", "AR"], "AR", "-", 2),
        (["AD2", "AD1", "DD1"], "ROUT", "DD1", 3),
        (["DR"], "NONE", "DR", 1),
        (["AS"], "AS", "-", 1),
        (["BLANK", "AD1", "BLANK"], "DISORDER", "-", 3),
    ],
)
def test_run_column(results, attacker, defender, rolls):
    """V-HEX-11."""
    done = waves(results)
    assert (done["attacker"], done["defender"], done["rolls"]) == (attacker, defender, rolls)
    charge = fight("COMPANY_COLUMN", results, hexes=3)
    assert (charge["attacker"], charge["rolls"]) == (attacker, rolls)
    assert charge["consolidate_head"] == (attacker in ("DISORDER", "ROUT", "AR"))
    assert charge["pursuit"] == (attacker == "NONE")


def column_charge(hexes):
    """33 against 11 with the synthetic table."""
    return {
        "formation": "COMPANY_COLUMN",
        "hexes": hexes,
        "melee": 33,
        "increments": 9,
        "targets": [{"id": "T", "melee": 11}],
        "switches": {"stages": ("melee",)},
    }


def summed(found, key):
    """Chances of {outcome: chance} summed by a function of the outcome."""
    sums = {}
    for outcome, p in found.items():
        sums[key(outcome)] = sums.get(key(outcome), F(0)) + p
    return sums


def test_exact_column():
    """V-HEX-12: every face of three waves; and the same melee in one."""

    def play(rng):
        done = simulate_melee(column_charge(3), rng)
        return done["attacker"], done["targets"][0]["result"], done["rolls"]

    found = dice.every_roll(play)
    assert summed(found, lambda o: o[0]) == {
        "AR": F(727, 5832),
        "ROUT": F(37, 648),
        "DISORDER": F(113, 486),
        "BOUNCE": F(125, 729),
        "NONE": F(302, 729),
    }
    assert summed(found, lambda o: o[2]) == {1: F(5, 18), 2: F(65, 324), 3: F(169, 324)}
    hits = summed(found, lambda o: o[1])
    assert (hits["DD1"], hits["DD2"]) == (F(727, 3888), F(3635, 11664))
    assert 1 - hits["-"] == F(727, 1458)

    for formation in ("COMPANY_COLUMN", "LINE"):
        charge = {**column_charge(1), "formation": formation}
        once = dice.every_roll(lambda rng, charge=charge: simulate_melee(charge, rng)["attacker"])
        assert once == {"NONE": F(5, 9), "BOUNCE": F(4, 9)}


@pytest.mark.parametrize(
    ("defences", "expected"),
    [
        (
            (12, 48),
            {
                ("AR", False): F(7, 36),
                ("AD2", False): F(1, 12),
                ("AD1", False): F(77, 648),
                ("BOUNCE", False): F(25, 81),
                ("NONE", False): F(85, 324),
                ("NONE", True): F(7, 216),
            },
        ),
        (
            (24, 24),
            {
                ("AR", False): F(35, 324),
                ("AD2", False): F(65, 432),
                ("AD1", False): F(59, 432),
                ("BOUNCE", False): F(25, 81),
                ("NONE", False): F(20, 81),
                ("NONE", True): F(4, 81),
            },
        ),
    ],
)
def test_exact_pair(defences, expected):
    """V-HEX-13: a line of two hexes against two stacks; the order does not matter."""
    for order in (defences, defences[::-1]):
        charge = {
            "formation": "LINE",
            "hexes": 2,
            "melee": 48,
            "increments": 8,
            "targets": [{"id": i, "melee": d, "contacts": 1} for i, d in enumerate(order)],
            "switches": {"stages": ("melee",)},
        }

        def play(rng, charge=charge):
            done = simulate_melee(charge, rng)
            return done["attacker"], done["pursuit"]

        assert dice.every_roll(play) == expected


@pytest.mark.parametrize(
    ("choice", "distance", "p"),
    [
        ("stand", 1, F(25, 36)),
        ("square", 4, F(415, 1944)),
        ("square", 3, F(115, 324)),
        ("square", 2, F(85, 162)),
        ("square", 1, F(1295, 1944)),
    ],
)
def test_stand_or_square(choice, distance, p):
    """V-HEX-14: chance that the infantry is broken."""
    charge = {
        "formation": "LINE",
        "hexes": 1,
        "melee": 24,
        "increments": 6,
        "targets": [{"id": "T", "melee": 12, "choice": choice, "distance": distance}],
    }

    def play(rng):
        target = simulate_melee(charge, rng)["targets"][0]
        return target["state"] == "PGD" or target["result"] in ("DD1", "DD2", "DR", "DS")

    assert dice.every_roll(play)[True] == p


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (24, 12, "2:1"),
        (8, 12, "1:2"),
        (11, 11, "1:1"),
        (33, 11, "3:1"),
        (47, 12, "3:1"),
        (48, 11, "4:1"),
        (8, 24, "1:3"),
    ],
)
def test_column_choice(attack, defence, column):
    """V-HEX-15."""
    assert tables.odds_column(attack, defence, tables.SYNTHETIC["melee"]["columns"]) == column


def test_below_the_first_column():
    """Odds below the first column: held or refused."""
    columns = tables.SYNTHETIC["melee"]["columns"]
    assert tables.odds_column(1, 100, columns) == "1:3"
    with pytest.raises(ValueError, match="below the first"):
        tables.odds_column(1, 100, columns, "reject")


def test_synthetic_tables():
    """The counts of 2.6, and the two cells known."""
    order = ["AS", "AR", "AD2", "AD1", "BLANK", "DD1", "DD2", "DR", "DS"]
    counts = {
        "1:3": [4, 8, 3, 3, 18, 0, 0, 0, 0],
        "1:2": [0, 7, 3, 3, 20, 3, 0, 0, 0],
        "1:1": [0, 2, 3, 3, 20, 3, 5, 0, 0],
        "3:2": [0, 0, 2, 3, 20, 3, 8, 0, 0],
        "2:1": [0, 0, 0, 2, 20, 3, 11, 0, 0],
        "3:1": [0, 0, 0, 0, 16, 3, 13, 4, 0],
        "4:1": [0, 0, 0, 0, 10, 3, 13, 10, 0],
        "5:1": [0, 0, 0, 0, 4, 3, 13, 10, 6],
    }
    rows = tables.SYNTHETIC["melee"]["rows"]
    for name, expected in counts.items():
        cells = list(rows[name].values())
        assert [cells.count(word) for word in order] == expected
    assert (rows["1:1"][41], rows["1:1"][62]) == ("BLANK", "DD2")
    for bands in tables.SYNTHETIC["square"].values():
        assert len([tables.read_square(bands, face) for face in dice.FACES]) == 36


@pytest.mark.parametrize(
    ("before", "results", "after"),
    [
        ("GOOD", ["DD1", "BLANK"], "DISORDERED"),
        ("GOOD", ["BLANK", "BLANK"], "DISORDERED"),
        ("GOOD", ["AD1", "DD1"], "DISORDERED"),
        ("DISORDERED", ["DD1", "BLANK"], "PGD"),
        ("DISORDERED", ["BLANK", "BLANK"], "PGD"),
        ("DISORDERED", ["AD1", "DD1"], "PGD"),
        ("GOOD", ["AR", "DD1"], "PGD"),
        ("GOOD", ["AS", "DD1"], "GONE"),
    ],
)
def test_line_state(before, results, after):
    """V-HEX-17, lines of several hexes."""
    assert fight("LINE", results, before)["attacker_state"] == after


def test_other_states():
    """V-HEX-17: no melee, one hex, columns."""
    for state in ("GOOD", "DISORDERED"):
        nobody = fight("LINE", [], state, hexes=3, targets=[{"state": "PGD"}] * 2)
        assert (nobody["attacker_state"], nobody["rolls"]) == (state, 0)
        assert (nobody["attacker"], nobody["pursuit"]) == ("NONE", False)
        single = fight("LINE", ["BLANK"], state, hexes=1)
        assert single["attacker_state"] == state
    good = fight("COMPANY_COLUMN", ["BLANK", "DD1"], hexes=2)
    assert (good["attacker_state"], good["consolidate_head"]) == ("GOOD", False)
    bad = fight("COMPANY_COLUMN", ["AD1", "BLANK", "BLANK"], "DISORDERED", hexes=3)
    assert (bad["attacker_state"], bad["consolidate_head"]) == ("PGD", True)
    still = fight("COMPANY_COLUMN", ["BLANK", "DD1"], "DISORDERED", hexes=2)
    assert (still["attacker_state"], still["consolidate_head"]) == ("DISORDERED", False)


def test_modifiers():
    """V-HEX-18, and within a charge."""
    assert tables.line_share(40, 2, 4, 6) == 26
    assert tables.column_share(40, 4, 6) == F(23, 2)
    targets = [{"id": "T", "melee": 11, "contacts": 2}]
    charge = {"hexes": 4, "melee": 40, "melee_modifier": 6, "targets": targets}
    charge["switches"] = {"stages": ("melee",)}
    for formation, share in [("LINE", 26), ("COMPANY_COLUMN", F(23, 2))]:
        done = simulate_melee({**charge, "formation": formation}, random.Random(1))
        assert done["targets"][0]["share"] == share


def test_dd0():
    """V-HEX-19: a disorder without a recoil."""
    done = waves(["DD0", "BLANK", "AD1"])
    assert (done["attacker"], done["defender"], done["rolls"]) == ("DISORDER", "DD0", 3)
    done = waves(["DD0", "DD0"])
    assert (done["attacker"], done["defender_state"], done["rolls"]) == ("NONE", "PGD", 2)
    done = waves(["DD0", "BLANK", "AD1"], dd0_stops=True)
    assert (done["attacker"], done["defender"], done["rolls"]) == ("NONE", "DD0", 1)
    done = fight("LINE", ["DD0", "DD1"])
    assert (done["attacker"], done["pursuit"]) == ("NONE", False)
    done = fight("LINE", ["DD0", "DD1"], targets=[{"state": "DISORDERED"}, {}])
    assert (done["attacker"], done["pursuit"]) == ("NONE", True)
    # a bounce is dropped for DD0 too
    assert waves(["DD0", "BLANK", "BLANK"])["attacker"] == "NONE"


def test_split_hexes():
    """HEX-LINE-08, HEX-SEQ-06: shared hexes, by choice or by half; counted again."""
    touching = {0: ["A"], 1: ["A", "B"], 2: ["B"], 3: []}
    assert tables.split_contacts(4, touching) == {"A": 2, "B": 1}
    assert tables.split_contacts(4, touching, choice={1: "B"}) == {"A": 1, "B": 2}
    assert tables.split_contacts(4, touching, "half") == {"A": F(3, 2), "B": F(3, 2)}
    assert tables.split_contacts(2, {0: ["B"], 1: ["B"]}, choice={1: "A"}) == {"B": 2}
    with pytest.raises(ValueError, match="more hexes"):
        fight("LINE", ["BLANK"], hexes=1, targets=[{"contacts": 2}])


def test_fire_and_recall():
    """Defensive fire scales the melee; a recall is one d6 and stops the pursuit."""
    charge = {
        "formation": "LINE",
        "hexes": 1,
        "melee": 24,
        "increments": 6,
        "targets": [{"id": "T", "melee": 12, "stand_modifier": 36, "morale": 11}],
        "tables": {"fire": [(2, F(1))]},
        "switches": {"stages": ("fire", "melee", "recall")},
        "recall": {"leader": True},
    }
    done = simulate_melee(charge, dice.written_d66([66]))
    assert (done["targets"][0]["share"], done["increments"]) == (16, 4)

    def play(rng):
        done = simulate_melee(charge, rng)
        return done["pursuit"], done["recalled"], done["pursues"]

    found = dice.every_roll(play)
    # 16:12 is 1:1, where two faces rout the charger, which then hears no recall
    assert summed(found, lambda o: o[1]) == {True: F(85, 108), False: F(17, 108), None: F(1, 18)}
    assert all(pursues == (pursuit and not recalled) for pursuit, recalled, pursues in found)
    gone = simulate_melee({**charge, "tables": {"fire": [(6, 1)]}}, random.Random(1))
    assert (gone["attacker_state"], gone["rolls"]) == ("GONE", 0)


def test_losses():
    """Losses are neither hit nor bounce; the defence is read again at each wave."""
    table = {
        "columns": [("1:1", F(1)), ("2:1", F(2))],
        "rows": {"1:1": {11: "1/2*"}, "2:1": {12: "DR"}},
    }
    faces = iter([11, 12])
    done = tables.run_column(24, 2, 12, table, lambda: next(faces), increments=4)
    assert (done["attacker"], done["defender"], done["defender_left"]) == ("NONE", "DR", 2)
    line = fight("LINE", ["1/2*"], hexes=1, targets=[{"increments": 2}])
    assert (line["increments"], line["targets"][0]["state"]) == (11, "GONE")
    assert line["targets"][0]["morale_check"]


def test_properties():
    """Section 5: a square stands, shares do not exceed the whole, more waves hit more often."""
    rng = random.Random(20)
    for _ in range(300):
        hexes = rng.randint(1, 5)
        targets = []
        free = hexes
        while free > 0:
            contact = rng.randint(1, free)
            free -= contact
            targets.append(
                {
                    "id": len(targets),
                    "melee": rng.randint(4, 30),
                    "contacts": contact,
                    "morale": 66,
                    "formation": rng.choice(["SQUARE", "LINE", "SKIRMISH"]),
                    "choice": rng.choice(["stand", "square", "retire"]),
                    "distance": rng.randint(1, 4),
                }
            )
        charge = {"formation": "LINE", "hexes": hexes, "melee": 40, "increments": 12}
        done = simulate_melee({**charge, "targets": targets}, rng)
        fought = [t for t in done["targets"] if t["stage"] == "melee"]
        assert done["rolls"] == len(fought)
        assert sum(t["share"] for t in fought) <= 40
        assert sum(t["share_increments"] for t in fought) <= 12
        for before, after in zip(targets, done["targets"], strict=True):
            if before["formation"] == "SQUARE" and before["choice"] != "retire":
                assert after["stage"] == "melee"

    hit = []
    for count in (1, 2):
        charge = {**column_charge(count), "melee": 11 * count}
        found = dice.every_roll(
            lambda rng, charge=charge: simulate_melee(charge, rng)["targets"][0]["result"]
        )
        hit.append(1 - found["-"])
    assert hit == [F(2, 9), F(2, 9) * (1 + F(13, 18))]
