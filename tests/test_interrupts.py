"""Ctrl-C interrupts only the process that the user started, and not its worker processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gamesearch.support.interrupts import block_interrupts


def test_processes_that_are_started_never_see_ctrl_c() -> None:
    with block_interrupts():
        child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE)
    child.send_signal(signal.SIGINT)
    child.communicate(b"\n", timeout=60)
    assert child.returncode == 0


HELD_BACK = """
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from gamesearch.support.interrupts import block_interrupts

if __name__ == "__main__":
    with block_interrupts():
        pool = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
        waiting = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, [])
    print(signal.SIGINT in waiting.result())
    pool.shutdown()
"""


def test_the_first_pool_of_a_process_never_sees_ctrl_c_either(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HELD_BACK)
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_processes_are_started_where_signals_cannot_be_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    with block_interrupts():
        pass


def test_here_ctrl_c_comes_at_the_latest_when_they_have_been_started() -> None:
    with pytest.raises(KeyboardInterrupt), block_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
