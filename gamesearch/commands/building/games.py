"""List the games, or describe one."""

import contextlib
import inspect
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import click
from rich.console import RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import data_number, value_text
from gamesearch.cli.consoles import print_found
from gamesearch.cli.help import Command
from gamesearch.cli.options import ascii_option, flag_option, json_option, offer_games
from gamesearch.compiler import why_interpreted
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, IGNORED, MAX, REPETITION_DRAWS, Game
from gamesearch.notation import active_players, player_name
from gamesearch.optional import GameFamily, is_impartial
from gamesearch.registry import game_names, load, specification_of, summary_of, tunable
from gamesearch.render.boards.board import BoardView
from gamesearch.render.tables import pairs, plain_table, text_column, view
from gamesearch.specification import format_specification, format_value
from gamesearch.study.sizes import MEASURED, MEASURED_GAMES, Size, measure_size, size_of
from gamesearch.support.escaping import markdown_text
from gamesearch.toolkit.pictures import picture

__all__ = [
    "Description", "choices_data", "command", "described_parameters", "description_view", "listing_view",
    "quote_for_shell",
]  # fmt: skip


# Lists and descriptions. --------------------------------------------------------------------------
@dataclass(frozen=True)
class Parameter:
    """A parameter of a game or an algorithm: a row in the table of parameters."""

    name: str
    kind: str
    default: str
    meaning: str = ""
    choices: Sequence[str] = ()  # the possible values, if they can be listed


@dataclass(frozen=True)
class Description:
    """The texts that describe a game or an algorithm."""

    name: str
    summary: str
    text: str = ""  # the text after the summary; blank lines separate paragraphs
    parameters: Sequence[Parameter] = ()
    facts: Sequence[tuple[str, str]] = ()
    picture: RenderableType | None = None
    examples: Sequence[str] = field(default=())  # examples of command lines


@view
def listing_view(items: Sequence[tuple[str, str]], hint: str) -> RenderResult:
    """Show a list of names with their summaries, and a hint below."""
    yield pairs(items, "bold")
    yield Text()
    yield Text(hint, style="dim")


@view
def description_view(described: Description) -> RenderResult:
    """Show a description, with examples and a table of parameters. The lines of a paragraph are joined."""
    yield Text.assemble((described.name, "bold"), f": {described.summary}")
    if described.text:
        yield Text()
        yield Text("\n\n".join(" ".join(paragraph.split()) for paragraph in described.text.split("\n\n")))
    if described.facts:
        yield Text()
        yield pairs(described.facts)
    yield Text()
    if described.parameters:
        yield indent(parameter_table(described.parameters))
    else:
        yield Text("no parameters", style="dim")
    if described.picture is not None:
        yield Text()
        yield indent(described.picture)
    if described.examples:
        yield Text()
        yield Text("examples", style="dim")
        yield from (indent(Text(example)) for example in described.examples)


def parameter_table(parameters: Sequence[Parameter]) -> Table:
    """Return a table of parameters: names, types, defaults and, if known, meanings and possible values."""
    remarks = [remark_on(each) for each in parameters]
    rows = [(each.name, each.kind, each.default, remark) for each, remark in zip(parameters, remarks, strict=True)]
    columns = [text_column("parameter", "bold"), text_column("type"), Column("default")]
    columns += [Column("meaning or values")] if any(remarks) else []
    return plain_table(*columns, rows=(row[: len(columns)] for row in rows), gap=2)


def remark_on(parameter: Parameter) -> str:
    """The meaning and the possible values of a parameter."""
    listed = ", ".join(parameter.choices)
    return f"{parameter.meaning} ({listed})" if parameter.meaning and listed else parameter.meaning or listed


def indent(renderable: RenderableType) -> Padding:
    """Indent a renderable by two characters."""
    return Padding(renderable, (0, 0, 0, 2), expand=False)


