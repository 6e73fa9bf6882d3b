"""Files that users keep: written atomically, locked, read with limits, and identified by how the rules behave."""
