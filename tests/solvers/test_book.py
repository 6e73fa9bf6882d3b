"""Values in opening books are correct, players reach at least the value in their book, and interrupted builds
resume."""

import functools
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from commands import complaint, output

import gamesearch
from gamesearch.cli import run
from gamesearch.commands.solving.book import BookMaker, BookProgress
from gamesearch.errors import GamesearchError
from gamesearch.files import books as book_files
from gamesearch.files.books import Book, Bounds, has_shipped_book, read_book, write_book
from gamesearch.files.whole import lock_output
from gamesearch.game import MAX, MIN, Game
from gamesearch.optional import symmetries_of
from gamesearch.play.game_loop import GameLoop
from gamesearch.play.match import Match
from gamesearch.play.players.booked import BookPlayer
from gamesearch.play.players.loading import default_player, load_player
from gamesearch.play.players.searching import AlgorithmPlayer

SMALL = "connect4(rows=3, columns=4, connect=3)"
SHIPPED_SCORES = (Path(__file__).parent / "book_scores.txt").read_text(encoding="utf-8").split("\n")


def make_book(specification: str, plies: int, side: str = "both", *, exact: bool = False) -> Book:
    book = Book(gamesearch.load(specification))
    assert BookMaker(book, plies, exact=exact, memory=1, speed="interpreted").make(side).is_finished
    return book


@functools.cache
def value_of(game: Game, s: Any) -> float:
    """Compute the minimax value by definition."""
    if game.terminal(s):
        return float(game.utility(s))
    best = max if game.player(s) == MAX else min
    return best(value_of(game, game.result(s, m)) for m in game.moves(s))


@pytest.mark.parametrize(
    ("specification", "plies", "exact"), [("tictactoe", 4, False), (SMALL, 5, True), ("hex(size=2)", 3, True)]
)
def test_values_of_a_book_are_true(specification: str, plies: int, exact: bool) -> None:
    book, asked = make_book(specification, plies, exact=exact), 0
    game, states, level = book.game, set[Any](), {book.game.initial()}
    for _ in range(plies + 1):
        states |= level
        level = {game.result(s, m) for s in level if not game.terminal(s) for m in game.moves(s)} - states
    for s in states:
        found = book.bounds(s)
        assert found.lower <= value_of(game, s) <= found.upper
        asked += book.hash_of(s) in book.positions
        assert {book.hash_of(each) for each in symmetries_of(book.game, s)} == {book.hash_of(s)}
    assert asked >= len(book.positions) > 5
    start = book.bounds(game.initial())
    assert (start.lower > game.draw_value()) == (value_of(game, game.initial()) > game.draw_value())
    assert not exact or start.lower == start.upper


@pytest.mark.parametrize("side", [MAX, MIN])
def test_a_player_with_a_book_keeps_its_value(side: int) -> None:
    """The player keeps the book's value to the last ply of the book, whatever the opponent plays."""
    plies = 5
    book = make_book(SMALL, plies, ("max", "min")[side])
    game, value = book.game, functools.partial(value_of, book.game)
    sign = 1 if side == MAX else -1
    level, followed = {game.initial()}, 0
    for _ in range(plies):
        after = set()
        for s in level:
            if game.terminal(s):
                continue
            moves = list(game.moves(s))
            if game.player(s) == side:
                won = sign * value(s) > game.draw_value()
                keeping = book.moves(s)
                least = game.bounds(s)[side]  # the payoff that the rules guarantee without a book
                assert keeping or value(s) == least or sign * value(s) < game.draw_value()
                for m in keeping:
                    reached = sign * value(game.result(s, m))
                    assert reached > game.draw_value() if won else reached == game.draw_value()
                followed += bool(keeping)
                moves = keeping[:1]
            after |= {game.result(s, m) for m in moves}
        level = after
    assert followed > 5 or value(game.initial()) != game.draw_value()


def test_a_book_names_only_moves_that_keep_the_guaranteed_value() -> None:
    game = gamesearch.load(SMALL)
    book, s = Book(game), game.initial()
    book.note(s, Bounds(1.0, 1.0))
    assert book.guaranteed_value(s, MAX) == 1.0
    assert book.moves(s) == []
    kept = game.steps(s)[2]
    book.note(game.result(s, kept), Bounds(1.0, 1.0))
    assert kept in book.moves(s)


def test_interrupted_work_resumes(tmp_path: Path) -> None:
    whole, path = make_book(SMALL, 5), tmp_path / "book.json"
    book, searched = Book(whole.game), 0
    for most in (3, 10, 10_000):

        def stop(made: BookProgress, most: int = most, book: Book = book) -> None:
            write_book(path, book)
            if made.searched >= most and not made.is_finished:
                raise InterruptedError

        maker = BookMaker(book, 5, memory=1, speed="interpreted", listen=stop)
        try:
            maker.make("both")
        except InterruptedError:
            book = read_book(str(path), whole.game)
        searched += maker.progress.searched
    assert read_book(str(path), whole.game).positions == book.positions
    assert book.positions == whole.positions
    assert searched < len(book.positions)


