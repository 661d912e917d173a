/* The search of laelo_bots, in C: the same arithmetic as in its Python, step for step, so that
 * both give the same answers. What each part is for is told there (laelo_bots/domain). */
#ifndef LAELO_CORE_H
#define LAELO_CORE_H

#include <stdint.h>

#define LAELO_VERSION 3

enum {
    FEATURES = 36,
    PHASES = 3,
    SHARES = 4096,
    TILES = 28,
    HAND = 6,
    PASS = 28,
    NONE = -1,
    NOBODY = 4,
    MOVES = 14,
    CHOICES = 24,
    RESULTS = 9,
    EVEN = 4, /* the index of a result without points */
    CANDIDATES = 4
};

/* domain/policy.py: Policy */
typedef struct {
    int32_t weights[PHASES][FEATURES];
    uint32_t shares[SHARES];
} Policy;

/* domain/table.py: Table */
typedef struct {
    int32_t ends[2];
    int32_t laid_by[2];
    int32_t turn;
    int32_t lacks[4];
    int32_t opened[4];
    int32_t held[4];
    uint32_t laid;
} Table;

/* domain/table.py: Choice */
typedef struct {
    Table table;
    uint32_t later;
    int32_t tile;
    int32_t end;
} Choice;

/* domain/question.py: Question */
typedef struct {
    Table table;
    uint32_t hand;
    uint32_t unseen;
    uint32_t may_hold[3];
    int32_t held[3];
    int32_t choice_count;
    Choice choices[CHOICES];
    int32_t move_count;
    int32_t tiles[MOVES];
    int32_t ends[MOVES];
} Question;

typedef struct {
    int32_t tile, end;
} Move;

/* tiles.c */
extern uint32_t WITH[7];
extern uint32_t FIT[7][7];
extern int32_t LOW[TILES], HIGH[TILES];
void laelo_prepare(void);
int32_t pips(uint32_t hand);

/* chance.c */
uint64_t chance_begin(uint64_t seed);
uint32_t chance_below(uint64_t *state, uint32_t bound);
double chance_share(uint64_t *state);

/* features.c */
int32_t table_phase(const Table *table);
void laelo_features(const Table *table, uint32_t hand, int32_t tile, int32_t end, int32_t *features);

/* policy.c */
int32_t legal_moves(const Table *table, uint32_t hand, Move *moves);
void policy_scores(const Policy *policy, const Table *table, uint32_t hand, const Move *moves,
                   int32_t count, int32_t *scores);
int32_t first_best(const int32_t *scores, int32_t count);
double policy_likelihood(const Policy *policy, const int32_t *scores, int32_t count,
                         int32_t chosen);

/* table.c */
void table_pass(Table *table);
void table_lay(Table *table, int32_t tile, int32_t end);

/* worlds.c */
typedef struct {
    int32_t fixed_count, free_count;
    int32_t fixed[TILES], free[TILES];
    int32_t may[TILES]; /* bit s: the tile may be in the hand of hidden seat s */
    int32_t held[3];
    double ways[TILES + 1][HAND + 1][HAND + 1][HAND + 1];
} Worlds;
void worlds_prepare(const Question *question, Worlds *worlds);
void worlds_draw(const Worlds *worlds, uint64_t *chance, uint32_t *hands);

/* belief.c */
double belief_weight(const Policy *policy, const Question *question, const uint32_t *hands);

/* playout.c */
int32_t play_out(const Policy *policy, const Question *question, int32_t move,
                 const uint32_t *hidden);

/* batch.c: adds to results[move][result]; 0, or -1 when there is no memory */
int32_t laelo_batch(const Policy *policy, const Question *question, uint64_t seed, int32_t worlds,
                    uint32_t alive, int32_t *results);

/* The layout of what Python hands over, as one number: who was built for another is not used. */
int64_t laelo_layout(void);

#endif
