#include "core.h"

/* In the order of the tiles, left before right; ends that are equal are one end. */
int32_t legal_moves(const Table *table, uint32_t hand, Move *moves) {
    int32_t count = 0, left = table->ends[0], right = table->ends[1];
    uint32_t fit = left == NONE ? hand : hand & FIT[left][right];
    for (; fit; fit &= fit - 1) {
        int32_t tile = __builtin_ctz(fit);
        if (left == NONE) {
            moves[count++] = (Move){tile, 0};
            continue;
        }
        if (WITH[left] >> tile & 1) moves[count++] = (Move){tile, 1};
        if (left != right && WITH[right] >> tile & 1) moves[count++] = (Move){tile, 2};
    }
    return count;
}

void policy_scores(const Policy *policy, const Table *table, uint32_t hand, const Move *moves,
                   int32_t count, int32_t *scores) {
    const int32_t *weights = policy->weights[table_phase(table)];
    int32_t features[FEATURES];
    for (int32_t i = 0; i < count; i++) {
        int32_t score = 0;
        laelo_features(table, hand, moves[i].tile, moves[i].end, features);
        for (int32_t k = 0; k < FEATURES; k++) score += weights[k] * features[k];
        scores[i] = score;
    }
}

int32_t first_best(const int32_t *scores, int32_t count) {
    int32_t best = 0;
    for (int32_t i = 1; i < count; i++) {
        if (scores[i] > scores[best]) best = i;
    }
    return best;
}

double policy_likelihood(const Policy *policy, const int32_t *scores, int32_t count,
                         int32_t chosen) {
    int32_t best = scores[first_best(scores, count)];
    uint32_t total = 0, share = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t behind = best - scores[i];
        uint32_t one = behind < SHARES ? policy->shares[behind] : 0;
        total += one;
        if (i == chosen) share = one;
    }
    return (double)share / (double)total;
}
