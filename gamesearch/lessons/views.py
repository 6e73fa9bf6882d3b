"""Draw lessons for a terminal, and their figures as plain text or SVG."""

import io
import re
import textwrap
from dataclasses import replace

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from gamesearch.lessons.instances import blame, read_instance, record_instance
from gamesearch.lessons.lesson import Board, Tree
from gamesearch.lessons.questions import PosedQuestion
from gamesearch.lessons.session import Entry
from gamesearch.lessons.session import picture_of as picture_of_instance
from gamesearch.render.boards.board import BoardView
from gamesearch.render.boards.colors import board_for_print
from gamesearch.render.boards.svg import board_svg
from gamesearch.render.exports.svg import Image
from gamesearch.render.trees.picture import Style, picture_of
from gamesearch.render.trees.top_down import TopDownTree
from gamesearch.render.trees.tree import TreeView
from gamesearch.support.escaping import terminal_text
from gamesearch.toolkit.pictures import picture

__all__ = [
    "COLUMNS", "entry_view", "figure_svg", "figure_text", "figure_view", "plain_lines", "plain_words", "question_text",
]  # fmt: skip

PLIES, WIDTH = 10, 100
"""A tree in the terminal shows at most PLIES plies (unless the figure has a field `plies`), and at most WIDTH children
of each node."""
COLUMNS = 100
"""The width, in characters, of figures and paragraphs in plain text."""
CONTINUED = re.compile(r"(?<!\n)\n(?![\n|*+\-\d ])")
"""Matches a line break inside a paragraph of Markdown. No paragraph, list or row begins on the line after the break."""
BULLET = re.compile("^( *)\u2022", re.MULTILINE)
LEAST_WIDTH = 20  # code is wrapped to at least this width, also in a narrower terminal
WORD = re.compile(r"""(?:-[\w-]+ (?!-))?(?:"[^"]*"|'[^']*'|\S)+""")
"""A word of a command line, or an option with its value. A quoted text with spaces is one word."""
SPAN = re.compile(r"`([^`\n]+)`|\*\*(?=\S)([^*\n]+)(?<=\S)\*\*|\*(?=\S)([^*\n]+)(?<=\S)\*")
"""Matches code, strong words or emphasized words in a line of Markdown."""


STYLES = {"heading": "bold", "command": "bold", "right": "green", "wrong": "red", "note": "dim", "typed": "dim"}
PREFIXES = {"command": "$ ", "exercise": "**Exercise**\n\n", "typed": "> "}


def entry_view(entry: Entry, is_terminal: bool = True) -> RenderableType:
    """An entry of a session as a Rich renderable.

    If `is_terminal` is false, the text is ASCII, and code is put between backticks. Otherwise, code is bold.
    """
    if entry.figure is not None:
        return Padding(figure_view(entry.figure), (0, 0, 0, 2)) if is_terminal else Text(figure_text(entry.figure))
    text = terminal_text(PREFIXES.get(entry.kind, "") + entry.text)
    style, quote = STYLES.get(entry.kind, ""), "" if is_terminal else "`"
    if entry.kind == "command":
        return CommandLine(text, style)
    if entry.kind in ("text", "question", "exercise"):
        view = MarkdownText(text, quote)
        return view if is_terminal else Text(re.sub(r"\n{3,}", "\n\n", BULLET.sub(r"\1-", plain_text(view))))
    if entry.kind in ("options", "right", "wrong", "solution"):
        line = line_view(text, style, quote)
        lines = options_view(line) if entry.kind == "options" else line
        return lines if is_terminal else Text(plain_text(lines))
    return Text(text, style=style)


class MarkdownText:
    """Render a text in Markdown for the terminal. The blank lines that Rich adds above and below tables and code are
    removed. `quote` is written on both sides of code in a paragraph."""

    def __init__(self, text: str, quote: str = "") -> None:
        from rich.markdown import Markdown  # imports Pygments

        self.view = Markdown(text, hyperlinks=False)
        self.codes = [(part, part.content) for part in self.view.parsed if part.type in ("fence", "code_block")]
        for part in (part for block in self.view.parsed for part in block.children or ()):
            if part.type == "code_inline":
                part.content = quote + part.content + quote

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part, code in self.codes:
            part.content = wrap_code(
                code, max(LEAST_WIDTH, options.max_width - 2)
            )  # Markdown adds a margin on both sides
        lines = console.render_lines(self.view, options.reset_height(), pad=False)  # cropping comes last
        written = [place for place, line in enumerate(lines) if any(map(is_visible, line))]
        for line in lines[min(written, default=0) : max(written, default=-1) + 1]:
            yield from line
            yield Segment.line()


