"""Show or clear the cache of compiled code."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.console import RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.cli.consoles import print_found
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, flag_option, json_option
from gamesearch.compiler import cache_files
from gamesearch.compiler.cache_files import MEGABYTE, CodeFile
from gamesearch.render.tables import number_column, plain_table, view

__all__ = ["command"]


# The view. ----------------------------------------------------------------------------------------
NO_GAME = "(any game)"  # the text in the column of games for code that does not depend on a game


@dataclass(frozen=True)
class CacheUsage:
    """The number, total size and last use of the cached files of one game or of all games."""

    files: int
    bytes: int
    used: float

    @property
    def when(self) -> datetime:
        """The time of the last use, in local time."""
        return datetime.fromtimestamp(self.used).astimezone()


def total_usage(files: Sequence[CodeFile]) -> CacheUsage:
    """Count files, add up their sizes, and find the latest time at which one of them was used."""
    return CacheUsage(len(files), sum(each.bytes for each in files), max((each.used for each in files), default=0.0))


def usage_by_game(files: Sequence[CodeFile]) -> Iterator[tuple[str, CacheUsage]]:
    """Yield the name of each game, in alphabetical order, with the number, the total size and the last use of its
    files."""
    for game in sorted({each.game for each in files}):
        yield game, total_usage([each for each in files if each.game == game])


@view
def cache_view(folder: Path, limit: int, files: Sequence[CodeFile]) -> RenderResult:
    """Show the folder, the size compared with the limit, and a table with a row for each game."""
    whole = total_usage(files)
    yield Text(f"compiled code in {folder}")
    allowed = f"of at most {limit} MB" if limit else f"that are not used, because {cache_files.LIMIT_VARIABLE} is 0"
    yield Text(f"{plural(whole.files, 'file')}, {megabytes_text(whole.bytes)} {allowed}")
    if files:
        rows = (
            (
                game or NO_GAME,
                str(each.files),
                megabytes_text(each.bytes).removesuffix(" MB"),
                f"{each.when:%Y-%m-%d %H:%M}",
            )
            for game, each in usage_by_game(files)
        )
        yield Text()
        yield plain_table(Column("game", overflow="fold"), *map(number_column, ("files", "MB", "last used")), rows=rows)


def cache_data(folder: Path, limit: int, files: Sequence[CodeFile]) -> dict[str, Any]:
    """The contents of the cache as JSON."""
    whole = total_usage(files)
    return {
        "folder": str(folder),
        "files": whole.files,
        "bytes": whole.bytes,
        "limit_bytes": limit * MEGABYTE,
        "games": [
            {
                "game": game or None,
                "files": usage.files,
                "bytes": usage.bytes,
                "last_used": usage.when.isoformat(timespec="seconds"),
            }
            for game, usage in usage_by_game(files)
        ],
    }


def megabytes_text(size: int) -> str:
    """Format a number of bytes in megabytes. Only an empty cache has 0 MB.

    >>> megabytes_text(0), megabytes_text(300), megabytes_text(5_400_000)
    ('0 MB', '0.1 MB', '5.1 MB')
    """
    return f"{max(0.1, size / MEGABYTE):.1f} MB" if size else "0 MB"


# The command. -------------------------------------------------------------------------------------
@click.command(cls=Command, examples=["gamesearch cache", "gamesearch cache --json"])
@flag_option("--clear", text="Remove all compiled code. Code is compiled again when it is needed.")
@ascii_option
@json_option
def command(clear: bool, only_ascii: bool, as_json: bool) -> None:
    """Show or clear the cache of compiled code: its folder, its size, and the games in it.

    The least recently used code is removed if the size exceeds 512 MB. The environment variable GAMESEARCH_CACHE_MB
    sets another limit in MB. If this limit is 0, code is neither stored nor loaded.
    """
    folder = cache_files.folder()
    if clear:
        files, size = cache_files.clear()
        print_found(
            f"removed {plural(files, 'file')}, {megabytes_text(size)}",
            lambda: {"folder": str(folder), "removed_files": files, "removed_bytes": size},
            as_json,
            only_ascii,
        )
        return
    if not cache_files.is_limit_readable():
        given = os.environ[cache_files.LIMIT_VARIABLE]
        limit = f"the limit is {cache_files.limit()} MB"
        say(f"{cache_files.LIMIT_VARIABLE} is {given!r}, not a whole number of MB: {limit}")
    contents = folder, cache_files.limit(), cache_files.sort_by_use()
    print_found(cache_view(*contents), lambda: cache_data(*contents), as_json, only_ascii)
