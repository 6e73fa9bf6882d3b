"""Search algorithms: one file for each, and in `parts` what several of them share."""
