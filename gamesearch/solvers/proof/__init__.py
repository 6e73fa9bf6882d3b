"""Proof-number search: proves whether a player can get a payoff or more."""
