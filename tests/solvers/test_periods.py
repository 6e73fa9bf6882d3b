import pytest

from gamesearch.solvers.periods import Period, find_period, tabulate

KNOWN = {
    (0, 7, 7): (Period(12, 71), (0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70)),  # Kayles
    (0, 1, 3, 7): (Period(34, 52), (0, 14, 16, 17, 31, 34, 51)),  # Dawson's chess (OEIS A002187)
    (0, 3): (Period(2, 0), ()),  # take 1; the next two games: take up to 2, or up to 3
    (0, 3, 3): (Period(3, 0), ()),
    (0, 3, 3, 3): (Period(4, 0), ()),
}
"""For each octal code, the published period and the sizes whose numbers are exceptions."""


def grundy_numbers(code: tuple[int, ...], size: int) -> list[int]:
    """Compute Grundy numbers by definition, from the smallest heap to the largest."""
    numbers = [0]
    for heap in range(1, size):
        reached = set()
        for number in range(1, min(heap, len(code) - 1) + 1):
            for first in range(heap - number + 1):
                second = heap - number - first
                heaps = (first > 0) + (second > 0)
                if code[number] >> heaps & 1:
                    reached.add(numbers[first] ^ numbers[second])
        numbers.append(min(set(range(heap + 2)) - reached))
    return numbers


@pytest.mark.parametrize(("code", "known"), KNOWN.items())
def test_published_periods_are_found_if_the_theorem_proves_them(
    code: tuple[int, ...], known: tuple[Period, tuple[int, ...]]
) -> None:
    period, exceptions = known
    values, reach = grundy_numbers(code, 600), len(code) - 1
    enough = 2 * period.begins + 2 * period.length + reach
    assert find_period(values, reach) == find_period(values[:enough], reach) == period
    if period.begins:
        assert find_period(values[: enough - 1], reach) is None
    table = tabulate(values.__getitem__, reach)
    assert (table.values, table.period, table.exceptions) == (tuple(values[:enough]), period, exceptions)


def test_sequences_without_a_period() -> None:
    assert find_period(range(500), 3) is None  # the Grundy numbers of Nim heaps
    assert find_period([], 2) is None
    assert find_period([0] * 5, 4) is None
    assert find_period([0] * 6, 4) == Period(1, 0)


def test_a_table_without_a_period_is_short() -> None:
    table = tabulate(lambda size: size, 2)
    assert (table.values, table.period, table.exceptions) == (tuple(range(100)), None, ())
