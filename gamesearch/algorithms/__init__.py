"""Search algorithms, one in each module, and packages of code that several algorithms use."""
