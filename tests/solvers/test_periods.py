import pytest

from gamesearch.solvers.periods import Period, find_period, tabulate

KAYLES, DAWSONS_CHESS = (0, 7, 7), (0, 1, 3, 7)
OTHERS = {
    (0, 3): Period(2, 0),  # take 1; the next two games: take up to 2, or up to 3
    (0, 3, 3): Period(3, 0),
    (0, 3, 3, 3): Period(4, 0),
    (0, 0, 7): Period(34, 53),  # Dawson's Kayles: the numbers of Dawson's chess, shifted by one (OEIS A002187)
}


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


@pytest.mark.parametrize(
    ("code", "known"), [(KAYLES, Period(12, 71)), (DAWSONS_CHESS, Period(34, 52)), *OTHERS.items()]
)
def test_published_periods_are_found_and_hold(code: tuple[int, ...], known: Period) -> None:
    values = grundy_numbers(code, 600)
    found = find_period(values, len(code) - 1)
    assert found == known
    assert all(values[n] == values[n + known.length] for n in range(known.begins, 600 - known.length))
    assert known.begins == 0 or values[known.begins - 1] != values[known.begins - 1 + known.length]


@pytest.mark.parametrize(("code", "length", "begins"), [(KAYLES, 12, 71), (DAWSONS_CHESS, 34, 52)])
def test_a_period_is_claimed_only_when_the_theorem_proves_it(code: tuple[int, ...], length: int, begins: int) -> None:
    reach = len(code) - 1
    enough = 2 * begins + 2 * length + reach
    values = grundy_numbers(code, enough)
    assert find_period(values, reach) == Period(length, begins)
    assert find_period(values[:-1], reach) is None


def test_sequences_without_a_period() -> None:
    assert find_period(range(500), 3) is None  # the Grundy numbers of Nim heaps
    assert find_period([], 2) is None
    assert find_period([0] * 5, 4) is None
    assert find_period([0] * 6, 4) == Period(1, 0)


def test_one_late_exception_moves_the_beginning() -> None:
    values = [0, 1] * 20
    values[3] = 7
    assert find_period(values, 1) == Period(2, 4)


def test_a_table_has_as_many_numbers_as_prove_its_period() -> None:
    kayles = grundy_numbers(KAYLES, 600)
    table = tabulate(kayles.__getitem__, 2)
    assert table.values == tuple(kayles[: 2 * 71 + 2 * 12 + 2])
    assert table.period == Period(12, 71)
    assert table.exceptions == (0, 3, 6, 9, 11, 15, 18, 21, 22, 28, 34, 39, 57, 70)


def test_dawsons_chess_has_seven_exceptions() -> None:
    table = tabulate(grundy_numbers(DAWSONS_CHESS, 600).__getitem__, 3)
    # The expected numbers are from OEIS A002187.
    assert table.exceptions == (0, 14, 16, 17, 31, 34, 51)


def test_a_table_without_a_period_is_short() -> None:
    table = tabulate(lambda size: size, 2)
    assert (table.values, table.period, table.exceptions) == (tuple(range(100)), None, ())
