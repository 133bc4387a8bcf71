"""An explorer for notebooks: sliders and switches of a scenario, and its answer at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from math import ceil, nan
from typing import Any, get_args

from chargesim.errors import InputError
from chargesim.faults import ScenarioError
from chargesim.report.charges import charge_sentence, combat_sentence
from chargesim.report.compare_tables import signless
from chargesim.report.grid_tables import axis_label, cell_text, level, value_label
from chargesim.report.payoffs import BEST, reacting, reactions
from chargesim.report.payoffs_tables import reply_label
from chargesim.report.provenance import foot_lines
from chargesim.report.render import Document, Table, html, number
from chargesim.report.result import Result, solve
from chargesim.report.values import Estimate, is_mean, measure
from chargesim.report.variations import CHOSEN, FIXED
from chargesim.scenario import Scenario
from chargesim.study.axes import NONE, Axis, make_axis, typed
from chargesim.words import translation

try:
    import ipywidgets as widgets
except ImportError:  # an extra: whoever explores has it
    widgets = None

MAIN = (
    "distance", "gap", "reach", "arc", "edge", "Ld", "discipline", "morale", "models",
    "increments", "shooters", "melee", "move", "facing", "mean", "sd",
)  # fmt: skip
"""Keys whose controls stand on the first page, beside the reactions."""
TRIALS = 50_000
"""Of a question that is too large to be answered exactly."""
SAVES = ("save", "ward", "regeneration")
SMALL = 20
"""Numbers of at most this range over all that the rules allow."""
WIDTH = {"description_width": "45%"}


class Explorer:
    """Controls for the paths of a scenario, and the answer to what they are set to.

    Shown as the last value of a cell of a notebook. Without a notebook its controls can be set and
    its answer read all the same.

    Parameters
    ----------
    scenario
        What it starts from.
    paths
        Those that get a control, in this order; by default numbers, words and truths of charges
        and units, the reactions and the switches.
    values
        Expressions that are shown above the outcomes.
    lang
        ``"en"`` or ``"es"``.
    options
        For :func:`chargesim.solve`.

    Attributes
    ----------
    controls
        Widget of each path.
    scenario
        The question as it is set.
    result
        Its answer; the last one while the controls are set to what cannot stand.
    message
        What cannot stand, or nothing.
    """

    def __init__(
        self,
        scenario: Scenario,
        paths: Iterable[str] | None,
        values: Iterable[str],
        lang: str,
        options: Mapping[str, Any],
    ) -> None:
        self.start = self.scenario = scenario
        self.lang, self.values, self._options = lang, tuple(values), dict(options)
        self.before = self.result = solve(scenario, **self._options)
        for value in self.values:
            measure(self.result, value)  # a fault is told now
        known = _usual(scenario) if paths is None else [scenario.full_path(path) for path in paths]
        self.controls: dict[str, Any] = {}
        for path in dict.fromkeys(known):
            control = _control(scenario, path, lang)
            if control is not None:
                self.controls[path] = control
        self._initial = {path: control.value for path, control in self.controls.items()}
        self.message, self.table = widgets.HTML(), widgets.HTML()
        say = translation("chargesim", lang).gettext
        self.reset = widgets.Button(description=say("as at the start"))
        self.reset.on_click(lambda _: self.set(**self._initial))
        self._quiet = False
        for control in self.controls.values():
            control.observe(self._changed, names="value")
        self.view = widgets.VBox(
            [*self._pages(paths is None), self.reset, self.message, self.table]
        )
        self._show()

    def set(self, **values: Any) -> None:
        """Set controls, several at once, and answer.

        Parameters
        ----------
        **values
            Path to value.

        Raises
        ------
        InputError
            For a path without a control, or a value that its control cannot take.
        """
        for path in values:
            if path not in self.controls:
                raise InputError(f"explore: there is no control for {path!r}")
        self._quiet = True
        try:
            for path, value in values.items():
                self.controls[path].value = value
        except Exception as error:
            if type(error).__name__ != "TraitError":
                raise
            raise InputError(f"explore: {path}: {value!r} cannot be: {error}") from None
        finally:
            self._quiet = False
            self._changed(None)

    @property
    def changes(self) -> dict[str, Any]:
        """Paths whose controls were moved, with what the scenario is given there."""
        found: dict[str, Any] = {}
        for path, control in self.controls.items():
            if control.value != self._initial[path]:
                found |= _meant(self.start, path, control.value)
        return found

    def _changed(self, _: object) -> None:
        if self._quiet:
            return
        try:
            self.scenario = self.start.replace(**self.changes)
            self.result = solve(self.scenario, **self._options)
        except ScenarioError as error:
            faults = "<br>".join(escape(str(fault)) for fault in error.faults)
            self.message.value = f"<b style='color:#D55E00'>{faults}</b>"
        except InputError as error:
            self.message.value = f"<b style='color:#D55E00'>{escape(str(error))}</b>"
        else:
            self.message.value = ""
            self._show()

    def _show(self) -> None:
        self.table.value = html(self._document())

    def _document(self) -> Document:
        """Every outcome as it is now, as it was at the start, and the difference."""
        say = translation("chargesim", self.lang).gettext
        blocks: list[str | Table] = []
        if self.values:
            blocks.append(self._compared("", [(v, value_label(v, self.lang)) for v in self.values]))
        for place, (_, view) in enumerate(self.result.charges):
            words = self._words("charges", place)
            blocks.append(self._compared(charge_sentence(view, self.lang), words))
        for place in range(len(self.result.combats)):
            words = self._words("combats", place)
            if words:
                blocks.append(self._compared(combat_sentence(self.result, place, self.lang), words))
        for one in self.result.alternatives:
            if one["chosen"]:
                text = say("Best for {unit}: {reply}. That is worth {amount} ({value}).")
                blocks.append(
                    text.format(
                        unit=one["unit"],
                        reply=reply_label(one["choice"], self.lang),
                        amount=number(one["value"], 2, self.lang),
                        value=say("to its owner"),
                    )
                )
        caveat = self.result.scenario.caveat(self.lang)
        return Document(
            self.scenario.title, tuple(blocks), foot_lines(self.result, self.lang), caveat
        )

    def _words(self, kind: str, place: int) -> list[tuple[str, str]]:
        """Outcomes of a charge or combat, now or at the start: expression and name."""
        found: dict[str, str] = {}
        for result in (self.before, self.result):
            part, view = getattr(result, kind)[place]
            prefix = str(place) if kind == "charges" else str(view.labels["target"])
            words = result.words(part, view)
            order = result.scenario.ruleset.fates if kind == "combats" else view.words.values()
            for word in (word for word in order if word in words):
                found.setdefault(f"{prefix}:{word}", value_label(word, self.lang))
        return list(found.items())

    def _compared(self, caption: str, rows: list[tuple[str, str]]) -> Table:
        say = translation("chargesim", self.lang).gettext
        cells: list[tuple[str, ...]] = []
        shares: list[float | None] = []
        for expression, name in rows:
            now, then = (_measured(one, expression) for one in (self.result, self.before))
            mean = is_mean(expression)
            shares.append(None if mean or now.value != now.value else now.value)
            change = (1 if mean else 100) * (now.value - then.value)
            decimals = 3 if now.is_exact and then.is_exact else 1
            shown = "\u2013" if change != change else signless(number(change, decimals, self.lang))
            cells.append(
                (
                    name,
                    cell_text(now, self.lang, mean=mean),
                    cell_text(then, self.lang, mean=mean),
                    f"+{shown}" if change > 0 and shown.strip("0.,") else shown,
                )
            )
        heads = (say("outcome"), say("now"), say("at the start"), say("difference, points"))
        return Table(heads, tuple(cells), caption, tuple(shares), numbers=frozenset({1, 2, 3}))

    def _pages(self, divided: bool) -> list[Any]:
        """The controls: those that were asked for in one box, or the usual ones by subject."""
        if not divided:
            return [widgets.VBox(list(self.controls.values()))]
        say = translation("chargesim", self.lang).gettext
        pages: dict[str, list[Any]] = {}
        for path, control in self.controls.items():
            parts = path.split(".")
            if parts[0] == "reaction" or (parts[-1] in MAIN and parts[0] in ("charge", "unit")):
                title = say("the charge")
            elif parts[0] in ("charge", "unit"):
                title = parts[1] if parts[0] == "unit" else say("more of the charge")
            else:
                title = say("switches")
            pages.setdefault(title, []).append(control)
        first = say("the charge")
        order = sorted(pages, key=lambda title: title != first)
        tab = widgets.Tab([widgets.VBox(pages[title]) for title in order], titles=order)
        return [tab]

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widgets, and for pages that cannot run them the answer as it stands."""
        bundle = self.view._repr_mimebundle_(**options)
        content = dict(bundle[0] if isinstance(bundle, tuple) else bundle or {})
        say = translation("chargesim", self.lang).gettext
        settings = "; ".join(
            f"{escape(control.description)} = {escape(_shown(control))}"
            for path, control in self.controls.items()
            if control.value != self._initial[path]
        )
        live = say("{count} controls: run this cell to move them.").format(count=len(self.controls))
        content["text/html"] = f"<p><i>{live}</i></p><p>{settings}</p>{self.table.value}"
        content["text/plain"] = repr(self)
        return content

    def __repr__(self) -> str:
        return f"Explorer({self.scenario.title!r}, {len(self.controls)} controls)"


