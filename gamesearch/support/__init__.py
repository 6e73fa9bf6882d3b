"""Small services for the whole package: escaping text from outside, interrupts, and display in notebooks."""
