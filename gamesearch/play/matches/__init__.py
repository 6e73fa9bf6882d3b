"""Matches of many games: the referee of each game, the processes that play them, results, Elo, SPRT and ratings."""