def explore(
    scenario: Scenario,
    paths: Iterable[str] | None = None,
    values: Iterable[str] = (),
    lang: str = "en",
    **options: Any,
) -> Explorer:
    """Open a scenario for exploring in a notebook: move a control, and read the answer.

    Parameters
    ----------
    scenario
        What it starts from.
    paths
        Paths that get a control, such as ``["charge.0.distance", "reaction.spears"]``; by default
        all numbers, words and truths of charges and units, the reactions and the switches.
    values
        Expressions that are shown above the outcomes, such as ``["mean:boars:models_left"]``.
    lang
        ``"en"`` or ``"es"``.
    **options
        ``engine``, ``trials`` (50,000 where a question is too large to be answered exactly),
        ``seed``, ``threads``, ``max_states``, as for :func:`chargesim.solve`.

    Returns
    -------
    Explorer

    Raises
    ------
    InputError
        When ipywidgets is missing, for a path that leads to nothing, or an unknown outcome.
    """
    if widgets is None:
        raise InputError(
            "explore: ipywidgets is missing: install it with pip install 'chargesim[notebook]'"
        )
    return Explorer(scenario, paths, values, lang, {"trials": TRIALS, **options})


def _measured(result: Result, expression: str) -> Estimate:
    """A value; what cannot be asked any more, such as of a target that fled, is undefined."""
    try:
        return measure(result, expression)
    except InputError:
        return Estimate(nan, nan, nan, result.engine)


