"""Earlier results in a store, from which a study can begin."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

from chargesim.engine.sample import FIRST_TRIALS
from chargesim.errors import InputError
from chargesim.study.answers import Answer
from chargesim.study.design import Design
from chargesim.study.plan import Plan, design_in
from chargesim.study.sheets import answers_in, read_sheet
from chargesim.study.store import Shelf, Store, is_sound

_KEPT_SHEETS = 16


class Earlier:
    """Results of other studies that ask the same of their points, to begin from.

    Parameters
    ----------
    store, shelf, plan
        Where they are, and what they are wanted for.
    """

    def __init__(self, store: Store, shelf: Shelf, plan: Plan) -> None:
        self.plan = plan
        self.sources: list[tuple[Shelf, dict[str, Any], Design, dict[int, Path]]] = []
        self.sheets: OrderedDict[Path, dict[int, Answer]] = OrderedDict()
        for other in store.others:
            try:
                manifest = other.manifest()
            except InputError:
                continue
            files = other.files()
            if files and manifest["question_hash"] == plan.question_hash:
                self.sources.append((other, manifest, design_in(manifest), files))
        # those with the most trials first
        self.sources.sort(key=lambda source: -(source[1]["trials"] or 0))

    def answer(self, number: int, row: tuple[Any, ...]) -> Answer | None:
        """What is known of a point, ``None`` where it has to be begun anew."""
        for _, manifest, design, files in self.sources:
            place = design.number_of(row)
            if place is None or place // manifest["points_a_job"] not in files:
                continue
            found = self._sheet(files[place // manifest["points_a_job"]], design).get(place)
            if found is None or found.error:
                continue
            if self._is_of_use(found, place, number, manifest):
                return Answer(number, row, found.trials, dict(found.cells))
        return None

    def _is_of_use(self, found: Answer, place: int, number: int, manifest: dict[str, Any]) -> bool:
        """True where going on from it leads to the numbers of a fresh start."""
        study = self.plan.study
        if found.trials is None:
            return True
        if any(cell.kind == "choice" for cell in found.cells):
            return False
        if study.luck == "independent" and place != number:
            return False
        if study.precision is None:
            return found.trials <= (study.trials or 0)
        # a fresh start doubles from the first trials, and must not stop before these
        wider = manifest["precision"] is not None and manifest["precision"] >= study.precision
        return wider or found.trials <= FIRST_TRIALS

    def _sheet(self, file: Path, design: Design) -> dict[int, Answer]:
        if file not in self.sheets:
            sound = is_sound(file)
            self.sheets[file] = answers_in(read_sheet(file), design.axes) if sound else {}
            if len(self.sheets) > _KEPT_SHEETS:
                self.sheets.popitem(last=False)
        self.sheets.move_to_end(file)
        return self.sheets[file]
