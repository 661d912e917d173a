#include "core.h"

#define SEATS 3
#define EVERYBODY 7

static double factorial(int32_t n) {
    double product = 1;
    for (int32_t i = 2; i <= n; i++) product *= i;
    return product;
}

/* In how many ways tiles that may be anywhere fill hands of a, b and c tiles. */
static double fillings(int32_t tiles, int32_t a, int32_t b, int32_t c) {
    int32_t asleep = tiles - a - b - c;
    if (asleep < 0) return 0;
    double ways = factorial(tiles) / factorial(a);
    ways = ways / factorial(b);
    ways = ways / factorial(c);
    return ways / factorial(asleep);
}

static void sort_out(const Question *question, Worlds *worlds) {
    worlds->fixed_count = worlds->free_count = 0;
    for (int32_t holders = 1; holders <= SEATS; holders++) {
        for (int32_t tile = 0; tile < TILES; tile++) {
            int32_t may = 0;
            if (!(question->unseen >> tile & 1)) continue;
            for (int32_t s = 0; s < SEATS; s++) may |= (question->may_hold[s] >> tile & 1) << s;
            if (__builtin_popcount(may) != holders) continue;
            if (may == EVERYBODY) {
                worlds->free[worlds->free_count++] = tile;
            } else {
                worlds->may[worlds->fixed_count] = may;
                worlds->fixed[worlds->fixed_count++] = tile;
            }
        }
    }
}

void worlds_prepare(const Question *question, Worlds *worlds) {
    sort_out(question, worlds);
    for (int32_t s = 0; s < SEATS; s++) worlds->held[s] = question->held[s];
    for (int32_t i = worlds->fixed_count; i >= 0; i--) {
        for (int32_t a = 0; a <= worlds->held[0]; a++) {
            for (int32_t b = 0; b <= worlds->held[1]; b++) {
                for (int32_t c = 0; c <= worlds->held[2]; c++) {
                    if (i == worlds->fixed_count) {
                        worlds->ways[i][a][b][c] = fillings(worlds->free_count, a, b, c);
                        continue;
                    }
                    int32_t may = worlds->may[i];
                    double ways = worlds->ways[i + 1][a][b][c];
                    if (may & 1 && a) ways += worlds->ways[i + 1][a - 1][b][c];
                    if (may & 2 && b) ways += worlds->ways[i + 1][a][b - 1][c];
                    if (may & 4 && c) ways += worlds->ways[i + 1][a][b][c - 1];
                    worlds->ways[i][a][b][c] = ways;
                }
            }
        }
    }
}

static int32_t draw_fixed(const Worlds *worlds, int32_t i, const int32_t *left, uint64_t *chance) {
    double (*after)[HAND + 1][HAND + 1] = (void *)worlds->ways[i + 1];
    int32_t a = left[0], b = left[1], c = left[2], may = worlds->may[i];
    double at = chance_share(chance) * worlds->ways[i][a][b][c];
    if (may & 1 && a) {
        double ways = after[a - 1][b][c];
        if (at < ways) return 0;
        at -= ways;
    }
    if (may & 2 && b) {
        double ways = after[a][b - 1][c];
        if (at < ways) return 1;
        at -= ways;
    }
    if (may & 4 && c && at < after[a][b][c - 1]) return 2;
    return SEATS;
}

void worlds_draw(const Worlds *worlds, uint64_t *chance, uint32_t *hands) {
    int32_t left[SEATS] = {worlds->held[0], worlds->held[1], worlds->held[2]};
    hands[0] = hands[1] = hands[2] = 0;
    for (int32_t i = 0; i < worlds->fixed_count; i++) {
        int32_t seat = draw_fixed(worlds, i, left, chance);
        if (seat == SEATS) continue;
        hands[seat] |= 1u << worlds->fixed[i];
        left[seat]--;
    }
    int32_t wanted = left[0] + left[1] + left[2];
    for (int32_t i = 0; wanted && i < worlds->free_count; i++) {
        int32_t at = (int32_t)chance_below(chance, (uint32_t)(worlds->free_count - i));
        for (int32_t s = 0; s < SEATS; s++) {
            if (at < left[s]) {
                hands[s] |= 1u << worlds->free[i];
                left[s]--;
                wanted--;
                break;
            }
            at -= left[s];
        }
    }
}
