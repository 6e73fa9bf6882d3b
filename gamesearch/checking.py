"""A first look at rules that somebody has just written, for the mistakes that are easily made."""

import numbers
import random
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.specification import nearest

__all__ = ["check_class", "check_rules"]

REQUIRED = ("initial", "player", "moves", "result", "terminal", "utility")
PLIES = 300
"""How long the games are that are played to try the rules."""


def check_class(cls: type[Game[Any]]) -> None:
    """Raise GamesearchError where a method is missing that every game must have."""
    for name in REQUIRED:
        if getattr(cls, name) is getattr(Game, name):
            own = [each for each in vars(cls) if not each.startswith("_") and not hasattr(Game, each)]
            hint = f": {nearest(name, own)}" if own else ""
            raise GamesearchError(f"{cls.__name__} has no method {name}{hint}")


def check_rules(game: Game[Any]) -> None:
    """Play two short games at random; raise GamesearchError where an answer makes no sense."""
    who = type(game).__name__
    for seed in range(2):
        source, s = random.Random(seed), game.initial()
        for _ in range(PLIES):
            if game.terminal(s):
                check_payoff(game, game.utility(s))
                break
            player = game.player(s)
            if player != CHANCE and player not in range(game.players):
                raise GamesearchError(f"player of {who} gives {player!r}: players are 0 to {game.players - 1}")
            if player == CHANCE and not game.chance:
                raise GamesearchError(f"player of {who} gives CHANCE: say so with chance = True")
            steps = game.steps(s)
            if not steps:
                raise GamesearchError(f"{who} has no move in {game.format(s)}, which terminal says is not the end")
            if not all(isinstance(step, numbers.Integral) for step in steps):
                raise GamesearchError(f"moves of {who} gives {steps[0]!r}: moves are whole numbers")
            s = game.result(s, source.choice(steps))


def check_payoff(game: Game[Any], payoff: Any) -> None:
    """Raise GamesearchError for a payoff that is not what the game declares."""
    who = type(game).__name__
    payoffs = payoff if isinstance(payoff, tuple) else (payoff,)
    if isinstance(payoff, tuple) != (game.players > 2) or not all(isinstance(each, numbers.Real) for each in payoffs):
        wanted = f"a tuple of {game.players} numbers" if game.players > 2 else "a number"
        raise GamesearchError(f"utility of {who} gives {payoff!r}, not {wanted}")
    if not all(game.MINSCORE <= each <= game.MAXSCORE for each in payoffs):
        range_of = f"{game.MINSCORE:g} to {game.MAXSCORE:g}"
        raise GamesearchError(f"utility of {who} gives {payoff!r}, beyond {range_of}: set MINSCORE and MAXSCORE")
    is_decided = game.players == 2 and game.win_or_loss and not game.chance
    if is_decided and payoff not in (game.MINSCORE, game.draw_value(), game.MAXSCORE):
        raise GamesearchError(f"utility of {who} gives {payoff!r}, neither win, loss nor draw: set win_or_loss = False")
