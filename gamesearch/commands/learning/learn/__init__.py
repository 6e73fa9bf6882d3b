"""Learn an evaluation from self-play."""

import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from gamesearch.algorithms.engine.formatting import plural, seconds_text
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import output_console, print_found, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.reading import format_of
from gamesearch.commands.learning.learn.view import (
    categories_data,
    categories_view,
    chart_of,
    errors_view,
    learned_data,
    learned_view,
    score_text,
)
from gamesearch.commands.measuring.match import command as match
from gamesearch.compiler import why_interpreted
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.files.whole import file_path, lock_output
from gamesearch.learn.assessment import ErrorAfter, Exactness
from gamesearch.learn.categories import categories_of, number_of_feature, outcomes_by_feature, outcomes_in_file
from gamesearch.learn.training import METHODS, Report, UnfinishedRun, learn, settings_for
from gamesearch.learned.weights_files import SUFFIX
from gamesearch.play.files import writable_path, write_file
from gamesearch.play.players.loading import SELECTIVE, default_algorithm
from gamesearch.play.players.searching import SEEING
from gamesearch.registry import load, specification_of
from gamesearch.render.charts.svg import chart_svg
from gamesearch.specification import format_specification, parse_specification

__all__ = ["command"]

NODES_OF_MATCH = 2_000
"""The node limit for each move in a match between the weights in two files. With a time limit, the result would depend
on the speed of the machine."""

PLAYS = frozenset({"games", "seed", "depth"})
COMPARES = frozenset({"game", "compare", "games", "seed", "workers", "speed", "as_json"})
"""The options that are allowed with --compare."""
CATEGORIZES = PLAYS | {"game", "categories", "source", "speed", "as_json"}
"""The options that are allowed with --categories."""


