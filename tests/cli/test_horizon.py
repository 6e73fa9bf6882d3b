"""`gamesearch horizon` shows the horizon effect in the position described in its help, and examines other positions."""

import re
from pathlib import Path
from typing import Any

import pytest
from choices import only_with_everything
from commands import Cli

from gamesearch.algorithms.engine.result import Limits
from gamesearch.commands.visualizing.horizon import DEFAULT, depth_that_sees, greatest_fall, search_depths
from gamesearch.registry import load

PAGE = (Path(__file__).parents[2] / "docs" / "explanation" / "selective-search.md").read_text(encoding="utf-8")
CHECKS = ["Be5+", "Kxe5", "f4+", "Kxf4"]
SLOW = ("--speed", "interpreted")


def values(search: dict[str, Any]) -> list[float]:
    return [each["value"] for each in search["depths"]]


@only_with_everything
def test_the_position_shows_the_effect_that_the_page_describes(cli: Cli) -> None:
    answer = cli.data("horizon", *SLOW)
    fixed, quiescence, extensions, both = answer["searches"]
    assert values(fixed) == [5, 2, 2, 1, 1, -4]
    assert answer["fall"] == {"depth": 6, "before": 1, "after": -4, "put_off_by": [*CHECKS, "Kg2"]}
    assert fixed["depths"][3]["line"] == CHECKS
    assert [each["sees_it_at"] for each in (fixed, quiescence, extensions, both)] == [6, 5, 4, 3]
    assert DEFAULT[1].removesuffix(" - - 0 1") in PAGE
    rows = [line.strip("| \n").split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and "` | " in line]
    shown = [row for row in rows if row[0].isdigit()]
    assert len(shown) == 5
    for depth, value, line, *others in shown:
        at = int(depth) - 1
        assert float(value) == values(fixed)[at]
        assert line.strip("`").split() == fixed["depths"][at]["line"]
        assert [float(each) for each in others] == [values(each)[at] for each in (quiescence, extensions, both)]


def test_every_great_fall_is_named_and_a_false_gain_is_not_a_loss(cli: Cli) -> None:
    """The queen wins a protected pawn at the last ply, but no search finds that anything is lost."""
    told = cli.output("horizon", "chess", "4k3/3p4/4p3/8/8/8/4Q3/4K3 w - - 0 1", "--depth", "4", *SLOW)
    assert "at depth 2 it is +7" in told
    assert "The value also falls at depth 4 from +8 to +7." in told
    assert "seem to gain something: 1. Qxe6+\n" in told
    assert "A value of +7.5 or less means at least half of the change at depth 2." in told
    assert "such a value: 2 for fixed depth, 1 for quiescence" in told
    assert "loss" not in told


def test_half_of_a_fall_is_seen_and_a_delayed_loss_is_named(cli: Cli) -> None:
    told = cli.output("horizon", "[4:[6:[2:[0]]]]", "--depth", "4")
    assert "at depth 3 it is +2" in told
    assert "The value also falls at depth 4 from +2 to 0." in told
    assert "such a value: 1 for fixed depth, 1 for quiescence" in told
    told = cli.output("horizon", *DEFAULT, "--depth", "4", *SLOW)
    assert "At depth 1, these moves push the loss beyond the horizon: 1. Be5+\n" in told
    assert "A value of +3.5 or less means at least half of the change at depth 2." in told
    assert "such a value: 2 for fixed depth, 1 for quiescence" in told
    assert "gain" not in told


@pytest.mark.parametrize(
    "words",
    [
        "checkers --depth 4",  # the value has been as low before
        "connect4 4453 --depth 5",  # quiescence sees only half of the fall
        "connect4(rows=4,columns=4) 1122 --depth 4",
        "connect4 44532 --depth 5",  # Min is to move, and values are for Max
        "[4:[6:[2:[0]]]] --depth 4",
    ],
)
def test_the_sentences_agree_with_the_table(words: str, cli: Cli) -> None:
    told = cli.output(f"horizon {words}", *SLOW)
    rows = [line.split() for line in told.splitlines() if re.match(r" +\d+ +[-+0]", line)]
    columns = [[float(row[column]) for row in rows] for column in range(1, 5)]
    is_up = "The value also rises" in told or "or more means" in told
    start, before, more, depth, after = re.search(
        r"(Up to|At) depth \d+, the value for \S+ is (\S+)( or more| or less)?; at depth (\d+) it is (\S+)\.\n", told
    ).groups()  # type: ignore[union-attr]
    shallow, deep = columns[0][: int(depth) - 1], columns[0][int(depth) - 1]
    assert deep == float(after)
    if start == "Up to":
        assert more == (" or less" if is_up else " or more")
        assert float(before) == (max if is_up else min)(shallow) != deep
    else:
        assert (float(before), more) == (shallow[-1], None)
    half, kind = re.search(r"A value of (\S+) or (more|less) means", told).groups()  # type: ignore[union-attr]
    assert kind == ("more" if is_up else "less")
    places = re.findall(r"(\d+|none) for ([a-z ]+)", told.partition("such a value: ")[2])
    assert [label for _, label in places] == ["fixed depth", "quiescence", "extensions", "both"]
    for (place, _), values in zip(places, columns, strict=True):
        seen = [each >= float(half) if is_up else each <= float(half) for each in values]
        assert (seen.index(True) + 1 if any(seen) else 0) == (0 if place == "none" else int(place))


def test_values_are_seen_from_the_player_to_move() -> None:
    game = load("connect4")
    s = game.parse("4455")  # X gets three in a row with two open ends, so O cannot prevent four in a row
    x, o = (search_depths(game, state, Limits(depth=4), speed="interpreted")[0] for state in (s, game.result(s, 2)))
    assert x.results[3].value == x.value(4)
    assert x.value(4) > 1
    assert o.results[3].value == -o.value(4)
    assert o.value(4) < -1
    fall = greatest_fall(o)
    assert fall is not None
    assert fall.after == o.value(fall.depth) < fall.before == o.value(fall.depth - 1)
    assert depth_that_sees(o, fall) == fall.depth


def test_searches_to_the_end_and_stopped_searches(cli: Cli) -> None:
    assert "The value never falls" in cli.output("horizon nim 1,2 --depth 3")
    answer = cli.data("horizon tictactoe XX./OX./.OO")
    assert [len(each["depths"]) for each in answer["searches"]] == [3, 3, 3, 3]
    answer = cli.data("horizon connect4 --depth 5 --nodes 60")
    assert all(each["stopped"] and 0 < len(each["depths"]) < 5 for each in answer["searches"])


@pytest.mark.parametrize("words", ["nim 1,2", "tictactoe XX./OX./.OO", "[[3,4],[2,9]]", "chess --depth 1"])
def test_one_blank_line_is_above_the_heading(cli: Cli, words: str) -> None:
    assert re.search(r"[^\n]\n\nvalue for|[^\n]\n\npawns for", cli.output(f"horizon {words}", *SLOW))
