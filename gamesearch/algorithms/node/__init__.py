"""What a kernel does at one node: bounds, table, move ordering, repetition, values, and records."""
