"""Questions about a search, and their answers."""

import math
import re

import pytest
from recordings import TWO_PLY, record_proof, recording_of

from gamesearch.errors import GamesearchError
from gamesearch.trace.answers import Question
from gamesearch.trace.questions import Quiz, growing_questions, questions
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper

PLACES = {0: "At the root,", 5: "At the node after b,", 7: "At the node after c,"}


def question(kind: str, node: int) -> Question:
    """Return the last question of a kind about a node, in a search of the textbook's tree."""
    return [each for each in questions(recording_of()) if each.kind == kind and each.text.startswith(PLACES[node])][-1]


def growing(recording: Recording, kind: str = "choice", words: str = "") -> list[Question]:
    """Return the questions of a kind about a growing tree whose text contains some words."""
    return [each for each in growing_questions(Stepper(recording)) if each.kind == kind and words in each.text]


def go_to(quiz: Quiz, kind: str) -> Question:
    """Answer the questions of a quiz up to the first question of a kind, and return this question."""
    while quiz.question is not None and quiz.question.kind != kind:
        assert quiz.judge(quiz.question.answer).is_right
    assert quiz.question is not None
    return quiz.question


# Searches to a depth. ----------------------------------------------------------------------------
def test_the_quiz_asks_about_the_textbook_tree() -> None:
    kinds = [each.kind for each in questions(recording_of())]
    assert {kind: kinds.count(kind) for kind in kinds} == {"window": 6, "searched": 6, "value": 4, "cut": 1}
    asked = question("value", 5)
    assert asked.text.startswith(
        "At the node after b, Min is to move. The search entered this node with alpha=3, beta=+inf. "
    )
    assert asked.answer == "at most 2"
    assert re.fullmatch(r"Min takes the least value .* could only make this value smaller\.", asked.reason)
    assert question("value", 0).reason == "Max takes the greatest value of its moves."
    asked = question("window", 7)
    assert "Its moves: a is worth 14, b is worth 5. With which window is its move c searched?" in asked.text
    assert asked.answer == "[3, 5]"
    assert "3 for Max (alpha), 5 for Min (beta)" in asked.reason
    asked = question("cut", 5)
    assert asked.text.endswith("Will its move b be searched?")
    assert asked.answer == "no"
    assert asked.reason.startswith("2 moves are cut (b, c): Min already has 2 here")
    asked = question("searched", 7)
    assert (asked.answer, asked.reason) == ("yes", "alpha=3, beta=5: alpha is still less than beta.")


@pytest.mark.parametrize(
    ("kind", "node", "right", "wrong", "refused", "said"),
    [
        ("value", 5, "2|2.0| <= 2|4 / 2|at most 2|≤2|4/2|+2", "3|inf", "|two|2, 3|2 3|2  3|1/0|nan|1e999999999",
         "is not a value: enter a number, such as 3, -1 or 7/2"),
        ("window", 0, "[3, +inf]|3, inf|(3, ∞)|[3 inf]|3 inf|3..inf|3 to infinity|3; inf|"
         "alpha=3 and Beta=inf|β = ∞, α = 3", "[3, 2]|[-inf, +inf]",
         "|3|yes|[3, x]|[3, 4, 5]|1,2,3|5 alpha=3 beta=inf",
         "is not a window: enter alpha and beta, such as [-2, 7]"),
        ("cut", 5, "no|N", "y|yes", "|2|nope", "is neither yes nor no: enter y or n"),
    ],
    ids=["value", "window", "cut"],
)  # fmt: skip
def test_answers(kind: str, node: int, right: str, wrong: str, refused: str, said: str) -> None:
    """The possible answers are separated by vertical bars."""
    asked = question(kind, node)
    for given in right.split("|"):
        assert asked.judge(given).is_right, given
    for given in wrong.split("|"):
        assert not asked.judge(given).is_right, given
    quiz = Quiz(recording_of(), 7, 100)
    go_to(quiz, kind)
    answered = quiz.answered
    for given in refused.split("|"):
        assert not asked.accepts(given)
        with pytest.raises(GamesearchError, match=re.escape(f"{given!r} {said}")):
            quiz.judge(given)
    assert quiz.answered == answered


