"""A database of positions with exact values. Searches read the values from memory-mapped files.

If several processes use a database, the files are in memory only once, because no process writes to them. If a position
is in the database, its moves are not searched (`gamesearch.algorithms.node.bounds`).
"""

import shlex
from pathlib import Path
from typing import Any

from gamesearch.algorithms.databases.codes import (
    DRAWN,
    WON,
    Layers,
    PackedCodes,
    certain_payoff,
    code_in_layers,
    decode,
    mapped_codes,
)
from gamesearch.algorithms.databases.layer_files import (
    FORMAT,
    SUFFIX,
    Header,
    VerifiedFiles,
    read_header,
    read_layer,
    refuse_no_folder,
)
from gamesearch.algorithms.node.values import adjusted_for_ply
from gamesearch.algorithms.node.workspace import Options
from gamesearch.compiler import kernel
from gamesearch.compiler.identity import digest_of
from gamesearch.compiler.kernels import map_arrays
from gamesearch.errors import GamesearchError
from gamesearch.files.fingerprint import fingerprint_of_layer, fingerprint_of_rules
from gamesearch.game import Game
from gamesearch.optional import NumberedGame
from gamesearch.registry import specification_of
from gamesearch.toolkit.symmetric_games import FoldedMethods, declares_symmetries

__all__ = ["Database", "check_header", "probe_database", "refuse_other_game", "rules_of", "value_in_database"]


class Database:
    """The layers of a game, stored in a folder. Raises GamesearchError if the folder contains no layers, if a layer is
    missing or damaged, or if a layer belongs to another game."""

    def __init__(self, folder: str, game: Game) -> None:
        self.game: Any = game
        self.folder = Path(folder).expanduser()
        refuse_no_folder(self.folder, game)
        paths = [path for path in sorted(self.folder.glob(f"*{SUFFIX}")) if not is_retired(path, game)]
        if not paths:
            raise GamesearchError(f"{folder} has no layers: build them with `gamesearch database {game.name}`")
        code, seen = digest_of(game), VerifiedFiles(self.folder)
        known = {path: seen.has(path, code) for path in paths}
        headers = [(path, check_header(path, game, is_trusted=known[path][1])) for path in paths]
        self.headers = {header.layer: header for _, header in headers}
        if len(self.headers) < len(headers):
            raise GamesearchError(f"{folder} has two files for one layer: keep only files that the same command built")
        for header in self.headers.values():
            for needed in header.needs:
                if needed not in self.headers:
                    name = game.layer_name(needed) if isinstance(game, NumberedGame) else str(needed)
                    raise GamesearchError(
                        f"{folder} has layer {header.name}, but not layer {name}, to which its moves lead: "
                        f"run the same `gamesearch database` command again"
                    )
        self.codes: list[PackedCodes | None] = [None] * (max(self.headers) + 1)
        self.keys: list[Any] = [None] * len(self.codes)
        for path, header in headers:
            is_whole, is_known = known[path]
            self.codes[header.layer], self.keys[header.layer] = read_layer(path, header, is_checked=not is_whole)
            if not is_known:
                seen.note(path, code)
        seen.keep()

    def layers(self, is_compiled: bool, searched: Game | None = None) -> Layers:
        """The layers, in the form that kernels read. `searched` is the game that is searched. It may be a folded game,
        in which symmetric positions have the same key."""
        if self.keys[-1] is not None:
            keyed, keys = mapped_codes(self.codes, is_compiled), map_arrays(self.keys, is_compiled)
            is_folded = isinstance(searched, FoldedMethods) or not declares_symmetries(self.game)
            return Layers(None, keyed, keys, None if is_folded else 1)
        return Layers(mapped_codes(self.codes, is_compiled))

    def certain_payoff(self, s: Any) -> float:
        """The part of the payoff that is already certain and not included in the codes."""
        return self.game.certain_payoff(s) if isinstance(self.game, NumberedGame) else 0.0


def check_header(path: Path, game: Game, *, is_trusted: bool = False) -> Header:
    """Read the header of a file. Raises GamesearchError if the file belongs to another game or to different rules. If
    `is_trusted` is True, the rules of the game are not compared with the rules in the file."""
    header = read_header(path)
    refuse_other_game(path, header.game, game)
    if is_trusted:
        return header
    if header.format != FORMAT:
        reason = "was written by an earlier version of gamesearch"
    elif header.rules != rules_of(game, header):
        reason = f"was built with other rules of {game.name}"
    else:
        return header
    layers = shlex.quote(header.start or (header.name if not header.name.startswith("from-") else "POSITION"))
    command = f"gamesearch database {shlex.quote(header.game)} {layers} --to {shlex.quote(str(path.parent))}"
    raise GamesearchError(
        f"{path} {reason}: add --verify to the command that built the folder ({command}). The file is kept if it "
        "agrees with the present rules. Otherwise, build the folder again"
    )


def is_retired(path: Path, game: Game) -> bool:
    """Whether the positions of a file (such as the layer KKQ of chess) now belong to another layer."""
    if not isinstance(game, NumberedGame):
        return False
    header = read_header(path)
    return header.game == specification_of(game) and game.layer_size(header.layer) == 0


def refuse_other_game(path: Path, specification: str, game: Game) -> None:
    """Raise GamesearchError if a file belongs to another game, or to the same game with other parameters."""
    if specification != specification_of(game):
        raise GamesearchError(f"{path} is for {specification}, not for {specification_of(game)}: name another folder")


def rules_of(game: Game, header: Header) -> str:
    """The fingerprint of all rules that affect a layer."""
    if isinstance(game, NumberedGame):
        return fingerprint_of_layer(game, header.layer)
    return fingerprint_of_rules(game, game.parse(header.start))


@kernel
def probe_database(game: Any, s: Any, layers: Layers) -> tuple[bool, float, int]:
    """Look up a position. Returns whether it is known, its value, and the plies to a win or loss."""
    code = code_in_layers(game, s, layers)
    if code < DRAWN:
        return False, 0.0, 0
    value, plies = decode(game, code, game.player(s))
    if not game.win_or_loss:
        return True, value + certain_payoff(game, s, layers), 0
    if layers.codes is not None:
        if code >= WON and not game.win_holds(s, plies):
            return False, 0.0, 0
    return True, value, plies


@kernel
def value_in_database(game: Any, s: Any, ply: int, options: Options, layers: Layers) -> tuple[bool, float]:
    """Look up a position. Returns whether it is known, and its value; the value of a win or a loss is adjusted for its
    distance."""
    is_known, value, plies = probe_database(game, s, layers)
    if is_known and game.win_or_loss and value != game.draw_value():
        value = adjusted_for_ply(game, value, ply + plies, options.ply_cost)
    return is_known, value
