"""Every option of every algorithm, on random positions of small games, compared with plain minimax.

`make torture` runs it at length, `test_torture.py` a fixed sample of it.
"""
