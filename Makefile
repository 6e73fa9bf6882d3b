# Two commands: `make play` plays, `make test` tests. Each installs what it needs into .venv first.
PYTHON ?= python3
GAME ?= tictactoe
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
export GAME ARGS

.PHONY: help play test torture readers games generated format docs pictures lowest bench strength clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1\t/'

# Install gamesearch with an extra of pyproject.toml: tui, test or docs. The other two contain tui.
$(VENV)/%: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gamesearch needs Python 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@echo "installing into $(VENV); this takes a minute or two and happens once" >&2
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check --editable '.[$*]' >&2
	@touch $(VENV)/tui $@

play: $(VENV)/tui ## play a game; GAME="connect4" ARGS="--min alphabeta(depth=8)" choose another
	@$(BIN)/python -c 'import os, shlex; from gamesearch.cli import run; from gamesearch.support.interrupts import leave; leave(run(["play", os.environ["GAME"], *shlex.split(os.environ["ARGS"])]))' \
		|| [ $$? -ne 2 ]  # leaving a game is not an error

test: $(VENV)/test ## run ruff, mypy and all tests; some of them with a second version of Python, if there is one
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@# The tests start hundreds of processes; without bytecode, each would compile the source files again.
	$(BIN)/mypy & types=$$!; PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n auto; tests=$$?; wait $$types && exit $$tests

torture: $(VENV)/test ## compare every option of every algorithm with plain minimax, for 25 minutes; ARGS="--seconds 60 --seed 2"
	@PYTHONPATH=tests $(BIN)/python -m torture.run $(ARGS)

games: $(VENV)/test ## play each game at each level to its end, and check the texts that a player sees; ARGS="--games 200 --seed 2"
	@PYTHONPATH=tests $(BIN)/python -m complete_games $(ARGS)

readers: $(VENV)/test ## damage files of every kind and read them, for 10 minutes; ARGS="--seconds 60 --kinds trace,PGN"
	@PYTHONPATH=tests $(BIN)/python -m torture.readers $(ARGS)

format: $(VENV)/test ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

generated: $(VENV)/test ## write generated files again: tables of the README, boards, signature, traces, woven functions
	@$(BIN)/python tests/write_generated.py

docs: $(VENV)/docs ## build the documentation as a site in the folder site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "open site/index.html" >&2

pictures: $(VENV)/test ## draw the pictures of the documentation again (one of them needs Chromium)
	for script in docs/pictures/*.py docs/reference/estimates.py; do $(BIN)/python $$script; done

lowest: ## run tests with the oldest versions that pyproject.toml allows (Python 3.11 or 3.12)
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check --constraint tests/lowest.txt --editable . pytest pytest-xdist hypothesis
	.venv-lowest/bin/python -m pytest -n auto tests/cli tests/render tests/trace tests/solvers tests/compiler

bench: $(VENV)/test ## print the figures of benchmarks/results.md, in one run
	$(BIN)/python -m benchmarks

strength: $(VENV)/test ## play the matches of docs/reference/strength.md; ARGS=10 plays 10 games each
	$(BIN)/python -m benchmarks.strength $(ARGS)

clean: ## remove the virtual environment and all caches in this folder
	rm -rf $(VENV) .venv-lowest .venv-other .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist site
