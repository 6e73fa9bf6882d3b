"""Search algorithms: one module of `catalog` for each, and folders of code that several algorithms use."""
