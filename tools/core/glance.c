#include "glance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_next(const Table *table, const Head *head) {
    return head->version == table->version + 1 && head->turn == head->version &&
           is_text(head->aggregate, table->id.text, table->id.size) &&
           is_text(head->previous, table->previous, DIGEST) && head->command.at < head->command.end;
}

/* The commands of the house name the turn that they end. */
static bool is_of_turn(const Table *table, const Head *head, const char *who) {
    char name[40];
    int size = snprintf(name, sizeof name, "%s-%" PRIu64, who, table->turn);
    return is_text(head->command, name, (size_t)size);
}

static bool is_mover_good(const Rules *rules, const Table *table, const Head *head,
                          const Move *move) {
    if (head->actor == ACTOR_PERSON) {
        const Name *player = &table->players[table->on_turn];
        return player->size && is_text(head->actor_id, player->text, player->size);
    }
    if (head->actor == ACTOR_BOT) {
        return table->is_bot[table->on_turn] && is_of_turn(table, head, "bot");
    }
    bool is_up = table->deadline_ms > 0 && table->deadline_ms <= head->time_ms;
    return head->actor == ACTOR_CLOCK && is_up && is_of_turn(table, head, "clock") &&
           is_of_clock(rules, table, move);
}

static bool is_clock_good(const Rules *rules, const Table *after, const Head *head) {
    if (after->is_bot[after->on_turn]) return true;
    if (!after->long_ms) return !head->deadline_ms;
    uint32_t legal = legal_tiles(rules, after);
    int64_t lasts = legal & (legal - 1) ? after->long_ms : after->short_ms;
    return head->deadline_ms == head->time_ms + lasts;
}

static bool follow(const Rules *rules, Table *table, Bytes commit, Head *head) {
    Move move;
    if (!head_read(&commit, head) || !is_next(table, head)) return false;
    if (!move_read(commit, &move) || !is_mover_good(rules, table, head, &move)) return false;
    const Laid *laid = NULL;
    uint8_t stored[MOST_STORED];
    if (!move_make(rules, table, &move, &laid) || !is_clock_good(rules, table, head)) return false;
    return is_text(commit, stored, store_move(rules, table, &move, laid, stored));
}

uint32_t laelo_glance(const Rules *rules, Table *table, const Commits *commits, uint32_t first,
                      uint32_t (*commands)[2]) {
    uint32_t place = first;
    for (; place < commits->count; place++) {
        uint32_t begin = place ? commits->ends[place - 1] : 0;
        Bytes commit = {commits->data + begin, commits->data + commits->ends[place]};
        Table after = *table;
        Head head;
        if (!follow(rules, &after, commit, &head)) break;
        *table = after;
        table->version = head.version;
        table->turn = head.turn;
        table->deadline_ms = head.deadline_ms;
        memcpy(table->previous, commits->digests + (size_t)place * DIGEST, DIGEST);
        commands[place][0] = (uint32_t)(head.command.at - commits->data);
        commands[place][1] = (uint32_t)(head.command.end - commits->data);
    }
    return place - first;
}

int64_t laelo_glance_layout(void) {
    return (int64_t)GLANCE_VERSION * 10000000000 + (int64_t)sizeof(Rules) * 10000 +
           (int64_t)sizeof(Table);
}
