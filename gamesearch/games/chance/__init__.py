"""Games with dice or other chance moves."""
