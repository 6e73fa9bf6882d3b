"""Worksheets: variants of one exercise with blanks, and their solutions, as LaTeX, HTML or PDF."""

import random
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.root.search import search
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.render.exports.svg import Image
from gamesearch.render.tikz import PIXEL, PREAMBLE, tikz_picture
from gamesearch.render.trees.picture import Style, picture_of
from gamesearch.study.exercises import after_random_moves
from gamesearch.support.escaping import tex_text, xml_text
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording

__all__ = ["TOPICS", "Topic", "Variant", "variants", "worksheet_html", "worksheet_pdf", "worksheet_tex"]


@dataclass(frozen=True)
class Topic:
    """An exercise whose instances are drawn at random."""

    title: str
    task: str
    instance: str
    """A game, or a tree in which each ? is replaced by a random number."""
    algorithm: str
    """The algorithm that computes the solution."""
    sheet: str = "minimax"
    """The algorithm whose tree is drawn with blanks."""
    plies: int = 0
    """The number of random moves that lead to the position."""
    greatest: int = 20
    """The greatest random number that replaces a ?."""


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
class Variant:
    """An instance of an exercise, with its solution."""

    number: int
    on: str
    """The specification of the game, with the position."""
    sheet: Image
    solution: Image
    answers: Mapping[str, str]
    """The questions with their answers."""


def variants(topic: Topic, count: int, seed: int) -> list[Variant]:
    """The variants 1 to `count` of an exercise. Each variant depends only on the seed and on its number."""
    return [draw_variant(topic, number, random.Random(f"{seed} {number}")) for number in range(1, count + 1)]


def draw_variant(topic: Topic, number: int, source: random.Random) -> Variant:
    """Draw random instances until one has a clear answer, and solve it."""
    for _ in range(TRIES):
        text = re.sub(r"\?", lambda _: str(source.randint(0, topic.greatest)), topic.instance)
        game = load(text)
        _, state = after_random_moves(game, topic.plies, source)
        solved = record(text, game.format(state), topic.algorithm)
        root = solved.root
        assert root is not None
        values = [solved.nodes[child].value for child in root.children]
        is_clear = root.value is not None and values.count(root.value) == 1
        if is_clear and (topic.sheet == topic.algorithm or topic.algorithm == "minimax" or solved.end["cutoffs"] > 1):
            break
    else:
        raise GamesearchError(f"{topic.title}: {TRIES} random instances have no clear answer")
    is_board = bool(game.board(state).rows)
    plain = Style(windows="none", notes=False, boards=is_board, game=game, headings=False, pruned=False)
    full = Style(
        windows="none", notes=False, boards=is_board, game=game, headings=False, pruned=solved.end["cutoffs"] > 0
    )
    sheet = record(text, game.format(state), topic.sheet)
    answers = {"Value of the root": typeset(solved.end["shown"]), "Best move": str(solved.end["best"])}
    if solved.end["cutoffs"]:
        answers["Leaves that are evaluated"] = str(solved.end["leaves"])
    return Variant(
        number, f"{text} {game.format(state)}" if topic.plies else text,
        Image(picture_of(sheet, True, plain)), Image(picture_of(solved, False, full)), answers,
    )  # fmt: skip


def record(game: str, position: str, algorithm: str) -> Recording:
    """Record a search."""
    rules, chosen = load(game), load_algorithm(algorithm)
    state = rules.parse(position)
    recorder = Recorder(rules, state, chosen)
    return recorder.finish(search(rules, state, chosen, limits=Limits(), observer=recorder))


# Files. -------------------------------------------------------------------------------------------
BLANK = "_" * 12
TEX_WIDTH = 480.0
"""The width of the text on a page, in points."""


def lines_of(variant: Variant, is_solution: bool) -> list[str]:
    """The questions, each with a blank or with its answer."""
    return [f"{question}: {answer if is_solution else BLANK}" for question, answer in variant.answers.items()]


def heading(topic: Topic, variant: Variant, is_solution: bool) -> str:
    """The title of a page."""
    return f"{topic.title}, variant {variant.number}{': solution' if is_solution else ''}"