def test_errors_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "book.json"
    player = ("play", "tictactoe", "--min", f"alphabeta(depth=1, book='{path}')")
    assert "there is no file" in complaint(capsys, *player)
    write_book(path, make_book("tictactoe", 1))
    with lock_output(path, "building"):
        assert f"another process is building {path}: wait" in complaint(capsys, "book", "tictactoe", "--to", str(path))
    assert [each.name for each in tmp_path.iterdir()] == ["book.json"]
    whole = path.read_text()
    with monkeypatch.context() as patch:
        patch.setattr(book_files, "LARGEST", len(whole) - 1)
        assert "it has more than" in complaint(capsys, *player)
    for text in (whole[: len(whole) // 2], whole.replace(": 0,", ": 1,", 1), whole.replace('"rules"', '"rule"')):
        path.write_text(text)
        assert "is damaged or incomplete" in complaint(capsys, *player)
    for text, says in (
        (json.dumps({"gamesearch weights": 1}), "is not a book file"),
        (whole.replace('book": 1', 'book": 2'), "version 2"),
    ):
        path.write_text(text)
        assert says in complaint(capsys, *player)
    path.write_text(whole)
    assert "is a book of tictactoe: choose a book of" in complaint(
        capsys, "play", "connect4", "--min", f"alphabeta(depth=1, book='{path}')"
    )
    assert "is a book of tictactoe" in complaint(capsys, "book", "connect4", "--to", str(path))
    assert "no book of nim comes with" in complaint(capsys, "play", "nim", "--min", "alphabeta(depth=1, book=shipped)")
    assert "cannot use a book" in complaint(capsys, "play", "tictactoe", "--min", f"human(book='{path}')")
    assert "lets positions repeat" in complaint(capsys, "book", "chess", "--to", str(path))
    assert "chance nodes" in complaint(capsys, "book", "pig", "--to", str(path))
    assert "should end in .json" in complaint(capsys, "book", "tictactoe", "--to", str(tmp_path / "book.txt"))
    assert "there is no folder" in complaint(capsys, "book", "tictactoe", "--to", str(tmp_path / "no" / "book.json"))


def test_a_player_with_a_book_ponders_after_the_book_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.play.players.searching.speed_for", lambda *_: "compiled")
    game = gamesearch.load("connect4(rows=4, columns=5)")
    write_book(tmp_path / "empty.json", Book(game))
    text = f"alphabeta(table=true, memory=1, deepen=true, time=0.1, book='{tmp_path / 'empty.json'}')"
    with load_player(text, game, speed="interpreted") as player:
        assert isinstance(player, BookPlayer)
        assert isinstance(player.player, AlgorithmPlayer)
        loop = GameLoop(Match(game, game.initial(), (player, load_player("human", game))))
        loop.ponders = True
        loop.accept(loop.ask())
        assert player.player.pondering is not None


def test_a_player_follows_its_book_and_then_keeps_its_value(tmp_path: Path) -> None:
    path, book = tmp_path / "book.json", make_book(SMALL, 3, "max")
    write_book(path, book)
    game = book.game
    assert book.bounds(game.initial()).lower > 0
    text = f"alphabeta(depth=1, time=60, book='{path}')"
    for seed in range(3):
        source = random.Random(seed)
        with load_player(text, game, None, "interpreted") as player:
            assert load_player(player.specification, game).specification == player.specification
            match = Match(game, game.initial(), (player, player))
            while not match.is_over:
                if match.turn == MAX:
                    found = player.answer(match.player_turn())
                    assert found.bound in ("lower", "exact")
                    assert found.best is not None
                    match.play(found.best)
                else:
                    match.play(source.choice(match.steps))
        assert float(game.utility(match.state)) > 0


def test_a_player_that_may_lose_takes_a_draw_after_a_mistake_of_the_opponent(tmp_path: Path) -> None:
    """The book says that Min loses by at most 3, and the first move keeps this value. The second move draws."""
    game, path = gamesearch.load("[[[3,1],[0,-9]],[[3,3],[9,9]]]"), tmp_path / "book.json"
    book = Book(game)
    book.note(game.initial(), Bounds(upper=3))
    write_book(path, book)
    with load_player(f"alphabeta(depth=1, time=60, book='{path}')", game, None, "interpreted") as player:
        match = Match(game, game.initial(), (player, player))
        match.play(match.steps[0])
        assert player.answer(match.player_turn()).best == match.steps[1]


def test_a_player_with_a_guaranteed_win_plays_no_move_that_only_keeps_a_draw(tmp_path: Path) -> None:
    """The first move leads to 5, which is more than a draw (4.5). The book guarantees 8, and the second move wins 9."""
    game, path = gamesearch.load("[[5,9],[9,9],[8,8],0]"), tmp_path / "book.json"
    book = Book(game)
    book.note(game.initial(), Bounds(lower=8))
    write_book(path, book)
    with load_player(f"alphabeta(depth=1, time=60, book='{path}')", game, None, "interpreted") as player:
        found = player.answer(Match(game, game.initial(), (player, player)).player_turn())
    assert (found.best, found.value, found.bound) == (1, 9, "lower")


def test_the_computer_has_the_shipped_book_at_its_strongest() -> None:
    game, other = gamesearch.load("connect4"), gamesearch.load("connect4(rows=5)")
    assert has_shipped_book(game)
    assert has_shipped_book(gamesearch.load("connect4(weights=learned)"))
    assert not has_shipped_book(other)
    assert "book=shipped" in default_player(game)
    assert "book" not in default_player(other)
    player = load_player("pvs(threads=2, book=shipped)", game)
    assert isinstance(player, BookPlayer)
    assert player.bound_search.threads == 2
    assert "book=shipped" in load_player("computer(level=best)", game).specification
    assert "book" not in load_player("computer(level=best, book=none)", game).specification
    assert "book" not in load_player("computer(level=3)", game).specification
    with pytest.raises(GamesearchError, match="no book of nim comes"):
        load_player("alphabeta(depth=2, book=shipped)", gamesearch.load("nim"))


def test_the_shipped_book_keeps_the_win_of_the_empty_board() -> None:
    """The book's moves agree with scores from BitBully and its databases, for first moves and for later positions."""
    game = gamesearch.load("connect4")
    book, known = read_book("shipped", game), 0
    assert book.bounds(game.initial()) == Bounds(1, 1)
    assert book.moves(game.initial()) == [3]
    for column, worth in enumerate((-1, -1, 0, 1, 0, -1, -1)):  # J. D. Allen and V. Allis 1988
        lower, upper = book.bounds(game.result(game.initial(), column))
        assert (lower >= 1, lower >= 0 >= upper, upper <= -1) == (worth > 0, worth == 0, worth < 0)
    for line in filter(None, SHIPPED_SCORES):
        played, score = line.split()
        s = game.parse("" if played == "-" else played)
        value = int(score) if game.player(s) == MAX else -int(score)
        found = book.bounds(s)
        assert found.lower <= value <= found.upper
        known += book.contains(s)
    assert known > 60


def test_after_the_shipped_book_the_player_keeps_the_value_by_search() -> None:
    """A player with estimates to depth 1 would lose most games. Interpreted searches are fast near the end."""
    game, source, values = gamesearch.load("connect4"), random.Random(3), set[int]()
    solver = gamesearch.searcher(
        game, "alphabeta(depth=full, order=game, table=true, bounds=true, window=null)", speed="interpreted"
    )
    with load_player("alphabeta(depth=1, time=60, book=shipped)", game, None, "interpreted") as player:
        while len(values) < 3:
            s: Any = game.initial()
            while not game.terminal(s) and s.stones < 28:
                s = game.result(s, source.choice(list(game.moves(s))))
            if game.terminal(s) or game.bounds(s)[0] == game.bounds(s)[1]:
                continue
            player.begin()
            found = player.answer(Match(game, s, (player, player)).player_turn())
            assert found.best is not None
            value, kept = (solver.search(each).value for each in (s, game.result(s, found.best)))
            assert isinstance(value, float)
            assert isinstance(kept, float)
            assert (value > 0, value < 0) == (kept > 0, kept < 0)
            values.add((value > 0) - (value < 0))


def test_the_command_saves_its_results_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(maker: BookMaker, *arguments: Any) -> Any:
        maker.book.note(maker.book.game.initial(), Bounds(0, 0))
        raise KeyboardInterrupt

    path = tmp_path / "book.json"
    words = ("book", SMALL, "--to", str(path), "--plies", "3", "--speed", "interpreted")
    with monkeypatch.context() as patch:
        patch.setattr(BookMaker, "make", interrupt)
        assert run(words) == 130
    assert f"1 position saved in {path}" in capsys.readouterr().err
    assert len(read_book(str(path), gamesearch.load(SMALL)).positions) == 1
    path.unlink()
    first = json.loads(output(capsys, *words, "--json"))
    assert first["is_finished"]
    assert first["searched"] > 0
    assert first["value"]["lower"] > 0
    again = json.loads(output(capsys, *words, "--json"))
    assert (again["searched"], again["nodes"], again["positions"]) == (0, 0, first["positions"])


def test_the_time_for_compiling_the_short_searches_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = BookMaker(Book(gamesearch.load("nim(heaps='1,2')")), 1, memory=1, speed="interpreted")
    search, compiled = maker.glances.search, list[float]()

    def search_after_compilation(s: Any) -> Any:
        begun = time.perf_counter()
        time.sleep(0.05)
        compiled.append(time.perf_counter() - begun)
        return search(s)

    monkeypatch.setattr(maker.glances, "search", search_after_compilation)
    begun = time.perf_counter()
    progress = maker.make("both")
    assert compiled
    assert 0 < progress.seconds <= time.perf_counter() - begun - sum(compiled)
