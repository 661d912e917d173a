#include "core.h"

double belief_weight(const Policy *policy, const Question *question, const uint32_t *hands) {
    int32_t me = question->table.turn, scores[MOVES];
    double weight = 1;
    Move moves[MOVES];
    for (int32_t i = 0; i < question->choice_count; i++) {
        const Choice *choice = &question->choices[i];
        int32_t hidden = (choice->table.turn - me - 1) & 3, chosen = 0;
        uint32_t hand = hands[hidden] | choice->later;
        int32_t count = legal_moves(&choice->table, hand, moves);
        if (count < 2) continue;
        policy_scores(policy, &choice->table, hand, moves, count, scores);
        while (moves[chosen].tile != choice->tile || moves[chosen].end != choice->end) chosen++;
        double likely = policy_likelihood(policy, scores, count, chosen);
        weight *= 0.9 * likely + 0.1 / count;
    }
    return weight;
}
