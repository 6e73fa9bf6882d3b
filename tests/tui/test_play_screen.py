"""The full-screen board, driven by Textual's pilot: what it shows, and the effects of keys, mouse and typed lines."""

import asyncio
import io
import json
import os
import re
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import platformdirs
import pytest
from match_support import Preparing

pytest.importorskip("textual")

from rich.console import Console
from textual._xterm_parser import XTermParser
from textual.events import Key
from textual.pilot import Pilot

from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult, Statistics
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import HUMAN, Player, Turn
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load
from gamesearch.tui import play_screen
from gamesearch.tui.board_pane import BoardPane, next_place
from gamesearch.tui.full_screen import Chooser, Help, InputDecoder, Line
from gamesearch.tui.play_screen import KEYS, PlayApp

Script = Callable[[Pilot[None]], Awaitable[None]]


def session(name: str, *players: str | Player, position: str = "", clock: tuple[float, float] | None = None) -> Session:
    game, start = load(name).setup(position)
    named = players or (HUMAN,) * game.players
    seated = [load_player(each, game, None, "interpreted") if isinstance(each, str) else each for each in named]
    return Session(Match(game, start, seated, seed=3), Settings(name=name, speed="interpreted", clock=clock))


def drive(
    played: Session, script: Script, size: tuple[int, int] = (80, 24), colors: str | None = "truecolor"
) -> PlayApp:
    """Run a script that presses keys on the screen of a session; an error in the app fails the test."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system=colors, _environ={})  # type: ignore[arg-type]
    app = PlayApp(played, console)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(run())
    if app.failure is not None:
        raise app.failure
    return app


def screen_text(pilot: Pilot[None]) -> str:
    """Return the text on the screen."""
    return "\n".join(strip.text.rstrip() for strip in pilot.app.screen._compositor.render_strips())


def play_app(pilot: Pilot[None]) -> PlayApp:
    assert isinstance(pilot.app, PlayApp)
    return pilot.app


async def type_line(pilot: Pilot[None], text: str) -> None:
    """Put a text into the line, as if it had been typed, and press Enter."""
    pilot.app.query_one(Line).value = text
    await pilot.press("enter")
    await pilot.pause()


async def wait_for(pilot: Pilot[None], *texts: str) -> str:
    await wait_until(pilot, lambda: all(text in screen_text(pilot) for text in texts), str(texts))
    return screen_text(pilot)


async def wait_until(pilot: Pilot[None], is_right: Callable[[], object], wanted: str) -> None:
    for _ in range(400):
        if is_right():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"{wanted} does not appear in\n{screen_text(pilot)}")


async def click_on(pilot: Pilot[None], place: tuple[int, int]) -> None:
    pane = pilot.app.query_one(BoardPane)
    x, y, width, height = pane.drawing.boxes[pane.flip(place)]
    await pilot.click(BoardPane, offset=(pane.origin[0] + x + width // 2, pane.origin[1] + y + height // 2))
    await pilot.pause()


class Slow(Player):
    """A player that thinks until it is stopped, and then plays the last legal move."""

    specification = "slow"
    is_search = False

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        assert monitor is not None
        while not monitor.interrupted:
            self.stopped.wait(0.01)
        m = turn.game.steps(turn.state)[-1]
        return SearchResult("slow", None, "exact", m, (), Statistics())


def test_moves_are_typed_and_the_board_stays() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await wait_for(pilot, "move 1, X>")
        await type_line(pilot, "5")
        screen = await wait_for(pilot, "2. O: ", "move 3, X>", "even")
        assert len(screen.splitlines()) == 24
        assert "  1. 5 " in screen
        await pilot.press("ctrl+b")
        screen = await wait_for(pilot, "values are hidden", "^b show value")
        assert "even" not in screen
        await pilot.press("ctrl+b")
        await wait_for(pilot, "values are shown", "^b hide value", "even")
        await type_line(pilot, "5")
        await wait_for(pilot, "'5' is taken")
        play_app(pilot).view.tell(f"first\n{'long ' * 40}\nlast")  # messages are never truncated
        await wait_for(pilot, " first\n", " last\n", "move 3, X>")
        await pilot.press("ctrl+z")
        assert "move 1, X>" in await wait_for(pilot, "undo done")
        await pilot.press("ctrl+y")
        await wait_for(pilot, "move 3, X>")
        await pilot.press("ctrl+q")

    played = session("tictactoe", HUMAN, "alphabeta(depth=2)")
    app = drive(played, script)
    assert app.return_code == 0
    assert len(played.match.moves) == 2


@pytest.mark.parametrize(
    ("keys", "typed"),
    [
        (["d", "tab", "escape", "e", "5"], "e5"),
        (["5", "enter", "ctrl+z", "d", "4"], "d4"),
        (["5", "enter", "ctrl+s", "escape", "e", "6"], "e6"),
        (["f1", "x", "e", "4"], "e4"),
    ],
)
def test_keys_act_in_the_order_in_which_they_were_typed(keys: list[str], typed: str) -> None:
    async def script(pilot: Pilot[None]) -> None:
        for key in keys:  # all keys at once; the pilot would wait after each key
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await wait_until(pilot, lambda: pilot.app.screen_stack[0].query_one(Line).value == typed, typed)

    drive(session("tictactoe"), script)


def test_a_man_is_moved_by_the_mouse_on_a_board_turned_round() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await click_on(pilot, (6, 4))
        await click_on(pilot, (4, 4))
        await wait_for(pilot, "1. White: e4")
        await pilot.press("ctrl+o")
        await pilot.pause()
        await click_on(pilot, (1, 4))
        await click_on(pilot, (3, 4))
        await wait_for(pilot, "1... Black: e5", " h  g ")
        await pilot.click("#board", offset=(0, 0))
        assert not pilot.app.query_one(BoardPane).chosen

    drive(session("chess"), script)


def test_a_board_that_is_wider_than_the_screen_is_cropped() -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await wait_for(pilot, "move 1, W")
        assert re.findall(r"^(\d) ", screen, re.MULTILINE) == list("87654321")

    drive(session("chess"), script, (16, 24))


class Finding(Slow):
    """A player that soon reports a value and then continues to think."""

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        assert monitor is not None
        monitor.poll(Progress(nodes=7, seconds=0.1, depth=3))
        monitor.finished(SearchResult("slow", 0.0, "lower", 4, (4, 0), Statistics()))
        return super().answer(turn, monitor)


def test_only_values_of_the_present_search_are_shown_unless_they_are_hidden() -> None:
    async def script(pilot: Pilot[None]) -> None:
        app = play_app(pilot)
        app.state.found = 0.0, "an old value"
        app.view.show()
        await wait_for(pilot, "an old value")
        await type_line(pilot, "9")
        assert "an old value" not in await wait_for(pilot, "depth 3", "value at least 0 for X", "5 1")
        await pilot.press("ctrl+b")
        screen = await wait_for(pilot, "values are hidden", "depth 3", "7 nodes")
        assert "at least 0" not in screen
        assert "5 1" not in screen
        await pilot.press("ctrl+q")

    drive(session("tictactoe", HUMAN, Finding()), script)


def test_a_board_with_one_upper_side_is_not_turned() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+o")
        await wait_for(pilot, "this board has a fixed top")
        assert not pilot.app.query_one(BoardPane).is_flipped

    drive(session("connect4", position="445"), script)


def test_a_game_without_cells_is_played_by_words_and_from_a_list() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await wait_for(pilot, "heap b: 20")
        await pilot.press("up", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Chooser)
        await pilot.press("enter")
        await wait_for(pilot, "1. Max: a1")
        await type_line(pilot, "b4")
        await wait_for(pilot, "2. Min: b4")

    drive(session("nim(heaps=20-20)"), script)


def test_typing_over_a_list_selects_an_entry() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await type_line(pilot, "moves")
        await pilot.press("3")
        await wait_for(pilot, "which move? 3", "no match")  # b3 does not begin with 3
        await pilot.press("enter", "backspace", "b")  # this Enter chooses nothing
        screen = await wait_for(pilot, "which move? b")
        assert [name in screen for name in ("b3", "Bd2")] == [True, False], "capitals distinguish moves"
        await pilot.press("enter")
        await wait_for(pilot, "1. White: b3")
        await type_line(pilot, "moves")
        await pilot.press("2", "escape")
        await wait_until(pilot, lambda: not isinstance(pilot.app.screen, Chooser), "the list closed")

    drive(session("chess", position="k7/8/8/8/8/8/1P6/K1B5 w - - 0 1"), script)


def test_a_move_typed_during_a_hint_ends_it_and_is_made() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+t")
        await type_line(pilot, "5")
        await wait_for(pilot, "move 2, O>")

    played = session("tictactoe")
    drive(played, script)
    assert played.match.moves == [4]


def test_the_screen_answers_while_the_computer_thinks() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await type_line(pilot, "5")
        await wait_for(pilot, "thinking", "for your next turn>")
        await type_line(pilot, "10")
        await wait_for(pilot, "'10' is neither a move nor a command")
        await type_line(pilot, "1")
        await wait_for(pilot, "1 will be played at your next turn")
        await pilot.press("f1")
        assert isinstance(pilot.app.screen, Help)
        await pilot.press("x")
        await pilot.press("escape")
        await wait_for(pilot, "  3. 1\n")
        assert "thinking" in screen_text(pilot)
        await pilot.press("ctrl+z")  # this undo must not wait until the search has played its move
        await wait_for(pilot, "undo done", "move 3, X>")
        await type_line(pilot, "2")
        await wait_for(pilot, "thinking")
        await pilot.press("ctrl+c")
        await wait_for(pilot, "move 5, X>")
        await pilot.press("ctrl+c")

    played = session("tictactoe", HUMAN, Slow())
    app = drive(played, script)
    assert app.return_code == 130
    assert played.match.move_names() == ["5", "9", "2", "8"]


def test_a_refused_command_does_not_end_the_search() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await wait_for(pilot, "thinking")
        await type_line(pilot, "1")
        state = play_app(pilot).state
        thinking = state.thinking
        for command, refusal in (("undo", "no move to take back"), ("nonsense", "neither a move nor a command")):
            await type_line(pilot, command)
            await wait_for(pilot, refusal)
        assert state.thinking is thinking is not None
        assert not thinking.monitor.interrupted
        assert state.typed_ahead == ["1"], "text typed ahead is kept"
        await pilot.press("ctrl+q")

    drive(session("tictactoe", Slow(), HUMAN), script)


def test_the_end_and_a_new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda name: tmp_path / name)
    monkeypatch.chdir(tmp_path)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+b")  # hides values, but the result of the game is still shown
        for move in "14253":
            await type_line(pilot, move)
        await wait_for(pilot, "X wins after move 5. Ctrl-N new game", "game over>")
        await type_line(pilot, "6")
        screen = await wait_for(pilot, "the game is over: type new for a new game, or undo")
        assert screen.count("X wins after move 5") == 1, "the result is shown only next to the board"
        await pilot.press("ctrl+n")
        await wait_for(pilot, "a new game", "move 1, X>")
        await type_line(pilot, "9")
        await pilot.press("ctrl+s")
        await wait_for(pilot, "save tictactoe.json")
        await pilot.press("enter")
        await wait_for(pilot, "saved to tictactoe.json")
        await type_line(pilot, "resign")
        await wait_for(pilot, "O resigned after move 1: X wins")
        await pilot.press("ctrl+z")
        await wait_for(pilot, "move 2, O>")
        await type_line(pilot, "new")
        await wait_for(pilot, "a new game; saved to")

    played = session("tictactoe")
    played.keeps = True
    drive(played, script)
    assert json.loads((tmp_path / "tictactoe.json").read_text())["moves"] == ["9"]
    assert len(list((tmp_path / "gamesearch" / "games").iterdir())) == 1


def test_a_question_mark_at_the_beginning_shows_help_which_can_be_scrolled() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await wait_for(pilot, " ? help")
        await pilot.press("question_mark")
        assert "Notation:" not in await wait_for(pilot, "Any key closes this", *KEYS.splitlines()[:1])
        await pilot.press("end")
        await wait_for(pilot, "Notation:", "UCI (g1f3)")
        await pilot.press("x")
        await wait_for(pilot, "move 1, White>")
        await pilot.press("5", "question_mark")
        assert pilot.app.query_one(Line).value == "5?"

    drive(session("chess"), script)


def test_a_game_between_computers_waits_for_no_person() -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await wait_for(pilot, "thinking", "command>", "Only computers play")
        assert "your next turn" not in screen
        await type_line(pilot, "new")
        await wait_for(pilot, "a new game")
        await type_line(pilot, "5")
        await wait_for(pilot, "Only computers play: type a command; ? for help")

    drive(session("tictactoe", Slow(), Slow()), script)


def test_a_hint_is_marked() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+t")
        await wait_for(pilot, "hint: 3, X wins in 1 move")
        assert set(pilot.app.query_one(BoardPane).targets) == {(0, 2)}

    drive(session("tictactoe", HUMAN, "alphabeta(depth=2)", position="XX./OO./..."), script)


def test_boards_fit_a_terminal_of_80_by_24_and_follow_its_size() -> None:
    async def script(pilot: Pilot[None]) -> None:
        pane = pilot.app.query_one(BoardPane)
        screen_text(pilot)
        small = pane.drawing.width
        assert min(pane.origin) >= 0, "nothing is cut off"
        await pilot.resize_terminal(130, 50)
        await wait_until(pilot, lambda: pane.drawing.width > small, "a larger board")
        await pilot.resize_terminal(50, 12)
        await pilot.press("down")
        await wait_until(pilot, lambda: pane.cursor and pane.size.height < 12, "a small board")
        await pilot.pause()
        assert pane.cursor is not None
        box = pane.drawing.boxes[pane.cursor]
        assert 0 <= pane.origin[1] + box[1] < pane.size.height, "the cursor is seen"
        needed = re.search(r"board needs (\d+)x(\d+)", screen_text(pilot))
        assert needed
        await pilot.resize_terminal(int(needed[1]), int(needed[2]))
        await wait_until(pilot, lambda: min(pane.origin) >= 0 and "needs" not in screen_text(pilot), "the whole board")

    drive(session("backgammon"), script)


@pytest.mark.parametrize("size", [(56, 20), (60, 20), (70, 24), (79, 24), (80, 24), (120, 40)])
@pytest.mark.parametrize("game", ["backgammon", "hex", "chess(variant=crazyhouse)", "buildorder"])
def test_neither_board_nor_clocks_nor_notes_are_cut(game: str, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await wait_for(pilot, "4:5", *([] if game == "buildorder" else ["5:00"]))  # only one side has moves
        pane = pilot.app.query_one(BoardPane)
        assert pane.drawing.width <= pane.size.width
        assert min(pane.origin) >= 0
        assert [word for note in pane.board.notes for word in note.split() if word not in screen] == []

    drive(session(game, clock=(300.0, 0.0)), script, size)


def test_board_shows_the_notes_that_do_not_fit_below_the_board() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await type_line(pilot, "foo")
        screen = await wait_for(pilot, "White 4:5", "Black 5:00", "cannot read 'foo'")
        assert "to play" not in screen
        await type_line(pilot, "board")
        assert "cannot read" not in await wait_for(pilot, "White to play")
        await pilot.resize_terminal(60, 24)
        await pilot.pause()
        await type_line(pilot, "board")  # now all notes fit below the board, and are not repeated
        await wait_until(pilot, lambda: screen_text(pilot).count("White to play") == 1, "one note")

    drive(session("backgammon", clock=(300.0, 0.0)), script, (40, 15))


def test_the_first_message_covers_no_row_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    reminder = "You have an unfinished game of checkers. Type gamesearch play to continue it."
    monkeypatch.setattr(Session, "notices", lambda _: [reminder])

    async def script(pilot: Pilot[None]) -> None:
        screen = await wait_for(pilot, "29-32", " 1-4")
        assert reminder in " ".join(screen.split())
        pilot.app.query_one(BoardPane).cursor = (7, 0)
        await pilot.press("right")
        await pilot.pause()
        assert " 1-4" in screen_text(pilot), "the notes do not push the board away"

    drive(session("checkers"), script, (40, 15))


def test_without_colors_brackets_mark_the_cursor() -> None:
    async def script(pilot: Pilot[None]) -> None:
        pilot.app.query_one(BoardPane).cursor = (0, 0)
        await pilot.press("right")
        await wait_until(pilot, lambda: re.search(r"> +2 +<", screen_text(pilot)), "a cursor")

    drive(session("tictactoe"), script, colors=None)


def test_the_cursor_goes_to_the_next_existing_cell() -> None:
    cells = [(0, 0), (0, 2), (1, 1), (2, 0)]
    assert next_place(cells, (), (0, 0), "right") == (0, 2)
    assert next_place(cells, (), (0, 0), "left") == (0, 0)
    assert next_place(cells, (), (0, 2), "down") == (1, 1)
    assert next_place(cells, (), (2, 0), "up") == (1, 1)
    assert next_place([(0, 0), (1, 0), (1, 1)], [2, 0], (0, 0), "down") == (1, 1)


def test_a_player_loses_on_time_on_the_screen() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await wait_for(pilot, "X lost on time before the first move: O wins. Ctrl-N", "game over>", "0:00.0")
        await type_line(pilot, "undo")
        await wait_for(pilot, "lost on time: type new", "X lost on time before the first move", "game over>")
        await pilot.press("ctrl+c")

    app = drive(session("tictactoe", clock=(0.2, 0.0)), script)
    assert app.return_code == 0


def test_commands_give_no_time_back() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await type_line(pilot, "5")
        await pilot.pause(0.5)
        await type_line(pilot, "undo")
        await type_line(pilot, "redo")

    clock = drive(session("tictactoe", clock=(100.0, 0.0)), script).session.loop.clock
    assert clock is not None
    assert clock.remaining[1] <= 99.5


def test_the_running_clock_is_saved_during_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda name: tmp_path)
    monkeypatch.setattr(play_screen, "BETWEEN_SAVES", 0.2)
    played = session("tictactoe", clock=(100.0, 0.0))
    played.keeps = True

    async def script(pilot: Pilot[None]) -> None:
        await type_line(pilot, "5")
        (file,) = (tmp_path / "games").glob("*.json")
        left = [json.loads(file.read_text())["headers"]["SecondsLeft"].split()]
        await pilot.pause(1.5)
        left.append(json.loads(file.read_text())["headers"]["SecondsLeft"].split())
        assert left[1][0] == left[0][0]
        assert float(left[1][1]) <= float(left[0][1]) - 0.5

    drive(played, script)


# The sides of the board. -------------------------------------------------------------------------
def test_black_is_at_the_bottom_and_points_at_the_shown_cells() -> None:
    async def script(pilot: Pilot[None]) -> None:
        screen = await wait_for(pilot, "move 1, Black>")
        ranks = [line.split()[0] for line in screen.splitlines() if re.match(r"\s*[1-8]( |$)", line)]
        assert ranks == list("12345678"), "Black's first rank is the lowest"
        files = next(line.split()[:8] for line in screen.splitlines() if re.match(r"\s*h\s+g", line))
        assert files == list("hgfedcba")
        pane = pilot.app.query_one(BoardPane)
        await click_on(pilot, (1, 4))  # e7 is in row 1 of the board, but in the seventh row on the screen
        assert pane.chosen == ((1, 4),)
        await pilot.press("escape")
        pane.cursor = (1, 4)
        await pilot.press("enter", "up", "up", "enter")  # "up" moves away from Black
        await wait_for(pilot, "2. White: ")
        await type_line(pilot, "swap")
        await wait_until(pilot, lambda: not pane.is_flipped, "White at the bottom")
        await pilot.press("ctrl+q")

    played = session("chess", "random(seed=1)", HUMAN)
    drive(played, script)
    assert played.match.move_names()[1] == "e5"


def test_a_move_can_be_taken_back_while_code_is_compiled() -> None:
    player = Preparing()

    async def script(pilot: Pilot[None]) -> None:
        await type_line(pilot, "5")
        await wait_for(pilot, "for your next turn>", "compiling kernel")
        await pilot.press("escape")
        await wait_for(pilot, "as soon as its code is compiled")
        await pilot.press("ctrl+z")
        await wait_for(pilot, "move 1, X>", "undo done")
        assert not player.may_end.is_set()
        await pilot.press("ctrl+q")

    played = session("tictactoe", HUMAN, player)
    app = drive(played, script)
    player.may_end.set()
    assert app.return_code == 0
    assert not played.match.moves


def test_escape_is_a_key_of_its_own_unless_more_bytes_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual would combine Escape with a character that is typed within the next tenth of a second."""
    decoder, (reading, writing) = InputDecoder(), os.pipe()
    with os.fdopen(reading, "rb", 0) as waiting, os.fdopen(writing, "wb", 0) as keyboard:
        monkeypatch.setattr("sys.__stdin__", waiting)
        typed = decoder.decode(b"\x1b") + decoder.decode(b"4")
        keys = [event.key for event in XTermParser().feed(typed) if isinstance(event, Key)]
        assert keys == ["escape", "4"]
        keyboard.write(b"[A")
        assert decoder.decode(b"\x1b") == "\x1b", "the beginning of an arrow key"
        assert decoder.decode(b"\xff") == "\ufffd"
