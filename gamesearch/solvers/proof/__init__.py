"""Proof-number search: proves whether a player can get at least a certain payoff."""
