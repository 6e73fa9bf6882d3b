def find(game, s, depth):
    memo = {}
    def ab(t, d, a, b):
        k = (t, d)
        if k in memo: return memo[k]
        if game.terminal(t): return game.utility(t)
        if d == 0: return game.evaluate(t)
        if game.player(t) == 0:
            v = float("-inf")
            for m in game.moves(t):
                v = max(v, ab(game.result(t,m), d-1, a, b)); a = max(a, v)
                if a >= b: break
        else:
            v = float("inf")
            for m in game.moves(t):
                v = min(v, ab(game.result(t,m), d-1, a, b)); b = min(b, v)
                if a >= b: break
        memo[k] = v
        return v
    return ab(s, depth, float("-inf"), float("inf"))
