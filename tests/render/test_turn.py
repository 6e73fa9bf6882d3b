from gamesearch.game import MAX
from gamesearch.registry import load
from gamesearch.render.turn import payee


def test_a_single_number_is_what_max_gets_or_who_is_to_move_of_several() -> None:
    tree = load("[[1,2],[3,4]]")
    assert [payee(tree, tree.parse(path)) for path in ("root", "a")] == [MAX, MAX]
    several = load("{1/2: [(1,2,3),(3,2,1)], 1/2: p3[(0,0,1),(1,0,0)]}")
    assert [payee(several, several.parse(path)) for path in ("root", "a", "b")] == [MAX, 0, 2]
