"""The template language of articles: jinja2 in a sandbox, with blocks for languages and claims."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, nodes
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from chargesim.errors import ChargesimError, InputError
from chargesim.faults import nearest
from chargesim.words import LANGUAGES

_SPECIAL = re.compile(r"([\\`*\[\]<>&|~]|(?<![^\W_])_|_(?![^\W_]))")
_AT_START = re.compile(r"^(\s*)([-+=:#]+|\d+[.)])(?=\s|$)")
_PRIVATE = dict.fromkeys(range(0xE010, 0xE015))
"""Marks of blocks and claims, which no text may bring along."""


def escape_markdown(text: str) -> Markup:
    """A text that means nothing to Markdown or HTML, on one line.

    Parameters
    ----------
    text
        Such as the name of a unit from somebody's army list.
    """
    plain = re.sub(r"\s*[\r\n\t]\s*", " ", str(text).translate(_PRIVATE))
    plain = _SPECIAL.sub(r"\\\1", plain)
    plain = _AT_START.sub(lambda match: f"{match[1]}{match[2][:-1]}\\{match[2][-1]}", plain)
    return Markup(plain)  # escaped above


def line_of_call() -> int:
    """Line of the template that is being rendered, 0 outside of one."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if template is not None:
            return int(template.get_corresponding_lineno(frame.f_lineno))
        frame = frame.f_back
    return 0


class LanguageBlock(Extension):
    """``{% lang es %} … {% endlang %}``: only where the page is in this language."""

    tags = {"lang"}  # noqa: RUF012  # as the base class has it

    def parse(self, parser: Parser) -> nodes.Node:
        """Read the block."""
        line = next(parser.stream).lineno
        word = parser.stream.expect("name").value
        if word not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            parser.fail(f"no language {word!r}: one of {known}{nearest(word, LANGUAGES)}", line)
        test = nodes.Compare(
            nodes.Name("lang", "load"), [nodes.Operand("eq", nodes.Const(word))], lineno=line
        )
        body = parser.parse_statements(("name:endlang",), drop_needle=True)
        return nodes.If(test, body, [], [], lineno=line)


class ClaimBlock(Extension):
    """``{% claim contact > 0.5 %} … {% endclaim %}``: a sentence and what makes it true.

    Claims are not jinja's expressions: before jinja sees them they are put between quotes.
    """

    tags = {"claim"}  # noqa: RUF012  # as the base class has it

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Put what is claimed between quotes, outside of comments and raw blocks."""

        def quoted(match: re.Match[str]) -> str:
            if match["claim"] is None:
                return match[0]
            text = match["claim"].strip()
            if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
                text = text[1:-1]
            safe = text.replace("\\", "\\\\").replace('"', '\\"')
            return f'{match["open"]} claim "{safe}" {match["close"]}'

        return _CLAIMS.sub(quoted, source)

    def parse(self, parser: Parser) -> nodes.Node:
        """Read the block."""
        line = next(parser.stream).lineno
        if not parser.stream.current.test("string"):
            parser.fail("a claim compares: write {% claim contact > 0.5 %} … {% endclaim %}", line)
        text = nodes.Const(next(parser.stream).value)
        body = parser.parse_statements(("name:endclaim",), drop_needle=True)
        call = self.call_method(
            "judge", [text, nodes.Const(line), nodes.DerivedContextReference()], lineno=line
        )
        return nodes.CallBlock(call, [], [], body).set_lineno(line)

    def judge(self, text: str, line: int, context: Context, caller: Callable[[], str]) -> str:
        """Have a claim judged by whoever builds the article."""
        judge = context["__judge__"]
        return str(judge(text, line, context, caller()))


_CLAIMS = re.compile(
    r"\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}|\{#.*?#\}"
    r"|(?P<open>\{%[-+]?)\s*claim\b(?P<claim>.*?)(?P<close>[-+]?%\})",
    re.DOTALL,
)


class TemplateFault(InputError):
    """A plan's template cannot be rendered; says file and line."""


def environment(finalize: Callable[[Any], Any]) -> ImmutableSandboxedEnvironment:
    """The environment that renders plans.

    Parameters
    ----------
    finalize
        Turns what stands between ``{{ }}`` into text.
    """
    made = ImmutableSandboxedEnvironment(
        extensions=[LanguageBlock, ClaimBlock],
        undefined=StrictUndefined,
        autoescape=True,
        finalize=finalize,
        keep_trailing_newline=True,
    )
    # the same plan gives the same page: nothing may depend on chance
    made.globals.pop("lipsum")
    made.filters.pop("random")
    return made


def render(
    made: ImmutableSandboxedEnvironment, body: str, file: str, variables: dict[str, Any]
) -> str:
    """Render the body of a plan.

    Parameters
    ----------
    made
        From :func:`environment`.
    body
        The template; its lines count as in the file.
    file
        Name of the file, for messages.
    variables
        What it may use.

    Raises
    ------
    TemplateFault
        With file and line.
    """
    line = 0
    try:
        code = made.compile(body, name=file, filename=file)
        template = made.template_class.from_code(made, code, dict(made.globals), lambda: True)
        return template.render(variables)
    except TemplateSyntaxError as error:
        raise TemplateFault(f"{file}, line {error.lineno}: {_plain(error)}") from None
    except (UndefinedError, SecurityError, TemplateError) as error:
        line = _line(error, file)
        raise TemplateFault(f"{file}, line {line}: {_known(error, variables)}") from None
    except ChargesimError as error:
        raise TemplateFault(f"{file}, line {_line(error, file)}: {error}") from None
    except RecursionError as error:
        raise TemplateFault(f"{file}, line {_line(error, file)}: macros without end") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # what a template does with values that do not fit; anything else is a fault of ours
        if not _line(error, file):
            raise
        kind = type(error).__name__
        raise TemplateFault(f"{file}, line {_line(error, file)}: {kind}: {error}") from None


def _plain(error: TemplateSyntaxError) -> str:
    return str(error.message or "cannot be read").rstrip(".")


def _known(error: TemplateError, variables: dict[str, Any]) -> str:
    """What jinja says, and for an unknown name the nearest known."""
    text = str(error.message or error)
    match = re.match(r"'(\w+)' is undefined", text)
    names = [name for name in variables if not name.startswith("_")]
    return text + (nearest(match[1], names) if match else "")


def _line(error: BaseException, file: str) -> int:
    """The innermost line of the template in an error's traceback."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
