"""Files of learned networks: files of weights whose numbers are in one compressed table."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.learned.networks import Network, network_of
from gamesearch.learned.weights_files import Beaten, read_fields, refuse_other_game, text_by_parts
from gamesearch.learned.weights_table import packed_weights, refuse_no_unit, unpacked_weights

__all__ = ["LearnedNetwork", "network_in", "parsed_network"]

USUAL_UNIT = 2.0**-20
"""As fine as 16 bits allow, for the weights of networks are seldom greater than 10: then the greatest decides."""


@dataclass(frozen=True)
class LearnedNetwork:
    """What a file holds."""

    game: str
    parameters: dict[str, Any]
    network: dict[str, Any]
    """The numbers of inputs and of hidden units, and the payoffs that the outputs are about."""
    unit: float
    table: str
    method: str
    games: int
    seed: int
    command: str = ""
    """What learned it."""
    beat: tuple[Beaten, ...] = ()

    def text(self) -> str:
        """The text of the file, a line for each part."""
        return text_by_parts(self)

    def with_table(self, weights: Any) -> "LearnedNetwork":
        """The same with other weights."""
        unit, table = packed_weights(weights, USUAL_UNIT)
        return replace(self, unit=unit, table=table)


def parsed_network(name: str, path: Path) -> LearnedNetwork:
    """The network in a file."""
    data = read_fields(name, path)
    try:
        network = dict(data["network"])
        payoffs = tuple(float(each) for each in network["payoffs"])
        data["network"] = {"inputs": int(network["inputs"]), "hidden": int(network["hidden"]), "payoffs": payoffs}
        data["parameters"] = dict(data["parameters"])
        data["beat"] = tuple(Beaten(**each) for each in data["beat"])
        data["command"], data["games"] = str(data["command"]), int(data["games"])
        found = LearnedNetwork(**{each.name: data[each.name] for each in fields(LearnedNetwork)})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise GamesearchError(f"{name} is no whole file of weights: a part of its header is missing") from None
    refuse_no_unit(name, found.unit, found.table)
    return found


def network_in(name: str, found: LearnedNetwork, game: Game[Any]) -> tuple[Network, Any]:
    """The network of a file and its weights; raises GamesearchError where they are not for a game as it is."""
    refuse_other_game(name, found.game, found.parameters, game)
    network = network_of(game, found.network["hidden"])
    if (found.network["inputs"], found.network["payoffs"]) != (network.inputs, network.payoffs):
        raise GamesearchError(f"{name} was learned by other inputs or payoffs than {found.game} now has: learn anew")
    return network, unpacked_weights(name, found.unit, found.table, network.size)