def _usual(scenario: Scenario) -> list[str]:
    """Paths that get a control when none are named."""
    charged = [path for path in scenario.paths if path.startswith("reaction.")]
    found = []
    for path, field in scenario.paths.items():
        parts = path.split(".")
        if parts[0] in CHOSEN or field is None:
            continue
        if parts[0] != "switches" and parts[-1] in FIXED:
            continue
        value = scenario.at(path)
        if value is None and parts[-1] not in (*MAIN, *SAVES):
            continue  # what a unit does not have is not offered
        if isinstance(value, str) and not _literals(field.annotation) and parts[-1] not in SAVES:
            continue
        found.append(path)
    return [*charged, *found]


def _control(scenario: Scenario, path: str, lang: str) -> Any:
    """A widget for a path, set to its value; ``None`` for what has no simple values."""
    settings: dict[str, Any] = {
        "description": axis_label(scenario, path, lang),
        "style": WIDTH,
        "layout": {"width": "34em"},
    }
    parts = path.split(".")
    if parts[0] == "reaction":
        return _reaction(scenario, parts[1], settings, lang)
    if parts[0] == "unit" and len(parts) == 2:
        names = list(scenario.unit_names)
        return widgets.Dropdown(options=names, value=parts[1], **settings)
    field, value = scenario.paths[path], scenario.at(path)
    words = _literals(field.annotation)
    if isinstance(value, bool):
        return widgets.Checkbox(value=value, indent=True, **settings)
    if words and (value is None or isinstance(value, str)):
        options = [(level(word, lang), word) for word in words]
        if value is None or _is_optional(field.annotation):
            options.insert(0, (level(NONE, lang), NONE))
        if len(options) == 1:
            return None  # nothing to choose
        return widgets.Dropdown(options=options, value=NONE if value is None else value, **settings)
    if isinstance(value, (int, float)):
        return _slider(field, value, settings)
    if parts[-1] in SAVES and (value is None or isinstance(value, str)):
        names = [NONE, *(f"{face}+" for face in range(6, 0, -1))]
        names += [value] if value is not None and value not in names else []
        texts = [(level(name, lang), name) for name in names]
        return widgets.Dropdown(options=texts, value=value or NONE, **settings)
    if value is None and _is_number(field.annotation):
        return _absent(scenario, path, field, settings, lang)
    if isinstance(value, str):
        return widgets.Text(value=value, continuous_update=False, **settings)
    return None


