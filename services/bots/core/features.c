#include "core.h"

#include <string.h>

#define COUNT __builtin_popcount
#define HAS(mask, number) ((mask) >> (number) & 1)

int32_t table_phase(const Table *table) {
    int32_t laid = COUNT(table->laid);
    return laid < 6 ? 0 : laid < 12 ? 1 : 2;
}

/* By how much a block would be won, as far as one can guess. */
static int32_t margin(const Table *table, uint32_t unseen, uint32_t rest) {
    int32_t left = table->held[(table->turn + 1) & 3], right = table->held[(table->turn + 3) & 3];
    int32_t least = left < right ? left : right;
    int32_t others = unseen ? pips(unseen) * least / COUNT(unseen) : 0;
    int32_t by = others - pips(rest);
    return by > 12 ? 12 : by < -12 ? -12 : by;
}

/* What there is to say of a move; domain/features.py tells what each number means. */
void laelo_features(const Table *table, uint32_t hand, int32_t tile, int32_t end, int32_t *f) {
    int32_t me = table->turn, seats[4] = {(me + 1) & 3, (me + 2) & 3, (me + 3) & 3, me};
    int32_t low = LOW[tile], high = HIGH[tile], weight = low + high, twice = low == high;
    int32_t opens = high, other = low, covers = NONE, by = NOBODY, other_by = NOBODY;
    if (table->ends[0] != NONE) {
        covers = table->ends[end - 1];
        by = table->laid_by[end - 1];
        other = table->ends[2 - end];
        other_by = table->laid_by[2 - end];
        opens = weight - covers;
    }
    int32_t covered = covers != NONE && covers != opens && covers != other;
    uint32_t rest = hand & ~(1u << tile), fit = FIT[opens][other];
    uint32_t unseen = ((1u << TILES) - 1) & ~(table->laid | hand);
    memset(f, 0, FEATURES * sizeof *f);
    f[0] = weight;
    f[1] = twice;
    for (int32_t n = 0; n < 7; n++) f[2] += (rest & WITH[n]) != 0;
    f[3] = COUNT(rest & fit);
    f[4] = f[3] == 0;
    f[5] = COUNT(rest & WITH[opens]);
    f[6] = COUNT(unseen & WITH[opens]);
    f[7] = COUNT(unseen & fit);
    for (int32_t i = 0; i < 3; i++) {
        int32_t lacks = table->lacks[seats[i]];
        f[8 + i] = HAS(lacks, opens);
        f[11 + i] = HAS(lacks, opens) & HAS(lacks, other);
        f[14 + i] = covered && HAS(lacks, covers);
    }
    for (int32_t i = 0; i < 4; i++) {
        f[17 + i] = covered && by == seats[i];
        f[21 + i] = HAS(table->opened[seats[i]], opens);
    }
    f[25] = opens == other;
    f[26] = table->held[seats[0]] <= 2 || table->held[seats[2]] <= 2 ? weight : 0;
    f[27] = twice && COUNT(rest) <= 2;
    f[28] = twice ? f[5] : 0;
    f[29] = covered ? COUNT(rest & WITH[covers]) : 0;
    f[30] = COUNT(rest & WITH[other]);
    f[31] = f[3] == 0 && f[7] == 0;
    f[32] = f[31] ? margin(table, unseen, rest) : 0;
    f[33] = other_by == seats[1];
    f[34] = HAS(table->lacks[seats[0]], other);
    f[35] = HAS(table->lacks[seats[1]], other);
}
