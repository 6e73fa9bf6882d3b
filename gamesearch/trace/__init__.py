"""A search written down as it happened, and everything that is shown from that alone."""
