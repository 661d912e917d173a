#include "glance.h"

#include <string.h>

/* Tags of fields: their numbers, and whether a number follows or something with its size. */
#define NUMBER(field) ((field) << 3)
#define SIZED(field) ((field) << 3 | 2)

enum { PHASE_PLAY = 2, CALL_KIND_PASS = 5 };

typedef struct {
    uint8_t *at;
} Writer;

static void put(Writer *out, uint8_t tag, uint32_t value) {
    if (!value) return;
    *out->at++ = tag;
    for (; value > 127; value >>= 7) *out->at++ = (uint8_t)(value & 127) | 128;
    *out->at++ = (uint8_t)value;
}

static void put_bytes(Writer *out, const uint8_t *bytes, size_t size) {
    memcpy(out->at, bytes, size);
    out->at += size;
}

/* Something with its size, which is below 128 for all that is stored here. */
static uint8_t *begin(Writer *out, uint8_t tag) {
    out->at[0] = tag;
    out->at += 2;
    return out->at;
}

static void finish(const Writer *out, uint8_t *begun) { begun[-1] = (uint8_t)(out->at - begun); }

static void put_state(Writer *out, uint8_t tag, const Table *table) {
    uint8_t *begun = begin(out, tag);
    put(out, NUMBER(1), PHASE_PLAY);
    for (uint32_t seat = 0; seat < SEATS; seat++) {
        put(out, (uint8_t)NUMBER(2 + seat), table->hands[seat]);
    }
    put(out, NUMBER(6), table->left);
    put(out, NUMBER(7), table->right);
    put(out, NUMBER(8), table->on_turn);
    put(out, NUMBER(9), table->must_open);
    put(out, NUMBER(10), table->last_seat);
    put_bytes(out, table->standing, table->standing_size);
    finish(out, begun);
}

static void put_played(Writer *out, const Table *after, const Move *move, const Laid *laid) {
    uint8_t *begun = begin(out, SIZED(8));
    put(out, NUMBER(1), move->seat);
    put(out, NUMBER(2), move->tile);
    put(out, NUMBER(3), laid->end);
    put_bytes(out, laid->call, laid->call_size);
    put_state(out, SIZED(5), after);
    finish(out, begun);
}

static void put_passed(Writer *out, const Table *after, const Move *move) {
    uint8_t *begun = begin(out, SIZED(9));
    put(out, NUMBER(1), move->seat);
    uint8_t *call = begin(out, SIZED(2));
    put(out, NUMBER(1), CALL_KIND_PASS);
    finish(out, call);
    put_state(out, SIZED(3), after);
    finish(out, begun);
}

static void put_turn(Writer *out, const Rules *rules, const Table *table) {
    uint32_t legal = legal_tiles(rules, table);
    uint8_t *begun = begin(out, (uint8_t)SIZED(12));
    put(out, NUMBER(1), table->on_turn);
    if (legal) {
        const uint8_t *fitted = rules->fitted[table->left][table->right];
        uint8_t *plays = begin(out, SIZED(3));
        for (uint8_t tile = 0; tile < TILES; tile++) {
            if (legal >> tile & 1) *out->at++ = (uint8_t)(tile | fitted[tile] << 5);
        }
        finish(out, plays);
    }
    put(out, NUMBER(4), !legal);
    put(out, NUMBER(5), !(legal & (legal - 1)));
    finish(out, begun);
}

size_t store_move(const Rules *rules, const Table *after, const Move *move, const Laid *laid,
                  uint8_t *into) {
    Writer out = {into};
    uint8_t *event = begin(&out, SIZED(2));
    if (move->is_pass) {
        put_passed(&out, after, move);
    } else {
        put_played(&out, after, move, laid);
    }
    finish(&out, event);
    event = begin(&out, SIZED(2));
    put_turn(&out, rules, after);
    finish(&out, event);
    return (size_t)(out.at - into);
}
