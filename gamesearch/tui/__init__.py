"""Full-screen programs for the terminal, which need the optional library Textual."""
