"""Play complete games of a random player against the computer, by the class `Session` that `gamesearch play` uses.

Everything that a player sees is formatted at every move: moves, values, distances, prompts. Each search result must
belong to the position on the board.

    make games ARGS="--games 200"

This command plays 200 games to the end, with hints; the computer takes the time that its level allows. Without
`--games`, every game is played at each of the ten levels and at the levels easy, normal, hard and best. If a game
fails, the arguments that repeat the failure are printed.
"""

import argparse
import io
import math
import random
import sys
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rich.console import Console

from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult
from gamesearch.game import Game
from gamesearch.play.game_loop import Reply
from gamesearch.play.match import Match
from gamesearch.play.players.booked import BookPlayer
from gamesearch.play.players.computer import LEVELS, WORDS, Computer
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import HUMAN, Player
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import game_names, load
from gamesearch.render.match import analysis_line, last_move_line, prompt, result_text
from gamesearch.render.value_words import found_text
from gamesearch.tui.match_panel import OngoingSearch, evaluation_text, moves_text

__all__ = ["ALL_LEVELS", "PlayedGame", "every_pair", "play_game"]

ALL_LEVELS = (*LEVELS, *WORDS)
HINTS = 0.1
"""The probability that the random player asks for a hint before a move."""


@dataclass
class PlayedGame:
    """A game that was played, with the texts that the player saw."""

    session: Session
    results: int = 0
    """The number of search results that were shown."""
    hints: int = 0
    texts: list[str] = field(default_factory=list)
    """The text shown for each move."""


def play_game(
    name: str,
    level: str,
    seed: int,
    speed: str = "auto",
    *,
    seconds: float = 0.1,
    nodes: int | None = None,
    most: int | None = None,
    hints: float = HINTS,
) -> PlayedGame:
    """Play a game to its end, or for at most `most` moves; the computer visits at most `nodes` nodes for a move.

    Raises AssertionError if a text on the screen does not fit the position.
    """
    game: Game = load(name)
    dice = random.Random(f"{name}:{level}:{seed}")
    person = dice.randrange(game.players)
    with_person = [HUMAN if i == person else f"computer(level={level})" for i in range(game.players)]
    players = [limit(load_player(text, game, seconds, speed), nodes) for text in with_person]
    session = Session(Match(game, game.initial(), players, seed), Settings(name=name, speed=speed, seconds=seconds))
    played = PlayedGame(session)
    match, console = session.match, Console(file=io.StringIO())
    loop = session.loop
    for roll in loop.turns(lambda: match.is_over or (most is not None and len(match.moves) >= most)):
        if roll is not None:
            continue
        s = match.state
        assert prompt(match)
        if session.waits_for_human:
            if dice.random() < hints:
                show(played, session.advice(watching(played)), is_hint=True)
                played.hints += 1
            m = dice.choice(match.steps)
            assert session.read(game.move_name(s, m)).move == m, f"{game.move_name(s, m)} is read as another move"
            loop.make(m)
        else:
            reply = session.reply(watching(played))
            show(played, reply, is_hint=False)
            loop.accept(reply)
        played.texts.append(last_move_line(match))
        assert moves_text(match, 38).plain
    if match.is_over:
        assert evaluation_text(game, (match.final_value, result_text(match)), console, 30).plain
    for player in players:
        player.close()
    return played


def limit(player: Player, nodes: int | None) -> Player:
    """Limit a computer player to `nodes` nodes for each move, and return the player."""
    computer = player.player if isinstance(player, BookPlayer) else player
    if nodes is not None and isinstance(computer, Computer):
        computer.level = replace(computer.level, nodes=min(computer.level.nodes or nodes, nodes))
    return player


def watching(played: PlayedGame) -> Monitor:
    """Return a monitor that formats the progress and result of a search as the panel next to the board does."""
    match, monitor = played.session.match, Monitor(interval=0.01)
    thinking = OngoingSearch(match.state, match.number, monitor)

    def poll(now: Progress) -> bool:
        thinking.take(now)
        assert thinking.text(match.game, with_value=True)
        return False

    def finish(result: SearchResult) -> None:
        check(played, result)
        thinking.take(Progress(nodes=result.statistics.nodes, depth=result.statistics.depth))
        thinking.found = result
        assert thinking.text(match.game, with_value=True)

    monitor.poll, monitor.finished = poll, finish
    return monitor


def show(played: PlayedGame, reply: Reply, *, is_hint: bool) -> None:
    """Format the result of a search in every way that the prompt and the screen do."""
    match, result = played.session.match, reply.result
    if result is None:
        return
    check(played, result)
    assert result.best == reply.move
    if result.value is not None:
        game, s = match.game, match.state
        assert analysis_line(game, s, result, number=match.number, is_played=not is_hint)
        assert found_text(game, s, result, is_played=not is_hint)


def check(played: PlayedGame, result: SearchResult) -> None:
    """Check that the principal variation of a result is legal from the position on the board."""
    match = played.session.match
    game, s, past = match.game, match.state, match.past
    played.results += 1
    assert result.best is None or result.best in match.steps
    assert result.best is None or not result.line or result.line[0] == result.best
    for m in result.line:
        assert not game.terminal(s), f"the line goes on after the end: {result.line}"
        assert m in game.steps(s, past), f"{m} in {result.line} is not a move of {game.format(s)}"
        past, s = [*past, s], game.result(s, m)
    if result.distance is not None and len(result.line) == result.distance:
        assert game.terminal(s), f"{result.distance} plies after {game.format(match.state)} the game goes on"


def every_pair(names: Sequence[str], levels: Sequence[str]) -> list[tuple[str, str]]:
    """Return all pairs of a game and a level, in an order in which games and levels are evenly mixed."""
    games, count = len(names), len(levels)
    rounds = math.lcm(games, count)
    return [(names[i % games], levels[(i + i // rounds) % count]) for i in range(games * count)]


def main() -> int:
    """Play the requested number of games, or until a game fails; return the exit code."""
    parser = argparse.ArgumentParser(prog="make games", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, help="how many games [each game at each level]")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first game [0]")
    parser.add_argument("--game", help="play only this game")
    parser.add_argument("--level", help="play only at this level")
    parser.add_argument("--seconds", type=float, default=0.1, help="seconds for a move of the best level [0.1]")
    parser.add_argument("--speed", default="auto", help="auto, compiled or interpreted [auto]")
    asked = parser.parse_args()
    names = [asked.game] if asked.game else game_names()
    pairs = every_pair(names, [asked.level] if asked.level else ALL_LEVELS)
    games = asked.games or len(pairs)
    started, results, failures = time.monotonic(), 0, 0
    for number in range(games):
        seed = asked.seed + number
        name, level = pairs[seed % len(pairs)]
        try:
            played = play_game(name, level, seed, asked.speed, seconds=asked.seconds)
        except Exception:
            traceback.print_exc()
            failures += 1
            print(f'failed; again with: make games ARGS="--game {name} --level {level} --seed {seed}"', flush=True)
            continue
        results += played.results
        end = result_text(played.session.match)
        print(f"{number + 1}: {name}, level {level}: {end}, {played.hints} hints", flush=True)
    seconds = time.monotonic() - started
    print(f"{games} games, {results} results of searches, {failures} failures, {seconds:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
