"""Runs the learning of weights: distributes games to workers, updates and measures the weights, and saves the state."""

import contextlib
import io
import json
import multiprocessing
import os
import shlex
import threading
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError, write_error
from gamesearch.files.fingerprint import fingerprint_of_rules
from gamesearch.files.whole import file_path, read_regular, whole_file
from gamesearch.game import Game
from gamesearch.learn.matches import BEFORE, OWN, Matches, matches
from gamesearch.learn.method import Method, Played, Settings, Task, refuse_unlearnable, with_weights, without_weights
from gamesearch.learn.network_outcomes import NetworkOutcomes
from gamesearch.learn.networks import NetworkTemporalLearning
from gamesearch.learn.outcomes import Outcomes
from gamesearch.learn.patterns import PatternOutcomes, PatternTemporalLearning
from gamesearch.learn.temporal import TemporalLeafLearning, TemporalLearning
from gamesearch.learned.networks import Network, network_of, views_of
from gamesearch.learned.packed_files import LearnedNetwork, LearnedPatterns
from gamesearch.learned.patterns import choose_cells, patterns_of
from gamesearch.learned.weights_files import UNFINISHED, LearnedWeights, MatchScore, names_of_features
from gamesearch.optional import NetworkGame, PatternGame, estimate_sees_chance
from gamesearch.registry import load
from gamesearch.support.interrupts import block_interrupts, end_workers

__all__ = ["METHODS", "Curve", "Learned", "Report", "UnfinishedRun", "learn", "settings_for"]

Learned = LearnedWeights | LearnedPatterns | LearnedNetwork
METHODS: dict[str, type[Method]] = {
    "outcomes": Outcomes,
    "td": TemporalLearning,
    "tdleaf": TemporalLeafLearning,
    "matches": Matches,
}
PATTERN_METHODS: dict[str, type[Method]] = {"outcomes": PatternOutcomes, "td": PatternTemporalLearning}
NETWORK_METHODS: dict[str, type[Method]] = {"outcomes": NetworkOutcomes, "td": NetworkTemporalLearning}
MEASURED = 5  # the number of times that the weights are measured, at equal intervals up to the end of the run
GAMES_MEASURED, GAMES_AT_THE_END = 10, 40
"""The number of games against each opponent: first in intermediate measurements, then in the last measurement."""
USUAL_DEPTH = 2


# Unfinished runs. --------------------------------------------------------------------------------
LARGEST = 4_000_000_000

Curve = tuple[tuple[int, tuple[MatchScore, ...]], ...]
"""The results of measurements, each with the number of games that were played before it."""

HEADER = "header"
FORMAT = 2
"""The version of the format. The previous format had a hash of bytecode, which differs between versions of Python."""
NAMES = {"before": "weights at the beginning", "hidden": "hidden units of a network"}
"""The words that messages use for some fields of the settings. For all other fields, messages use the name of the
field."""


UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError, NotImplementedError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""The exceptions that zipfile, NumPy and json raise for a damaged file."""


class UnfinishedRun:
    """The file of an unfinished run. The command that started the run continues it from this file."""

    def __init__(self, name: str) -> None:
        path = file_path(name)
        self.path = path.with_name(path.name + UNFINISHED)
        self.rules: str | None = None

    def read(self, settings: Settings) -> tuple[int, Played, Curve] | None:
        """Return the number of games played, the state, and the results of measurements; None if the file is missing.
        Raises GamesearchError if the file belongs to a run with other settings or rules."""
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
            raise GamesearchError(f"{self.path} is from an earlier version of gamesearch: begin again with --force")
        if rules != self.fingerprint(settings):
            raise GamesearchError(
                f"{self.path} was begun with other rules of {settings.game}: begin again with --force, or restore "
                "the rules"
            )
        return done, found, curve

    def write(self, settings: Settings, done: int, state: Played, curve: Curve = ()) -> None:
        """Replace the file. If the new file cannot be written, raise GamesearchError and keep the old file."""
        points = [(at, [asdict(each) for each in beat]) for at, beat in curve]
        facts = {"format": FORMAT, "rules": self.fingerprint(settings), "done": done, "curve": points}
        header = {"settings": asdict(settings), **facts}
        try:
            with whole_file(self.path) as file:
                np.savez(file, **{HEADER: np.array(json.dumps(header))}, **state)  # type: ignore[arg-type]
        except OSError as error:
            safe = "the earlier progress is saved" if self.path.exists() else ""
            raise write_error(self.path, error, safe) from None

    def fingerprint(self, settings: Settings) -> str:
        """The fingerprint of the rules. It is computed only once, because the file is written often."""
        if self.rules is None:
            game = load(settings.game)
            seen = partial(learning_inputs, game)
            self.rules = fingerprint_of_rules(game, game.initial(), is_ordered=True, extra_facts=seen)
        return self.rules

    def remove(self) -> None:
        """Remove the file of the unfinished run."""
        self.path.unlink(missing_ok=True)


def learning_inputs(game: Game, s: Any) -> list[object]:
    """The numbers that describe a position for learning. They include the position's features if the game has features.
    For patterns, they include the position's stage and the contents of its cells. For a network, they include the
    network's inputs."""
    found: list[object] = [*map(float, game.features(s))] if game.has_features else []
    if isinstance(game, PatternGame):
        found += [int(game.stage(s)), *map(int, game.contents(s))]
    if isinstance(game, NetworkGame):
        views = views_of(game, s, game.views)
        found += [(int(number), float(amount)) for view in views for number, amount in game.inputs(view)]
    return found


