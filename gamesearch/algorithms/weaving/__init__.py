"""Weaving: making a kernel from a textbook function.

`weaver` adds calls of the functions in `bookkeeping` to a function such as `minimax` of `textbook/minimax.py`, and
`program` runs the woven function, interpreted or compiled.
"""
