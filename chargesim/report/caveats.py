"""What must be said wherever numbers are shown, such as that they rest on made-up tables."""

from __future__ import annotations

from collections.abc import Iterable

from chargesim.scenario import Scenario


def caveats(scenarios: Iterable[Scenario], lang: str) -> tuple[str, ...]:
    """What must be said of the numbers of some scenarios, each once."""
    every = (scenario.caveat(lang) for scenario in scenarios)
    return tuple(dict.fromkeys(caveat for caveat in every if caveat))


def caveat_of(*scenarios: Scenario) -> dict[str, str]:
    """The same for JSON: nothing where there is nothing to say."""
    found = " ".join(caveats(scenarios, "en"))
    return {"caveat": found} if found else {}
