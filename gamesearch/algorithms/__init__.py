"""Search algorithms, one module for each, and packages with the parts that several of them share."""
