"""Being an engine: servers that read the lines of UCI or GTP and write the answers, for the field's own programs."""
