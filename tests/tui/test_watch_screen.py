"""The screen of `watch`, driven by Textual's pilot: what it shows, and the effects of keys."""

import pytest
from recordings import record_proof, recording_of

pytest.importorskip("textual")

from screens import SIZE, drive, screen
from textual.pilot import Pilot
from textual.widgets import Input

from gamesearch.registry import load
from gamesearch.trace.questions import Quiz
from gamesearch.trace.recorder.tables import record_table
from gamesearch.trace.recording import Recording
from gamesearch.trace.wording.sentences import sentence
from gamesearch.tui.full_screen import Help
from gamesearch.tui.watch_screen import QuizApp, WatchApp


def test_boards_are_drawn_beside_the_tree() -> None:
    app = WatchApp(recording_of("go", "minimax(depth=1)"))

    async def script(pilot: Pilot[None]) -> None:
        shown = screen(app).splitlines()
        board = [line.rstrip() for line in app.stepper.node.board][:10]
        column = shown[1].index("node ")
        beside = [line[column:].rstrip() for line in shown]
        first = beside.index(board[0][: 80 - column])
        assert beside[first : first + len(board)] == [line[: 80 - column] for line in board]

    drive(app, script)


def test_a_long_note_is_wrapped() -> None:
    app = WatchApp(recording_of("[[3,?],[2,9]]", "minimax(depth=1)"))

    async def script(pilot: Pilot[None]) -> None:
        lines = screen(app).splitlines()
        column = lines[1].index("node ")
        shown = " ".join(" ".join(line[column:] for line in lines[1:-4]).split())
        note = app.stepper.recording.nodes[0].position  # the root
        game = load("[[3,?],[2,9]]")
        assert " ".join(game.board(game.parse(note)).notes[-1].split()) in shown

    drive(app, script)
    assert app.stepper.next()
    told = []
    while app.stepper.next():
        told.append(sentence(app.stepper))
    assert any(each.endswith("?") for each in told)
    assert not any("?." in each for each in told)


def test_the_keys() -> None:
    app = WatchApp(recording_of())

    async def script(pilot: Pilot[None]) -> None:
        visited = []
        for key in ("n", "right", "enter", "p", "left", "b", "f", "f", "end", "n", "home", "p", "c", "c", "c"):
            await pilot.press(key)
            visited.append(app.stepper.at)
        assert visited == [1, 2, 3, 2, 1, 11, 30, 31, 31, 31, 0, 0, 16, 28, 28]
        assert "No cutoff follows. Cutoff at the last move" in screen(app)
        await pilot.press("question_mark")
        assert isinstance(app.screen, Help)
        assert "next change of the best line" in screen(app)
        await pilot.press("n")
        assert not isinstance(app.screen, Help)
        assert app.stepper.at == 28
        await pilot.press("q")

    drive(app, script)
    assert app.return_code == 0


def test_keys_jump_to_a_node() -> None:
    app = WatchApp(recording_of())

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("j", "7", "enter")
        assert app.stepper.node.number == 7
        await pilot.press("j", "9", "9", "enter")
        assert "There is no node 99 in this trace: its nodes are 0 to 10. " in screen(app)
        await pilot.press("j", "c", "enter")
        assert "'c' is not the number of a node. Max tries c: " in screen(app)
        await pilot.press("j", "escape", "c")
        assert (app.stepper.node.number, app.stepper.event["event"]) == (7, "cutoff")

    drive(app, script)


def test_the_search_is_replayed_automatically() -> None:
    app = WatchApp(recording_of())

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("plus", "plus", "plus", "plus", "minus", "plus")
        assert "32 events a second" in screen(app)
        await pilot.press("minus", "minus", "minus")  # so slow that the test sees the middle even on a busy machine
        await pilot.press("space")
        while app.stepper.at < 1:
            await pilot.pause(0.01)
        assert "playing 4 a second" in screen(app)
        await pilot.press("space")
        here = app.stepper.at
        await pilot.pause(0.1)
        assert app.stepper.at == here
        assert "playing" not in screen(app)
        app.stepper.go(29)
        await pilot.press("space")
        while app.playing is not None:
            await pilot.pause(0.01)
        assert app.stepper.at == 31

    drive(app, script)


@pytest.mark.parametrize("size", [(20, 8), (120, 40), (10, 3)])
def test_resizing(size: tuple[int, int]) -> None:
    app = WatchApp(recording_of("tictactoe", "alphabeta(table=true, deepen=true)", "X../.O./..X"))

    async def script(pilot: Pilot[None]) -> None:
        app.stepper.go(1500)
        await pilot.press("right")
        before = screen(app)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        lines = screen(app).splitlines()
        assert len(lines) == size[1]
        assert all(len(line) <= size[0] for line in lines)
        if size[1] >= 8:
            assert any(line.startswith("> ") for line in lines)
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        assert screen(app) == before

    drive(app, script)


