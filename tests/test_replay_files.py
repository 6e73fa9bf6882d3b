"""Files of other programs and damaged files: the answers of all commands that read them."""

from pathlib import Path

import pytest
from replay_files import CASES, Case, answer, differences, unexpected

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}-{case.arguments[0]}")
def test_files_have_the_right_answers(case: Case) -> None:
    if not (FOLDER / case.file).is_file():
        pytest.skip("the folder with the files is not there")
    assert differences(case, *answer(case, FOLDER)) == []


def test_no_file_is_without_an_expectation() -> None:
    if not FOLDER.is_dir():
        pytest.skip("the folder with the files is not there")
    assert unexpected(FOLDER) == []


def test_differences_are_found() -> None:
    case = Case("x", "two games", (), 0, ("2 games", "not error"))
    assert differences(case, 0, "2 games") == []
    assert len(differences(case, 1, "an error")) == 3
