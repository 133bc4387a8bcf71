"""The ``chargesim`` command: it parses, calls and prints; no logic.

Everything but the parser is imported inside the commands, so that ``--help`` costs next to nothing.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from chargesim.cli import answers, article, games, lists, rosters, sweep, variations
from chargesim.cli.manner import ASKING, Command, group
from chargesim.cli.streams import abandon, finish, prepare, print_text
from chargesim.errors import ChargesimError
from chargesim.kernels.process import own_process

app = group(
    "chargesim",
    "Probabilities of charges in tabletop wargames: exact where they can be.",
    pretty_exceptions_enable=False,
)
ASKERS = (answers.payoffs, variations.table, variations.compare, variations.solve, variations.why)
for command in (
    answers.run,
    variations.table,
    variations.compare,
    variations.solve,
    variations.why,
    answers.payoffs,
    games.plan,
    answers.check,
    answers.trace,
    answers.odds,
    rosters.roster,
    rosters.matchup,
    lists.rules,
    lists.schema,
):
    app.command(cls=Command, epilog=ASKING if command in ASKERS else None)(command)
app.add_typer(article.app)
app.add_typer(sweep.app)


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        from chargesim import __version__

        print_text(__version__)
        raise typer.Exit()


_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What the parser raises; typer gives it no name of its own."""


def _wrong_use(error: Any) -> str:
    """A fault of the command line as one message: where, what, and where to find what is right."""
    text = str(error.format_message())
    if text.startswith("Usage:"):
        return text
    text = re.sub(r"^Invalid value for '(.+?)'", r"\1", text).replace("Value error, ", "", 1)
    command = error.ctx.command_path if error.ctx is not None else app.info.name
    return f"{command}: {text.rstrip('.')} (what is right: {command} --help)"


def _guard(command: Callable[[], None]) -> int:
    """Run a command; turn what can go wrong into one message and an exit code."""
    try:
        command()
    except ChargesimError as error:
        from chargesim.report.render import printable

        sys.stderr.write(f"{printable(str(error))}\n")
        return error.exit_code
    except _UsageError as error:
        sys.stderr.write(f"{_wrong_use(error)}\n")
        return 2
    except typer.Exit as stop:
        return int(stop.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("interrupted: nothing was written\n")
        return 3
    except BrokenPipeError:
        abandon()  # whoever read the output has seen enough
    except OSError as error:
        if error.filename is not None:
            sys.stderr.write(f"{error.filename}: {error.strerror}\n")
            return 2
        abandon()
        why = f"cannot be written ({error.strerror}): the answer is cut short, send it elsewhere"
        sys.stderr.write(f"standard output: {why}\n")
        return 3
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def _run(arguments: list[str]) -> None:
    """Parse and run; what goes wrong is left to :func:`_guard`, interruptions included."""
    command = typer.main.get_command(app)
    with command.make_context(str(app.info.name), list(arguments)) as context:
        command.invoke(context)


def main() -> None:
    """Entry point.

    Half a million objects come with the imports, hardly one of them garbage: looking through them
    again and again, and once more at the end, would be a third of a short answer's time. Nor does a
    command do linear algebra, for which numpy would start threads, or use plug-ins of pydantic, for
    which that would read what every installed package says of itself.
    """
    gc.set_threshold(50_000)
    own_process()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    prepare()
    code = _guard(lambda: _run(sys.argv[1:])) or _guard(finish)
    gc.freeze()
    sys.exit(code)
