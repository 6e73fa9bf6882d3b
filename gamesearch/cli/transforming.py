"""What `gamesearch compare --transform` does: the same positions searched with values as they are and transformed."""

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.cli.consoles import print_found
from gamesearch.cli.messages import say
from gamesearch.cli.progress import watching
from gamesearch.cli.reading import read_unfinished
from gamesearch.render.transforming import transforming_data, transforming_view
from gamesearch.study.formula import parse_formula
from gamesearch.study.transforming import Transformed, choice_in, depth_of_choices, positions_of_choice

__all__ = ["compare_transformed"]


def compare_transformed(
    game: str, position: str, text: str, depth: int | None, positions: int, only_ascii: bool, as_json: bool
) -> int:
    """Compare the choices, print what was found, and return the exit code: 1 where a search contradicts the theory."""
    formula = parse_formula(text)
    played, state = read_unfinished(game, position, "compare")
    depth = depth_of_choices(played, depth)
    chosen = []
    say(f"the searches run interpreted: {Transformed(played, formula).interpreted_because}")
    with watching("comparing") as monitor:
        for number, each in enumerate(positions_of_choice(played, state, positions, seed=0), 1):
            monitor.stage = f"position {number} of {positions}"
            found = choice_in(played, each, formula, depth, monitor)
            if found is None:
                break
            chosen.append(found)
    print_found(
        transforming_view(played, formula, depth, chosen),
        lambda: transforming_data(played, formula, depth, chosen),
        as_json,
        only_ascii,
    )
    if monitor.interrupted:
        say(f"stopped: it was interrupted after {len(chosen)} of {plural(positions, 'position')}")
        return 130
    is_kept = formula.keeps_choices(played.MINSCORE, played.MAXSCORE, played.chance)
    return 1 if is_kept and any(each.is_other for each in chosen) else 0
