"""Algorithms from users' files. A function is woven into a kernel (`algorithms/weaving`). If this is impossible, the
code runs interpreted, and its calls are observed."""