class CommandLine:
    """A command line for the terminal. All lines but the last end with a backslash, so that a shell can run
    the copied text."""

    def __init__(self, text: str, style: str) -> None:
        self.words, self.style = WORD.findall(text), style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines, width = [self.words[0]], max(LEAST_WIDTH, options.max_width)
        for word in self.words[1:]:
            if len(lines[-1]) + len(word) + len("  \\") > width:
                lines[-1] += " \\"
                lines.append("   ")
            lines[-1] += f" {word}"
            while '"' in word and len(lines[-1]) > width - 2:  # a backslash also works between quotes
                lines[-1:] = [lines[-1][: width - 1] + "\\", lines[-1][width - 1 :]]
        yield Text("\n".join(lines), style=self.style)


def wrap_code(code: str, width: int) -> str:
    """Wrap code at `width` characters, but do not break words, even if they are longer. Wrapped lines are indented
    further."""
    wrapped = list[str]()
    for line in code.split("\n"):
        indent = " " * (len(line) - len(line.lstrip(" ")) + 4)
        wrapped += textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        ) or [""]
    return "\n".join(wrapped)


def is_visible(part: Segment) -> bool:
    """Whether a segment has text or a background color. The first and the last line of a code block have only a
    background color."""
    return bool(part.text.strip() or (part.text and part.style and part.style.bgcolor))


def line_view(text: str, style: str, quote: str = "") -> Text:
    """Convert lines of Markdown to text for the terminal. `quote` is written before and after each piece of code. Only
    code and emphasis are rendered, because a complete rendering would turn a line such as "1. e4" into a list."""
    view = Text(style=style)
    for number, part in enumerate(SPAN.split(text)):
        if part:
            shown = quote + part + quote if number % 4 == 1 else part
            view.append(shown, style=("", "bold", "bold", "italic")[number % 4])
    return view


def options_view(options: Text) -> RenderableType:
    """The options of a question, one on each line. Wrapped lines are indented to the text of their option."""
    grid = Table.grid(padding=(0, 1))
    for option in options.split("\n"):
        grid.add_row(option[:2], option[3:])
    return grid


def plain_words(markdown: str) -> str:
    """Return the words of a Markdown text on one line, without the marks for code and emphasis."""
    return " ".join(SPAN.sub(lambda found: found[1] or found[2] or found[3], markdown).split())


def figure_view(figure: Tree | Board) -> RenderableType:
    """A figure for the terminal. Raises GamesearchError if the figure cannot be drawn."""
    with blame("on"):
        game, state = read_instance(figure.on)
    if isinstance(figure, Board):
        return BoardView(picture(game, state))
    recording = record_instance(figure.on, figure.algorithm, figure.plies)
    if figure.algorithm or "boards" in figure.draw or recording.root is None:
        shown = game if "boards" in figure.draw else None
        return TreeView(recording, figure.plies or PLIES, WIDTH, shown, windows_of(figure))
    return TopDownTree(recording, recording.root)


def windows_of(tree: Tree) -> str:
    """The windows to draw, as a value of the option `--windows`."""
    return "ranges" if "ranges" in tree.draw else "none" if "values" in tree.draw else "search"


def figure_text(figure: Tree | Board) -> str:
    """A figure as plain text in ASCII."""
    return plain_text(figure_view(figure))


def plain_text(view: RenderableType) -> str:
    """A view as plain text, with lines and boxes in ASCII."""

    class AsciiTerminal(Console):
        """A console for ASCII."""

        @property
        def encoding(self) -> str:
            """The encoding, which decides how trees and boards are drawn."""
            return "ascii"

    console = AsciiTerminal(
        file=io.StringIO(), force_terminal=False, width=COLUMNS, highlight=False, emoji=False, markup=False
    )
    with console.capture() as captured:
        console.print(view)
    return "\n".join(line.rstrip() for line in captured.get().split("\n")).strip("\n")


def question_text(posed: PosedQuestion) -> str:
    """A question as plain text: its figure, the prompt and the options."""
    figure, options = picture_of_instance(posed.on), zip(posed.question.moves, posed.options, strict=False)
    drawn = [figure_text(figure), ""] if figure is not None else []
    prompt = CONTINUED.sub(" ", posed.prompt)
    return "\n".join([*drawn, *(plain_lines(each) for each in (prompt, *(f"{a}) {text}" for a, text in options)))])


def plain_lines(markdown: str) -> str:
    """A text in Markdown as plain lines of at most COLUMNS characters. Code stays between backticks."""
    texts = line_view(markdown, "", "`").plain.split("\n")
    lines = (textwrap.wrap(line, COLUMNS, break_long_words=False, break_on_hyphens=False) for line in texts)
    return "\n".join("\n".join(line) for line in lines)


def figure_svg(figure: Tree | Board) -> str:
    """A figure as the text of an SVG image. Raises GamesearchError if the figure cannot be drawn."""
    if isinstance(figure, Board):
        game, state = read_instance(figure.on)
        return board_svg(board_for_print(picture(game, state)), figure.on)
    game = read_instance(figure.on)[0]
    style = Style(windows=windows_of(figure), boards="boards" in figure.draw, pruned="pruned" in figure.draw, game=game)
    drawn = picture_of(record_instance(figure.on, figure.algorithm, figure.plies), not figure.algorithm, style)
    return Image(replace(drawn, has_headings=False)).text()
