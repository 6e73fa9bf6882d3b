"""Algorithms from users' files: functions that are woven into kernels (`algorithms/weaving`), and code that runs
interpreted while its calls are observed."""
