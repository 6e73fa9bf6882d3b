"""Algorithms from users' files. Their functions become kernels by weaving (`algorithms/weaving`), or are observed."""
