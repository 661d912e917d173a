#include "core.h"

/* The result with these points for the team of a seat, seen from the team of `me`. */
static int32_t result(int32_t seat, int32_t me, int32_t points) {
    return (seat ^ me) & 1 ? EVEN - points : EVEN + points;
}

static int32_t domino(const Table *table, int32_t tile) {
    int32_t left = table->ends[0], right = table->ends[1];
    if (LOW[tile] == HIGH[tile]) return left == right ? 4 : 2;
    int32_t both = (left == LOW[tile] && right == HIGH[tile]) ||
                   (left == HIGH[tile] && right == LOW[tile]);
    return both ? 3 : 1;
}

static int32_t blocked(const uint32_t *hands, int32_t me) {
    int32_t lowest[2];
    for (int32_t team = 0; team < 2; team++) {
        int32_t one = pips(hands[team]), two = pips(hands[team + 2]);
        lowest[team] = one < two ? one : two;
    }
    if (lowest[0] == lowest[1]) return EVEN;
    return result(lowest[0] < lowest[1] ? 0 : 1, me, 1);
}

int32_t play_out(const Policy *policy, const Question *question, int32_t move,
                 const uint32_t *hidden) {
    Table table = question->table;
    int32_t me = table.turn, passes = 0, scores[MOVES];
    Move moves[MOVES], next = {question->tiles[move], question->ends[move]};
    uint32_t hands[4];
    hands[me] = question->hand;
    for (int32_t i = 0; i < 3; i++) hands[(me + 1 + i) & 3] = hidden[i];
    for (;;) {
        int32_t seat = table.turn;
        if (next.tile == PASS) {
            if (++passes == 4) return blocked(hands, me);
            table_pass(&table);
        } else {
            passes = 0;
            hands[seat] &= ~(1u << next.tile);
            if (!hands[seat]) return result(seat, me, domino(&table, next.tile));
            table_lay(&table, next.tile, next.end);
        }
        uint32_t hand = hands[table.turn];
        int32_t count = legal_moves(&table, hand, moves);
        if (count == 0) {
            next = (Move){PASS, 0};
        } else if (count == 1 || !(hand & (hand - 1))) {
            next = moves[0];
        } else {
            policy_scores(policy, &table, hand, moves, count, scores);
            next = moves[first_best(scores, count)];
        }
    }
}
