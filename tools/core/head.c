#include "glance.h"

#include <string.h>

enum { VARINT = 0, SIZED = 2 };

/* Sums of numbers that are read stay far below 64 bits: longer ones are left to Python. */
static bool read_varint(Bytes *from, uint64_t *value) {
    *value = 0;
    for (uint32_t shift = 0; shift < 56 && from->at < from->end; shift += 7) {
        uint8_t byte = *from->at++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

static bool read_sized(Bytes *from, Bytes *value) {
    uint64_t size;
    if (!read_varint(from, &size) || size > (uint64_t)(from->end - from->at)) return false;
    *value = (Bytes){from->at, from->at + size};
    from->at += size;
    return true;
}

/* A field that is left out has its value of nothing, as everywhere in protobuf. */
static bool number(Bytes *from, uint8_t field, uint64_t *value) {
    *value = 0;
    if (from->at == from->end || *from->at != (field << 3 | VARINT)) return true;
    from->at++;
    return read_varint(from, value);
}

static bool milliseconds(Bytes *from, uint8_t field, int64_t *value) {
    uint64_t read;
    if (!number(from, field, &read)) return false;
    *value = (int64_t)read;
    return true;
}

static bool sized(Bytes *from, uint8_t field, Bytes *value) {
    *value = (Bytes){from->at, from->at};
    if (from->at == from->end || *from->at != (field << 3 | SIZED)) return true;
    from->at++;
    return read_sized(from, value);
}

/* Whether other texts are UTF-8 is for Python to say. */
static bool is_ascii(Bytes bytes) {
    for (const uint8_t *at = bytes.at; at < bytes.end; at++) {
        if (*at > 127) return false;
    }
    return true;
}

bool is_text(Bytes bytes, const void *text, size_t size) {
    return (size_t)(bytes.end - bytes.at) == size && memcmp(bytes.at, text, size) == 0;
}

bool head_read(Bytes *from, Head *head) {
    Bytes in;
    if (!sized(from, 1, &in)) return false;
    return sized(&in, 1, &head->aggregate) && number(&in, 2, &head->version) &&
           number(&in, 3, &head->turn) && milliseconds(&in, 4, &head->deadline_ms) &&
           sized(&in, 5, &head->command) && number(&in, 6, &head->actor) &&
           sized(&in, 7, &head->actor_id) && milliseconds(&in, 8, &head->time_ms) &&
           sized(&in, 9, &head->trace) && sized(&in, 10, &head->previous) && in.at == in.end &&
           is_ascii(head->command) && is_ascii(head->actor_id) && is_ascii(head->trace);
}
