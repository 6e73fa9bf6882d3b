"""Weaving, which makes a kernel from a textbook function.

`weaver` takes a function, such as `minimax` in `textbook/minimax.py`. It inserts calls of the functions in
`bookkeeping`. `program` runs the woven function, interpreted or compiled.
"""
