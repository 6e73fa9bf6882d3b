"""The progress of a student in all lessons, saved in a file in the user's state folder."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_text
from gamesearch.lessons.lesson import Lesson
from gamesearch.play.files import state_folder, state_path, write_file
from gamesearch.support.escaping import json_text

__all__ = ["Progress", "load_progress", "save_progress"]

FOLDER, FILE = "lessons", "progress.json"
LARGEST = 1_000_000
"""The size limit of the file in bytes."""


@dataclass(frozen=True)
class Progress:
    """The progress in one lesson."""

    step: int = 0
    """The step at which the student stopped, counted from 0."""
    is_finished: bool = False
    """Whether the student reached the end of the lesson at least once."""
    results: dict[str, bool] = field(default_factory=dict)
    """Whether the first answer to each question was right; the keys are the numbers of the questions."""

    @property
    def answered(self) -> int:
        """The number of questions that were answered."""
        return len(self.results)

    @property
    def right(self) -> int:
        """The number of questions whose first answer was right."""
        return sum(self.results.values())


def key(lesson: Lesson) -> str:
    """The name of a lesson in the file. For a user's lesson, this is the absolute path."""
    return str(Path(lesson.name).absolute()) if lesson.is_foreign else lesson.name


def load_all() -> dict[str, Progress]:
    """The progress in all lessons that were begun; empty if the file cannot be read."""
    file = state_path(FOLDER) / FILE
    try:
        found = json.loads(read_text(str(file), "the progress in lessons", LARGEST))
        return {
            str(name): Progress(facts["step"], facts["is_finished"], dict(facts["results"]))
            for name, facts in found.items()
        }
    except (GamesearchError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def load_progress(lessons: list[Lesson]) -> Mapping[str, Progress]:
    """The progress in some lessons by name. Lessons that were not begun are left out."""
    known = load_all()
    return {lesson.name: known[key(lesson)] for lesson in lessons if key(lesson) in known}


def save_progress(lesson: Lesson, progress: Progress) -> None:
    """Save the progress in a lesson. Raises GamesearchError if the file cannot be written."""
    known = load_all() | {key(lesson): progress}
    file = state_folder(FOLDER) / FILE
    write_file(str(file), json_text({name: asdict(each) for name, each in known.items()}, indent=1), overwrite=True)
