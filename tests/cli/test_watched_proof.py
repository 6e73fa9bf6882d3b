"""Searches that expand leaves in the commands: solve --trace and --tree, analyze, watch, show, export."""

import io
import json
import re
from pathlib import Path

import pytest
from commands import complaint
from recordings import proved

from gamesearch.cli import run
from gamesearch.render.exports import suffixes
from gamesearch.trace.quiz import Quiz

GRAPH = ("--method", "proof", "--speed", "interpreted")
PN = ("--method", "proof(search=pn)")
BELIEFS = "beliefs(error=5, leaves=payoffs)"
LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what a successful command writes to standard output."""
    capsys.readouterr()
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


@pytest.fixture
def traces(tmp_path: Path) -> dict[str, str]:
    """A trace of each kind."""
    paths = {name: str(tmp_path / f"{name}.trace") for name in ("bestfirst", "beliefs", "proof", "graph")}
    search = ("XO./.../...", "-a", "bestfirst(expansions=20)", "--trace", paths["bestfirst"])
    assert run(["analyze", "tictactoe", *search]) == 0
    assert run(["analyze", LECTURE, "-a", BELIEFS, "--trace", paths["beliefs"]]) == 0
    assert run(["solve", "nim(heaps=1-2)", *PN, "--speed", "interpreted", "--trace", paths["proof"]]) == 0
    assert run(["solve", "go(size=2, superko=false)", *GRAPH, "--trace", paths["graph"]]) == 0
    return paths


def test_a_proof_is_written_down_beside_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "hex.trace")
    capsys.readouterr()
    assert run(["solve", "hex(size=2)", *PN, "--speed", "interpreted", "--trace", path]) == 0
    written = capsys.readouterr()
    assert "X wins" in written.out
    assert f"{path}: 2 nodes recorded, 0 left out" in written.err
    assert "proof and disproof numbers" in printed(capsys, "show", path)
    assert "--force" in complaint(capsys, "solve", "hex(size=2)", *PN, "--trace", path)


def test_a_proof_as_a_trace_alone_and_as_a_tree(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "solve", "nim(heaps=1-2)", *PN, "--trace", "-").splitlines()
    assert json.loads(lines[0])["algorithm"] == "proof(search=pn)"
    assert json.loads(lines[-1])["best"] == "b1"
    tree = printed(capsys, "solve", "nim(heaps=1-2)", *PN, "--speed", "interpreted", "--tree", "--plies", "1")
    assert "the tree for: can Max get at least +1?" in tree
    assert "(0, inf)  proven" in tree
    data = json.loads(
        printed(capsys, "solve", "nim(heaps=1-2)", *PN, "--speed", "interpreted", "--tree", "--plies", "1", "--json")
    )
    assert (data["tree"]["value"], data["tree"]["found"]) == ([0, None], "proven")
    assert len(data["tree"]["children"]) == 3


def test_trees_of_expansions(capsys: pytest.CaptureFixture[str]) -> None:
    tree = printed(capsys, "analyze", LECTURE, "-a", BELIEFS, "--tree", "--plies", "1")
    assert "the tree after 3 expansions (run interpreted to record each node); means of beliefs" in tree
    assert "a  Min ~ 99  deviation 5.01, best 71 %" in tree
    data = json.loads(printed(capsys, "analyze", LECTURE, "-a", BELIEFS, "--tree", "--plies", "1", "--json"))
    assert data["tree"]["children"][0]["share"] == pytest.approx(0.71, abs=0.01)
    tree = printed(capsys, "analyze", "connect4", "4453", "-a", "bestfirst(expansions=30)", "--tree", "--plies", "1")
    assert "the tree after 30 expansions" in tree
    assert "estimates, backed up by minimax" in tree


@pytest.mark.parametrize("kind", ["bestfirst", "beliefs", "proof", "graph"])
def test_a_saved_search_is_watched_shown_and_exported(
    kind: str, traces: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, "watch", traces[kind]).splitlines()
    assert lines[-1].startswith("The search is complete: the value is ")
    assert " expansions, " in lines[-1]
    assert "expansions" in printed(capsys, "show", traces[kind])
    for suffix in suffixes():
        path = tmp_path / f"{kind}{suffix}"
        assert run(["export", traces[kind], "--to", str(path), "--plies", "2"]) == 0
        assert path.stat().st_size > 500


def test_proofs_are_watched_as_they_are_made(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "watch", "tictactoe", "XO./.X./..O", "--method", "proof").splitlines()
    assert lines[0].startswith("proof searches XO./.X./..O of tictactoe: can Max get at least +1")
    assert lines[-1].startswith("The search is complete: the value is +1")
    lines = printed(capsys, "watch", "connect4", *PN, "--trace-nodes", "200").splitlines()
    assert lines[-1].startswith("The search was stopped: the value is unknown (")


def test_the_help_of_watch_names_every_search_for_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    described = " ".join(printed(capsys, "watch", "--help").partition("--method PROOF")[2].split())
    for search in ("dfpn", "pn", "pn2", "graph"):
        assert re.search(rf"\b{search}\b", described.partition("--trace")[0]), search


def test_a_quiz_about_a_proof(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    quiz = ["watch", "nim(heaps=1-2)", *PN, "--quiz", "--seed", "3", "--questions", "4"]
    answers = [each.answer for each in Quiz(proved("nim(heaps=1-2)", "proof(search=pn)")[0], 3, 4).questions]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\n".join(["what", *answers]).encode())))
    asked = printed(capsys, *quiz)
    assert "'what' is not a " in asked
    assert "Which leaf is most proving and therefore expanded next?" in asked
    assert "What are its proof and disproof numbers now?" in asked
    assert asked.splitlines()[-1] == "4 of 4 right (--seed 3 repeats these questions)"


def test_what_is_wrong_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in (
        (("solve", "nim", "--trace", "-"), "the method auto cannot be watched"),
        (("solve", "nim", "--method", "memo", "--tree"), "the method memo cannot be watched"),
        (("solve", "chess", *PN, "--tree"), "can repeat"),
        (("solve", "nim", *PN, "--tree", "--speed", "compiled"), "can only be watched interpreted"),
        (("solve", "nim", *PN, "--trace", "-", "--symmetries"), "leave out --symmetries"),
        (("solve", "--check", "file", "--tree"), "leave out POSITION and other options"),
        (("watch", "nim", "--method", "memo"), "the method memo cannot be watched"),
        (("watch", "nim", "-a", "minimax", "--method", "proof"), "leave out --algorithm or --method"),
        (("watch", "a.trace", "--method", "proof"), "a saved trace has its game"),
        (("watch", "nim", "0,0,0", "--method", "proof"), "the game is over"),
    ):
        assert said in complaint(capsys, *arguments), arguments
