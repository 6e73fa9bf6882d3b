"""Files of the user: written atomically, locked, read with size limits, and identified by how the rules behave."""
