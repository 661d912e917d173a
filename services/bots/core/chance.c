#include "core.h"

/* Mixes a seed well, so that neighbouring seeds have nothing in common. */
uint64_t chance_begin(uint64_t seed) {
    uint64_t z = seed + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t next(uint64_t *state) {
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

uint32_t chance_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)(((next(state) >> 32) * bound) >> 32);
}

double chance_share(uint64_t *state) {
    return (double)(next(state) >> 11) * 0x1p-53;
}
