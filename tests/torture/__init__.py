"""Compare searches with every option of every algorithm, on random positions of small games, with plain minimax.

`make torture` makes many such comparisons, and `test_torture.py` makes a fixed sample of them.
"""
