"""Search algorithms as textbooks print them: short pure functions that use nothing but a game.

`algorithms/weaving` turns some of them into the kernels of built-in algorithms, which count nodes, stop at limits,
handle repetition and report events. Tests use all of them as oracles. `gamesearch algorithms minimax --source` prints
one.
"""
