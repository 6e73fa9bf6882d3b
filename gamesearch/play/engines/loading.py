"""Engines by their specification: `uci(path=stockfish, elo=1350)`, `gtp(path="gnugo --mode gtp")`."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.parameters import seconds_checked
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.players.player import Player
from gamesearch.specification import Specification, construct, format_specification

__all__ = ["LOADERS"]


def uci(game: Game[Any], specification: Specification, seconds: float | None, default: float) -> Player:
    """A program that plays chess by UCI; parameters that are no limits are options of its own."""
    from gamesearch.play.engines.uci_player import UciPlayer

    known = {name: value for name, value in specification.parameters.items() if name in ("path", *LIMITS)}
    options = {name: value for name, value in specification.parameters.items() if name not in known}
    return UciPlayer(*arguments(game, replace(specification, parameters=known), seconds, default, options), options)


def gtp(game: Game[Any], specification: Specification, seconds: float | None, default: float) -> Player:  # noqa: ARG001
    """A program that plays a board game by GTP; without a time it plays at its own level."""
    from gamesearch.play.engines.gtp_player import GtpPlayer

    return GtpPlayer(*arguments(game, specification, seconds, None))


def external(game: Game[Any], specification: Specification, seconds: float | None, default: float) -> Player:
    """A program that plays any game by the protocol of docs/reference/protocol.md."""
    from gamesearch.play.engines.external import ExternalPlayer

    return ExternalPlayer(*arguments(game, specification, seconds, default))


def gnubg(game: Game[Any], specification: Specification, seconds: float | None, default: float) -> Player:  # noqa: ARG001
    """GNU Backgammon."""
    from gamesearch.play.engines.gnubg import GnubgPlayer

    def parameters(path: str = "gnubg", plies: int = 2) -> tuple[str, int]:
        return path, plies

    path, plies = construct("the player", parameters, specification)
    given = {"path": path} if path != "gnubg" else {}
    return GnubgPlayer(format_specification("gnubg", {**given, "plies": plies}), game, path, plies)


LOADERS: dict[str, Callable[[Game[Any], Specification, float | None, float], Player]] = {
    each.__name__: each for each in (uci, gtp, external, gnubg)
}
"""What makes the engine of a specification, with `seconds` a move, or a default, where it has no limit.

Where `seconds` are infinite, whoever asks it limits it otherwise. They raise GamesearchError if there is no such
program, or it does not play the game.
"""
LIMITS = ("depth", "time", "nodes")


def arguments(
    game: Game[Any],
    specification: Specification,
    seconds: float | None,
    default: float | None,
    options: Mapping[str, Any] | None = None,
) -> tuple[str, Game[Any], str, Limits]:
    """What an engine is made of: the specification that makes the same one again, the game, its command and limits."""

    def parameters(path: str, depth: int = 0, time: float = 0.0, nodes: int = 0) -> tuple[str, Limits]:
        return path, Limits(depth or None, seconds_checked(time) or None, nodes or None)

    if not specification.values and "path" not in specification.parameters:
        raise GamesearchError(f'a player by {specification.name} needs its program: {specification.name}(path="...")')
    path, own = construct("the player", parameters, specification)
    if (own.depth or 1) not in range(1, MAX_PLY + 1) or (own.nodes or 1) < 1:
        raise GamesearchError(f"{specification.name} has a limit that is none: depth and nodes are 1 or more")
    if seconds != math.inf and own.time is None and (seconds is not None or own == Limits()):
        own = replace(own, time=default if seconds is None else seconds)
    limits = {limit: getattr(own, limit) for limit in LIMITS if getattr(own, limit) is not None}
    return format_specification(specification.name, {"path": path, **limits, **(options or {})}), game, path, own
