"""Search algorithms. `catalog` contains the algorithms, and the other folders contain code that several algorithms use.

To learn the algorithms, first read the short functions in `gamesearch.textbook`, such as alpha-beta or UCT. The kernels
in `catalog` (the functions that search) have the same structure. Kernels also call functions that stop the search at
limits, look positions up in a transposition table, order moves, and handle repetition.
"""