@click.command(
    cls=Command,
    examples=[
        "gamesearch learn connect4 --to learned.json --games 20",
        "gamesearch learn tictactoe --to t.json --patterns 8x3 --method td --games 300",
        'gamesearch learn "pig(target=20)" --to network.json --network 5 --games 100',
        'gamesearch learn connect4 --categories "cells that would win" --games 20',
    ],
)
@cli.game_argument
@cli.file_option("--to", text="File (.json) for the learned weights. If --to is missing, the weights are only printed.")
@cli.number_option("--games", least=20, default=1000, text="Number of games to play, at least 20.")
@cli.choice_option(
    "--method",
    METHODS,
    metavar="NAME",
    text="How to learn: outcomes, td, tdleaf or matches. outcomes: logistic regression on the results of games; td: "
    "temporal differences; tdleaf: temporal differences between the values of searches; matches: small changes of the "
    "weights, which are kept if they win matches (SPSA). A network learns by outcomes or td.  [default: outcomes; td "
    "for a network]",
)
@click.option(
    "--patterns",
    metavar="own|NxC",
    help="Patterns to learn: own (the patterns that the game defines), or NxC (N patterns of C cells each).",
)
@cli.number_option("--network", text="Learn a neural network with N hidden units.")
@click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of openings, dice and random moves.")
@cli.number_option("--depth", most=20, text="Search depth; td does not search.  [default: 2; 1 in backgammon]")
@cli.workers_option
@cli.file_option("--plot", text="Draw the strength after each number of games as a chart (an SVG file).")
@click.option(
    "--compare",
    metavar="FILE FILE",
    nargs=2,
    shell_complete=cli.offer_files,
    help="Play only a match between the weights in two files, with 2,000 nodes for each move.",
)
@cli.flag_option("--errors", text="Also compare estimates with exact values (only in small games).")
@click.option("--categories", metavar="FEATURE", help="Show only results of games, grouped by the value of a feature.")
@cli.file_option("--from", "source", text="For --categories: read games from a .pgn or .jsonl file.")
@cli.force_option
@cli.speed_option
@cli.json_option
def command(
    game: str,
    to: str | None,
    games: int,
    method: str | None,
    patterns: str | None,
    network: int | None,
    seed: int,
    depth: int | None,
    workers: int,
    plot: str | None,
    compare: tuple[str, str] | None,
    errors: bool,
    categories: str | None,
    source: str | None,
    force: bool,
    speed: str,
    as_json: bool,
) -> int:
    """Learn the weights of a game's evaluation from self-play.

    To play with the learned weights, write the game as "GAME(weights=FILE)". If you stop the command, its progress is
    in FILE.unfinished, and the same command continues from there. The same seed gives the same weights. The weights of
    the method td also depend on the number of workers.

    --patterns learns weights for the contents of groups of cells, instead of weights for the features of the
    evaluation. --network learns a small neural network, in games that define inputs for networks. --categories groups
    positions by the value of a feature, and shows how many positions of each group were won, drawn and lost. The
    positions come from games that the command plays, or from the file given with --from.
    """
    if compare is not None:
        cli.refuse_others("--compare plays only a match", COMPARES)
        asked = match_options(game, compare, games, seed, workers, speed)
        return int(click.get_current_context().invoke(match, **asked, names=compare, as_json=as_json))
    if categories is not None:
        cli.refuse_others("--categories shows only results, and uses one process", CATEGORIZES)
        if source is not None:
            cli.refuse_others("--from reads games instead of playing them", CATEGORIZES - PLAYS)
        return print_categories(game, categories, games, seed, depth, speed, source, as_json)
    if source is not None:
        raise GamesearchError("--from needs --categories, because weights are learned only from new games")
    format_of(to, [SUFFIX], overwrite=force)
    format_of(plot, [".svg"], overwrite=force)
    played = load(game)
    if patterns is not None and network is not None:
        raise GamesearchError("--patterns and --network exclude each other: give only one of them")
    chosen = method or ("outcomes" if network is None else "td")
    settings = settings_for(played, chosen, games, seed, depth, workers, patterns, network)
    if to is None:
        say("the weights are not saved: --to FILE saves them")
        folder = click.get_current_context().with_resource(tempfile.TemporaryDirectory())
    file = to or str(Path(folder, f"learned{SUFFIX}"))
    click.get_current_context().with_resource(lock_output(file_path(file), "learning"))
    if force:
        UnfinishedRun(file).remove()
    else:
        writable_path(file)
    reports = learn(settings, file, workers, speed, lambda name, text: write_file(name, text, force))
    found, exactness = list[ErrorAfter](), None
    if errors:
        with status_console().status(f"solving {settings.game} for --errors ...; Ctrl-C stops"):
            exactness = Exactness(load(settings.game), seed, speed)
    try:
        last = show_reports(reports, speed, exactness, found)
    except KeyboardInterrupt:
        saved = saved_progress_text(UnfinishedRun(file).path, file_path(file), force) if to else "nothing is saved"
        raise Interrupted(f"interrupted: {saved}") from None
    learned = last.learned
    assert learned is not None
    view = learned_view(learned, settings.before, last.loss_text, to)
    if plot is not None:
        chart = chart_of(last.curve)
        write_file(plot, chart_svg(chart, f"{settings.game} by {settings.method}"), force)
        if not as_json:
            output_console().print(chart, "", *(f"{each.letter}  {each.name}" for each in chart.series), "", sep="\n")
    if found and not as_json:
        output_console().print(errors_view(found))
    more = {"errors": [asdict(each) for each in found]} if errors else {}
    print_found(view, lambda: learned_data(learned, settings.before, last.loss) | more, as_json)
    return 0


def saved_progress_text(unfinished: Path, to: Path, force: bool) -> str:
    """Describe the saved progress and how to continue.

    With --force, the same command would start from the beginning.
    """
    if not unfinished.exists():
        return "nothing has been learned yet"
    how = "repeat the command without --force" if force else "repeat the command"
    if to.exists():
        return f"the progress is saved in {unfinished}; to continue, move {to} away and {how}"
    return f"{to} is not written yet, but the progress is saved in {unfinished}; to continue, {how}"


