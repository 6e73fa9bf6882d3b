"""Worksheets: variants of exercises with blanks, and their solutions, as LaTeX, HTML or PDF.

In the exercises of this module, students write values into trees. `gamesearch.lessons.worksheets` makes worksheets with
the questions of lessons.
"""

import random
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import with_signs
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.root.search import search
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.render.exports.svg import Image
from gamesearch.render.formats.svg import in_page
from gamesearch.render.formats.tikz import PIXEL, PREAMBLE, tex_with_signs, tikz_picture
from gamesearch.render.trees.picture import Style, picture_of
from gamesearch.support.escaping import tex_text, xml_text
from gamesearch.toolkit.random_games import after_random_moves
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording

__all__ = [
    "TOPICS", "Answer", "Drawing", "Exercise", "Topic", "Variant", "Worksheet", "tree_drawing", "tree_worksheet",
    "worksheet_html", "worksheet_pdf", "worksheet_tex",
]  # fmt: skip


@dataclass(frozen=True)
class Topic:
    """A kind of exercise. Each instance of the exercise has different random numbers or moves."""

    title: str
    task: str
    instance: str
    """The specification of a game, or a tree in which each ? is replaced by a random number."""
    algorithm: str
    """The algorithm that computes the solution."""
    sheet: str = "minimax"
    """The algorithm whose tree is drawn with blanks on the worksheet."""
    plies: int = 0
    """The number of random moves that lead to the position."""
    greatest: int = 20
    """The greatest random number that may replace a ?."""
    are_distinct: bool = False
    """Whether all random numbers are different. If they are, it does not matter whether students prune equal values."""


TOPICS: Mapping[str, Topic] = {
    "minimax": Topic(
        "Minimax",
        "Write the minimax value of each node, and mark the best line.",
        "[[?,?,?],[?,?,?],[?,?,?]]",
        "minimax",
    ),
    "alpha-beta": Topic(
        "Alpha-beta pruning",
        "Search the tree by alpha-beta from left to right. Write the value that each visited node returns, and cross "
        "out the branches that are pruned.",
        "[[[?,?],[?,?]],[[?,?],[?,?]],[[?,?],[?,?]]]",
        "alphabeta",
        are_distinct=True,
    ),
    "expectiminimax": Topic(
        "Expectiminimax",
        "Write the value of each node, and mark the best move.",
        "[{1/2: [?,?], 1/2: [?,?]},{1/4: [?,?], 3/4: [?,?]}]",
        "expectiminimax(pruning=none, order=generated)",
        "expectiminimax(pruning=none, order=generated)",
        greatest=12,
    ),
    "maxn": Topic(
        "Three players",
        "Each player maximizes his or her own payoff: P1, P2 and P3 in this order. Write the payoffs of each node.",
        "[[[(?,?,?),(?,?,?)],[(?,?,?),(?,?,?)]],[[(?,?,?),(?,?,?)],[(?,?,?),(?,?,?)]]]",
        "maxn",
        "maxn",
        greatest=9,
    ),
    "tictactoe": Topic(
        "The end of a game of tic-tac-toe",
        "X is Max: a win is +1, a draw 0, a loss -1; +1 in 3 is a win after 3 plies. Write the value of each position, "
        "and mark the best move.",
        "tictactoe",
        "minimax",
        plies=6,
    ),
}
TRIES = 200


@dataclass(frozen=True)
class Drawing:
    """A picture: its kind, its size in pixels, its parts for TikZ, and its SVG text."""

    kind: str
    """`tree` or `board`."""
    size: tuple[float, float]
    parts: Sequence[str]
    svg: str


def tree_drawing(image: Image) -> Drawing:
    """The drawing of a tree."""
    return Drawing("tree", image.size, image.parts(), image.text())


@dataclass(frozen=True)
class Answer:
    """A question of a worksheet and its answer, both as plain text."""

    text: str
    answer: str
    reason: str = ""
    also: Sequence[str] = ()
    """Other right answers."""


@dataclass(frozen=True)
class Exercise:
    """An instance of an exercise, and the questions about this instance."""

    on: str
    """The specification of the game, and the position."""
    sheet: Drawing | None
    solution: Drawing | None
    answers: Sequence[Answer]


@dataclass(frozen=True)
class Variant:
    """The exercises of one student."""

    number: int
    exercises: Sequence[Exercise]


@dataclass(frozen=True)
class Worksheet:
    """Several variants of the same exercises."""

    title: str
    task: str
    variants: Sequence[Variant]


