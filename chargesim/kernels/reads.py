"""What a step of the rules can read, found in the text of the rules.

Two games come to the same by a step when they agree in all that it can read. That is a set of
fields, found for each phase by following the calls from the ruleset's step: the names in the text
of every kernel that can be reached. A branch on the phase is followed as far as the phase goes
there, and kernels that always end in a test, with all that they read for it, count only where a
test was asked for: for the target of it, and nothing else. It may hold too much, which costs time,
and never too little.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Collection, Iterator
from functools import cache
from operator import eq, ge, gt, le, lt, ne
from types import FunctionType, ModuleType
from typing import Any

from chargesim.kernels.dice import leadership_test, note
from chargesim.kernels.jit import kept_text
from chargesim.kernels.room import BITS, TEST_BIT

_PHASE = "phase"
_FIRST = "int(head['phase'])"
"""How a step finds out which phase it is."""
_WHOLE = re.compile(r"\[\[.*\]\]")
_COMPARE: dict[type, Callable[[int, int], bool]] = {
    ast.Eq: eq, ast.NotEq: ne, ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge,
}  # fmt: skip
_PLACES = ast.Subscript | ast.Attribute
_Call = tuple[FunctionType, int | None]


def fields_read(step: Callable[..., None], phases: Collection[int]) -> list[frozenset[str]]:
    """Names that can be read, by the bit of what has happened.

    Parameters
    ----------
    step
        The ruleset's step.
    phases
        All phases, at most ``TEST_BIT``.

    Returns
    -------
    list of frozenset of str
        ``BITS`` of them. Every name in the text is there: which are fields, the layout knows.
    """
    function = _plain(step)
    text = kept_text(
        f"fields_read-{function.__module__}",
        _WHOLE,
        lambda: json.dumps([sorted(names) for names in _reckon(function, phases)]),
    )
    return [frozenset(names) for names in json.loads(text)]


def _reckon(step: FunctionType, phases: Collection[int]) -> list[frozenset[str]]:
    anything, _ = _reach((step, None), stop=False)
    found = [anything] * BITS
    testing: frozenset[str] = frozenset()
    asked: set[_Call] = set()
    for phase in phases:
        found[phase], tests = _reach((step, phase), stop=True)
        asked.update(tests)
        for test in tests:
            testing |= _reach(test, stop=False)[0]
    found[TEST_BIT] = testing
    if not all(_only_tests(one) for one in asked):
        found[:TEST_BIT] = [names | testing for names in found[:TEST_BIT]]
    return found


def _only_tests(test: _Call) -> bool:
    """True when nothing but the target of a test hangs on what is read for it."""
    met, waiting = {test}, [test]
    while waiting:
        function, _ = call = waiting.pop()
        if function.__module__ == leadership_test.__module__:
            if function not in (_plain(leadership_test), _plain(note)):
                return False
            continue
        stores = (node for node in ast.walk(_definition(function)) if isinstance(node, _PLACES))
        if any(isinstance(node.ctx, ast.Store) for node in stores):
            return False
        _, calls = _text(*call)
        waiting += calls - met
        met |= calls
    return True


def _reach(begin: _Call, stop: bool) -> tuple[frozenset[str], list[_Call]]:
    """Names in the text of all that a call can reach, and calls before which to stop: tests."""
    names: set[str] = set()
    tests: list[_Call] = []
    met, waiting = {begin}, [begin]
    while waiting:
        call = waiting.pop()
        if stop and _ends_in_test(call[0]):
            tests.append(call)
            continue
        own, calls = _text(*call)
        names |= own
        waiting += calls - met
        met |= calls
    return frozenset(names), tests


@cache
def _text(function: FunctionType, phase: int | None) -> tuple[frozenset[str], frozenset[_Call]]:
    """Names in a function's own text, and the functions that it names with the phase they get."""
    local, outer = set(function.__code__.co_varnames), function.__globals__
    names: set[str] = set()
    calls: set[_Call] = set()
    with_phase: set[ast.AST] = set()
    for node in _followed(_definition(function).body, _numbers(function, phase)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
        value = None
        if isinstance(node, ast.Name) and node.id not in local and node not in with_phase:
            value = outer.get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = outer.get(node.value.id)
            if isinstance(module, ModuleType) and module.__name__.startswith("chargesim."):
                value = getattr(module, node.attr, None)
        if isinstance(value, str):
            names.add(value)
        elif (called := _plain(value)) is not None:
            calls.add((called, None))
        if phase is not None and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = _plain(outer.get(node.func.id))
            if called is not None and _is_handed_on(node, called):
                calls.add((called, phase))
                with_phase.add(node.func)
    return frozenset(names), frozenset(calls)


def _plain(value: Any) -> Any:
    """Plain function of a kernel; ``None`` for anything else."""
    value = getattr(value, "py_func", value)
    return value if isinstance(value, FunctionType) else None


@cache
def _definition(function: FunctionType) -> ast.FunctionDef:
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(found, ast.FunctionDef)
    if isinstance(found.body[0], ast.Expr) and isinstance(found.body[0].value, ast.Constant):
        del found.body[0]  # the docstring
    return found


def _ends_in_test(function: FunctionType) -> bool:
    """True for a function that cannot return without asking for a test."""
    definition = _definition(function)
    returns = [node for node in ast.walk(definition) if isinstance(node, ast.Return)]
    last = definition.body[-1]
    return (
        returns == [last]
        and isinstance(returns[0].value, ast.Call)
        and isinstance(returns[0].value.func, ast.Name)
        and function.__globals__.get(returns[0].value.func.id) is leadership_test
    )


def _is_handed_on(call: ast.Call, called: FunctionType) -> bool:
    """True when a call hands on the phase under its own name."""
    parameters = [argument.arg for argument in _definition(called).args.args]
    given = [argument.id if isinstance(argument, ast.Name) else "" for argument in call.args]
    return any(a == b == _PHASE for a, b in zip(parameters, given, strict=False))


def _numbers(function: FunctionType, phase: int | None) -> dict[str, int]:
    """Numbers that are known by name in a function; none where the phase is not known.

    It is known where it is handed over and not changed, and where the step finds it out.
    """
    definition = _definition(function)
    stores = [
        node
        for node in ast.walk(definition)
        if isinstance(node, ast.Name) and node.id == _PHASE and isinstance(node.ctx, ast.Store)
    ]
    found_out = [
        node.targets[0]
        for node in ast.walk(definition)
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == _FIRST
    ]
    is_given = _PHASE in [argument.arg for argument in definition.args.args]
    if phase is None or stores != ([] if is_given else found_out):
        return {}
    local = function.__code__.co_varnames
    known = {n: v for n, v in function.__globals__.items() if n not in local and type(v) is int}
    return {**known, _PHASE: phase}


def _followed(nodes: Any, known: dict[str, int]) -> Iterator[ast.AST]:
    """All of the text but branches that are not taken."""
    for node in nodes:
        if isinstance(node, ast.If) and (taken := _truth(node.test, known)) is not None:
            yield from _followed(node.body if taken else node.orelse, known)
        else:
            yield node
            yield from _followed(ast.iter_child_nodes(node), known)


def _truth(test: ast.expr, known: dict[str, int]) -> bool | None:
    """What comes of a condition; ``None`` where that depends on more than is known."""
    if isinstance(test, ast.BoolOp):
        values = [_truth(part, known) for part in test.values]
        settles = isinstance(test.op, ast.Or)
        if settles in values:
            return settles
        return None if None in values else not settles
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = _number(test.left, known), _number(test.comparators[0], known)
        compare = _COMPARE.get(type(test.ops[0]))
        if compare is not None and left is not None and right is not None:
            return compare(left, right)
    return None


def _number(side: ast.expr, known: dict[str, int]) -> int | None:
    """A number that is written down, or known by its name."""
    if isinstance(side, ast.Constant) and type(side.value) is int:
        return side.value
    return known.get(side.id) if isinstance(side, ast.Name) else None