# The command. -------------------------------------------------------------------------------------
@click.command(
    cls=Command,
    examples=[
        "gamesearch games",
        "gamesearch games connect4",
        "gamesearch games 'nim(misere=true)'",
        "gamesearch games --sizes",
        "gamesearch games chess --values",
    ],
)
@click.argument("name", default="", required=False, shell_complete=offer_games, metavar="[NAME]")
@flag_option("--markdown", text="Print the list as a table in Markdown.")
@flag_option(
    "--sizes",
    text="Print published or measured sizes: moves per position, plies, positions, tree. Give NAME to see one game.",
)
@flag_option("--values", text="Print the values of chess pieces in several systems, with their sources.")
@ascii_option
@json_option
def command(name: str, markdown: bool, sizes: bool, values: bool, only_ascii: bool, as_json: bool) -> None:
    """List the games, or describe one: parameters, notation and an example position."""
    if sizes:
        print_sizes(name, only_ascii, as_json)
        return
    if values:
        if name and load(name).name != "chess":
            raise GamesearchError("only chess has systems of piece values: leave out --values")
        print_values(only_ascii, as_json)
        return
    if markdown:
        click.echo(markdown_table([load(name)] if name else [load(each) for each in game_names()]), nl=False)
        return
    if name:
        game = load(name)
        print_found(description_view(game_description(game, only_ascii)), lambda: game_data(game), as_json, only_ascii)
        return
    listed = [(each, summary_of(each)) for each in game_names()]
    hint = "gamesearch games NAME describes a game. Your own games are files: ./mygame.py"
    data = [{"name": each, "summary": summary} for each, summary in listed]
    print_found(listing_view(listed, hint), lambda: data, as_json, only_ascii)


def print_sizes(name: str, only_ascii: bool, as_json: bool) -> None:
    """Print the sizes of all games, or the size of one game with its averages over random games."""
    games = [load(each) for each in ([name] if name else game_names())]
    sizes = [(each.name, size_of(each)) for each in games]
    if name and MEASURED not in sizes[0][1].source:
        means = measure_size(games[0], MEASURED_GAMES)
        sizes.append((games[0].name, Size(means.branching, means.plies, "", means.tree, MEASURED)))
    notes = list(dict.fromkeys(note for _, size in sizes for note in size.source.split("; ")))
    numbers = {note: str(number) for number, note in enumerate(notes, 1)}
    sources = [", ".join(numbers[note] for note in size.source.split("; ")) for _, size in sizes]
    rows = [
        (name, *means_text(size), size.positions, size.tree, source)
        for (name, size), source in zip(sizes, sources, strict=True)
    ]
    names = ("game", "moves per position", "plies per game", "positions", "tree nodes", "sources")
    legend = [(number, note) for note, number in numbers.items()]
    data = [{"game": each, **asdict(size)} for each, size in sizes]
    print_found(table_of(names, rows, legend, TREES), lambda: data, as_json, only_ascii)


TREES = (
    "Tree sizes that are powers of ten come from the source, or were computed as moves to the power of plies. "
    "Other tree sizes are exact counts of nodes. If a row has both measured and published numbers, ~ marks those that "
    "gamesearch measured."
)


def means_text(size: Size) -> tuple[str, str]:
    """Return the moves per position and the plies per game. If only these two numbers were measured, `~` marks them."""
    mark = "~" if size.source.endswith(MEASURED) and size.source != MEASURED else ""
    moves, plies = ("" if each is None else f"{each:.3g}" for each in (size.branching, size.plies))
    return mark + moves, mark + plies


KING = (
    "The king cannot be exchanged, so sums of piece values usually leave it out. Shannon counts it as 200, more than "
    "all other pieces together. Its strength as a piece in the endgame is about 4 (Lasker 1934, p. 73)."
)


def print_values(only_ascii: bool, as_json: bool) -> None:
    """Print all systems of piece values for chess, and the source of each system."""
    from gamesearch.games.capturing.chess.features import KINGS, VALUES

    rows = [
        (name, *(f"{number:g}" for number in each[:5]), str(KINGS.get(name, "-")), f"{each.pair:g}")
        for name, each in VALUES.items()
    ]
    names = ("system", "pawn", "knight", "bishop", "rook", "queen", "king", "bishop pair")
    sources = [(name, each.source) for name, each in VALUES.items()]
    data = {
        "systems": {name: {**each._asdict(), "king": KINGS.get(name)} for name, each in VALUES.items()},
        "king": KING,
    }
    print_found(table_of(names, rows, sources, KING), lambda: data, as_json, only_ascii)