def test_digits_of_a_count_may_be_grouped() -> None:
    asked = Question("count", 0, "", "1,365", "", numbers=(1365.0,))
    assert all(asked.judge(given).is_right for given in ("1,365", "1 365", "1365"))
    assert not asked.judge("1,366").is_right


def test_a_mean_may_be_rounded() -> None:
    (asked,) = questions(recording_of("{1/3: 1, 2/3: 3}", "expectiminimax"))
    assert asked.answer == "2.3333"
    assert [asked.accepts(given) for given in ("7/3", "2.3", "2.3333", "2.4", "2")] == [True, True, True, False, False]
    assert "Its outcomes: a (probability 1/3) is worth 1, b (probability 2/3) is worth 3." in asked.text
    assert asked.reason.endswith(": 1/3 * 1 + 2/3 * 3 = 2.3333.")


def test_a_seed_repeats_its_questions() -> None:
    texts = [[each.text for each in Quiz(recording_of(), seed, 5).questions] for seed in (7, 7, 8)]
    assert texts[0] == texts[1] != texts[2]
    assert len(texts[0]) == 5
    befores = [each.before for each in Quiz(recording_of(), 7, 100).questions]
    assert befores == sorted(set(befores))
    assert "cut" in {each.kind for each in Quiz(recording_of(), 3, 4).questions}


def test_the_score() -> None:
    quiz = Quiz(recording_of(), 7, 3)
    first = quiz.questions[0]
    assert quiz.judge(first.answer).text.startswith(f"Right. The answer is {first.answer}: {first.reason}")
    assert not quiz.judge("yes").is_right
    assert quiz.score == "1 of 2 right, 1 not answered (--seed 7 repeats these questions)"
    assert quiz.judge("77").text.startswith("Wrong. ")
    assert quiz.question is None
    assert quiz.score == "1 of 3 right (--seed 7 repeats these questions)"


def test_questions_about_paranoid_search_name_the_players() -> None:
    texts = " ".join(
        f"{each.text} {each.reason}"
        for each in questions(
            recording_of("[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)]]]", "paranoid", "a")
        )
    )
    assert "P2 takes the greatest value of its moves." in texts
    assert ": 2 for P2 (alpha), none yet for the others (beta)" in texts
    assert "the others are to move" in texts
    assert "the others take the least value of their moves" in texts
    assert not {"Max", "Min"} & set(texts.replace(",", " ").split())


def test_a_search_without_decisions() -> None:
    assert {each.kind for each in questions(recording_of(TWO_PLY, "minimax"))} == {"value"}
    with pytest.raises(GamesearchError, match="no questions can be asked about this search"):
        Quiz(recording_of(most=1), 0)


# Growing trees. ----------------------------------------------------------------------------------
def test_a_quiz_asks_which_leaf_is_expanded_next() -> None:
    recording, _ = record_proof("nim(heaps=1-2)", "proof(search=pn)")
    quiz = Quiz(recording, 3)
    assert {each.kind for each in quiz.questions} == {"leaf", "numbers", "choice"}
    asked = go_to(quiz, "leaf")
    assert "Which leaf is most proving and therefore expanded next?" in asked.text
    with pytest.raises(GamesearchError, match=r"^'a2' is not the number of a leaf: enter 1, 2 or 3$"):
        quiz.judge("a2")
    following = next(event for event in recording.events[asked.before :] if event["event"] == "expand")
    assert quiz.judge(str(following["node"])).is_right
    for asked in growing(recording):
        number = "disproof" if "Min is to move" in asked.text else "proof"
        assert asked.reason == f"it has the least {number} number (the first if several are equal)."
    asked = growing(record_proof("hex(size=3)", "proof(search=graph)")[0], "leaf")[0]
    assert "Which leaf is most promising and therefore expanded next?" in asked.text
    assert (asked.text.count("cost 1"), asked.answer) == (9, "1")
    assert asked.reason.endswith("the greatest (the first if several are equal).")


