"""Search algorithms, one in each module, and packages with parts that several algorithms share."""