def test_the_ascii_screen_contains_only_ascii() -> None:
    app = WatchApp(recording_of("tictactoe", "alphabeta(table=true, deepen=true)", "X../.O./..X"), only_ascii=True)

    async def script(pilot: Pilot[None]) -> None:
        for at in range(0, len(app.stepper.events), max(1, len(app.stepper.events) // 8)):
            app.stepper.go(at)
            app.tell()
            await pilot.pause()
            assert screen(app).isascii()

    drive(app, script)


@pytest.mark.parametrize(
    ("recording", "most"),
    [
        (record_table(*load("nim").setup("4"), "memo"), 6),  # the final positions have values from the beginning
        (record_table(*load("nim").setup("4"), "retrograde"), 6),
        (recording_of("nim", "montecarlo(playouts=20)", "4"), 0),
        (recording_of("nim", "minimax", "2"), 0),
        (recording_of(), 2),
    ],
)
def test_the_key_for_cutoffs_and_proofs_is_offered_if_it_leads_anywhere(recording: Recording, most: int) -> None:
    app = WatchApp(recording)

    async def script(pilot: Pilot[None]) -> None:
        assert ("  c " in screen(app).splitlines()[-1]) == bool(most)
        places = [app.stepper.at]
        for _ in range(most + 1):
            await pilot.press("c")
            places.append(app.stepper.at)
        assert len(set(places)) == most + 1

    drive(app, script)


def test_the_quiz() -> None:
    quiz = Quiz(recording_of(), seed=7, most=2)
    app = QuizApp(quiz)

    async def script(pilot: Pilot[None]) -> None:
        first, second = quiz.questions
        assert app.stepper.at == first.before
        assert first.text[:40] in screen(app)
        await pilot.press("question_mark")
        assert isinstance(app.screen, Help)
        await pilot.press("x", "enter")
        assert quiz.answered == 0
        await pilot.press(*"maybe", "enter")
        assert "'maybe' is neither yes nor no" in screen(app)
        assert first.text[:40] in screen(app)
        await pilot.press("enter")
        assert "Type an answer, or q to quit." in screen(app)
        assert quiz.answered == 0
        app.query_one(Input).value = first.answer
        await pilot.press("enter")
        assert f"Right. The answer is {first.answer}: " in screen(app)
        assert app.stepper.at == second.before
        await pilot.press(*"77", "enter")
        assert "Wrong. " in screen(app)
        assert "1 of 2 right (--seed 7 repeats these questions)" in screen(app)
        await pilot.press("enter")

    drive(app, script)
    assert app.return_code == 0


def test_a_quiz_does_not_show_the_window_it_asks_for() -> None:
    quiz = Quiz(recording_of(), seed=1, most=100)
    app = QuizApp(quiz)

    async def script(pilot: Pilot[None]) -> None:
        asked = "window is its move c searched"
        app.stepper.go(next(each.before for each in quiz.questions if asked in each.text and "after c," in each.text))
        app.show("")
        await pilot.pause()
        assert "7: c Min [3, +inf]" in screen(app)
        assert "[3, 5]" not in screen(app)

    drive(app, script)


@pytest.mark.parametrize(("keys", "code"), [(["ctrl+c"], 130), (["q", "enter"], 0)])
def test_a_quiz_can_be_left(keys: list[str], code: int) -> None:
    app = QuizApp(Quiz(recording_of(), 1))

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press(*keys)

    drive(app, script)
    assert app.return_code == code


def test_a_tree_that_grows_by_playouts() -> None:
    app = WatchApp(recording_of("tictactoe", "mcts(playouts=30)", "XX./OO./..."))

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("c")
        assert "prove that this node is worth +1 in 1." in screen(app)
        assert "value     +1 in 1" in screen(app)
        await pilot.press("f")
        assert "The payoff is added to 2 nodes" in screen(app)
        assert " 1 playout" in screen(app)
        await pilot.press("end")
        assert "the best move is 3" in screen(app)
        assert app.stepper.state_of(0).bound == "exact"

    drive(app, script)


def test_a_proof_can_be_stepped_through_and_used_in_a_quiz() -> None:
    recording, _ = record_proof("nim(heaps=1-2)", "proof(search=pn)")
    app = WatchApp(recording)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("f")
        assert all(part in screen(app) for part in ("> 0: Max = (1, 3) ", " 3: b2 Min = (1, 1) ", "numbers   (1, 3)"))
        assert "After 1 expansion, the root has proof number 1, disproof number 3." in screen(app)
        await pilot.press("c")
        assert "So the goal is disproven: Max cannot get +1." in " ".join(screen(app).split())

    drive(app, script)
    quiz = QuizApp(Quiz(recording, 3))

    async def answer(pilot: Pilot[None]) -> None:
        assert "Which leaf is most proving and therefore expanded next?" in " ".join(screen(quiz).split())
        await pilot.press("1", "enter")
        assert "Right. The answer is 1: a1 leads there: " in screen(quiz)

    drive(quiz, answer)
