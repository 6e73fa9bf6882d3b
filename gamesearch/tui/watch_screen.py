"""A recorded search in full screen: step through its events (`trace/stepping.py`), or answer a quiz about it."""

from abc import abstractmethod
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
from gamesearch.trace.questions import Quiz
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.phrases import capital
from gamesearch.trace.wording.sentences import sentence
from gamesearch.tui.full_screen import BASE_CSS, FullScreen, Help, Line
from gamesearch.tui.panes import node_text, tree_text

__all__ = ["QuizApp", "WatchApp"]

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)  # the speeds of automatic steps, in events per second
TREE_HELP = """\
 In the tree: > current node   * best move so far   = <= >= final value
 "so far": not finished   x: moves that were cut   (+5): 5 hidden nodes
 Each line begins with the node's number; [alpha, beta] is the window
 {}."""
HELP = """\
 next          right, n, Enter    next event
 back          left, p            previous event
 cutoff        c                  next cutoff; growing tree: next proven value
 best line     b                  next change of the best line
 finish        f                  go to the end of this node; growing tree:
                                  of this playout or expansion
 jump          j                  go to a node by its number
 first, last   Home, End          go to the beginning or end of the search
 play          Space              play the events automatically, or stop
 speed         + -                play faster or slower
 quit          q, Ctrl-C          quit

""" + TREE_HELP.format("at present; this window is empty if alpha >= beta")
QUIZ_HELP = """\
 Answer each question and press Enter:
   a value     3   -1   7/2   +1 in 5
   a window    [3, +inf]
   yes or no   y   n
   a move      its name in the question
 To quit, press Ctrl-C, or type q and press Enter; the answers so far are counted.

""" + TREE_HELP.format("on entry")

PADDING = 3  # the number of empty columns next to a board
LEAST_BOARD, LEAST_TREE = 32, 20  # the least widths of the panes of the current node and of the tree, in columns
LOOKED_AT = 200  # the pane of the current node is as wide as the widest board of the first LOOKED_AT nodes


class TreePane(Widget):
    """A pane that shows the part of the tree that fits on the screen."""

    def __init__(self, stepper: Stepper, windows: str, only_ascii: bool) -> None:
        super().__init__(id="tree")
        self.stepper, self.windows, self.only_ascii = stepper, windows, only_ascii

    def render(self) -> RenderResult:
        """Draw a part of the tree that fits into the pane."""
        return tree_text(self.stepper, self.size.width, self.size.height, self.windows, self.only_ascii)


