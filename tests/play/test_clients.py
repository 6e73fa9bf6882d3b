"""The reference clients of the protocol can play every game to its end."""

import json
import random
import shlex
import sys
from pathlib import Path

import pytest
from commands import output

from gamesearch.game import CHANCE
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.registry import load

CLIENTS = Path(__file__).parents[2] / "docs" / "clients"
COMMANDS = {
    "python": shlex.join([sys.executable, "-I", "-S", str(CLIENTS / "client.py")]),
    "shell": shlex.join(["sh", str(CLIENTS / "client.sh")]),
}
OWN = '''
from gamesearch import Game

class Race(Game):
    """Who brings the count to five or more wins."""

    def initial(self):
        return (0, 0)

    def player(self, s):
        return s[1]

    def moves(self, s):
        yield 1
        yield 2

    def result(self, s, m):
        return (s[0] + m, 1 - s[1])

    def terminal(self, s):
        return s[0] >= 5

    def utility(self, s):
        return 1 if s[1] == 1 else -1
'''


@pytest.mark.parametrize("language", COMMANDS)
@pytest.mark.parametrize(
    "name", ["connect4", "backgammon", "[[(1,2,3),(3,2,1)],[(2,2,2),(0,4,0)]]", "go(size=3)", "chess"]
)
def test_a_client_plays_legal_moves_only(name: str, language: str) -> None:
    game = load(name)
    dice = random.Random(5)
    with load_player(f"external(path='{COMMANDS[language]}')", game) as player:
        match = Match(game, game.initial(), [player] * game.players, seed=2)
        for _ in range(30):
            if match.is_over:
                break
            if match.turn == CHANCE:
                match.roll()
            elif dice.random() < 0.3:
                match.play(dice.choice(match.steps))  # the server sends this move to the client
            else:
                match.play(player.answer(match.player_turn()).best or 0)
        assert match.moves


def test_two_clients_play_an_own_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "race.py").write_text(OWN)
    players = ",".join(f"external(path='{command}')" for command in COMMANDS.values())
    told = json.loads(
        output(capsys, "play", str(tmp_path / "race.py"), "--players", players, "--json", "--speed", "interpreted")
    )
    assert sum(map(int, told["moves"])) in (5, 6)
    assert told["winner"] in ("Max", "Min")