def differences(then: dict[str, Any], now: dict[str, Any]) -> str:
    """Describe the settings in which two runs differ. The text contains both values of a setting, unless the values are
    lists of numbers."""
    changed = [(NAMES.get(name, name), then.get(name), value) for name, value in now.items() if value != then.get(name)]
    return "; ".join(
        f"{name} is different" if isinstance(value, list) else f"{name} was {before}, now {value}"
        for name, before, value in changed
    )


# Runs. -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Report:
    """Reports the progress of a run."""

    done: int
    games: int
    loss: float | None
    loss_text: str
    beat: tuple[MatchScore, ...]
    seconds_left: float | None
    """The expected remaining time. It is computed from the mean speed since the command began."""
    learned: Learned | None = None  # the contents of the file of weights; None until the run ends
    curve: Curve = ()  # the results of all measurements, each with the number of games before it
    evaluated: Game | None = None  # the game with the weights learned so far


def settings_for(
    game: Game,
    method: str,
    games: int,
    seed: int,
    depth: int | None,
    workers: int,
    patterns: str | None = None,
    network: int | None = None,
) -> Settings:
    """Build the settings of a run; raises GamesearchError if the game cannot be learned by this method."""
    if network is not None:
        network_of(game, network)  # raises an error if the game cannot have a network
    refuse_unlearnable(game, method, "patterns" if patterns is not None else "a network" if network is not None else "")
    usual = USUAL_DEPTH if estimate_sees_chance(game) else 1
    together = 1 if method == "outcomes" else workers  # this method learns the same weights with any number of workers
    cells = () if patterns is None else patterns_of(game, choose_cells(game, patterns, seed)).cells
    before = () if cells or network else tuple(map(float, game.weights))
    return Settings(without_weights(game), before, method, games, seed, depth or usual, together, cells, network or 0)


def kind_of_method(settings: Settings) -> type[Method]:
    """The class of the method for these settings."""
    methods = NETWORK_METHODS if settings.hidden else PATTERN_METHODS if settings.patterns else METHODS
    return methods[settings.method]


def learn(settings: Settings, to: str, workers: int, speed: str, write: Callable[[str, str], None]) -> Iterator[Report]:
    """Learn weights for the file `to`, or continue its unfinished run. Finally, `write` writes the weights. The state
    of the run is saved before each report is yielded."""
    unfinished = UnfinishedRun(to)
    done, state, curve = unfinished.read(settings) or (0, None, ())
    method = kind_of_method(settings)(settings, state)
    beat = curve[-1][1] if curve else ()
    began, first = time.monotonic(), done
    with open_player(workers) as play:
        while done < settings.games:
            tasks = next_tasks(method, settings, done, workers, speed)
            before, done = done, tasks[-1].first + tasks[-1].count
            method.take(play(tasks), done)
            unfinished.write(settings, done, method.state, curve)
            if is_measured(before, done, settings.games):
                beat = measure(settings, method, GAMES_MEASURED, speed)
                curve = (*curve, (done, beat))
                unfinished.write(settings, done, method.state, curve)
            left = (time.monotonic() - began) / (done - first) * (settings.games - done)
            yield report_of(method, done, beat, left, curve)
    beat = measure(settings, method, GAMES_AT_THE_END, speed)
    learned = learned_weights(settings, method, beat)
    write(to, learned.text())
    unfinished.remove()
    yield report_of(method, done, beat, 0.0, (*curve, (done, beat)), learned)


