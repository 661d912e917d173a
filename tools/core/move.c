#include "glance.h"

enum {
    EVENTS = 2 << 3 | 2,     /* Commit.events */
    PLAYED = 8 << 3 | 2,     /* Event.played */
    PASSED = 9 << 3 | 2,     /* Event.passed */
    SEAT = 1 << 3,           /* Played.seat, Passed.seat */
    TILE = 2 << 3,           /* Played.tile */
    END = 3 << 3             /* Played.end */
};

static bool small(Bytes *told, uint8_t tag, uint32_t *value) {
    *value = 0;
    if (told->end - told->at < 2) return false;
    if (told->at[0] == tag) {
        *value = told->at[1];
        told->at += 2;
    }
    return true;
}

/* Lengths are jumped over, and nothing is sure yet: all bytes are compared afterwards. */
bool move_read(Bytes told, Move *move) {
    if (told.end - told.at < 4 || told.at[0] != EVENTS) return false;
    uint8_t kind = told.at[2];
    told.at += 4;
    *move = (Move){.tile = NO_TILE, .is_pass = kind == PASSED};
    if (kind == PASSED) return small(&told, SEAT, &move->seat);
    return kind == PLAYED && small(&told, SEAT, &move->seat) && small(&told, TILE, &move->tile) &&
           small(&told, END, &move->end);
}

static bool is_empty(const Table *table) { return table->left == NO_NUMBER; }

uint32_t legal_tiles(const Rules *rules, const Table *table) {
    uint32_t hand = table->hands[table->on_turn];
    if (!is_empty(table)) return hand & rules->fitting[table->left][table->right];
    return table->must_open == NO_TILE ? hand : hand & 1u << table->must_open;
}

static bool lay(const Rules *rules, Table *table, const Move *move, const Laid **laid) {
    if (move->tile >= TILES || move->end >= ENDS) return false;
    if (!(legal_tiles(rules, table) >> move->tile & 1)) return false;
    uint32_t ends = is_empty(table) ? EMPTY_TABLE : table->left * NUMBERS + table->right;
    *laid = &rules->laid[ends][move->tile][move->end];
    if (!(*laid)->is_legal) return false;
    table->hands[move->seat] ^= 1u << move->tile;
    table->left = (*laid)->left;
    table->right = (*laid)->right;
    table->last_seat = move->seat;
    table->must_open = NO_TILE;
    return true;
}

bool move_make(const Rules *rules, Table *table, const Move *move, const Laid **laid) {
    if (move->seat != table->on_turn) return false;
    if (move->is_pass) {
        if (is_empty(table) || legal_tiles(rules, table)) return false;
    } else if (!lay(rules, table, move, laid)) {
        return false;
    }
    table->on_turn = (move->seat + 1) % SEATS;
    uint32_t held = table->hands[0] | table->hands[1] | table->hands[2] | table->hands[3];
    return table->hands[move->seat] && held & rules->fitting[table->left][table->right];
}

bool is_of_clock(const Rules *rules, const Table *table, const Move *move) {
    uint32_t legal = legal_tiles(rules, table);
    if (!legal || move->is_pass) return !legal && move->is_pass;
    uint32_t place = 0;
    while (!(legal >> rules->heaviest_first[place] & 1)) place++;
    uint32_t tile = rules->heaviest_first[place], end = 0;
    if (!is_empty(table)) end = rules->fitted[table->left][table->right][tile];
    return move->tile == tile && move->end == (end & 1 ? 1 : end);
}
