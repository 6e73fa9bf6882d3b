"""`gamesearch cache`: the compiled code that is kept on disk."""

import os

import click

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.cli.consoles import print_found
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, json_option
from gamesearch.compiler import cache_files
from gamesearch.render.cache import cache_data, cache_view, megabytes_text

__all__ = ["command"]


@click.command("cache")
@click.option("--clear", is_flag=True, help="Remove it all; it is compiled again when it is needed.")
@ascii_option
@json_option
def command(clear: bool, only_ascii: bool, as_json: bool) -> None:
    """Show where compiled code is kept, how much of it there is, and for which games.

    What was used least recently is removed where it would be more than 512 MB. The environment variable
    GAMESEARCH_CACHE_MB sets another limit; with 0, nothing is kept.

    \b
    gamesearch cache
    gamesearch cache --json
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
        say(f"{cache_files.LIMIT_VARIABLE} is {given!r}, no whole number of MB: {cache_files.limit()} is the limit")
    contents = folder, cache_files.limit(), cache_files.kept()
    print_found(cache_view(*contents), lambda: cache_data(*contents), as_json, only_ascii)
