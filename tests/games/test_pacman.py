import random
from pathlib import Path
from typing import Any

import pytest
from support import playout, subtree

from gamesearch.api import solve
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.games.chance.pacman import DIRECTIONS, LAYOUTS, Pacman
from gamesearch.registry import load, specification_of
from gamesearch.textbook.expectiminimax import expectiminimax as textbook

STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


class Maze:
    """A second implementation of the rules, which uses a dictionary of fields."""

    def __init__(self, rows: list[str], rounds: int, penalty: int | str) -> None:
        self.fields = {(y, x): mark for y, row in enumerate(rows) for x, mark in enumerate(row) if mark != "#"}
        self.pacman = next(place for place, mark in self.fields.items() if mark == "P")
        self.dots = {place for place, mark in self.fields.items() if mark == "."}
        self.ghosts: list[dict[str, Any]] = []
        for place, mark in sorted(self.fields.items()):
            if mark in "RB":
                self.ghosts.append({"mark": mark, "place": place, "heading": None, "den": place})
        self.rounds, self.penalty, self.score, self.turn = rounds, penalty, 0, 0

    def ahead(self, place: tuple[int, int], name: str) -> tuple[int, int]:
        return place[0] + STEPS[name][0], place[1] + STEPS[name][1]

    def choices(self) -> list[str]:
        ghost = self.ghosts[self.turn - 1] if self.turn else None
        place = ghost["place"] if ghost else self.pacman
        if ghost and ghost["heading"] and self.ahead(place, ghost["heading"]) in self.fields:
            return [ghost["heading"]]
        return [name for name in STEPS if self.ahead(place, name) in self.fields]

    def go(self, name: str) -> None:
        if self.turn == 0:
            self.pacman = self.ahead(self.pacman, name)
            self.rounds -= 1
            self.score += 9 if self.pacman in self.dots else -1
            self.dots.discard(self.pacman)
            movers = self.ghosts
        else:
            ghost = self.ghosts[self.turn - 1]
            ghost["place"], ghost["heading"] = self.ahead(ghost["place"], name), name
            movers = [ghost]
        for ghost in movers:
            if self.penalty and ghost["place"] == self.pacman:
                self.score = min(self.score, 0) if self.penalty == "all" else self.score - int(self.penalty)
                ghost["place"], ghost["heading"] = ghost["den"], None
        self.turn = (self.turn + 1) % (len(self.ghosts) + 1)

    def is_caught(self) -> bool:
        return not self.penalty and any(ghost["place"] == self.pacman for ghost in self.ghosts)

    def is_over(self) -> bool:
        return not self.dots or not self.rounds or self.is_caught()

    def value(self) -> int:
        return self.score - 500 * self.is_caught()

    def player(self) -> int:
        if self.turn == 0:
            return MAX
        return MIN if self.ghosts[self.turn - 1]["mark"] == "R" else CHANCE


@pytest.mark.parametrize("penalty", [0, 30, "all"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_random_games_agree_with_the_second_implementation(layout: str, penalty: int | str) -> None:
    game = Pacman(layout, 25, penalty)
    for seed in range(4):
        source, s, maze = random.Random(seed), game.initial(), Maze(LAYOUTS[layout].split("/"), 25, penalty)
        while True:
            assert game.terminal(s) == maze.is_over()
            assert s.score == maze.score
            assert game.parse(game.format(s)) == s
            assert game.consistent(s)
            if game.terminal(s):
                assert game.utility(s) == maze.value()
                break
            assert game.player(s) == maze.player()
            assert [DIRECTIONS[m] for m in game.moves(s)] == maze.choices()
            if game.player(s) == CHANCE:
                assert list(game.outcomes(s)) == [(m, 1 / len(maze.choices())) for m in game.moves(s)]
            m = source.choice(game.steps(s))
            s = game.result(s, m)
            maze.go(DIRECTIONS[m])


# Search. -----------------------------------------------------------------------------------------
TINY = ("P..#/.#../...R", "P..#/.#../...B", "P.../.#R./..B.", ".../.P./...", "P.R.")


@pytest.mark.parametrize("penalty", [0, 15, "all"])
@pytest.mark.parametrize("layout", TINY)
def test_bounds_contain_the_value_of_every_position(layout: str, penalty: int | str) -> None:
    game = Pacman(layout, 5, penalty)
    for seed in range(3):
        for s in playout(game, seed):
            lower, upper = game.bounds(s)
            assert lower <= upper
            if not game.terminal(s):
                assert game.MINSCORE < game.evaluate(s) < game.MAXSCORE
                if subtree(game, s, 600) <= 600:
                    assert lower <= textbook(game, s, 1000) <= upper


def test_all_dots_are_eaten_on_the_shortest_path() -> None:
    game = Pacman("#.#/.P./#.#", rounds=9)
    solution = solve(game, game.initial(), speed="interpreted")
    assert solution.value == 40 - 7  # out and back three times, and then out again


# Layouts and notation. ---------------------------------------------------------------------------
def test_a_layout_from_a_file_makes_the_same_game_again(tmp_path: Path) -> None:
    file = tmp_path / "maze.txt"
    file.write_text("%%%%%%\n%P ..%\n%.%%\n%..B %\n%%%%%%\n\n")
    game = load(f'pacman(layout="{file}")')
    assert game.format(game.initial()) == "######/#P_..#/#.####/#..__#/###### B4.4- 16 0"
    again = load(specification_of(game))
    assert again.initial() == game.initial()
    assert specification_of(again) == specification_of(game)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"P.o\n", "contains 'o'"), (b"\xff\xfe", "not text"), (b"", "0 P"), (b"#" * 10_001, "10,000 bytes")],
)
def test_bad_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "maze.txt").write_bytes(content)
    with pytest.raises(GamesearchError, match=message):
        Pacman(str(tmp_path / "maze.txt"))