def match_options(game: str, files: tuple[str, str], games: int, seed: int, workers: int, speed: str) -> dict[str, Any]:
    """Return options for `gamesearch match`, so that it plays a match between the weights in two files."""
    rules = load(game)
    algorithm = parse_specification(default_algorithm(rules))
    if algorithm.name == SELECTIVE:  # these parts need data that only one of the files may contain
        parameters = {**algorithm.parameters, "futility": False, "probcut": False}
        algorithm = replace(algorithm, parameters=parameters)
    text = format_specification(algorithm.name, algorithm.parameters)
    seen = [load(format_specification(type(rules).name, rules.parameters() | {"weights": name})) for name in files]
    inside = [{"game": specification_of(each), "algorithm": text} for each in seen]
    players = tuple(format_specification(SEEING, each) for each in inside)
    return {
        "game": game, "players": players, "games": games, "nodes": NODES_OF_MATCH, "seed": seed,
        "workers": workers, "speed": speed,
    }  # fmt: skip


def show_reports(reports: Iterator[Report], speed: str, exactness: Exactness | None, found: list[ErrorAfter]) -> Report:
    """Show all reports and return the last report. If errors of estimates are measured, add them to `found`.

    On a terminal, each report replaces the report before it; otherwise, only reports with the result of a new match are
    printed. After the first report, a message warns if the rules cannot be compiled, because games then take much
    longer.
    """
    console, beat, before = status_console(), None, 0
    with console.status("learning ...") as status:
        for number, report in enumerate(reports):
            game = report.evaluated
            if game is not None and number == 0 and speed == "auto" and not game.interpreted_because:
                if reason := why_interpreted(game):
                    say(f"some rules cannot be compiled, so they run interpreted, which is much slower: {reason}")
            if game is not None and exactness is not None and exactness.is_due(before, report.done, report.games):
                found.append(ErrorAfter(report.done, exactness.error(game)))
            status.update(f"learning ... {report_line(report)}; Ctrl-C stops")
            if not console.is_terminal and report.beat != beat and report.learned is None:
                say(report_line(report))
            beat, before = report.beat, report.done
    return report


def report_line(report: Report) -> str:
    """Write a report on the progress of learning as one line."""
    parts = [f"{report.done:,} of {plural(report.games, 'game')}"]
    parts += [f"{score_text(each)} against {each.opponent}" for each in report.beat]
    parts += filter(None, [report.loss_text])
    parts += [f"{seconds_text(report.seconds_left)} left"] if report.seconds_left is not None else []
    return "; ".join(parts)


# Categories. -------------------------------------------------------------------------------------
def print_categories(
    game: str, feature: str, games: int, seed: int, depth: int | None, speed: str, source: str | None, as_json: bool
) -> int:
    """Play or read games, print the results for each value of a feature, and return the exit code."""
    played = load(game)
    place = number_of_feature(played, feature)
    if source is None:
        settings = settings_for(played, "outcomes", games, seed, depth, 1)
        outcomes, doing = outcomes_by_feature(played, place, settings, speed), f"playing {games:,} games"
    else:
        outcomes, doing = outcomes_in_file(played, place, source, say), f"reading {source}"
    rows, kinds, code = [np.zeros((0, 4))], list[str](), 0
    try:
        with status_console().status(f"{doing} ...; Ctrl-C stops") as status:
            for seen, of_kind in outcomes:
                rows.append(seen)
                kinds += of_kind
                status.update(f"{doing}: {len(rows) - 1:,} done; Ctrl-C stops")
    except KeyboardInterrupt:
        code = 130
    found = categories_of(np.concatenate(rows), kinds)
    view = categories_view(played, feature, len(rows) - 1, found)
    print_found(view, lambda: categories_data(played, feature, len(rows) - 1, found), as_json)
    return code
