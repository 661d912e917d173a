/* The referee's glance (laelo_tools.history.glance), in C: moves after which a hand goes on, known
 * by their bytes. What a tile does where it is laid is looked up in what the engine said of it. */
#ifndef LAELO_GLANCE_H
#define LAELO_GLANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLANCE_VERSION 2

enum {
    SEATS = 4,
    TILES = 28,
    NUMBERS = 7,
    ENDS = 3, /* unnamed, left, right */
    NO_NUMBER = 7,
    NO_TILE = 28,
    NO_SEAT = 4,
    EMPTY_TABLE = NUMBERS * NUMBERS, /* in place of left * 7 + right */
    DIGEST = 32,
    NAME = 64, /* ids that are longer are left to Python */
    CALL = 8,
    STANDING = 16
};

/* What a tile does that is laid at an end, as the engine says. */
typedef struct {
    uint8_t is_legal;
    uint8_t end, left, right; /* where it lies, and the open numbers afterwards */
    uint8_t call_size;
    uint8_t call[CALL]; /* what is called, as it is stored in the event */
} Laid;

typedef struct {
    uint32_t fitting[NUMBERS][NUMBERS];
    uint8_t fitted[NUMBERS][NUMBERS][TILES]; /* bit 0: fits the left end, bit 1: the right */
    uint8_t heaviest_first[TILES];
    Laid laid[EMPTY_TABLE + 1][TILES][ENDS];
} Rules;

typedef struct {
    uint32_t size;
    uint8_t text[NAME];
} Name;

/* A table while a hand is played. */
typedef struct {
    uint64_t version, turn;
    int64_t deadline_ms;
    int64_t long_ms, short_ms; /* both clocks; 0 where none runs */
    uint32_t hands[SEATS];
    uint32_t left, right, on_turn, must_open, last_seat;
    uint32_t is_bot[SEATS];
    Name id, players[SEATS];
    uint32_t standing_size;
    uint8_t standing[STANDING]; /* scores, multiplier and who led, as they are stored */
    uint8_t previous[DIGEST];   /* hash of the newest commit */
} Table;

/* Commits of one table, one after the other. */
typedef struct {
    const uint8_t *data;
    const uint32_t *ends;   /* where each ends in the data */
    const uint8_t *digests; /* of each, 32 bytes */
    uint32_t count;
} Commits;

typedef struct {
    const uint8_t *at;
    const uint8_t *end;
} Bytes;

enum { ACTOR_PERSON = 1, ACTOR_BOT = 2, ACTOR_CLOCK = 3 };

/* laelo.log.v1.Head */
typedef struct {
    Bytes aggregate, command, actor_id, trace, previous;
    uint64_t version, turn, actor;
    int64_t deadline_ms, time_ms;
} Head;

/* head.c: false for a head that is not written as the log writes it */
bool head_read(Bytes *from, Head *head);
bool is_text(Bytes bytes, const void *text, size_t size);

/* move.c: what a commit tells of */
typedef struct {
    uint32_t seat, tile, end;
    bool is_pass;
} Move;
bool move_read(Bytes told, Move *move);
/* Whether the move is legal and the hand goes on; the table is then as it is afterwards. */
bool move_make(const Rules *rules, Table *table, const Move *move, const Laid **laid);
bool is_of_clock(const Rules *rules, const Table *table, const Move *move);
uint32_t legal_tiles(const Rules *rules, const Table *table);

/* store.c: the events of a move as they are stored; their size */
enum { MOST_STORED = 160 };
size_t store_move(const Rules *rules, const Table *after, const Move *move, const Laid *laid,
                  uint8_t *into);

/* glance.c: how many commits from `first` on are good moves after which the hand goes on. The table
 * is then as it is after them; where the command of each stands is noted. */
uint32_t laelo_glance(const Rules *rules, Table *table, const Commits *commits, uint32_t first,
                      uint32_t (*commands)[2]);

/* The layout of what Python hands over, as one number: who was built for another is not used. */
int64_t laelo_glance_layout(void);

#endif
