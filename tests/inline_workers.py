"""Workers that run in this process and return made-up results immediately instead of playing games."""

from concurrent.futures import Future

from gamesearch.play.matches.game_task import GameRecord, GameTask

__all__ = ["InlineWorkers"]


class InlineWorkers:
    """Workers that return results immediately: player `a` wins every game, and the final positions of all games
    differ."""

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
