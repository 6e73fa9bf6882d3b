"""Files of learned networks: files of weights whose numbers are in one compressed table."""

from dataclasses import dataclass
from typing import Any, ClassVar

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.learned.networks import Network, network_of
from gamesearch.learned.packed_files import PackedWeights
from gamesearch.learned.weights_files import refuse_other_game

__all__ = ["LearnedNetwork", "network_in"]


@dataclass(frozen=True, kw_only=True)
class LearnedNetwork(PackedWeights):
    """What a file holds."""

    USUAL_UNIT: ClassVar[float] = 2.0**-20
    """As fine as 16 bits allow, for the weights of networks are seldom greater than 10: then the greatest decides."""

    network: dict[str, Any]
    """The numbers of inputs and of hidden units, and the payoffs that the outputs are about."""

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """The network's size, from the fields of a file."""
        network = dict(data["network"])
        sizes = {name: int(network[name]) for name in ("inputs", "hidden")}
        network = {**sizes, "payoffs": tuple(map(float, network["payoffs"]))}
        return super().own_fields(data) | {"network": network}


def network_in(name: str, found: LearnedNetwork, game: Game[Any]) -> tuple[Network, Any]:
    """The network of a file and its weights; raises GamesearchError where they are not for a game as it is."""
    refuse_other_game(name, found.game, found.parameters, game)
    try:
        network = network_of(game, found.network["hidden"])
    except GamesearchError as error:
        raise GamesearchError(f"{name} does not fit: {error}") from None
    if (found.network["inputs"], found.network["payoffs"]) != (network.inputs, network.payoffs):
        raise GamesearchError(f"{name} was learned by other inputs or payoffs than {found.game} now has: learn anew")
    return network, found.weights(name, network.size)