class SearchScreen(FullScreen):
    """The base of WatchApp and QuizApp: the tree, the board, a sentence, an input line, and the keys. `windows`
    selects the intervals that are shown (see `panes.tree_text`)."""

    AUTO_FOCUS = None
    CSS = f"""{BASE_CSS}
    .ellipsis {{ text-overflow: ellipsis; }}
    #panes {{ height: 1fr; }}
    #tree {{ width: 1fr; height: 100%; }}
    #node {{ width: 32; height: 100%; padding-left: 2; text-wrap: nowrap; }}
    #told {{ height: auto; max-height: 50%; min-height: 2; text-style: bold; }}
    """

    def __init__(self, recording: Recording, keys: str, windows: str, only_ascii: bool) -> None:
        super().__init__()
        self.keys, self.windows, self.only_ascii = keys, windows, only_ascii
        self.stepper = Stepper(recording)

    @abstractmethod
    def handle_line(self, text: str) -> None:
        """Handle a typed line."""

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        ending = "" if self.only_ascii else "ellipsis"
        yield Static(id="title", classes=ending, markup=False)
        with Horizontal(id="panes"):
            yield TreePane(self.stepper, self.windows, self.only_ascii)
            yield Static(id="node", classes=ending, markup=False)
        yield Static(id="told", markup=False)
        yield Line(self.handle_line)
        yield Static(self.keys, id="keys", classes=ending, markup=False)

    @property
    def line(self) -> Input:
        """The input line."""
        return self.front.query_one(Input)

    def on_resize(self, event: Resize) -> None:
        """Make the pane of the boards as wide as the boards, if enough width is left for the tree."""
        boards = (node.board for node in islice(self.stepper.recording.nodes.values(), LOOKED_AT))
        needed = max((len(line) for board in boards for line in board), default=0) + PADDING
        least, most = min(LEAST_BOARD, event.size.width // 2), event.size.width - LEAST_TREE
        self.front.query_one("#node").styles.width = max(least, min(needed, most))

    def show(self, said: str, pace: str = "") -> None:
        """Show the state after the current event. `said` is a sentence about the event, and `pace` is the speed of
        automatic steps."""
        header, events = self.stepper.recording.header, len(self.stepper.events)
        title = f" event {self.stepper.at + 1} of {events}{pace}  {self.stepper.algorithm}  {header['game']}"
        self.put(title=title, told=said, node=node_text(self.stepper, self.windows))
        self.front.query_one(TreePane).refresh()


LEAVE = Binding("ctrl+c", "leave(130)", priority=True, show=False)


class WatchApp(SearchScreen):
    """Steps through a search."""

    BINDINGS: ClassVar[list[BindingType]] = [
        LEAVE,
        Binding("right,n,enter", "step('next', 'this is the end of the search')"),
        Binding("left,p", "step('back', 'this is the beginning of the search')"),
        Binding("c", "next_cutoff"),
        Binding("b", "step('next_best_line_change', 'the best line does not change again')"),
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

    def __init__(self, recording: Recording, only_ascii: bool = False, windows: str = "search") -> None:
        arrows = "np" if only_ascii else "←→"
        super().__init__(recording, "", windows, only_ascii)
        has_cutoffs = any(map(self.stepper.is_cutoff, self.stepper.events))
        cutoff = f"  c {'proof' if recording.growth else 'cutoff'}" if has_cutoffs else ""
        self.keys = f" ? help  {arrows} step{cutoff}  b best line  f finish  j jump  Space play  +- speed"
        self.speed = 2
        self.playing: Timer | None = None

    def on_mount(self) -> None:
        """Show the first event. The input line is hidden, because only jumps need it."""
        self.line.display = False
        self.tell()

    def tell(self, note: str = "") -> None:
        """Show the current event. A note, such as the reason why a step was not possible, is shown before the event."""
        pace = f", playing {SPEEDS[self.speed]:g} a second" if self.playing is not None else ""
        self.show((f"{capital(note)}. " if note else "") + sentence(self.stepper), pace)

    def action_step(self, name: str, nowhere: str) -> None:
        """Call the method `name` of the stepper to take a step. If no step is possible, show the text `nowhere`."""
        self.stop_playing()
        self.tell("" if getattr(self.stepper, name)() else nowhere)

    def action_next_cutoff(self) -> None:
        """Go to the next cutoff or, in a growing tree, to the next proven value."""
        nowhere = "no proven value follows" if self.stepper.recording.growth else "no cutoff follows"
        self.action_step("next_cutoff", nowhere)

    def action_end(self, is_last: int) -> None:
        """Go to the beginning or the end of the search."""
        self.stop_playing()
        self.stepper.go(is_last * len(self.stepper.events))
        self.tell()

    # Automatic steps. ----------------------------------------------------------------------------
    def action_play(self) -> None:
        """Start or stop automatic steps."""
        if self.playing is not None:
            self.stop_playing()
        else:
            self.playing = self.set_interval(1 / SPEEDS[self.speed], self.play_on)
        self.tell()

    def play_on(self) -> None:
        """Take the next automatic step, or stop at the end of the search."""
        if not self.stepper.next():
            self.stop_playing()
        self.tell()

    def stop_playing(self) -> None:
        """Stop automatic steps."""
        if self.playing is not None:
            self.playing.stop()
            self.playing = None

    def action_speed(self, change: int) -> None:
        """Play faster or slower."""
        self.speed = max(0, min(self.speed + change, len(SPEEDS) - 1))
        if self.playing is None:
            self.tell(f"{SPEEDS[self.speed]:g} events a second")
        else:
            self.stop_playing()
            self.action_play()

    # Jumping. ------------------------------------------------------------------------------------
    def action_ask_node(self) -> None:
        """Ask for the number of a node."""
        self.stop_playing()
        typed = self.line
        typed.placeholder, typed.value, typed.display = "number of a node, then Enter", "", True
        typed.focus()

    def action_close_input(self) -> None:
        """Hide the input line."""
        self.line.display = False
        self.set_focus(None)

    def handle_line(self, text: str) -> None:
        """Jump to the node whose number was typed."""
        self.action_close_input()
        try:
            if not text.strip().isdecimal():
                raise GamesearchError(f"{text!r} is not the number of a node")
            self.stepper.jump(int(text))
            self.tell()
        except GamesearchError as error:
            self.tell(str(error))

    def action_help(self) -> None:
        """Show the keys."""
        self.stop_playing()
        self.push_screen(Help(HELP))


class QuizApp(SearchScreen):
    """Steps through a search, and asks a question before some decisions of the search."""

    BINDINGS: ClassVar[list[BindingType]] = [LEAVE, Binding("question_mark", "help")]

    def __init__(self, quiz: Quiz, only_ascii: bool = False) -> None:
        super().__init__(quiz.recording, " ? help  Enter answers  q quits", "entry", only_ascii)
        self.quiz = quiz
        self.verdict = ""

    def on_mount(self) -> None:
        """Ask the first question."""
        self.line.focus()
        self.ask()

    def ask(self) -> None:
        """Show the verdict on the last answer, then the next question or the score."""
        question, typed = self.quiz.question, self.line
        if question is None:
            self.stepper.go(len(self.stepper.events))
            typed.placeholder = "Enter quits"
            self.show(f"{self.verdict}\n{self.quiz.score}")
            return
        typed.placeholder = "your answer"
        self.stepper.go(question.before)
        number = f"{self.quiz.answered + 1} of {len(self.quiz.questions)}"
        asked = question.text.replace("\n\n", "\n")  # save lines
        self.show(f"{self.verdict}\n{number}: {asked}".strip())

    def handle_line(self, text: str) -> None:
        """Judge a typed answer and ask the next question. Quit after the last question. Also quit after `q`, unless `q`
        is a possible answer."""
        given, question = text.strip(), self.quiz.question
        if question is None or (given in ("q", "quit") and given not in question.moves):
            self.exit()
            return
        try:
            self.verdict = self.quiz.judge(given).text if given else "Type an answer, or q to quit."
        except GamesearchError as error:
            self.verdict = str(error)
        self.ask()

    def action_help(self) -> None:
        """Explain how to answer."""
        self.push_screen(Help(QUIZ_HELP))
