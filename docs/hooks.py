"""A hook of MkDocs that prepares the commands for the CLI reference of mkdocs-click."""

import inspect
import re
from typing import Any

import click

from gamesearch.cli import COMMANDS, group
from gamesearch.cli.help import Command

UNWRAPPED = re.compile(r"^\x08\n((?:.+\n?)+)", re.MULTILINE)


def on_startup(**_: Any) -> None:
    """Name each command as users call it, and show its examples, which mkdocs-click leaves out."""
    context = click.Context(group)
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert isinstance(command, Command)
        command.name = name
        summary, _separator, details = inspect.cleandoc(command.help or "").partition("\n\n")
        examples = "```\n" + "\n".join(command.examples) + "\n```"
        command.help = "\n\n".join(filter(None, (summary, examples, details)))
    # A paragraph that Click does not wrap becomes a code block.
    group.help = UNWRAPPED.sub(lambda found: f"```\n{found[1].rstrip()}\n```\n", inspect.cleandoc(group.help or ""))
