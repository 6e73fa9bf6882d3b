"""The final status of a finished game of Go or a similar game: random games show which groups are dead.

A group is dead if its points belong to the other side at the end of most random games. A group that is not dead is in
seki if a point next to it belongs to neither side at the end of most random games.
"""

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from gamesearch.compiler import kernel, run
from gamesearch.game import Game
from gamesearch.optional import AreaScoring
from gamesearch.toolkit.bits import low_bit_index, mix

__all__ = ["ALIVE", "DEAD", "SEKI", "STATUSES", "FinalStatus", "Group", "final_status", "status_at_end"]

ALIVE, SEKI, DEAD = STATUSES = ("alive", "seki", "dead")
MOST_POINTS = 512
GAMES, MOST_GAMES = 100, 1000
"""Random games are played in batches of GAMES. If the status of a group stays unclear, no more than MOST_GAMES games
are played."""
CLEAR = 2.0
"""Let f be the fraction of random games in which a group is lost. The status of the group is clear if f differs from
1/2 by more than CLEAR standard errors."""


@kernel
def count_areas(game: AreaScoring[Any], s: Any, first: int, games: int, counts: Any) -> None:
    """Play random games. For each point and each player, count the games at whose end the point belongs to the
    player."""
    for number in range(first, first + games):
        areas = game.areas_at_random(s, mix(number))
        for player in range(2):
            area = areas[player]
            while area != 0:
                counts[player * MOST_POINTS + low_bit_index(area)] += 1
                area &= area - 1


@dataclass(frozen=True)
class Group:
    """Connected stones of one player. They have the same status."""

    player: int
    points: tuple[int, ...]
    """The points of the group. The number of a point is also the number of the move that puts a stone there."""
    status: str
    lost: float  # the fraction of random games in which the group was lost


@dataclass(frozen=True)
class FinalStatus:
    """The status of all groups at the end of a game, and the payoffs before and after dead groups are removed."""

    game: AreaScoring[Any]
    state: Any  # the position before dead groups are removed
    utility: float  # the payoff by the rules, before dead groups are removed
    groups: tuple[Group, ...]
    games: int
    without: Any  # the position after dead groups are removed
    utility_without: float  # the payoff after dead groups are removed

    def points(self, status: str, player: int | None = None) -> list[int]:
        """The points of all groups that have this status. If `player` is given, only this player's groups count."""
        wanted = [each for each in self.groups if each.status == status and player in (None, each.player)]
        return [point for each in wanted for point in each.points]


def status_at_end(game: Game, s: Any, speed: str = "auto") -> FinalStatus | None:
    """The final status of a finished game; None if the game is not over, or if its rules do not define dead groups."""
    return final_status(game, s, speed) if isinstance(game, AreaScoring) and game.terminal(s) else None


def final_status(game: AreaScoring[Any], s: Any, speed: str = "auto") -> FinalStatus:
    """The status of all groups of a position, according to random games. The result depends only on the position, not
    on `speed`. By default, the random games are interpreted, because compilation would take longer than these games."""
    counts, games, lost = array("q", [0] * (2 * MOST_POINTS)), 0, list[float]()
    boards = list(game.groups(s))
    while boards and games < MOST_GAMES:
        run(count_areas, game, "interpreted" if speed == "auto" else speed, s, games, GAMES, counts)
        games += GAMES
        lost = [
            fmean(counts[(1 - player) * MOST_POINTS + point] for point in numbers_of(points)) / games
            for player, points in boards
        ]
        if all(abs(share - 0.5) > CLEAR * 0.5 / math.sqrt(games) for share in lost):
            break
    nobodys = sum(
        1 << point for point in range(MOST_POINTS) if 2 * (counts[point] + counts[MOST_POINTS + point]) < games
    ) & ~sum(points for _, points in boards)
    groups, dead = list[Group](), 0
    for (player, points), share in zip(boards, lost, strict=True):
        is_shared = game.points_next_to(points) & nobodys != 0
        status = DEAD if share > 0.5 else SEKI if is_shared else ALIVE
        groups.append(Group(player, tuple(numbers_of(points)), status, share))
        dead |= points if status == DEAD else 0
    without = game.without(s, dead)
    return FinalStatus(game, s, float(game.utility(s)), tuple(groups), games, without, float(game.utility(without)))


def numbers_of(points: int) -> Iterator[int]:
    """Yield the numbers of the points that a bit mask contains."""
    while points:
        yield low_bit_index(points)
        points &= points - 1
