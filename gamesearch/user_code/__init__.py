"""Python files of users: load them as modules with unique names, check their rules, and limit their time."""
