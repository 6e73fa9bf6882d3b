"""Saves the state of an unfinished run in a file next to the file that will contain the weights."""

import io
import json
import zipfile
import zlib
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError, not_written
from gamesearch.files.fingerprint import fingerprint_of_rules
from gamesearch.files.whole import file_path, read_regular, whole_file
from gamesearch.game import Game
from gamesearch.learn.method import Played, Settings
from gamesearch.learned.weights_files import UNFINISHED, MatchScore
from gamesearch.optional import Networked, Patterned
from gamesearch.registry import load

__all__ = ["Curve", "Unfinished"]

LARGEST = 4_000_000_000
"""The greatest size of the file in bytes."""

Curve = tuple[tuple[int, tuple[MatchScore, ...]], ...]
"""The results of measurements, each with the number of games before it."""

HEADER = "header"
FORMAT = 2
"""The version of the format. The previous format had a hash of bytecode, which differs between versions of Python."""
NAMES = {"before": "weights at the beginning", "hidden": "hidden units of a network"}
"""The names of some fields of the settings in messages. The other fields have the same names in messages."""


UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError, NotImplementedError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""The exceptions that zipfile, NumPy and json raise for a damaged file."""


class Unfinished:
    """The file of an unfinished run. The command that started the run continues it from this file."""

    def __init__(self, name: str) -> None:
        path = file_path(name)
        self.path = path.with_name(path.name + UNFINISHED)
        self.rules: str | None = None

    def read(self, settings: Settings) -> tuple[int, Played, Curve] | None:
        """Return the number of games played, the state, and the results of measurements; None if the file is missing.

        Raises GamesearchError if the file belongs to a run with other settings or rules.
        """
        if not self.path.exists():
            return None
        try:
            with np.load(io.BytesIO(read_regular(self.path, LARGEST)), allow_pickle=False) as arrays:
                found = {name: arrays[name] for name in arrays.files}
            header = json.loads(str(found.pop(HEADER)))
            done, before, rules = int(header["done"]), dict(header["settings"]), str(header["rules"])
            curve = tuple((int(at), tuple(MatchScore(**each) for each in beat)) for at, beat in header.get("curve", ()))
        except UNREADABLE:
            raise GamesearchError(f"{self.path} cannot be read: begin again with --force") from None
        different = differences(before, json.loads(json.dumps(asdict(settings))))
        if different:
            raise GamesearchError(
                f"{self.path} is from a run with other settings ({different}): repeat the command of that "
                f"run to continue it, or begin again with --force"
            )
        if header.get("format") != FORMAT:
            raise GamesearchError(f"{self.path} was begun by an earlier version: begin again with --force")
        if rules != self.fingerprint(settings):
            raise GamesearchError(
                f"{self.path} was begun with other rules of {settings.game}: begin again with --force, or restore "
                "the rules"
            )
        return done, found, curve

    def write(self, settings: Settings, done: int, state: Played, curve: Curve = ()) -> None:
        """Replace the file; raises GamesearchError and keeps the old file if it cannot be written."""
        points = [(at, [asdict(each) for each in beat]) for at, beat in curve]
        facts = {"format": FORMAT, "rules": self.fingerprint(settings), "done": done, "curve": points}
        header = {"settings": asdict(settings), **facts}
        try:
            with whole_file(self.path) as file:
                np.savez(file, **{HEADER: np.array(json.dumps(header))}, **state)  # type: ignore[arg-type]
        except OSError as error:
            safe = "the earlier progress is saved" if self.path.exists() else ""
            raise not_written(self.path, error, safe) from None

    def fingerprint(self, settings: Settings) -> str:
        """The fingerprint of the rules. The fingerprint is computed only once, because the file is written after every
        few games."""
        if self.rules is None:
            game = load(settings.game)
            seen = partial(learned_from, game)
            self.rules = fingerprint_of_rules(game, game.initial(), is_ordered=True, extra_facts=seen)
        return self.rules

    def remove(self) -> None:
        """Remove the file of the unfinished run."""
        self.path.unlink(missing_ok=True)


def learned_from(game: Game, s: Any) -> list[object]:
    """The numbers that learning uses for a position: features, stage and cells of patterns, and inputs of a network."""
    found: list[object] = [*map(float, game.features(s))] if game.has_features else []
    if isinstance(game, Patterned):
        found += [int(game.stage(s)), *map(int, game.contents(s))]
    if isinstance(game, Networked):
        found += [(int(number), float(amount)) for number, amount in game.inputs(s)]
    return found


def differences(then: dict[str, Any], now: dict[str, Any]) -> str:
    """A text that lists the settings in which two runs differ. Both values of a setting are shown unless they are lists
    of numbers."""
    changed = [(NAMES.get(name, name), then.get(name), value) for name, value in now.items() if value != then.get(name)]
    return "; ".join(
        f"{name} is different" if isinstance(value, list) else f"{name} was {before}, now {value}"
        for name, before, value in changed
    )