def tree_worksheet(topic: Topic, numbers: Sequence[int], seed: int) -> Worksheet:
    """Make a worksheet with a variant for each number. In each variant, students fill in a tree. A variant depends only
    on the seed and on its number."""
    found = [Variant(number, [draw_exercise(topic, random.Random(f"{seed} {number}"))]) for number in numbers]
    return Worksheet(topic.title, topic.task, found)


def draw_exercise(topic: Topic, source: random.Random) -> Exercise:
    """Make random instances of a topic until one has a single best move and, for alpha-beta, pruned branches. Return
    this instance with its solution."""
    for _ in range(TRIES):
        text = draw_numbers(topic, source)
        game = load(text)
        _, state = after_random_moves(game, topic.plies, source)
        solved = record(text, game.format(state), topic.algorithm)
        root = solved.root
        assert root is not None
        values = [solved.nodes[child].value for child in root.children]
        is_clear = root.value is not None and values.count(root.value) == 1
        if is_clear and (topic.algorithm != "alphabeta" or any(node.pruned for node in solved.nodes.values())):
            break
    else:
        raise GamesearchError(f"{topic.title}: none of {TRIES} random instances is suitable for an exercise")
    is_board = bool(game.board(state).rows)
    plain = Style(windows="none", notes=False, boards=is_board, game=game, headings=False, pruned=False)
    full = Style(
        windows="none", notes=False, boards=is_board, game=game, headings=False, pruned=solved.end["cutoffs"] > 0
    )
    sheet = record(text, game.format(state), topic.sheet)
    answers = [Answer("Value of the root", root.shown), Answer("Best move", str(solved.end["best"]))]
    if solved.end["cutoffs"]:
        answers.append(Answer("Leaves that are evaluated", str(solved.end["leaves"])))
    drawn = (tree_drawing(Image(picture_of(sheet, True, plain))), tree_drawing(Image(picture_of(solved, False, full))))
    return Exercise(f"{text} {game.format(state)}" if topic.plies else text, *drawn, answers)


def draw_numbers(topic: Topic, source: random.Random) -> str:
    """The instance of a topic, with a random number in place of each question mark."""
    count, numbers = topic.instance.count("?"), range(topic.greatest + 1)
    drawn = iter(source.sample(numbers, count) if topic.are_distinct else source.choices(numbers, k=count))
    return re.sub(r"\?", lambda _: str(next(drawn)), topic.instance)


def record(game: str, position: str, algorithm: str) -> Recording:
    """Record a search."""
    rules, chosen = load(game), load_algorithm(algorithm)
    state = rules.parse(position)
    recorder = Recorder(rules, state, chosen)
    return recorder.finish(search(rules, state, chosen, limits=Limits(), observer=recorder))


# Files. -------------------------------------------------------------------------------------------
BLANK = "_" * 12
TEX_BLANK = r"\rule{2cm}{0.4pt}"
"""LaTeX code that draws a blank."""
TEX_WIDTH = 480.0
"""The width of the text on a page, in points."""


def lines_of(exercise: Exercise, is_solution: bool) -> Iterator[tuple[str, str, str]]:
    """Yield each question, with a blank or with its answer, and the reason for the answer."""
    for each in exercise.answers:
        text = with_signs(each.text if each.text[-1:] in ".?)" else f"{each.text}:")
        if is_solution:
            yield text, with_signs(each.answer), f"({with_signs(each.reason).rstrip('.')})" if each.reason else ""
        else:
            yield text, BLANK, ""


def heading(worksheet: Worksheet, variant: Variant, is_solution: bool) -> str:
    """The title of a page."""
    return f"{worksheet.title}, variant {variant.number}{': solution' if is_solution else ''}"


