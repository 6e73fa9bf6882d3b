"""Search algorithms as textbooks print them: short pure functions that call only a game's methods.

These functions only search. Kernels also count nodes, stop at limits, handle repetition and report events.
`algorithms/weaving` makes the kernels of some built-in algorithms from the textbook functions. Tests compare the
results of kernels with the results of the textbook functions. `gamesearch algorithms minimax --source` prints the
textbook function of minimax.
"""