def _reaction(scenario: Scenario, unit: str, settings: dict[str, Any], lang: str) -> Any:
    """A choice among the reactions of a charged unit; none for others."""
    try:
        reacting(scenario, unit)
        options = reactions(scenario, unit)
    except InputError:
        return None
    path = f"reaction.{unit}"
    names = [*(name for name, _ in options), BEST]
    shown = [(reply_label(name, lang), name) for name in names]
    chosen = names[0]
    if path.split(".")[1] in scenario.model.reaction:
        wish = scenario.at(path)
        for name, changes in options:
            if scenario.replace(**changes).at(path) == wish:
                chosen = name
        chosen = BEST if wish == BEST else chosen
    return widgets.Dropdown(options=shown, value=chosen, **settings)


def _slider(field: Any, value: float, settings: dict[str, Any]) -> Any:
    low, high = _bounds(field.annotation, field.metadata)
    whole = isinstance(value, int) and float not in _kinds(field.annotation)
    if high - low > SMALL:
        low = max(low, min(-abs(value), value - 10)) if low < 0 else low
        high = min(high, max(2 * value, value + 10))
    if whole:
        return widgets.IntSlider(value=value, min=int(low), max=int(high), **settings)
    step = 1.0 if value == int(value) else 0.5 if 2 * value == int(2 * value) else 0.01
    # lengths may not be nothing, and a slider counts its steps from its least value
    low = step if 0 < low < step else low
    return widgets.FloatSlider(
        value=value, min=low, max=high, step=step, readout_format=".4g", **settings
    )


def _absent(scenario: Scenario, path: str, field: Any, settings: dict[str, Any], lang: str) -> Any:
    """A slider for a number that is not given; ``None`` where it may not be given."""
    low, high = _bounds(field.annotation)
    first = max(ceil(low), 1)
    try:
        scenario.replace(**{path: first})
    except ScenarioError:
        return None
    options: list[tuple[str, Any]] = [(level(NONE, lang), NONE)]
    options += [(str(i), i) for i in range(ceil(low), int(min(high, _most(scenario, path))) + 1)]
    return widgets.SelectionSlider(options=options, value=NONE, **settings)


def _kinds(annotation: Any) -> set[type]:
    """Types of numbers among those that a path may take."""
    if annotation in (int, float):
        return {annotation}
    return set().union(*(_kinds(inner) for inner in get_args(annotation)), set())


def _is_number(annotation: Any) -> bool:
    return bool(_kinds(annotation))


def _is_optional(annotation: Any) -> bool:
    return type(None) in get_args(annotation)


def _literals(annotation: Any) -> list[str]:
    """Words that a path may take, where it takes nothing but words."""
    words: list[str] = []
    for inner in get_args(annotation):
        if isinstance(inner, str):
            words.append(inner)
        elif inner is not type(None):
            words += _literals(inner)
    return words


def _bounds(annotation: Any, metadata: Iterable[Any] = ()) -> tuple[float, float]:
    """Least and greatest number, wherever the model writes them."""
    low, high = 0.0, 1000.0
    found = list(metadata)
    queue = [annotation]
    while queue:
        kind = queue.pop()
        for inner in get_args(kind):
            queue.append(inner)
            found += getattr(inner, "metadata", ())
        found += getattr(kind, "__metadata__", ())
    for one in found:
        low = float(getattr(one, "ge", low))
        high = float(getattr(one, "le", high))
    return low, high


def _most(scenario: Scenario, path: str) -> int:
    """How many a number that is not given may be."""
    parts = path.split(".")
    unit = scenario.model.unit.get(parts[1]) if parts[0] == "unit" else None
    return int(getattr(unit, "models", 0) or 60) if parts[-1] == "shooters" else 60


def _meant(scenario: Scenario, path: str, value: Any) -> dict[str, Any]:
    """What the scenario is given for the value of a control."""
    if path.startswith("reaction."):
        found = dict(reactions(scenario, path.split(".")[1]))
        return {path: BEST} if value == BEST else dict(found[value])
    plain = typed(value) if isinstance(value, str) else value
    if isinstance(plain, float) and plain == int(plain):
        plain = int(plain)
    axis: Axis = make_axis(scenario, path, [plain])
    return axis.changes(scenario, 0)


def _shown(control: Any) -> str:
    options = getattr(control, "options", None)
    if options and isinstance(options[0], tuple):
        return next(str(text) for text, value in options if value == control.value)
    value = control.value
    return f"{value:g}" if isinstance(value, float) else str(value)
