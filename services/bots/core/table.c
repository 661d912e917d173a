#include "core.h"

void table_pass(Table *table) {
    table->lacks[table->turn] |= 1 << table->ends[0] | 1 << table->ends[1];
    table->turn = (table->turn + 1) & 3;
}

void table_lay(Table *table, int32_t tile, int32_t end) {
    int32_t seat = table->turn;
    if (table->ends[0] == NONE) {
        table->ends[0] = LOW[tile];
        table->ends[1] = HIGH[tile];
        table->laid_by[0] = table->laid_by[1] = seat;
        table->opened[seat] |= 1 << LOW[tile] | 1 << HIGH[tile];
    } else {
        int32_t opened = LOW[tile] + HIGH[tile] - table->ends[end - 1];
        table->ends[end - 1] = opened;
        table->laid_by[end - 1] = seat;
        table->opened[seat] |= 1 << opened;
    }
    table->laid |= 1u << tile;
    table->held[seat]--;
    table->turn = (seat + 1) & 3;
}
