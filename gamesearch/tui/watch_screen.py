"""A recorded search on the whole screen of a terminal: step through it, or be asked about it.

This module only places the texts.
"""

from collections.abc import Callable
from itertools import islice
from typing import ClassVar

from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from gamesearch.errors import GamesearchError
from gamesearch.trace.phrases import capital
from gamesearch.trace.quiz import Quiz
from gamesearch.trace.recording import Recording
from gamesearch.trace.sentences import sentence
from gamesearch.trace.stepping import Stepper
from gamesearch.tui.dialogs import Help
from gamesearch.tui.full_screen import FullScreen, Line
from gamesearch.tui.panes import node_text, tree_text

__all__ = ["QuizApp", "WatchApp"]

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)
"""Events a second."""
TREE_HELP = """\
 In the tree: > here   * best so far of its node   = <= >= backed up
 "so far": still open   x: these moves were cut   (+5): 5 nodes folded
 A node's number is in front of it; its window is the one {}.

 Any key closes this."""
HELP = """\
 next          right, n, Enter    the next event
 back          left, p            the event before
 cutoff        c                  to the next cutoff; in a growing tree, to the next proof
 best line     b                  to the next change of the best line
 finish        f                  to where this node is left; in a growing tree, to where a
                                  playout is counted or an expansion done
 jump          j                  to a node, by its number
 first, last   Home, End          to either end of the search
 play          Space              by itself, or stop
 speed         + -                of playing by itself
 quit          q, Ctrl-C          leave

""" + TREE_HELP.format("known now")
QUIZ_HELP = """\
 Answer each question and press Enter:
   a value     3   -1   7/2   +1 in 5
   a window    [3, +inf]
   yes or no   y   n
   a move      as it is named in the question
 Ctrl-C leaves; what was answered by then is counted.

""" + TREE_HELP.format("on entering")

PADDING = 3
"""The columns next to a board."""
LEAST_BOARD, LEAST_TREE = 32, 20
"""How many columns the present node and the tree have at the least."""
LOOKED_AT = 200
"""Of how many nodes the boards are measured."""


class TreePane(Widget):
    """The tree, as much of it as there is room for."""

    def __init__(self, stepper: Stepper, shows_narrowed: bool, only_ascii: bool) -> None:
        super().__init__(id="tree")
        self.stepper, self.shows_narrowed, self.only_ascii = stepper, shows_narrowed, only_ascii

    def render(self) -> RenderResult:
        """Draw it for the present size."""
        return tree_text(self.stepper, self.size.width, self.size.height, self.shows_narrowed, self.only_ascii)


