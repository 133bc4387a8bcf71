"""Words of the results in words for people."""

from __future__ import annotations

from chargesim.words import translation


def _(text: str) -> str:
    """Mark a text for the catalogue."""
    return text


LABELS = {
    "contact": _("charge makes contact"),
    "out_of_reach": _("charge falls short"),
    "refused_fear": _("charger fears the target and stays"),
    "charger_fled_terror": _("charger flees in terror"),
    "charger_fled_panic": _("charger panics under fire"),
    "charger_destroyed": _("charger shot down to the last"),
    "target_fled_escaped": _("target flees and gets away"),
    "target_fled_caught": _("target flees and is run down"),
    "target_fled_off_table": _("target flees off the table"),
    "redirected_contact": _("redirected charge makes contact"),
    "blocked": _("way is blocked"),
    "needs_sixes": _("target needs sixes to hit"),
    "shooting_casualties": _("models lost to stand and shoot"),
    "flee_distance": _("flight rolled"),
    "impact_hits": _("impact hits"),
    "impact_wounds": _("wounds by impact hits"),
    "no_combat": _("no combat"),
    "draw": _("draw"),
    "target_wiped_out": _("target wiped out"),
    "target_broke_caught": _("target breaks and is run down"),
    "target_broke_escaped": _("target breaks and gets away"),
    "target_held": _("target loses but holds"),
    "charger_wiped_out": _("charger wiped out"),
    "charger_broke_caught": _("charger breaks and is run down"),
    "charger_broke_escaped": _("charger breaks and gets away"),
    "charger_held": _("charger loses but holds"),
    "combat_result": _("combat result, charger's less target's"),
    "active_wounds": _("wounds the charger caused"),
    "reactive_wounds": _("wounds the target caused"),
    "models_left": _("models left"),
    "wounds_left": _("wounds left"),
    "steady": _("steady"),
    "fighting": _("fighting"),
    "pursuing": _("pursuing"),
    "overran": _("overran"),
    "fleeing": _("fleeing"),
    "fled_off_table": _("fled off the table"),
    "destroyed": _("destroyed"),
    "hold": _("hold"),
    "stand_and_shoot": _("stand and shoot"),
    "flee": _("flee"),
    "redirect": _("redirect"),
    "never redirect": _("never redirect"),
    "pursue": _("pursue"),
    "restrain": _("restrain pursuit"),
}


def label(word: str, lang: str) -> str:
    """A result's word for people, in a language; the word itself where there is no better."""
    text = LABELS.get(word, word.replace("_", " "))
    return translation("chargesim", lang).gettext(text)
