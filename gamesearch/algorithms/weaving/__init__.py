"""Weaving, which makes a kernel from a textbook function.

`weaver` takes a function such as `minimax` of `textbook/minimax.py`, and adds calls of the functions in `bookkeeping`.
`program` runs the woven function, interpreted or compiled.
"""