class SearchView:
    """The layout of stepping and of the quiz: the tree, the board, a sentence, a line to type, and the keys."""

    CSS = """
    #title { height: 1; text-wrap: nowrap; background: $panel; }
    #panes { height: 1fr; }
    #tree { width: 1fr; height: 100%; }
    #node { width: 32; height: 100%; padding-left: 2; text-wrap: nowrap; }
    #told { height: auto; max-height: 40%; min-height: 2; text-style: bold; }
    #keys { height: 1; text-wrap: nowrap; background: $panel; }
    Input { height: 1; border: none; padding: 0; }
    Input:focus { border: none; }
    Help { align: center middle; }
    Help Static { width: auto; max-width: 100%; height: auto; padding: 1; background: $panel; }
    """

    def __init__(
        self, app: FullScreen, recording: Recording, keys: str, shows_narrowed: bool, only_ascii: bool
    ) -> None:
        self.app, self.keys, self.only_ascii = app, keys, only_ascii
        self.stepper = Stepper(recording)
        self.shows_narrowed = shows_narrowed
        """Whether windows are shown as narrowed so far, or as they were on entering."""

    def compose(self, entered: Callable[[str], None]) -> ComposeResult:
        """Yield the widgets; `entered` gets each typed line."""
        yield Static(id="title", markup=False)
        with Horizontal(id="panes"):
            yield TreePane(self.stepper, self.shows_narrowed, self.only_ascii)
            yield Static(id="node", markup=False)
        yield Static(id="told", markup=False)
        yield Line(entered)
        yield Static(self.keys, id="keys", markup=False)

    @property
    def line(self) -> Input:
        """The line in which people type."""
        return self.app.front.query_one(Input)

    def resize(self, width: int) -> None:
        """Give the boards the columns that they need, if the tree can do without them."""
        boards = (node.board for node in islice(self.stepper.recording.nodes.values(), LOOKED_AT))
        needed = max((len(line) for board in boards for line in board), default=0) + PADDING
        least = min(LEAST_BOARD, width // 2)
        self.app.front.query_one("#node").styles.width = max(least, min(needed, width - LEAST_TREE))

    def show(self, said: str, pace: str = "") -> None:
        """Show the present event, and the pace of automatic steps."""
        header, events = self.stepper.recording.header, len(self.stepper.events)
        title = f" event {self.stepper.at + 1} of {events}{pace}  {header['game']}  {self.stepper.algorithm}"
        self.app.put(title=title, told=said, node=node_text(self.stepper, self.shows_narrowed))
        self.app.front.query_one(TreePane).refresh()


LEAVE = Binding("ctrl+c", "leave(130)", priority=True, show=False)


class WatchApp(FullScreen):
    """Steps through a search."""

    AUTO_FOCUS = None
    CSS = SearchView.CSS

    BINDINGS: ClassVar[list[BindingType]] = [
        LEAVE,
        Binding("right,n,enter", "step('next', 'this is the end of the search')"),
        Binding("left,p", "step('back', 'this is the beginning of the search')"),
        Binding("c", "step('next_cutoff', 'there is no cutoff after this')"),
        Binding("b", "step('next_best_line_change', 'the best line does not change after this')"),
        Binding("f", "step('finish_node', 'this is the end of the search')"),
        Binding("home", "end(0)"),
        Binding("end", "end(1)"),
        Binding("j", "ask_node"),
        Binding("escape", "close_input"),
        Binding("space", "play"),
        Binding("plus,equals_sign", "speed(1)"),
        Binding("minus", "speed(-1)"),
        Binding("question_mark", "help"),
        Binding("q", "quit"),
    ]

    def __init__(self, recording: Recording, only_ascii: bool = False) -> None:
        super().__init__()
        arrows = "np" if only_ascii else "←→"
        keys = f" ? help  {arrows} step  c cutoff  b best line  f finish  j jump  Space play  +- speed"
        self.view = SearchView(self, recording, keys, shows_narrowed=True, only_ascii=only_ascii)
        self.stepper = self.view.stepper
        self.speed = 2
        self.playing: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield from self.view.compose(self.entered)

    def on_resize(self, event: Resize) -> None:
        """Fit the panes to the screen."""
        self.view.resize(event.size.width)

    def on_mount(self) -> None:
        """Begin; the line to type in is for jumps only."""
        self.view.line.display = False
        self.tell()

    def tell(self, note: str = "") -> None:
        """Show the present event, or why it still is the present one."""
        pace = f", playing {SPEEDS[self.speed]:g} a second" if self.playing is not None else ""
        self.view.show((f"{capital(note)}. " if note else "") + sentence(self.stepper), pace)

    def action_step(self, name: str, nowhere: str) -> None:
        """Take a step of the stepper."""
        self.stop_playing()
        self.tell("" if getattr(self.stepper, name)() else nowhere)

    def action_end(self, is_last: int) -> None:
        """Go to either end."""
        self.stop_playing()
        self.stepper.go(is_last * len(self.stepper.events))
        self.tell()

    # Playing by itself. --------------------------------------------------------------------------
    def action_play(self) -> None:
        """Play by itself, or stop."""
        if self.playing is not None:
            self.stop_playing()
        else:
            self.playing = self.set_interval(1 / SPEEDS[self.speed], self.play_on)
        self.tell()

    def play_on(self) -> None:
        """Take the next step by itself, until there is none."""
        if not self.stepper.next():
            self.stop_playing()
        self.tell()

    def stop_playing(self) -> None:
        """Play no longer."""
        if self.playing is not None:
            self.playing.stop()
            self.playing = None

    def action_speed(self, change: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(self.speed + change, len(SPEEDS) - 1))
        if self.playing is None:
            self.tell(f"{SPEEDS[self.speed]:g} events a second when it plays")
        else:
            self.stop_playing()
            self.action_play()

    # Jumping. ------------------------------------------------------------------------------------
    def action_ask_node(self) -> None:
        """Ask for the number of a node."""
        self.stop_playing()
        typed = self.view.line
        typed.placeholder, typed.value, typed.display = "the number of a node, and Enter", "", True
        typed.focus()

    def action_close_input(self) -> None:
        """Ask no longer."""
        self.view.line.display = False
        self.set_focus(None)

    def entered(self, text: str) -> None:
        """Jump to a node."""
        self.action_close_input()
        try:
            if not text.strip().isdecimal():
                raise GamesearchError(f"{text!r} is not the number of a node")
            self.stepper.jump(int(text))
            self.tell()
        except GamesearchError as error:
            self.tell(str(error))

    def action_help(self) -> None:
        """Say what the keys do."""
        self.stop_playing()
        self.push_screen(Help(HELP))


class QuizApp(FullScreen):
    """Asks about a search, stopping before its decisions."""

    AUTO_FOCUS = None
    CSS = SearchView.CSS

    BINDINGS: ClassVar[list[BindingType]] = [LEAVE, Binding("question_mark", "help")]

    def __init__(self, quiz: Quiz, only_ascii: bool = False) -> None:
        super().__init__()
        keys = " ? help  Enter answers  Ctrl-C leaves"
        # Narrowed windows would answer the next question.
        self.view = SearchView(self, quiz.recording, keys, shows_narrowed=False, only_ascii=only_ascii)
        self.stepper = self.view.stepper
        self.quiz = quiz
        self.verdict = ""

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield from self.view.compose(self.entered)

    def on_resize(self, event: Resize) -> None:
        """Fit the panes to the screen."""
        self.view.resize(event.size.width)

    def on_mount(self) -> None:
        """Ask the first question."""
        self.view.line.focus()
        self.ask()

    def ask(self) -> None:
        """Ask the next question, or say how it went; first what there is to say to the last answer."""
        question, typed = self.quiz.question, self.view.line
        if question is None:
            self.stepper.go(len(self.stepper.events))
            typed.placeholder = "Enter leaves"
            self.view.show(f"{self.verdict}\n{self.quiz.score}")
            return
        typed.placeholder = "your answer"
        self.stepper.go(question.before)
        number = f"{self.quiz.answered + 1} of {len(self.quiz.questions)}"
        self.view.show(f"{self.verdict}\n{number}: {question.text}".strip())

    def entered(self, text: str) -> None:
        """Take an answer."""
        given = text.strip()
        if self.quiz.question is None:
            self.exit()
        elif given:
            try:
                self.verdict = self.quiz.judge(given).text
            except GamesearchError as error:
                self.verdict = str(error)
            self.ask()

    def action_help(self) -> None:
        """Say what may be answered."""
        self.push_screen(Help(QUIZ_HELP))
