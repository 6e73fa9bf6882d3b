"""Search algorithms as textbooks print them: short pure functions that call only a game's methods.

`algorithms/weaving` makes the kernels of some built-in algorithms from the textbook functions. A kernel also counts
nodes, stops at limits, handles repetition and reports events. Tests use the textbook functions as oracles. `gamesearch
algorithms minimax --source` prints the textbook function of minimax.
"""
