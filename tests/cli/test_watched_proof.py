"""Proof search and other searches that expand leaves, shown by `solve`, `analyze`, `watch` and `export`."""

import json
from pathlib import Path

import pytest
from commands import Cli
from recordings import proved

from gamesearch.render.exports import suffixes
from gamesearch.trace.questions import Quiz

PN = "--method proof(search=pn)"
BELIEFS = "beliefs(error=5, leaves=payoffs)"
LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"


def test_a_proof_is_recorded_next_to_the_answer(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "hex.trace"
    printed = cli.run(f"solve hex(size=2) {PN} --trace", path)
    assert "X wins" in printed.out
    assert f"{path}: 2 nodes recorded, 0 left out" in printed.err
    assert "proof and disproof numbers" in cli.output("show", path)
    assert "--force" in cli.refusal(f"solve hex(size=2) {PN} --trace", path)


def test_a_proof_as_a_trace_and_as_a_tree(cli: Cli) -> None:
    lines = cli.output(f"solve nim(heaps=1-2) {PN} --trace -").splitlines()
    assert json.loads(lines[0])["algorithm"] == "proof(search=pn)"
    assert json.loads(lines[-1])["best"] == "b1"
    tree = cli.output(f"solve nim(heaps=1-2) {PN} --tree --plies 1")
    assert "the tree for the question: can Max get at least +1?" in tree
    assert "(0, inf)  proven" in tree
    data = cli.data(f"solve nim(heaps=1-2) {PN} --tree --plies 1")["tree"]
    assert (data["value"], data["found"], len(data["children"])) == ([0, None], "proven", 3)


def test_trees_of_expansions(cli: Cli) -> None:
    beliefs = ("analyze", LECTURE, "-a", BELIEFS, "--tree", "--plies", 1)
    tree = cli.output(*beliefs)
    assert "the tree after 3 expansions (run interpreted to record each node); means of beliefs" in tree
    assert "a  Min ~ 99  deviation 5.01, best 71 %" in tree
    assert cli.data(*beliefs)["tree"]["children"][0]["share"] == pytest.approx(0.71, abs=0.01)
    tree = cli.output("analyze connect4 4453 -a bestfirst(expansions=30) --tree --plies 1")
    assert "the tree after 30 expansions" in tree
    assert "estimates, backed up by minimax" in tree


@pytest.mark.parametrize(
    "search",
    [
        "analyze tictactoe XO./.../... -a bestfirst(expansions=20)",
        f"analyze {LECTURE} -a '{BELIEFS}'",
        f"solve nim(heaps=1-2) {PN}",
        "solve 'go(size=2, superko=false)' --method proof",
    ],
)
def test_a_saved_search_is_watched_shown_and_exported(search: str, tmp_path: Path, cli: Cli) -> None:
    trace = tmp_path / "a.trace"
    cli.run(search, "--trace", trace)
    last = cli.output("watch", trace).splitlines()[-1]
    assert last.startswith("The search is complete: the value is ")
    assert " expansions, " in last
    assert "expansions" in cli.output("show", trace)
    for suffix in suffixes():
        path = tmp_path / f"picture{suffix}"
        cli.run("export", trace, "--to", path, "--plies", 2)
        assert path.stat().st_size > 500


def test_proofs_are_watched_as_they_are_made(cli: Cli) -> None:
    lines = cli.output("watch tictactoe XO./.X./..O --method proof").splitlines()
    assert lines[0].startswith("proof searches XO./.X./..O of tictactoe: can Max get at least +1")
    assert lines[-1].startswith("The search is complete: the value is +1")
    last = cli.output(f"watch connect4 {PN} --trace-nodes 200").splitlines()[-1]
    assert last.startswith("The search was stopped: the value is unknown (")


def test_a_quiz_about_a_proof(cli: Cli) -> None:
    answers = [each.answer for each in Quiz(proved("nim(heaps=1-2)", "proof(search=pn)")[0], 3, 4).questions]
    quiz = f"watch nim(heaps=1-2) {PN} --quiz --seed 3 --questions 4"
    asked = cli.output(quiz, typed="\n".join(["what", *answers[1:]]))
    assert "'what' is not a " in asked
    assert "Which leaf is most proving and therefore expanded next?" in asked
    assert "What are its proof and disproof numbers now?" in asked
    assert asked.splitlines()[-1] == "3 of 4 right (--seed 3 repeats these questions)"
