"""What is counted at the end of a game with dead stones: by the rules as all stands, and without the dead."""

from collections.abc import Sequence
from typing import Any

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.game import MAX, MIN
from gamesearch.optional import Scored
from gamesearch.play.match import rules_outcome
from gamesearch.render.player_names import margin
from gamesearch.study.final_status import DEAD, SEKI, STATUSES, FinalStatus

__all__ = ["final_status_data", "final_status_lines"]


def final_status_lines(status: FinalStatus | None) -> list[str]:
    """What is counted, what is taken for dead, and the result without it where it is another."""
    if status is None:
        return []
    game = status.game
    lines = [f"counted as it stands: {game.score_words(status.state)}"]
    by = f"by {plural(status.games, 'random game')} played on from here"
    if seki := stones_text(status, SEKI):
        lines.append(f"in seki, {by}: {seki}")
    dead = stones_text(status, DEAD)
    if not dead:
        return [*lines, f"nothing is dead, {by}"] if status.groups else lines
    without = f"without the dead: {game.score_words(status.without)}; "
    if status.utility == status.utility_without:
        return [*lines, f"dead, {by}: {dead}", f"{without}the result is the same"]
    return [*lines, f"dead, {by}: {dead}", f"{without}{result_words(game, status.utility_without)}"]


def stones_text(status: FinalStatus, which: str) -> str:
    """The points of all groups of a status, side by side."""
    sides = ((player, names_of(status, status.points(which, player))) for player in (MAX, MIN))
    return "; ".join(f"{status.game.player_name(player)}'s {' '.join(names)}" for player, names in sides if names)


def names_of(status: FinalStatus, points: Sequence[int]) -> list[str]:
    """The names of some points, in the order of the board."""
    return [status.game.move_name(status.state, point) for point in sorted(points)]


def result_words(game: Scored[Any], utility: float) -> str:
    """Who wins, and by how much."""
    winner = rules_outcome(game, utility).winner
    return "a draw" if winner is None else f"{game.player_name(winner)} wins{margin(game, utility)}"


def final_status_data(status: FinalStatus | None) -> dict[str, Any]:
    """The same as JSON has it, under a name of its own; nothing where there is no such thing."""
    if status is None:
        return {}
    data = {
        **{which: names_of(status, status.points(which)) for which in STATUSES},
        "games": status.games,
        "utility": status.utility,
        "utility_without_dead": status.utility_without,
    }
    return {"final_status": data}
