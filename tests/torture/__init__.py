"""Compare searches with every option of every algorithm against plain minimax, on random positions of small games.

`make torture` makes many such comparisons; `test_torture.py` makes a few, always the same.
"""
