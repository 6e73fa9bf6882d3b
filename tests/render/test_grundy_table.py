from gamesearch.render.solution import grundy_lines
from gamesearch.solvers.periods import GrundyTable, Period


def test_a_period_that_does_not_fit_is_broken_at_the_same_places() -> None:
    table = GrundyTable((9, 1, 2, 3, 4, 0, 1, 2, 3, 4), Period(5, 1))
    lines = [line.plain for line in grundy_lines(table, 11)]
    assert lines[1:5] == ["0  9* 1  2", "3  3  4", "5  0  1  2", "8  3  4"]
    assert lines[5].startswith("period 5 from 1 on, proved by the numbers up to 9")
    assert lines[5].endswith("* 1 exception before")


def test_without_a_period_lines_have_ten_numbers() -> None:
    lines = [line.plain for line in grundy_lines(GrundyTable(tuple(range(12)), None), 80)]
    assert lines[1:] == [
        " 0  0  1  2  3  4  5  6  7  8  9",
        "10  10 11",
        "the numbers up to 1023 do not prove a period",
    ]