@view
def table_of(
    names: Sequence[str], rows: Sequence[Sequence[str]], sources: Sequence[tuple[str, str]], note: str
) -> RenderResult:
    """Show a table, the sources below the table, and a note. The first column contains names, the other columns contain
    numbers. On a narrow terminal, only headings are wrapped."""
    first, *rest = names
    columns = [Column(name, justify="right", no_wrap=" " not in name) for name in rest]
    yield plain_table(text_column(first), *columns, rows=rows, gap=2)
    yield Text()
    yield pairs(sources)
    yield Text()
    yield Text(note)


def markdown_table(games: Iterable[Game]) -> str:
    """Return a Markdown table of games: the specification, the summary, and the properties that matter for searches."""
    lines = ["| game | what is played | kind |", "| --- | --- | --- |"]
    for game in games:
        parameters, values = inspect.signature(type(game)).parameters.values(), game.parameters()
        defaults = {each.name: each.default for each in parameters if each.default != each.empty}
        given = {name: values.get(name) if default is None else default for name, default in defaults.items()}
        typed = format_specification(type(game).name, given)
        summary = type(game).summary or (inspect.getdoc(type(game)) or "").partition("\n")[0].rstrip(".")
        lines.append(f"| `{typed}` | {markdown_text(summary)} | {kind_of(game)} |")
    return "\n".join(line.replace("\n", " ") for line in lines) + "\n"


def kind_of(game: Game) -> str:
    """Describe in words the properties of a game that matter for the choice of an algorithm."""
    kinds = {REPETITION_DRAWS: "repetition is a draw", IGNORED: "positions repeat", FORBIDDEN: "superko"}
    facts = [
        f"{game.players} players" if game.players > 2 else "",
        "chance" if game.chance else "",
        "impartial" if is_impartial(game) else "",
        kinds.get(game.repetition, ""),
        "points" if not game.win_or_loss and not game.chance and game.players == 2 else "",
        "interpreted" if why_interpreted(game) is not None else "",
    ]
    return ", ".join(fact for fact in facts if fact)


# One game. ---------------------------------------------------------------------------------------
def described_parameters(
    make: Callable[..., Any],
    values: Mapping[str, Any],
    choices: Mapping[str, Collection[Any]],
    meanings: Mapping[str, str] | None = None,
) -> list[Parameter]:
    """Return the parameters of a constructor: types, choices and defaults. If a value in `values` differs from the
    default, the value is shown, too."""
    found = []
    for name, parameter in inspect.signature(make).parameters.items():
        default = "" if parameter.default in (parameter.empty, None) else format_value(parameter.default)
        if values.get(name) is not None and format_value(values[name]) != default:
            default = f"{format_value(values[name])} here (default {default or 'none'})"
        listed = [format_value(value) for value in choices.get(name, ())]
        found.append(Parameter(name, kind_text(parameter.annotation), default, (meanings or {}).get(name, ""), listed))
    return found


def further_parameters(game: Game) -> list[Parameter]:
    """Return the parameters that the constructor of the game does not list: parameters that choose another class,
    attributes that learning can change, and the parameter `evaluation`."""
    meanings = {"weights": f"for {', '.join(game.feature_names)}"} if game.feature_names else {}
    numbers = {name: format_value(tuple(getattr(game, name))) for name in tunable(type(game))}
    found = [Parameter(name, "", "", meaning) for name, meaning in parameters_of_others(game).items()]
    found += [Parameter(name, "numbers", value, meanings.get(name, "")) for name, value in numbers.items()]
    if evaluations := game.shipped_evaluations:
        meaning = "; ".join(
            f"{name}: {' '.join((inspect.getdoc(each['features']) or '').split()).rstrip('.')}"
            for name, each in evaluations.items()
        )
        found.append(Parameter("evaluation", "text", "", meaning))
    return found


def parameters_of_others(game: Game) -> Mapping[str, str]:
    """The meaning of each parameter that leads to another class of the game."""
    return game.parameters_of_others if isinstance(game, GameFamily) else {}


def choices_data(choices: Mapping[str, Collection[Any]], name: str) -> list[Any] | None:
    """The possible values of a parameter as JSON; null if they cannot be listed."""
    return list(choices[name]) if name in choices else None


def kind_text(annotation: Any) -> str:
    """Convert a type annotation to words, such as "whole number"."""
    words = {"int": "whole number", "float": "number", "bool": "true or false", "str": "text"}
    kinds = str(getattr(annotation, "__name__", annotation)).replace(" ", "").split("|")
    return " or ".join(words[kind] for kind in kinds if kind in words)


