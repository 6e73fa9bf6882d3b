"""The players of the process that games are played in."""

import io
import json
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.result import Monitor, SearchResult, Statistics
from gamesearch.game import Game
from gamesearch.play.matches.game_server import LoadedPlayers
from gamesearch.play.matches.game_task import Terms
from gamesearch.play.matches.series import Series
from gamesearch.play.players.player import Player, Turn


class Learning(Player):
    """Keeps which games it has played, by the seed of each, and plays the first legal move."""

    specification = "learning"

    def __init__(self) -> None:
        self.games = list[tuple[int, int]]()

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        game = (turn.seed, turn.mover)
        self.games += [] if game in self.games else [game]
        return SearchResult("learning", None, "exact", turn.game.steps(turn.state)[0], (), Statistics())


def test_twins_that_learn_stay_themselves_when_sides_change() -> None:
    made = list[Learning]()

    def load(text: str, game: Game[Any], seconds: float | None, speed: str) -> Player:
        made.append(Learning())
        return made[-1]

    series = Series("tictactoe", ("learning", "learning"), terms=Terms(margin=60, speed="interpreted"))
    output = io.StringIO()
    tables = LoadedPlayers(load, output)
    for number in range(4):
        tables.play(series.task(number).text())
    first, second = made
    assert [side for _, side in first.games] == [0, 1, 0, 1]
    assert [side for _, side in second.games] == [1, 0, 1, 0]
    records = [json.loads(line)["record"] for line in output.getvalue().splitlines() if '"asks"' not in line]
    assert [json.loads(record)["players"][0] for record in records] == ["learning", "learning #2"] * 2
    other = replace(series.task(4), terms=Terms(margin=59, speed="interpreted"))
    tables.play(other.text())
    assert len(made) == 4
    tables.watchdog.close()
