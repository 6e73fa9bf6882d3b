"""Ctrl-C reaches the process that a person started alone."""

import os
import signal
import subprocess
import sys

import pytest

from gamesearch.interrupts import starting_processes


def test_processes_that_are_started_never_see_ctrl_c() -> None:
    with starting_processes():
        child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE)
    child.send_signal(signal.SIGINT)
    child.communicate(b"\n", timeout=60)
    assert child.returncode == 0


def test_here_ctrl_c_comes_at_the_latest_when_they_have_been_started() -> None:
    with pytest.raises(KeyboardInterrupt), starting_processes():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
