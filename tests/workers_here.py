"""Workers that are this process, and invent how games go."""

from concurrent.futures import Future

from gamesearch.play.matches.game_task import GameRecord, GameTask

__all__ = ["Here"]


class Here:
    """A game is over as soon as it is asked for, and `a` has won; each begins somewhere else."""

    count = 1
    lost = 0

    def __init__(self) -> None:
        self.played: list[int] = []

    def submit(self, task: str) -> "Future[str]":
        future: Future[str] = Future()
        asked = GameTask.read(task)
        self.played.append(asked.number)
        future.set_result(self.result(asked).text())
        return future

    def result(self, asked: GameTask) -> GameRecord:
        return GameRecord(asked.number, asked.labels, f"from {asked.number}", winner=asked.labels.index("a"))

    def stop(self) -> None: ...