def test_a_quiz_asks_for_the_numbers_of_a_node() -> None:
    first, *_, last = growing(record_proof("hex(size=3)", "proof(search=pn)")[0], "numbers")
    assert first.text.startswith(
        "At the root, Max is to move. Its numbers were (1, 1). Its moves: b2 (1, 1); b1 (1, 1)"
    )
    assert all(first.accepts(given) for given in ("(1, 9)", "1 9", "1, 9"))
    assert not first.accepts("9 1")
    assert not first.accepts("1")
    assert first.input_error("one") == "'one' is not a value: enter 2 numbers, such as (1, 2)"
    assert last.numbers == (0, math.inf)
    assert last.accepts("(0, inf)")


def test_a_quiz_asks_for_costs() -> None:
    recording = record_proof("go(size=2, superko=false)", "proof")[0]
    first, *others = growing(recording, "cost", "What is its cost now?")
    assert "inf" in {each.answer for each in others}
    assert first.text.startswith("At the root, Max is to move. Its cost was 1; Max attacks. Its moves: ")
    assert (first.accepts("2"), first.accepts("1")) == (True, False)
    quiz = Quiz(recording, seed=3, most=3)
    go_to(quiz, "cost")
    with pytest.raises(GamesearchError, match="is not a value: enter a number"):
        quiz.judge("much")


def test_a_quiz_asks_about_expansions() -> None:
    asked = growing(recording_of("connect4", "bestfirst(expansions=40)", "4453"), "value")
    rules = {"Max takes the greatest value of its moves.", "Min takes the least value of its moves."}
    assert rules <= {each.reason for each in asked}
    assert (len(asked), asked[-1].answer) == (75, "0.0312")
    recording = recording_of("connect4", "beliefs(expansions=20, error=0.3)", "4453")
    assert growing(recording, words="Which move is followed to the next leaf?")
    best = growing(recording, words="Which move is most probably the best?")
    assert best
    assert all("best " not in each.text.partition("Which move")[0] for each in best)


@pytest.mark.parametrize("tree", ["[[1,1,1,1],[1,1,0,0]]", "[[1,1,1,1],[1,1,-1,-1]]", "[[5,5,5,5],[5,5,2,9]]"])
def test_upper_confidence_bounds_follow_from_the_numbers_in_the_question(tree: str) -> None:
    asked = growing(recording_of(tree, "mcts(playouts=30, seed=1, solver=false)"))
    equal = [each for each in asked if "because all payoffs so far are equal" in each.text]
    assert 0 < len(equal) < len(asked)
    for each in asked:
        known = re.findall(r"(\w+): (\d+) playouts?, average ([-+]?\d+(?:\.\d+)?)", each.text)
        formula = re.findall(r"The bound is (.+?) \+ C \*", each.text)[0]
        if "not tried yet" in each.text:
            assert each.reason == "it is not tried yet, so it is tried first."
            assert f"{each.answer}: not tried yet" in each.text
            continue
        visits = int(re.findall(r"ln\((\d+)\)", each.text)[0])
        for move, playouts, average in known:
            bound = eval(formula, {"average": float(average)}) + math.sqrt(math.log(visits) / int(playouts))
            shown = float(re.findall(rf"\b{move} (\d+(?:\.\d+)?)", each.reason)[0])
            assert shown == pytest.approx(bound, abs=2e-4)


@pytest.mark.parametrize("algorithm", ["mcts(playouts=120)", "montecarlo(playouts=60, race=ucb)"])
def test_the_greatest_bound_is_asked_unless_several_moves_have_it(algorithm: str) -> None:
    recording = recording_of("tictactoe", algorithm, "XO./.../...")
    unique = set()
    for number, event in enumerate(recording.events):
        if event["event"] == "choose" and len(event["bounds"]) > 1:
            bounds = [bound for *_, bound in event["bounds"]]
            if bounds.count(max(bounds)) == 1:
                unique.add(number)
    assert {each.before + 1 for each in growing(recording)} == unique
    assert 0 < len(unique) < sum(event["event"] == "choose" for event in recording.events)
    quiz = Quiz(recording, 5)
    assert {each.kind for each in quiz.questions} == {"choice", "average"}
    asked = go_to(quiz, "choice")
    with pytest.raises(GamesearchError, match="'zz' is not one of the moves: enter one, such as "):
        quiz.judge("zz")
    wrong = next(each for each in asked.moves if each != asked.answer)
    assert f"The answer is {asked.answer}: it has the greatest upper confidence bound: " in quiz.judge(wrong).text
