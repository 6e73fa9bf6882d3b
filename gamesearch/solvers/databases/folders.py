"""Code for both building and verifying databases: checks of the game, the lock of the folder, and types of results."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gamesearch.algorithms.databases.layer_files import FORMAT, Header, stamp_header
from gamesearch.algorithms.node.database import rules_of
from gamesearch.errors import GamesearchError, refuse, system_reason
from gamesearch.files.whole import LockHeldError, lock_new_file
from gamesearch.game import FORBIDDEN, NEVER, Game
from gamesearch.optional import GameWithVariants, NumberedGame

__all__ = [
    "BuiltLayer", "WrongCode", "as_solved", "ignore_progress", "lock_folder", "refuse_unsolvable", "renew_header",
    "wrong_payoffs",
]  # fmt: skip

LOCK = ".lock"
MOST_POINTS = 65_000  # the greatest difference between two payoffs that two-byte codes can represent


class BuiltLayer(NamedTuple):
    """A finished layer."""

    header: Header
    seconds: float  # the seconds that solving took, without compilation; 0 if the layer was already on the disk


class WrongCode(NamedTuple):
    """A position whose code contradicts the codes of its children."""

    header: Header
    number: int
    state: Any


def ignore_progress(stage: str, done: int, of: int) -> None:
    """The default listener: it ignores the progress."""


def refuse_unsolvable(game: Game) -> None:
    """Raise GamesearchError if a database cannot store the values of a game. The message contains the reason."""
    points, can_repeat = not game.win_or_loss, game.repetition != NEVER
    reasons = (
        (game.payoff_count > 1, "has a payoff for each player, but a database stores only one value for each position"),
        (game.chance, "has chance nodes, whose values are not whole numbers"),
        (game.repetition == FORBIDDEN, "forbids repetition, so the value of a position depends on earlier positions"),
        (
            points and can_repeat and isinstance(game, NumberedGame),
            "is played for points, and its positions can repeat",
        ),
        (points and not game.whole_payoffs, "does not declare that its payoffs are whole numbers"),
        (
            points and 2 * max(game.MAXSCORE, -game.MINSCORE) > MOST_POINTS,
            f"has payoffs of more than {MOST_POINTS // 2:,} points",
        ),
    )
    refuse(
        *(
            (holds, f"no database of {game.name} can be built, because the game {why}: use `gamesearch solve`")
            for holds, why in reasons
        )
    )


def wrong_payoffs(game: Game) -> GamesearchError:
    """The error for a game that has other payoffs, although it declares only win, loss and draw."""
    return GamesearchError(
        f"{game.name} declares only win, loss and draw, but has other payoffs: set `win_or_loss = False`"
    )


def renew_header(path: Path, header: Header, game: Game) -> Header:
    """Update the header of a layer file if it does not contain the current fingerprint of the rules; returns the
    header."""
    needs = tuple(game.layers_for(header.name)[:-1]) if isinstance(game, NumberedGame) else ()
    new = replace(header, rules=rules_of(game, header), needs=needs)
    return header if new == header and header.format == FORMAT else stamp_header(path, new)


def as_solved(game: Game) -> Game:
    """The variant of a game that is used for solving. Its states do not contain counts of earlier moves, such as the
    count for the fifty-move rule."""
    return game.for_solving(game.initial())[0] if isinstance(game, GameWithVariants) else game


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Create a folder if necessary, and hold its lock, so that only one process builds in the folder."""
    with contextlib.ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(lock_new_file(folder / LOCK))
        except LockHeldError:
            raise GamesearchError(f"another process is building in {folder}: wait, or name another folder") from None
        except OSError as error:
            raise GamesearchError(
                f"{folder} cannot be written ({system_reason(error)}): name another folder with --to"
            ) from None
        for unfinished in folder.glob(".*.unfinished"):  # left by a process that was killed
            unfinished.unlink()
        yield
