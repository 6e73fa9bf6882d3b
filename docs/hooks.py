"""A hook of MkDocs that prepares the commands for the CLI reference of mkdocs-click."""

import inspect
import re
from typing import Any

import click

from gamesearch.cli import COMMANDS, group

UNWRAPPED = re.compile(r"^\x08\n((?:.+\n?)+)", re.MULTILINE)


def fenced(text: str) -> str:
    """Turn each paragraph that Click does not wrap into a code block."""
    return UNWRAPPED.sub(lambda found: f"```\n{found[1].rstrip()}\n```\n", inspect.cleandoc(text))


def on_startup(**_: Any) -> None:
    """Name each command as users call it, and show its examples, which mkdocs-click leaves out."""
    context = click.Context(group)
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        command.name = name
        command.help = "\n\n".join(filter(None, (fenced(command.help or ""), fenced(command.epilog or ""))))
    group.help = fenced(group.help or "")