def report_of(
    method: Method, done: int, beat: tuple[MatchScore, ...], left: float, curve: Curve, learned: Learned | None = None
) -> Report:
    """Report the current loss and weights of a method."""
    evaluated = method.game_with_weights()
    return Report(done, method.settings.games, method.loss, method.loss_text, beat, left, learned, curve, evaluated)


def next_tasks(method: Method, settings: Settings, done: int, workers: int, speed: str) -> list[Task]:
    """The next task of each worker. Its games are played with the current weights."""
    size, stop = method.games_of_task, next(end for end in method.ends if end > done)
    state = {name: method.state[name] for name in method.played_with or method.state}
    firsts = range(done, stop, size)[:workers]
    return [Task(settings, first, min(size, stop - first), state, speed) for first in firsts]


def play_task(task: Task) -> Played:
    """Play the games of a task in this process."""
    return kind_of_method(task.settings).play(task)


@contextlib.contextmanager
def open_player(workers: int) -> Iterator[Callable[[list[Task]], list[Played]]]:
    """Provide a function that takes a list of tasks and plays their games. If there is one worker, this process plays
    the games; otherwise, other processes play them."""
    if workers == 1:
        yield lambda tasks: [play_task(task) for task in tasks]
        return
    pool = process_pool(workers)

    def play(tasks: list[Task]) -> list[Played]:
        with block_interrupts():
            futures = [pool.submit(play_task, task) for task in tasks]
        try:
            return [future.result() for future in futures]
        except BrokenExecutor:
            raise GamesearchError("a worker process ended: give the same command again to continue") from None

    try:
        yield play
    finally:
        end_workers(pool)


def process_pool(count: int) -> ProcessPoolExecutor:
    """A pool of processes. The worker processes are copies of a server process that has only imported the necessary
    modules. Copies of the main process would inherit its locks and files."""
    has_server = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if has_server else "spawn")
    context.set_forkserver_preload([__name__, "gamesearch.compiler.types"])
    return ProcessPoolExecutor(count, context, initializer=prepare, initargs=(dict(os.environ), str(Path.cwd())))


def prepare(environment: dict[str, str], folder: str) -> None:
    """Give a worker the environment and folder of the main process, and end it when the main process ends."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def is_measured(before: int, done: int, games: int) -> bool:
    """Whether the strength must be measured now, before the end of the run."""
    return done < games and before * MEASURED // games < done * MEASURED // games


def measure(settings: Settings, method: Method, games: int, speed: str) -> tuple[MatchScore, ...]:
    """Measure the playing strength of the current weights by matches."""
    before, name = load(settings.game), OWN
    if settings.before:
        before, name = with_weights(settings.game, np.array(settings.before)), BEFORE
    return matches(method.game_with_weights(), before, name, games, settings.depth, settings.seed, speed)


def learned_weights(settings: Settings, method: Any, beat: tuple[MatchScore, ...]) -> Learned:
    """The contents of the file of weights."""
    game = load(settings.game)
    common: dict[str, Any] = {
        "game": type(game).name,
        "parameters": game.parameters(),
        "method": settings.method,
        "games": settings.games,
        "seed": settings.seed,
        "beat": beat,
    }
    if isinstance(game, PatternGame) and settings.patterns:
        command, patterns, symmetry = command_of(settings, game), method.patterns, game.pattern_symmetry
        return LearnedPatterns(
            **common, command=command, patterns=patterns.cells, symmetry=symmetry, things=patterns.things,
            stages=patterns.stages, **method.scales(),
        ).with_table(method.weights)  # fmt: skip
    if settings.hidden:
        network: Network = method.network
        learned = LearnedNetwork(**common, command=command_of(settings, game), network=network.sizes())
        return learned.with_table(method.weights)
    return LearnedWeights(**common, features=names_of_features(game), weights=tuple(map(float, method.weights)))


def command_of(settings: Settings, game: Game) -> str:
    """A command that learns the same weights again. The command does not name the file to write."""
    cells = settings.patterns
    what = f"--network {settings.hidden}"
    if isinstance(game, PatternGame) and cells:
        what = f"--patterns {'own' if cells == game.patterns() else f'{len(cells)}x{len(cells[0])}'}"
    searched = f" --depth {settings.depth}" if settings.method == "outcomes" else ""
    workers = f" --workers {settings.workers}" if settings.workers > 1 else ""
    return (
        f"gamesearch learn {shlex.quote(settings.game)} {what} --method {settings.method} "
        f"--games {settings.games} --seed {settings.seed}{searched}{workers}"
    )
