"""A player of any game by the protocol of gamesearch: it plays any legal move at random."""

import random
import sys


def say(text: str) -> None:
    print(text, flush=True)  # otherwise the line stays in a buffer


legal: list[str] = []
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "begin":
        say("ready 1")
    elif word == "position":  # a turn begins: the legal moves follow
        legal = []
    elif word == "legal":
        legal.append(rest)
    elif word == "seed":
        random.seed(f"{rest} {len(legal)}")
    elif word == "go":
        say(f"move {random.choice(legal)}")
    elif word == "quit":
        break
