"""The plan of a match of many games: the number of a game decides its players, their sides, opening and dice."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_regular
from gamesearch.play.matches.game_task import GameTask, Opening, Terms
from gamesearch.user_code.files import LARGEST

__all__ = ["Series", "differences", "labels_of"]


OWN_FILE = re.compile(r"[^\s(),='\"]+\.py\b")


@dataclass(frozen=True)
class Series:
    """Everything that decides the games of a match, except how many are played, and where.

    Two successive games are a pair: the same players, opening and dice, with sides changed. In a round, each two
    opponents play one pair, all of them from the same opening and with the same dice.
    """

    game: str
    players: tuple[str, ...]
    """Their specifications, of which two may be equal."""
    openings: tuple[Opening, ...] = ()
    """The openings of successive rounds, repeated in turn; without openings, each round has a random one."""
    plies: int = 0
    """The number of random plies of an opening."""
    seed: int = 0
    terms: Terms = field(default_factory=Terms)
    is_gauntlet: bool = False
    """Whether only the first player meets the others."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise GamesearchError("a match needs at least two players; you may give the same player twice")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the players: their specifications, with a number after each repeated one."""
        return labels_of(self.players)

    @property
    def opponents(self) -> list[tuple[int, int]]:
        """The pairs of players that meet."""
        count = len(self.players)
        return [(a, b) for a in range(1 if self.is_gauntlet else count) for b in range(a + 1, count)]

    def task(self, number: int) -> GameTask:
        """The task of a game, by its number."""
        pair, is_second = divmod(number, 2)
        round_, place = divmod(pair, len(self.opponents))
        sides = self.opponents[place]
        first, second = reversed(sides) if is_second else sides
        labels = self.labels
        return GameTask(
            number=number,
            game=self.game,
            players=(self.players[first], self.players[second]),
            labels=(labels[first], labels[second]),
            opening=self.opening(round_),
            seed=self.seed * 1_000_003 + round_,
            terms=self.terms,
        )

    def opening(self, round_: int) -> Opening:
        """The opening of a round."""
        if self.openings:
            return self.openings[round_ % len(self.openings)]
        return Opening(plies=self.plies, seed=self.seed * 1_000_003 + round_)

    def header(self) -> dict[str, Any]:
        """The first line of the journal, which identifies the match."""
        data = json.loads(json.dumps(asdict(self)))
        if not self.terms.without_dead:  # older journals do not have it
            del data["terms"]["without_dead"]
        text = json.dumps(data.pop("openings"), ensure_ascii=False)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16] if self.openings else ""
        found = {"journal": "gamesearch match", "version": 1, **data, "openings": len(self.openings), "digest": digest}
        files = digests((self.game, *self.players))
        return {**found, "files": files} if files else found

    @property
    def name(self) -> str:
        """A file name for the journal, derived from the header."""
        game = "".join(c if c.isalnum() else "-" for c in self.game.partition("(")[0].rpartition("/")[2])
        text = json.dumps(self.header(), sort_keys=True, ensure_ascii=False)
        return f"{game.strip('-') or 'match'}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.jsonl"


def labels_of(players: Sequence[str]) -> tuple[str, ...]:
    """The names of players: their specifications, with a number after each repeated one."""
    before = [players[:place].count(player) for place, player in enumerate(players)]
    return tuple(f"{player} #{count + 1}" if count else player for player, count in zip(players, before, strict=True))


def digests(specifications: Sequence[str]) -> dict[str, str]:
    """Digests of the user's files that specifications name, because a changed file is another player.

    The keys are names of files without folders, so that a folder may be moved.
    """
    paths = [Path(each) for text in specifications for each in OWN_FILE.findall(text)]
    return {path.name: hashlib.sha256(read_regular(path, LARGEST)).hexdigest()[:16] for path in paths if path.is_file()}


def differences(mine: dict[str, Any], other: dict[str, Any]) -> Sequence[str]:
    """The names of the fields in which two headers differ, including their terms."""
    found = [name for name in mine.keys() | other.keys() if name != "terms" and mine.get(name) != other.get(name)]
    terms, others = mine.get("terms", {}), other.get("terms", {})
    if isinstance(others, dict):
        found += [name for name in terms.keys() | others.keys() if terms.get(name) != others.get(name)]
    return sorted(found)
