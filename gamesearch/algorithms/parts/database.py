"""A database as searches use it: layers of positions whose values are certain, in files mapped into memory.

Processes that use one database share its memory, because the files are only read. What a kernel learns from them ends a
node, as the game's own bounds do (`gamesearch.algorithms.parts.node_bounds`).
"""

from pathlib import Path
from typing import Any

from gamesearch.algorithms.parts.codes import DRAWN, WON, Layers, code_in_layers, decoded, paid_already
from gamesearch.algorithms.parts.folding import Folding, declares_symmetries
from gamesearch.algorithms.parts.layer_files import (
    SUFFIX,
    Header,
    Seen,
    read_header,
    read_layer,
    refuse_no_folder,
    rules_digest,
)
from gamesearch.algorithms.parts.packing import Packed, mapped_codes
from gamesearch.algorithms.parts.values import adjusted_for_ply
from gamesearch.algorithms.parts.workspace import Options
from gamesearch.compiler import kernel
from gamesearch.compiler.mapped import mapped
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.questions import Numbered
from gamesearch.registry import specification_of

__all__ = ["Database", "check_header", "known_in_database", "refuse_others", "value_in_database"]


class Database:
    """The layers in a folder, for one game.

    Raises GamesearchError where it has none, one is missing or damaged, or they are of another game.
    """

    def __init__(self, folder: str, game: Game[Any]) -> None:
        self.game: Any = game
        self.folder = Path(folder).expanduser()
        refuse_no_folder(self.folder, game)
        paths = sorted(self.folder.glob(f"*{SUFFIX}"))
        if not paths:
            raise GamesearchError(f"{folder} has no layers: build them by gamesearch database {game.name}")
        digest = rules_digest(self.game)
        headers = [(path, check_header(path, self.game, digest)) for path in paths]
        self.headers = {header.layer: header for _, header in headers}
        if len(self.headers) < len(headers):
            raise GamesearchError(f"{folder} has two files of one layer: keep those that one command made together")
        for header in self.headers.values():
            for needed in header.needs:
                if needed not in self.headers:
                    name = game.layer_name(needed) if isinstance(game, Numbered) else str(needed)
                    raise GamesearchError(
                        f"{folder} has layer {header.name}, but not {name}, which its moves "
                        "lead to: give gamesearch database the same command again"
                    )
        self.codes: list[Packed | None] = [None] * (max(self.headers) + 1)
        self.keys: list[Any] = [None] * len(self.codes)
        seen = Seen(self.folder)
        for path, header in headers:
            is_known = seen.has(path)
            self.codes[header.layer], self.keys[header.layer] = read_layer(path, header, is_checked=not is_known)
            if not is_known:
                seen.note(path)
        seen.keep()

    def layers(self, is_compiled: bool, searched: Game[Any] | None = None) -> Layers:
        """The layers in the form of one speed, for the game as it is searched, where that is a folded one."""
        if self.keys[-1] is not None:
            keyed, keys = mapped_codes(self.codes, is_compiled), mapped(self.keys, is_compiled)
            is_folded = isinstance(searched, Folding) or not declares_symmetries(self.game)
            return Layers(None, keyed, keys, None if is_folded else 1)
        return Layers(mapped_codes(self.codes, is_compiled))

    def paid(self, s: Any) -> float:
        """What of the payoff is certain already, and not in the codes."""
        return self.game.paid(s) if isinstance(self.game, Numbered) else 0.0


def check_header(path: Path, game: Game[Any], digest: str) -> Header:
    """The header of a file of this game, by these rules; raises GamesearchError for any other."""
    header = read_header(path)
    refuse_others(path, header.game, header.rules, game, digest)
    return header


def refuse_others(path: Path, specification: str, rules: str, game: Game[Any], digest: str) -> None:
    """Raise GamesearchError where what a file says is not the specification and digest of a game."""
    if specification != specification_of(game):
        raise GamesearchError(f"{path} is of {specification}, not of {specification_of(game)}: name another folder")
    if rules != digest:
        raise GamesearchError(
            f"{path} was made by other rules of {game.name}, or by another version: build the folder anew"
        )


@kernel
def known_in_database(game: Any, s: Any, layers: Layers) -> tuple[bool, float, int]:
    """Whether the database knows a position that is not over, its value, and the plies to a win or loss."""
    code = code_in_layers(game, s, layers)
    if code < DRAWN:
        return False, 0.0, 0
    value, plies = decoded(game, code, game.player(s))
    if not game.win_or_loss:
        return True, value + paid_already(game, s, layers), 0
    if layers.codes is not None:
        if code >= WON and not game.holds_for(s, plies):
            return False, 0.0, 0
    return True, value, plies


@kernel
def value_in_database(game: Any, s: Any, ply: int, options: Options, layers: Layers) -> tuple[bool, float]:
    """Whether the database knows a position that is not over, and its value, adjusted for the plies to the end."""
    is_known, value, plies = known_in_database(game, s, layers)
    if is_known and game.win_or_loss and value != game.draw_value():
        value = adjusted_for_ply(game, value, ply + plies, options.ply_cost)
    return is_known, value
