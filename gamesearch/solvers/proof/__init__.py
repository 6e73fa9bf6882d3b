"""Proof-number search: proves whether a player can reach a payoff."""
