"""The work of a kernel at one node: bounds, table, move ordering, repetition, values, and records."""
