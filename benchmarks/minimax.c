/* Search tic-tac-toe by minimax, as gamesearch/algorithms/catalog/minimax.py does with
 * gamesearch/games/connecting/tictactoe.py: with the same counts, stop and principal variation.
 * Print value, nodes, leaves and the seconds of the fastest of many runs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef int64_t i64;
typedef struct { i64 crosses, noughts; } position;
enum { PLIES = 64, SQUARES = 9 };

static struct {
    i64 nodes, leaves, truncated, deepest, stop, node_limit, line_length[PLIES + 1], line[PLIES][PLIES];
    double age;
} work;

static const i64 LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

static int has_line(i64 squares) {
    for (int i = 0; i < 8; i++)
        if ((squares & LINES[i]) == LINES[i]) return 1;
    return 0;
}

static int player(position s) { return __builtin_popcountll(s.crosses) != __builtin_popcountll(s.noughts); }

static int terminal(position s) {
    return (s.crosses | s.noughts) == (1 << SQUARES) - 1 || has_line(s.crosses) || has_line(s.noughts);
}

static double utility(position s) { return has_line(s.crosses) ? 1 : has_line(s.noughts) ? -1 : 0; }

static position result(position s, i64 move) {
    if (player(s) == 0) s.crosses |= (i64)1 << move;
    else s.noughts |= (i64)1 << move;
    return s;
}

static void record_line(i64 ply, i64 move) {
    if (ply >= PLIES) return;
    i64 *line = work.line[ply], length = 0;
    line[0] = move;
    if (ply + 1 < PLIES) {
        length = work.line_length[ply + 1] < PLIES - 1 ? work.line_length[ply + 1] : PLIES - 1;
        for (i64 i = 0; i < length; i++) line[i + 1] = work.line[ply + 1][i];
    }
    work.line_length[ply] = length + 1;
}

static double minimax(position s, i64 depth, i64 ply) {
    if (++work.nodes >= work.node_limit) work.stop = 1;
    if (ply > work.deepest) work.deepest = ply;
    if (ply < PLIES) work.line_length[ply] = 0;
    if (terminal(s)) {
        work.leaves++;
        double value = utility(s);
        return value > 0 ? value - work.age * ply : value < 0 ? value + work.age * ply : value;
    }
    if (depth <= 0) {
        work.leaves++;
        work.truncated++;
        return 0;
    }
    int maximizing = player(s) == 0;
    double best = maximizing ? -INFINITY : INFINITY;
    i64 taken = s.crosses | s.noughts;
    for (i64 move = 0; move < SQUARES; move++) {
        if (taken >> move & 1) continue;
        double value = minimax(result(s, move), depth - 1, ply + 1);
        if (work.stop) break;
        if (maximizing ? value > best : value < best) {
            best = value;
            record_line(ply, move);
        }
    }
    return best;
}

int main(void) {
    double quickest = INFINITY, value = 0;
    for (int run = 0; run < 30; run++) {
        struct timespec begin, end;
        work.nodes = work.leaves = 0;
        work.node_limit = (i64)1 << 62;
        work.age = 0x1p-20;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        value = minimax((position){0, 0}, 1 << 30, 0);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (end.tv_sec - begin.tv_sec) + 1e-9 * (end.tv_nsec - begin.tv_nsec);
        if (seconds < quickest) quickest = seconds;
    }
    printf("%g %lld %lld %.9f\n", value, (long long)work.nodes, (long long)work.leaves, quickest);
    return 0;
}
