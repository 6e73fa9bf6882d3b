"""The user can make every move of every game by pointing at cells of the board; this includes users' games."""

from typing import Any

import pytest

from gamesearch.game import CHANCE, Game
from gamesearch.play.sessions.pointing import MoveSelection
from gamesearch.registry import game_names, load
from gamesearch.toolkit.boards import Place

TYPED = {"buildorder", "pig", "random_tree", "tree"}
"""Games that have no cells, or in which moves change no cell."""


def choosing(specification: str, position: str = "") -> tuple[Game, Any, MoveSelection]:
    game, s = load(specification).setup(position)
    while game.player(s) == CHANCE:
        s = game.result(s, game.steps(s)[-1])
    return game, s, MoveSelection(game, s, game.steps(s))


def place(game: Game, s: Any, name: str) -> Place:
    """Return the cell with the given name, which consists of the labels of its column and its row."""
    board = game.board(s)
    return [label.strip() for label in board.row_labels].index(name[1:]), list(board.column_labels).index(name[0])


def is_reached(each: MoveSelection, m: int) -> bool:
    """Whether pointing at a move's cells selects the move, or shows a list that contains the move."""
    footprint = each.footprints[m]
    beginnings: list[tuple[Place, ...]] = [(a, b) for a in footprint.starts for b in footprint.ends]
    beginnings += [] if footprint.starts else [(b,) for b in footprint.ends]
    for beginning in beginnings:
        each.clear()
        found = [each.point(at) for at in beginning][-1]
        for _ in range(len(footprint.places)):
            if found is not None or each.choices or not each.chosen:
                break
            left = sorted(footprint.places & each.places)
            found = each.point(left[0] if left else each.chosen[-1])
        if found == m or m in each.choices:
            return True
    return False


@pytest.mark.parametrize("name", game_names())
def test_moves_can_be_pointed_at(name: str) -> None:
    game, s, each = choosing(name, load(name).example if name not in ("backgammon", "connect4") else "")
    if name in TYPED:
        assert not each.footprints
        return
    missed = [m for m in each.footprints if not is_reached(each, m)]
    assert len(missed) <= (1 if name == "backgammon" else 0)
    unseen = [game.move_name(s, m) for m in game.steps(s) if m not in each.footprints]
    assert unseen == (["pass"] if name == "go" else []), (
        "a move changes no cell; add the game to TYPED if this is intended"
    )


def test_a_piece_is_chosen_first_and_then_its_target() -> None:
    game, s, each = choosing("chess")
    assert each.places >= {place(game, s, "e2"), place(game, s, "g1")}
    assert each.point(place(game, s, "e5")) is None
    assert not each.chosen
    assert each.point(place(game, s, "g1")) is None
    assert each.places == {place(game, s, "f3"), place(game, s, "h3")}
    assert each.point(place(game, s, "e2")) is None, "pointing at another piece selects this piece"
    assert each.chosen == (place(game, s, "e2"),)
    assert each.point(place(game, s, "e2")) is None, "pointing at the selected piece again deselects it"
    assert not each.chosen
    each.point(place(game, s, "e2"))
    assert each.point(place(game, s, "e4")) == game.parse_move(s, "e4")


def test_castling_differs_from_moves_of_king_and_rook() -> None:
    position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    for start, end, name in (("e1", "g1", "O-O"), ("e1", "f1", "Kf1"), ("h1", "f1", "Rf1"), ("h1", "g1", "Rg1")):
        game, s, each = choosing("chess", position)
        each.point(place(game, s, start))
        assert each.point(place(game, s, end)) == game.parse_move(s, name)


def test_moves_that_cells_cannot_distinguish_are_chosen_from_a_list() -> None:
    game, s, each = choosing("chess", "8/4P3/8/8/8/k7/8/4K3 w - - 0 1")
    each.point(place(game, s, "e7"))
    assert each.point(place(game, s, "e8")) is None
    assert sorted(game.move_name(s, m) for m in each.choices) == ["e8=B", "e8=N", "e8=Q", "e8=R"]
