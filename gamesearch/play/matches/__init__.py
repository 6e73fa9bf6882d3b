"""Matches of many games: referees, the processes that play the games, results, Elo, SPRT and ratings."""
