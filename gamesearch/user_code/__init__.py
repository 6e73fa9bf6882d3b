"""The user's own Python code: loaded under unique names, checked for common mistakes, and limited in time."""