def worksheet_tex(topic: Topic, found: Sequence[Variant], is_solution: bool) -> str:
    """The worksheet, or its solution, in LaTeX: one page for each variant."""
    pages = []
    for variant in found:
        image = variant.solution if is_solution else variant.sheet
        scale = min(1.0, TEX_WIDTH / (PIXEL * image.size[0]))
        pages += [
            f"\\section*{{{tex_text(heading(topic, variant, is_solution))}}}",
            *([] if is_solution else [r"Name: \hrulefill\par\bigskip"]),
            tex_text(topic.task) + r"\par\bigskip",
            f"\\noindent\\scalebox{{{scale:.3f}}}{{%",
            *tikz_picture(image.parts()),
            r"}\par\bigskip",
            *(f"\\noindent {tex_signs(line)}\\par\\medskip" for line in lines_of(variant, is_solution)),
            r"\newpage",
        ]
    begin = [r"\documentclass[a4paper]{article}", r"\usepackage[margin=2cm]{geometry}", PREAMBLE, r"\pagestyle{empty}"]
    return "\n".join([*begin, r"\begin{document}", *pages, r"\end{document}", ""])


HTML = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 16px system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; color: #000; background: #fff }}
section {{ break-after: page; margin-bottom: 3rem }} section svg {{ max-width: 100%; height: auto }}
</style></head>
<body>
{body}
</body></html>
"""


def worksheet_html(topic: Topic, found: Sequence[Variant], is_solution: bool) -> str:
    """The worksheet, or its solution, as a page to print."""
    sections = []
    for variant in found:
        image = variant.solution if is_solution else variant.sheet
        name = "" if is_solution else f"<p>Name: {BLANK}{BLANK}</p>"
        lines = "".join(f"<p>{xml_text(line)}</p>" for line in lines_of(variant, is_solution))
        title = xml_text(heading(topic, variant, is_solution))
        sections.append(
            f"<section><h2>{title}</h2>{name}<p>{xml_text(topic.task)}</p>\n{image.text()}{lines}</section>"
        )
    return HTML.format(title=xml_text(topic.title), body="\n".join(sections))


def worksheet_pdf(topic: Topic, found: Sequence[Variant], is_solution: bool) -> bytes:
    """The worksheet, or its solution, as a PDF file by Typst. Raises GamesearchError if Typst is not installed."""
    try:
        import typst
    except ImportError:
        raise GamesearchError(
            "PDF files need Typst: pip install 'gamesearch[pdf]', or name a .tex or .html file"
        ) from None
    with tempfile.TemporaryDirectory() as folder:
        pages = ['#set page(paper: "a4", margin: 2cm)', "#set text(size: 11pt)"]
        for variant in found:
            image = variant.solution if is_solution else variant.sheet
            file = f"{variant.number}.svg"
            Path(folder, file).write_text(image.text(), encoding="utf-8")
            width = min(100.0, 100 * PIXEL * image.size[0] / TEX_WIDTH)
            pages += [
                f"= #{typst_text(heading(topic, variant, is_solution))}",
                *([] if is_solution else [f"#v(4pt) #{typst_text('Name: ' + 3 * BLANK)}", ""]),
                f"#v(6pt) #{typst_text(topic.task)}",
                f'#v(6pt) #image("{file}", width: {width:.0f}%)',
                *(f"\n#v(4pt) #{typst_text(line)}" for line in lines_of(variant, is_solution)),
                "#pagebreak(weak: true)",
            ]
        source = Path(folder, "sheet.typ")
        source.write_text("\n".join(pages), encoding="utf-8")
        pdf: bytes = typst.compile(str(source))
        return pdf


def tex_signs(line: str) -> str:
    """A line in TeX, in which signs such as <= become mathematical symbols."""
    signs = {"−": "$-$", "≥": r"$\geq$", "≤": r"$\leq$"}
    return "".join(signs.get(letter) or tex_text(letter) for letter in line)


def typst_text(text: str) -> str:
    r"""A text as a string of Typst, in which nothing is markup.

    >>> typst_text('#image("x") \\')
    '"#image(\\"x\\") \\\\"'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