def example_state(game: Game) -> tuple[Game, Any, str]:
    """Return the example position of a game, or the start position if the example does not fit the parameters."""
    with contextlib.suppress(GamesearchError):
        if game.example:
            shown, state = game.setup(game.example)
            return shown, state, game.example
    start = game.initial()
    return game, start, game.format(start)


def game_description(game: Game, only_ascii: bool) -> Description:
    """Return texts that describe a game, and a picture of the game's example position."""
    cls = type(game)
    lines = (inspect.getdoc(cls) if cls.__doc__ and cls is not Game else None) or ""
    summary, _, rest = lines.partition("\n")
    shown, state, example = example_state(game)
    specification = specification_of(game)
    name = cls.name if is_as_by_default(game) else quote_for_shell(specification)
    return Description(
        name=specification,
        summary=game.summary or summary.rstrip("."),
        text=" ".join(rest.split()),
        parameters=[*described_parameters(cls, game.parameters(), cls.choices), *further_parameters(game)],
        facts=[*([("notation", game.notation)] if game.notation else []), ("example", example), *facts(game)],
        picture=BoardView(picture(shown, state), only_ascii),
        examples=[f"gamesearch play {name}", f"gamesearch analyze {name} {quote_for_shell(example)}"],
    )


def is_as_by_default(game: Game) -> bool:
    """Whether all parameters of a game have their default values, so that the game's name is enough to specify it."""
    defaults = {name: each.default for name, each in inspect.signature(type(game)).parameters.items()}
    given = game.parameters() | game.tuned_attributes()
    return all(format_value(value) == format_value(defaults.get(name)) for name, value in given.items())


def quote_for_shell(text: str) -> str:
    """Return a text as one argument of a command line, with quotation marks if the shell needs them."""
    if text and all(character.isalnum() or character in "./,_:+-=" for character in text):
        return text
    return shlex.quote(text) if any(character in '"$`!\\' for character in text) else f'"{text}"'


def facts(game: Game) -> list[tuple[str, str]]:
    """The properties of a game that matter to algorithms, each with its name."""
    players = ", ".join(player_name(game, player) for player in active_players(game))
    repetition = {
        REPETITION_DRAWS: "yes; a search counts the first repetition as a draw, but a game is drawn only at the second",
        IGNORED: "yes; the game continues",
        FORBIDDEN: "no; moves that repeat a position are illegal, and the game is drawn if a player has no other move",
    }
    least, most = (value_text(float(score), signed=game.win_or_loss) for score in (game.MINSCORE, game.MAXSCORE))
    found = [
        ("players", f"{players} and chance" if game.chance else players),
        (
            "payoff",
            f"from {least} to {most}"
            + (f" for {player_name(game, MAX)}" if game.players == 2 and game.zero_sum else ""),
        ),
    ]
    if game.repetition in repetition:
        found.append(("positions repeat", repetition[game.repetition]))
    if game.suggested_depth is not None:
        found.append(("depth", f"{game.suggested_depth} plies if the search has no other limit"))
    if reason := why_interpreted(game):
        found.append(("speed", f"interpreted: {reason}"))
    return found


def game_data(game: Game) -> dict[str, Any]:
    """The description of a game as JSON."""
    cls, described = type(game), game_description(game, only_ascii=True)
    _, _, example = example_state(game)
    return {
        "game": described.name,
        "name": cls.name,
        "summary": described.summary,
        "description": described.text,
        "parameters": [
            {
                "name": name,
                "default": None if each.default is each.empty else each.default,
                "choices": choices_data(cls.choices, name),
            }
            for name, each in inspect.signature(cls).parameters.items()
        ]
        + [{"name": name, "default": None, "choices": None} for name in parameters_of_others(game)]
        + [{"name": name, "default": list(getattr(game, name)), "choices": None} for name in tunable(cls)]
        + [
            {"name": "evaluation", "default": None, "choices": [*others]}
            for others in [cls.shipped_evaluations]
            if others
        ],
        "notation": game.notation,
        "example": example,
        "players": game.players,
        "names": [player_name(game, i) for i in range(game.players)],
        "chance": game.chance,
        "least": data_number(float(game.MINSCORE)),
        "greatest": data_number(float(game.MAXSCORE)),
        "suggested_depth": game.suggested_depth,
    }
