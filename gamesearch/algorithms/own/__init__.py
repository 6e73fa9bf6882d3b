"""Algorithms from users' files. gamesearch makes a kernel from a function (see `algorithms/weaving`). If this is
impossible, the code is interpreted, and its calls are observed."""
