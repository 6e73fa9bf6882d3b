"""Ctrl-C interrupts only the process that the user started, and not its worker processes."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gamesearch.support.interrupts import block_interrupts


def test_started_processes_never_receive_ctrl_c() -> None:
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


def test_the_first_process_pool_never_receives_ctrl_c(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HELD_BACK)
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_processes_start_even_if_signals_cannot_be_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    with block_interrupts():
        pass


def test_a_blocked_ctrl_c_arrives_at_the_end_of_the_block() -> None:
    with pytest.raises(KeyboardInterrupt), block_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
