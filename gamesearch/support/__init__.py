"""Small services used everywhere: escaping of foreign text, interrupts, and display in notebooks."""
