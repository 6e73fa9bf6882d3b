"""The table of the results of a match: points, Elo with its confidence interval, and failures."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.play.matches.game_task import CRASH, FAILURES, HANG, ILLEGAL, TIME
from gamesearch.play.matches.running import MatchRun
from gamesearch.play.matches.standings import PlayerScore, Standings
from gamesearch.registry import load
from gamesearch.render.charts.growth import letters
from gamesearch.render.tables import table_of_numbers, view

__all__ = ["elo_text", "live_text", "series_data", "series_view", "sprt_text"]

LONGEST_NAME = 20
"""The greatest length of a name in the table. If a name is longer, the table shows letters instead of names."""
COLUMNS = ("W", "D", "L", "score", "Elo", "95 %", "LOS", "nodes/s")
LEGEND = "W, D, L: wins, draws, losses; 95 %: interval of Elo; LOS: chance to be stronger"
NORMALIZED = "normalized Elo: the strength relative to the spread of the scores"
NO_INTERVAL = "the columns 95 % and LOS need two pairs of games with different scores: play more games"
NAMES = {CRASH: (CRASH, "crashes"), HANG: (HANG,), ILLEGAL: (ILLEGAL,), TIME: ("loss on time", "losses on time")}
"""The words for each kind of failure: the singular and, if it is irregular, the plural."""
MINUS = "-"
FIRST = "the first games compile code and choose balanced openings"


@view
def series_view(run: MatchRun, is_live: bool = False, names: Sequence[str] = ()) -> RenderResult:
    """Show the players, the table, and sentences about all games.

    If `is_live` is true, the match is still running, and a sentence explains why its first games are slow. If `names`
    are given, they are shown instead of the players' specifications.
    """
    standings = run.standings
    called = list(names) or [player.name for player in standings.players]
    if max(map(len, called)) > LONGEST_NAME:
        for letter, name in zip(letters(len(called)), called, strict=True):
            yield Text(f"{letter}  {name}")
        called = letters(len(called))
    rows = ((name, *cells(player)) for name, player in zip(called, standings.players, strict=True))
    yield table_of_numbers("player", *COLUMNS, rows=rows, gap=2)
    if not is_live:
        yield Text(LEGEND, style="dim")
    yield from map(Text, lines(run, standings, is_live, called))


def lines(run: MatchRun, standings: Standings, is_live: bool, names: list[str]) -> Iterator[str]:
    """The sentences below the table."""
    yield (live_text if is_live else progress_text)(run, standings) + pairs_text(standings)
    if standings.repeated:
        yield f"{plural(standings.repeated, 'pair')} not counted for Elo: all moves are the same as in an earlier pair"
    if standings.pairs and not is_live and any(player.pairs.interval is None for player in standings.players):
        yield NO_INTERVAL
    if standings.games:
        yield games_text(standings)
    first = standings.players[0].pairs
    if len(standings.players) == 2 and first.normalized_elo is not None and first.normalized_interval is not None:
        interval = " .. ".join(map(elo_text, first.normalized_interval))
        yield f"normalized Elo of the first player: {elo_text(first.normalized_elo)} ({interval})"
        if not is_live:
            yield NORMALIZED
    yield from payoffs_text(run, standings)
    yield from failures_text(run, standings, names)
    if run.decision is not None:
        yield sprt_text(run)


def cells(player: PlayerScore) -> tuple[str, ...]:
    """The cells of the table for one player, in the order of COLUMNS."""
    low_high, better = player.pairs.interval, player.pairs.superiority
    speed = player.nodes / player.seconds if player.seconds else 0
    return (
        *map(str, (player.wins, player.draws, player.losses)),
        f"{player.points / player.games:.1%}" if player.games else "",
        elo_text(player.pairs.elo) if player.pairs.number else "",
        "" if low_high is None else " .. ".join(map(elo_text, low_high)),
        "" if better is None else f"{better:.1%}",
        rate_text(speed) if speed else "",
    )


def rate_text(rate: float) -> str:
    """A number of nodes per second, as a short text.

    >>> rate_text(950), rate_text(1_843_700), rate_text(21_000)
    ('950', '1.84M', '21.0k')
    """
    if rate < 1000:
        return f"{rate:.0f}"
    return f"{rate / 1e3:.1f}k" if rate < 1e6 else f"{rate / 1e6:.2f}M"


def elo_text(elo: float) -> str:
    """A difference in Elo, with its sign."""
    if math.isinf(elo):
        return "+inf" if elo > 0 else f"{MINUS}inf"
    return f"{round(elo):+d}"


def progress_text(run: MatchRun, standings: Standings) -> str:
    """The number of finished games."""
    more = len(run.journal.records) - standings.games
    others = f" ({plural(more, 'more game')} played, not counted)" if more and run.decided is not None else ""
    return f"{standings.games:,} of {run.games:,} games{others}, {plural(standings.pairs, 'pair')}"


def live_text(run: MatchRun, standings: Standings) -> str:
    """The progress that is displayed during the match: the number of finished games."""
    text = progress_text(run, standings)
    return text if run.journal.records else f"{text}: {FIRST}"


def pairs_text(standings: Standings) -> str:
    """The end of a sentence. It says in how many pairs of games the first player scored 0, 1/2, 1, 1 1/2 and 2 points.
    If there are not exactly two players, the text is empty."""
    if len(standings.players) != 2 or not standings.pairs:
        return ""
    counts = zip(standings.players[0].pairs.counts, ("0", "1/2", "1", "1 1/2", "2"), strict=True)
    listed = [f"{points} in {plural(count, 'pair')}" for count, points in counts if count]
    return f"; points of the first player: {', '.join(listed)}"


def games_text(standings: Standings) -> str:
    """The share of draws, the mean length of the games, and the reasons why games ended early."""
    parts = [f"{standings.draws / standings.games:.1%} draws", f"{standings.plies_a_game:.1f} plies per game"]
    ended = standings.endings.most_common()
    return ", ".join([*parts, *(f"{count} ended by {why}" for why, count in ended if why not in ("", *FAILURES))])


def payoffs_text(run: MatchRun, standings: Standings) -> Iterator[str]:
    """In a match of two players, the mean payoff of the first player, and its confidence interval."""
    payoffs = standings.players[0].payoffs
    if len(standings.players) == 2 and payoffs.values:
        half = payoffs.half_interval
        spread = "" if half is None else f" (95 % interval +- {half:.3f})"
        yield f"{payoffs.mean:+.3f} {load(run.series.game).unit or 'points'} per game for the first player{spread}"


def failures_text(run: MatchRun, standings: Standings, names: list[str]) -> Iterator[str]:
    """Yield sentences about problems: failures of players with their first reason, restarts of programs, and workers
    that died."""
    for name, player in zip(names, standings.players, strict=True):
        counts = [plural(player.failures[kind], *NAMES[kind]) for kind in FAILURES if player.failures[kind]]
        if counts:
            restarts = "once" if player.restarts == 1 else f"{player.restarts} times"
            yield f"{name}: {', '.join(counts)}" + (f"; started again {restarts}" if player.restarts else "")
            failed = (each for each in run.counting_games if each.failed is not None)
            first = next(each for each in failed if each.players[each.failed or 0] == player.name)
            if first.details:
                yield f"{name} in game {first.number + 1}: {first.details}"
    if run.lost_workers:
        yield f"{plural(run.lost_workers, 'worker')} died; their games were played again"


def sprt_text(run: MatchRun) -> str:
    """The state of the sequential probability ratio test."""
    assert run.decision is not None
    test, pairs = run.decision.sprt, run.decision.pairs
    lower, upper = test.bounds
    verdict = {
        None: "undecided; the players only repeat their games" if run.decision.is_exhausted else "undecided",
        True: f"accepted: a difference of {test.elo1:g} Elo fits the games better than {test.elo0:g}",
        False: f"rejected: a difference of {test.elo0:g} Elo fits the games better than {test.elo1:g}",
    }[run.decision.is_accepted]
    return (
        f"SPRT {test.elo0:g} against {test.elo1:g} Elo, alpha {test.alpha:g}, beta {test.beta:g}: "
        f"log-likelihood ratio {test.ratio(pairs):.2f} in {lower:.2f} .. {upper:.2f} after "
        f"{plural(pairs.number, 'pair')}: {verdict}"
    )


# As JSON. -----------------------------------------------------------------------------------------
def series_data(run: MatchRun) -> dict[str, Any]:
    """The match as JSON."""
    standings = run.standings
    data = {
        "game": run.series.game,
        "journal": str(run.journal.path),
        "seed": run.series.seed,
        "games": standings.games,
        "of": run.games,
        "pairs": standings.pairs,
        "repeated_pairs": standings.repeated,
        "draws": standings.draws,
        "plies_a_game": standings.plies_a_game,
        "endings": {reason or "rules": count for reason, count in standings.endings.items()},
        "players": [player_data(player) for player in standings.players],
        "lost_workers": run.lost_workers,
        "sprt": None,
    }
    if run.decision is not None:
        test, pairs = run.decision.sprt, run.decision.pairs
        verdict = {None: "open", True: "accepted", False: "rejected"}[run.decision.is_accepted]
        data["sprt"] = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "ratio": test.ratio(pairs),
            "bounds": list(test.bounds),
            "pairs": pairs.number,
            "verdict": verdict,
        }
    return data


def player_data(player: PlayerScore) -> dict[str, Any]:
    """Describe one player as JSON. Infinite and unknown numbers become null."""
    pairs, payoffs = player.pairs, player.payoffs
    return {
        "player": player.name,
        "games": player.games,
        "wins": player.wins,
        "draws": player.draws,
        "losses": player.losses,
        "pentanomial": list(pairs.counts),
        "score": player.points / player.games if player.games else None,
        "elo": finite(pairs.elo) if pairs.number else None,
        "interval": None if pairs.interval is None else [finite(each) for each in pairs.interval],
        "normalized_elo": pairs.normalized_elo,
        "normalized_interval": pairs.normalized_interval,
        "superiority": pairs.superiority,
        "payoff": {"pairs": len(payoffs.values), "mean": payoffs.mean, "half_interval": payoffs.half_interval}
        if payoffs.values
        else None,  # payoffs are only win, loss and draw
        "failures": {kind: player.failures[kind] for kind in FAILURES},
        "restarts": player.restarts,
        "moves": player.moves,
        "nodes": player.nodes,
        "seconds": round(player.seconds, 6),
    }


def finite(number: float) -> float | None:
    """The number, or None if it is infinite, because JSON has no infinite numbers."""
    return number if math.isfinite(number) else None
