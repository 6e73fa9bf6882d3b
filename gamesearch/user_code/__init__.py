"""A user's own Python code: loaded under unique names, checked for common mistakes, limited in time."""
