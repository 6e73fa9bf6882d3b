"""What `gamesearch bench --evaluation` does: measure one evaluation."""

from typing import Any

from gamesearch.cli.consoles import print_found
from gamesearch.cli.progress import watching
from gamesearch.game import Game
from gamesearch.learn.assessment import assess
from gamesearch.render.assessment import assessment_data, assessment_view

__all__ = ["print_assessment"]


def print_assessment(game: Game[Any], depth: int | None, speed: str, only_ascii: bool, as_json: bool) -> int:
    """Measure the evaluation of a game, print what that gives, and return the exit code."""
    with watching("measuring") as monitor:
        found = assess(game, depth or 1, speed, monitor)
    if found is None:
        return 130
    print_found(assessment_view(game, found), lambda: assessment_data(game, found), as_json, only_ascii)
    return 0