def worksheet_tex(worksheet: Worksheet, is_solution: bool) -> str:
    """The worksheet, or its solution, in LaTeX: one page for each variant."""
    pages = []
    for variant in worksheet.variants:
        pages += [
            f"\\section*{{{tex_text(heading(worksheet, variant, is_solution))}}}",
            *([] if is_solution else [r"Name: \hrulefill\par\bigskip"]),
            *([rf"\noindent {tex_with_signs(with_signs(worksheet.task))}\par\bigskip"] if worksheet.task else []),
        ]
        for exercise in variant.exercises:
            if figure := exercise.solution if is_solution else exercise.sheet:
                scale = min(1.0, TEX_WIDTH / (PIXEL * figure.size[0]))
                pages += [
                    r"\medskip",
                    f"\\noindent\\scalebox{{{scale:.3f}}}{{%",
                    *tikz_picture(figure.parts),
                    r"}\par\bigskip",
                ]
            for question, answer, reason in lines_of(exercise, is_solution):
                shown = rf"\textbf{{{tex_with_signs(answer)}}}" if is_solution else TEX_BLANK
                words = filter(None, (tex_with_signs(question), shown, tex_with_signs(reason)))
                pages.append(f"\\noindent {' '.join(words)}\\par\\medskip")
        pages.append(r"\newpage")
    begin = [r"\documentclass[a4paper]{article}", r"\usepackage[margin=2cm]{geometry}", PREAMBLE, r"\pagestyle{empty}"]
    return "\n".join([*begin, r"\begin{document}", *pages, r"\end{document}", ""])


HTML = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
@page {{ size: A4; margin: 2cm }}
body {{ font: 16px system-ui, sans-serif; color: #000; background: #fff }}
body {{ max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
section {{ break-after: page; margin-bottom: 3rem }} section svg {{ max-width: 100%; height: auto }}
p, svg {{ break-inside: avoid }} b {{ color: #00529b; white-space: nowrap }} small {{ color: #444 }}
@media print {{ body {{ margin: 0; padding: 0; max-width: none }} section {{ margin: 0 }} }}
</style></head>
<body>
{body}
</body></html>
"""


def worksheet_html(worksheet: Worksheet, is_solution: bool) -> str:
    """The worksheet, or its solution, as a page to print."""
    sections = []
    for variant in worksheet.variants:
        parts = [f"<section><h2>{xml_text(heading(worksheet, variant, is_solution))}</h2>"]
        parts += [] if is_solution else [f"<p>Name: {BLANK}{BLANK}</p>"]
        parts += [f"<p>{xml_text(with_signs(worksheet.task))}</p>\n"] if worksheet.task else []
        for exercise in variant.exercises:
            figure = exercise.solution if is_solution else exercise.sheet
            parts.append(in_page(figure.svg, figure.kind) if figure else "")
            for question, answer, reason in lines_of(exercise, is_solution):
                shown = f"<b>{xml_text(answer)}</b>" if is_solution else BLANK
                because = f" <small>{xml_text(reason)}</small>" if reason else ""
                parts.append(f"<p>{xml_text(question)} {shown}{because}</p>")
        sections.append("".join([*parts, "</section>"]))
    return HTML.format(title=xml_text(worksheet.title), body="\n".join(sections))


def worksheet_pdf(worksheet: Worksheet, is_solution: bool) -> bytes:
    """Use Typst to make a PDF file of the worksheet or of its solution. Raises GamesearchError if Typst is not
    installed."""
    try:
        import typst
    except ImportError:
        raise GamesearchError(
            "PDF files need Typst: pip install 'gamesearch[pdf]', or name a .tex or .html file"
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        pages = ['#set page(paper: "a4", margin: 2cm)', "#set text(size: 11pt)"]
        for variant in worksheet.variants:
            pages += [
                f"= #{typst_text(heading(worksheet, variant, is_solution))}",
                *([] if is_solution else [f"#v(4pt) #{typst_text('Name: ' + 3 * BLANK)}", ""]),
                *([f"#v(6pt) #{typst_text(with_signs(worksheet.task))}"] if worksheet.task else []),
            ]
            for at, exercise in enumerate(variant.exercises):
                if figure := exercise.solution if is_solution else exercise.sheet:
                    file = f"{variant.number}-{at}.svg"
                    Path(folder, file).write_text(figure.svg, encoding="utf-8")
                    width = min(100.0, 100 * PIXEL * figure.size[0] / TEX_WIDTH)
                    pages.append(f'#v(6pt) #image("{file}", width: {width:.0f}%)')
                for question, answer, reason in lines_of(exercise, is_solution):
                    shown = f"#strong({typst_text(answer)})" if is_solution else f"#{typst_text(answer)}"
                    pages.append(f"\n#v(4pt) #{typst_text(question)} {shown} #{typst_text(reason)}")
            pages.append("#pagebreak(weak: true)")
        source = Path(folder, "sheet.typ")
        source.write_text("\n".join(pages), encoding="utf-8")
        pdf: bytes = typst.compile(str(source))
        return pdf


def typst_text(text: str) -> str:
    r"""A text as a string literal of Typst, in which markup has no effect.

    >>> typst_text('#image("x") \\')
    '"#image(\\"x\\") \\\\"'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
