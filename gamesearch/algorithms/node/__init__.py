"""The steps of a kernel at one node: bounds, table, move ordering, repetition and values, and the records for them."""
