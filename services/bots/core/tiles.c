#include "core.h"

uint32_t WITH[7];
uint32_t FIT[7][7];
int32_t LOW[TILES], HIGH[TILES];

/* Called once, before anything else. */
void laelo_prepare(void) {
    int32_t tile = 0;
    for (int32_t n = 0; n < 7; n++) WITH[n] = 0;
    for (int32_t high = 0; high < 7; high++) {
        for (int32_t low = 0; low <= high; low++, tile++) {
            LOW[tile] = low;
            HIGH[tile] = high;
            WITH[low] |= 1u << tile;
            WITH[high] |= 1u << tile;
        }
    }
    for (int32_t a = 0; a < 7; a++) {
        for (int32_t b = 0; b < 7; b++) FIT[a][b] = WITH[a] | WITH[b];
    }
}

int32_t pips(uint32_t hand) {
    int32_t sum = 0;
    for (; hand; hand &= hand - 1) {
        int32_t tile = __builtin_ctz(hand);
        sum += LOW[tile] + HIGH[tile];
    }
    return sum;
}

int64_t laelo_layout(void) {
    return (int64_t)LAELO_VERSION * 100000000 + (int64_t)sizeof(Policy) * 1000 +
           (int64_t)sizeof(Question);
}
