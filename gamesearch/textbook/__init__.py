"""Search algorithms as textbooks print them: short pure functions that call only a game's methods.

A kernel is a function that also counts nodes, stops at limits, handles repetition and reports events.
`algorithms/weaving` makes the kernels of some built-in algorithms from the textbook functions. Tests compare the
results of other code with the results of the textbook functions. `gamesearch algorithms minimax --source` prints the
textbook function of minimax.
"""
