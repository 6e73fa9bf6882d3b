"""What `gamesearch learn --categories` does: how games went on from positions with so much of a feature."""

import numpy as np

from gamesearch.cli.consoles import print_found, status_console
from gamesearch.learn.categories import categories_of, number_of_feature, outcomes_by_feature, outcomes_in_file
from gamesearch.learn.training import settings_for
from gamesearch.registry import load
from gamesearch.render.categories import categories_data, categories_view

__all__ = ["print_categories"]


def print_categories(
    game: str, feature: str, games: int, seed: int, depth: int | None, speed: str, source: str | None, as_json: bool
) -> int:
    """Play games, or read them, print what became of positions by a feature, and return the exit code."""
    played = load(game)
    place = number_of_feature(played, feature)
    if source is None:
        settings = settings_for(played, "outcomes", games, seed, depth, 1)
        outcomes, doing = outcomes_by_feature(played, place, settings, speed), f"playing {games:,} games"
    else:
        outcomes, doing = outcomes_in_file(played, place, source), f"reading {source}"
    rows, kinds, code = [np.zeros((0, 4))], list[str](), 0
    try:
        with status_console().status(f"{doing} ...; Ctrl-C stops") as status:
            for seen, of_kind in outcomes:
                rows.append(seen)
                kinds += of_kind
                status.update(f"{doing}: {len(rows) - 1:,} done; Ctrl-C stops")
    except KeyboardInterrupt:
        code = 130
    found = categories_of(np.concatenate(rows), kinds)
    view = categories_view(played, feature, len(rows) - 1, found)
    print_found(view, lambda: categories_data(played, feature, len(rows) - 1, found), as_json)
    return code
