"""The memo is an attribute of the class, so all objects share it."""


class Player:
    memo = {}

    def search(self, game, s, depth):
        return self.value(game, s, depth), None

    def value(self, game, s, depth):
        if (s, depth) not in self.memo:
            if game.terminal(s):
                self.memo[s, depth] = game.utility(s)
            elif depth == 0:
                self.memo[s, depth] = game.evaluate(s)
            else:
                best = max if game.player(s) == 0 else min
                self.memo[s, depth] = best(self.value(game, game.result(s, m), depth - 1) for m in game.moves(s))
        return self.memo[s, depth]
