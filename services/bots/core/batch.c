#include "core.h"

#include <stdlib.h>

typedef struct {
    uint32_t hands[3];
} World;

static void look(const Policy *policy, const Question *question, const World *world,
                 uint32_t alive, int32_t *results) {
    for (int32_t move = 0; move < question->move_count; move++) {
        if (alive >> move & 1) {
            results[move * RESULTS + play_out(policy, question, move, world->hands)]++;
        }
    }
}

int32_t laelo_batch(const Policy *policy, const Question *question, uint64_t seed, int32_t worlds,
                    uint32_t alive, int32_t *results) {
    int32_t candidates = question->choice_count ? worlds * CANDIDATES : worlds;
    size_t room = (size_t)candidates;
    Worlds *possible = malloc(sizeof *possible);
    World *drawn = malloc(room * sizeof *drawn);
    double *up_to = malloc(room * sizeof *up_to), total = 0;
    int32_t failed = !possible || !drawn || !up_to;
    if (!failed) {
        uint64_t chance = chance_begin(seed);
        worlds_prepare(question, possible);
        for (int32_t i = 0; i < candidates; i++) {
            worlds_draw(possible, &chance, drawn[i].hands);
            total += belief_weight(policy, question, drawn[i].hands);
            up_to[i] = total;
        }
        double step = total / worlds, first = chance_share(&chance);
        for (int32_t k = 0, i = 0; k < worlds; k++) {
            double target = (first + k) * step;
            while (i < candidates - 1 && up_to[i] < target) i++;
            look(policy, question, &drawn[i], alive, results);
        }
    }
    free(possible);
    free(drawn);
    free(up_to);
    return failed ? -1 : 0;
}
