/* What every placement is worth when all hands are known: the same search as
 * laelo_bots.domain.solver, for an opponent that solves ten worlds for each of its moves. */
#include <stdint.h>
#include <string.h>

enum { SEATS = 4, TILES = 28, MOST = 4, LEFT = 1, RIGHT = 2, SLOTS = 1 << 15 };

struct slot {
    uint64_t key;
    int8_t least, most;
};

struct table {
    uint32_t hands[SEATS];
    int left, right; /* -1: the empty table */
    int turn;
};

static int low_of[TILES], high_of[TILES];
static uint32_t with_number[7];
static struct slot known[SLOTS];

static void prepare(void) {
    int tile = 0;
    if (high_of[TILES - 1]) return;
    for (int high = 0; high < 7; high++)
        for (int low = 0; low <= high; low++, tile++) {
            low_of[tile] = low;
            high_of[tile] = high;
            with_number[low] |= 1u << tile;
            with_number[high] |= 1u << tile;
        }
}

static int count(uint32_t hand) {
    int sum = 0;
    for (; hand; hand &= hand - 1) {
        int tile = __builtin_ctz(hand);
        sum += low_of[tile] + high_of[tile];
    }
    return sum;
}

/* R17 and R18, for the seat that laid the last tile. */
static int blocked(const struct table *table, int seat) {
    int counts[SEATS], lowest = 1000, ours = 0, theirs = 0;
    for (int s = 0; s < SEATS; s++) {
        counts[s] = count(table->hands[s]);
        if (counts[s] < lowest) lowest = counts[s];
    }
    for (int s = 0; s < SEATS; s++) {
        if (counts[s] != lowest) continue;
        if ((s & 1) == (seat & 1)) ours = 1;
        else theirs = 1;
    }
    return ours - theirs;
}

/* R15. */
static int domino(int tile, int left, int right) {
    int low = low_of[tile], high = high_of[tile];
    if (low == high) return left == right ? 4 : 2;
    return (left == low && right == high) || (left == high && right == low) ? 3 : 1;
}

static int worth(struct table *table, int low, int high);

static int after(const struct table *before, int tile, int end, int low, int high) {
    struct table table = *before;
    int seat = table.turn, sum = low_of[tile] + high_of[tile];
    table.hands[seat] &= ~(1u << tile);
    if (before->left < 0) {
        table.left = low_of[tile];
        table.right = high_of[tile];
    } else if (end == LEFT) {
        table.left = sum - before->left;
    } else {
        table.right = sum - before->right;
    }
    if (!table.hands[seat] && before->left >= 0) return domino(tile, before->left, before->right);
    uint32_t all = table.hands[0] | table.hands[1] | table.hands[2] | table.hands[3];
    if (!(all & (with_number[table.left] | with_number[table.right]))) return blocked(&table, seat);
    table.turn = (seat + 1) & 3;
    return -worth(&table, -high, -low);
}

static struct slot *slot_of(const struct table *table) {
    uint64_t all = table->hands[0] | table->hands[1] | table->hands[2] | table->hands[3];
    int small = table->left < table->right ? table->left : table->right;
    int great = table->left + table->right - small;
    uint64_t key = 1 + ((all << 8) | (uint64_t)(small << 5 | great << 2 | table->turn));
    struct slot *slot = &known[(key * 0x9E3779B97F4A7C15u) >> 49];
    if (slot->key != key) *slot = (struct slot){key, -MOST, MOST};
    return slot;
}

static int worth(struct table *table, int low, int high) {
    int left = table->left, right = table->right, best = -MOST - 1, value;
    uint32_t fitting = table->hands[table->turn] & (with_number[left] | with_number[right]);
    if (!fitting) {
        struct table next = *table;
        next.turn = (table->turn + 1) & 3;
        return -worth(&next, -high, -low);
    }
    struct slot *slot = slot_of(table), found = *slot;
    if (found.least == found.most || found.least >= high) return found.least;
    if (found.most <= low) return found.most;
    if (found.least > low) low = found.least;
    if (found.most < high) high = found.most;
    for (int alpha = low; fitting && best < high; alpha = best > alpha ? best : alpha) {
        int tile = 31 - __builtin_clz(fitting);
        fitting &= ~(1u << tile);
        if (with_number[left] >> tile & 1) {
            value = after(table, tile, LEFT, alpha, high);
            if (value > best) best = value;
        }
        if (best < high && left != right && with_number[right] >> tile & 1) {
            value = after(table, tile, RIGHT, best > alpha ? best : alpha, high);
            if (value > best) best = value;
        }
    }
    if (best <= low) found.most = best;
    else if (best >= high) found.least = best;
    else found.least = found.most = best;
    *slot = found;
    return best;
}

/* Fills `worths` for the seat on turn, in points of a hand that counts once. */
void laelo_solve(const uint32_t *hands, int left, int right, int turn, int count_of,
                 const uint8_t *tiles, const uint8_t *ends, int8_t *worths) {
    struct table table = {{hands[0], hands[1], hands[2], hands[3]}, left, right, turn};
    prepare();
    memset(known, 0, sizeof known);
    for (int i = 0; i < count_of; i++)
        worths[i] = (int8_t)after(&table, tiles[i], ends[i], -MOST, MOST);
}
