"""Dice of the hex ruleset, die by die: base six, morale, chances, and every roll there is."""

from fractions import Fraction


def index_of(face):
    """Place 1..36 of a d66 face: tens and ones of base six (2.2)."""
    tens, ones = face // 10, face % 10
    if not (1 <= tens <= 6 and 1 <= ones <= 6):
        raise ValueError(f"{face} is no d66 face")
    return 6 * (tens - 1) + ones


def face_of(index):
    """Face of a place 1..36 (2.2)."""
    if not 1 <= index <= 36:
        raise ValueError(f"{index} is no place on a d66")
    return 10 * ((index - 1) // 6 + 1) + (index - 1) % 6 + 1


def shift_face(face, modifier):
    """Face moved by a base-six modifier, held between 11 and 66 (2.2)."""
    index = index_of(face) + modifier
    if index < 1:
        index = 1
    if index > 36:
        index = 36
    return face_of(index)


FACES = [face_of(i) for i in range(1, 37)]


def roll_d66(rng):
    """Two coloured dice, the first the tens (2.2)."""
    tens = rng.randint(1, 6)
    ones = rng.randint(1, 6)
    return 10 * tens + ones


def as_fraction(number):
    """A number as it is written: 0.3 is three tenths."""
    return number if isinstance(number, Fraction) else Fraction(str(number))


def chance(rng, p):
    """One throw of a chance p; nothing is thrown for 0 and 1."""
    p = as_fraction(p)
    if p <= 0:
        return False
    if p >= 1:
        return True
    return rng.randint(1, p.denominator) <= p.numerator


def draw(rng, pmf):
    """One value of [(value, probability), ...], asked one after the other."""
    left = Fraction(1)
    for value, p in pmf:
        p = as_fraction(p)
        if left > 0 and chance(rng, p / left):
            return value
        left -= p
    return pmf[-1][0]


def passes_morale(face, value, modifier=0, auto_faces="none"):
    """Whether this face passes: strictly greater than the morale value, once modified (2.2)."""
    if auto_faces == "11_fails_66_passes":
        if face == 11:
            return False
        if face == 66:
            return True
    return index_of(shift_face(face, modifier)) > index_of(value)


def check_morale(rng, value, modifier=0, morale_dice="d66", auto_faces="none"):
    """Morale check with the dice of the switch ``morale_dice`` (2.2)."""
    if morale_dice == "d66":
        return passes_morale(roll_d66(rng), value, modifier, auto_faces)
    if morale_dice == "2d6":
        return rng.randint(1, 6) + rng.randint(1, 6) + modifier > value
    if morale_dice == "d10":
        return rng.randint(1, 10) + modifier > value
    if morale_dice == "probability":
        # a step of a d66 is one face in 36
        return chance(rng, as_fraction(value) + Fraction(modifier, 36))
    raise ValueError(f"unknown morale dice {morale_dice}")


def morale_probability(value, modifier=0, auto_faces="none"):
    """Chance to pass on a d66, all 36 faces counted (2.2)."""
    passed = 0
    for face in FACES:
        if passes_morale(face, value, modifier, auto_faces):
            passed += 1
    return Fraction(passed, 36)


class WrittenDice:
    """Dice that fall as written; beyond the end of the writing they show their lowest face."""

    def __init__(self, script):
        self.script = list(script)
        self.tops = []

    def randint(self, low, high):
        """The next written face."""
        if len(self.tops) == len(self.script):
            self.script.append(low)
        value = self.script[len(self.tops)]
        if not low <= value <= high:
            raise ValueError(f"{value} written for a die of {low}..{high}")
        self.tops.append(high)
        return value


def written_d66(faces):
    """Dice that show these d66 faces one after the other."""
    script = []
    for face in faces:
        script += [face // 10, face % 10]
    return WrittenDice(script)


def every_roll(play):
    """All ways the dice of ``play(rng)`` can fall, with what comes of it: {outcome: chance}.

    Every die has to start at 1. The outcome has to be hashable.
    """
    found = {}
    script = []
    while True:
        dice = WrittenDice(script)
        outcome = play(dice)
        weight = Fraction(1)
        for top in dice.tops:
            weight /= top
        found[outcome] = found.get(outcome, Fraction(0)) + weight
        script = dice.script[: len(dice.tops)]
        tops = list(dice.tops)
        while script and script[-1] == tops[-1]:
            script.pop()
            tops.pop()
        if not script:
            return found
        script[-1] += 1
