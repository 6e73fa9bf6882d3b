"""Weaving: from a textbook function to a kernel.

`weaver` adds calls of the functions in `bookkeeping` to a function such as `minimax` of `textbook/minimax.py`, and
`program` runs the woven function at both speeds.
"""
