"""Full-screen programs for the terminal. They need the optional library Textual."""
