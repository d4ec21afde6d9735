/* replay.c - holds generated code to the records of a vectors file.
 * SPDX-License-Identifier: MIT
 *
 * Reads a record from each line of its input, as vectors.c writes them, and is compiled with the glue.c of the schema, on
 * any machine. A check that fails ends its record with a message that names the field or the step. Buffers have exactly
 * the size that is needed, so that the address sanitizer reports any access outside them. --errors
 * also prints the error of each refused read and write, for tests/bindings.
 */
#include "ask.h"
#include "reflected.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CRC_SIZE = 4, CRC_BITS = 32, END_CHECK_BITS = 32, LONGEST = 1 << 20, MOST_TYPES = 256 };

extern const fuzz_type fuzz_types[];

typedef struct replay {
    const fuzz_type *type;
    const char *record; /* JSON */
    manner how;
    const void *base;     /* the baseline of a delta, or NULL */
    uint64_t id, here_id; /* of a packet: the protocol id of the record, and that of the generated code */
    uint8_t *bytes;
    size_t size;
    uint64_t bits; /* 0 if the record does not say */
    void *used;    /* a struct with the results of earlier reads */
} replay;

static jmp_buf failed;
static bool prints_errors;

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    puts("");
    longjmp(failed, 1);
}

static size_t index_of(const char *type)
{
    size_t i = 0;
    while (fuzz_types[i].name && strcmp(fuzz_types[i].name, type) != 0)
        i++;
    if (!fuzz_types[i].name || i >= MOST_TYPES)
        fail("the schema has no type '%s'", type);
    return i;
}

const fuzz_type *functions_of(const char *type)
{
    return &fuzz_types[index_of(type)];
}

/* ---- memory of exact size */

static void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        fail("no memory");
    return memory;
}

static void *copy_of(const void *data, size_t size)
{
    void *copy = allocate(size);
    memcpy(copy, data, size);
    return copy;
}

static void *base_value(const fuzz_type *type)
{
    void *v = allocate(type->type->size);
    /* Base values of a list are its count alone, and a read that fails may have stored a greater count. */
    memset(v, 0, type->type->size);
    type->base(v);
    return v;
}

/* ---- the CRC of packets, independent of the runtime */

static uint32_t crc32_of(uint32_t crc, const void *data, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= ((const uint8_t *)data)[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static uint32_t packet_crc(const replay *c, uint64_t id, const uint8_t *packet, size_t size)
{
    uint8_t prefix[8];
    for (unsigned i = 0; i < sizeof(prefix); i++)
        prefix[i] = (uint8_t)(id >> (8 * i));
    const uint32_t crc = crc32_of(crc32_of(0, prefix, sizeof prefix), c->type->name, strlen(c->type->name));
    return crc32_of(crc, packet + CRC_SIZE, size - CRC_SIZE);
}

static bool crc_right(const replay *c, uint64_t id)
{
    const uint8_t *p = c->bytes;
    return c->size >= CRC_SIZE && packet_crc(c, id, p, c->size) == ((uint32_t)p[0] | (uint32_t)p[1] << 8 |
                                                                    (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static void sign(const replay *c, uint8_t *packet, size_t size)
{
    const uint32_t crc = packet_crc(c, c->here_id, packet, size);
    for (unsigned i = 0; i < CRC_SIZE; i++)
        packet[i] = (uint8_t)(crc >> (8 * i));
}

/* Makes the bytes of the record those of generated code: a CRC that is right for the protocol id of the record is
 * replaced by the one for the id here; a wrong one stays wrong. */
static void move_packet(replay *c)
{
    if (crc_right(c, c->id))
        sign(c, c->bytes, c->size);
    else if (json_at(c->record, "value"))
        fail("the record's own crc is wrong");
    else if (crc_right(c, c->here_id))
        c->bytes[0] ^= 1;
}

/* ---- checks */

/* Whether a string is this text, which ends where the string in JSON does. */
static bool is_text(const char *string, const char *text)
{
    const size_t length = strcspn(text, "\"");
    return strlen(string) == length && strncmp(string, text, length) == 0;
}

static void check_error(const char *step, const pkt_error *error, const char *reason)
{
    const char *name = pkt_code_name(error->code);
    const int length = (int)strcspn(reason, "\"");
    if (!is_text(name, reason))
        fail("%s: refused for %s at bit %" PRIu64 " (%s), not for %.*s", step, name, error->bit, error->field, length,
             reason);
}

static void check_written(const replay *c, const void *value)
{
    uint8_t *data = allocate(c->size);
    pkt_error error;
    const size_t written = ask_write(c->type, c->how, c->base, value, data, c->size, &error);
    if (written != c->size)
        fail("%zu bytes written, not %zu (error %s at bit %" PRIu64 ", %s)", written, c->size,
             pkt_code_name(error.code), error.bit, error.field);
    for (size_t i = 0; i < c->size; i++)
        if (data[i] != c->bytes[i])
            fail("byte %zu is written as %02x, not %02x", i, data[i], c->bytes[i]);
    free(data);
}

static void check_short_buffers(const replay *c, const void *value)
{
    for (size_t size = 0; size < c->size; size++) {
        uint8_t *data = allocate(size);
        pkt_error error;
        if (ask_write(c->type, c->how, c->base, value, data, size, &error) != 0)
            fail("%zu bytes are written into a buffer of %zu", c->size, size);
        check_error("short buffer", &error, "capacity");
        free(data);
    }
}

static void check_read(const replay *c, void *into, const void *want)
{
    uint8_t *data = copy_of(c->bytes, c->size);
    pkt_error error;
    ask_read(c->type, c->how, c->base, into, data, c->size, &error);
    if (error.code != PKT_OK)
        fail("refused for %s at bit %" PRIu64 " (%s)", pkt_code_name(error.code), error.bit, error.field);
    same_values(c->type->type, into, want);
    free(data);
}

/* Earlier contents of the struct must not matter for the value that is read. */
static void check_reads(const replay *c, const void *want)
{
    static const uint8_t noise[] = {0, 0xa5, 1, 0xff};
    void *fresh = base_value(c->type);
    check_read(c, fresh, want);
    check_read(c, fresh, want);
    for (size_t i = 0; i < sizeof noise; i++) {
        memset(fresh, noise[i], c->type->type->size);
        check_read(c, fresh, want);
    }
    check_read(c, c->used, want);
    free(fresh);
}

static void check_refused(const char *step, const replay *c, const uint8_t *bytes, size_t size, const char *reason,
                          pkt_error *error)
{
    uint8_t *data = copy_of(bytes, size);
    void *fresh = base_value(c->type);
    ask_read(c->type, c->how, c->base, fresh, data, size, error);
    if (error->code == PKT_OK)
        fail("%s: %zu bytes are accepted", step, size);
    check_sane(c->type->type, fresh);
    ask_read(c->type, c->how, c->base, c->used, data, size, error);
    check_sane(c->type->type, c->used);
    check_error(step, error, reason);
    free(fresh);
    free(data);
}

static void check_truncations(const replay *c)
{
    for (size_t size = 0; size < c->size; size++) {
        const bool has_crc = c->how.framed && size >= CRC_SIZE;
        pkt_error error;
        check_refused("truncation", c, c->bytes, size, has_crc ? "crc" : "end", &error);
        if (!has_crc)
            continue;
        uint8_t *resigned = copy_of(c->bytes, size);
        sign(c, resigned, size);
        check_refused("truncation with a right crc", c, resigned, size, "end", &error);
        free(resigned);
    }
}

static void check_measure(const replay *c, const void *value)
{
    const fuzz_type *t = c->type;
    const uint64_t start = c->how.framed ? CRC_BITS : 0, around = c->how.framed ? CRC_BITS + END_CHECK_BITS : 0;
    const uint64_t body = c->how.delta ? t->measure_delta(c->base, value, start) : t->measure(value, start);
    if ((body + around + 7) / 8 != c->size || (c->bits > 0 && body + around != c->bits))
        fail("%" PRIu64 " bits measured for %" PRIu64 " bits in %zu bytes", body + around, c->bits, c->size);
    if (body > (c->how.delta ? t->delta_max_bits : t->type->max_bits) || (!c->how.delta && body < t->type->min_bits))
        fail("%" PRIu64 " bits are outside the declared bounds", body);
}

/* T_equal and T_quantize must agree with what was sent. */
static void check_twins(const replay *c, const void *value, const void *read)
{
    if (!c->type->equal(value, value) || !c->type->equal(read, read))
        fail("a writable value does not equal itself");
    if (c->how.delta)
        return;
    if (!c->type->equal(value, read) || !c->type->equal(read, value))
        fail("the value does not equal what a reader sees of it");
    void *quantized = copy_of(value, c->type->type->size);
    c->type->quantize(quantized);
    same_values(c->type->type, quantized, read);
    free(quantized);
}

static void check_value(replay *c, const void *value, const void *read)
{
    check_measure(c, value);
    check_written(c, value);
    check_written(c, read);
    check_short_buffers(c, value);
    check_reads(c, read);
    check_truncations(c);
    check_twins(c, value, read);
    if (!c->type->pack_body || c->how.framed)
        return;
    c->how.by_stream = false;
    check_written(c, value);
    check_read(c, c->used, read);
}

/* The bit and the field of an error, where the record has them. */
static void check_place(const replay *c, const pkt_error *error)
{
    const char *bit = json_at(c->record, "bit"), *field = json_at(c->record, "field");
    if (bit && error->bit != json_count(bit))
        fail("refused at bit %" PRIu64 " (%s), not at bit %" PRIu64, error->bit, error->field, json_count(bit));
    if (field && !is_text(error->field, field + 1))
        fail("refused in %s, not in %.*s", error->field, (int)strcspn(field + 1, "\""), field + 1);
    if (prints_errors)
        printf("%" PRIu64 ": %s %" PRIu64 " %s\n", json_count(json_at(c->record, "line")), pkt_code_name(error->code),
               error->bit, error->field);
}

static void check_unwritable(const replay *c, const void *value, const char *reason)
{
    const size_t size = (size_t)((c->type->type->max_bits + 7) / 8) + sizeof(uint64_t);
    uint8_t *data = allocate(size);
    pkt_error error;
    if (ask_write(c->type, c->how, c->base, value, data, size, &error) != 0)
        fail("written, though it should be refused");
    check_error("write", &error, reason);
    check_place(c, &error);
    if (error.field[0] == '\0')
        fail("refused without the name of a field");
    if (c->type->equal(value, value))
        fail("an unwritable value equals itself");
    free(data);
}

static void check_refusal(const replay *c, const char *reason)
{
    pkt_error error;
    check_refused("read", c, c->bytes, c->size, reason, &error);
    check_place(c, &error);
}

/* ---- records */

/* Makes the value of a key; NULL if the record has none, or if C cannot express it: then *why says so. */
static void *value_of(const replay *c, const char *key, const char **why)
{
    const char *json = json_at(c->record, key);
    if (!json || *json == 'n')
        return NULL;
    void *v = base_value(c->type);
    const char *problem = put_json(c->type->type, v, json);
    if (problem)
        *why = problem;
    return v;
}

/* The baseline of a delta, or what a T_motion predicts from it and from the value before it. */
static void *base_of(const replay *c, const char **why)
{
    void *last = value_of(c, "base", why);
    if (!last || !c->type->predict || *why)
        return last;
    void *motion = allocate(c->type->motion_size), *before = value_of(c, "before", why);
    c->type->predict(last, before, (uint32_t)json_count(json_at(c->record, "back")),
                     (uint32_t)json_count(json_at(c->record, "gap")), motion);
    void *predicted = value_of(c, "predicted", why);
    c->type->expect(motion, last);
    if (predicted)
        same_values(c->type->type, last, predicted);
    free(predicted);
    free(before);
    free(last);
    return motion;
}

static void take_bytes(replay *c)
{
    const char *hex = json_at(c->record, "hex");
    c->size = hex ? strcspn(hex + 1, "\"") / 2 : 0;
    c->bytes = allocate(c->size);
    for (size_t i = 0; i < c->size; i++) {
        const char digits[] = {hex[1 + 2 * i], hex[2 + 2 * i], 0};
        c->bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

/* Returns NULL, or why C cannot express a value of the record. */
static const char *check_record(const char *record, const char *type)
{
    static void *used[MOST_TYPES];
    const size_t index = index_of(type);
    const char *why = NULL, *reason = json_at(record, "unwritable"), *refused = json_at(record, "refuse");
    replay c = {.type = &fuzz_types[index], .record = record};
    if (!used[index])
        used[index] = base_value(c.type);
    c.used = used[index];
    c.how = (manner){json_at(record, "id") != NULL, json_at(record, "base") != NULL, true};
    c.id = json_count(json_at(record, "id"));
    c.here_id = json_count(json_at(record, "here_id"));
    c.bits = json_count(json_at(record, "bits"));
    take_bytes(&c);
    if (c.how.framed && !reason)
        move_packet(&c);
    void *base = base_of(&c, &why), *value = value_of(&c, "value", &why), *read = value_of(&c, "read", &why);
    c.base = base;
    if (why)
        return why;
    if (refused)
        check_refusal(&c, refused + 1);
    else if (reason)
        check_unwritable(&c, value, reason + 1);
    else
        check_value(&c, value, read ? read : value);
    free(read);
    free(value);
    free(base);
    free(c.bytes);
    return NULL;
}

int main(int argc, char **argv)
{
    prints_errors = argc > 1 && strcmp(argv[1], "--errors") == 0;
    static char line[LONGEST], type[64];
    static unsigned passed, failures;
    while (fgets(line, sizeof line, stdin)) {
        const char *name = json_at(line, "type") + 1;
        snprintf(type, sizeof type, "%.*s", (int)strcspn(name, "\""), name);
        if (setjmp(failed) != 0) {
            printf("line %" PRIu64 ", of %s\n", json_count(json_at(line, "line")), type);
            failures++;
            continue;
        }
        const char *why = check_record(line, type);
        if (why)
            printf("line %" PRIu64 ": C cannot express the value: %s\n", json_count(json_at(line, "line")), why);
        passed += !why;
    }
    printf("[  PASSED  ] %u tests\n[  FAILED  ] %u tests\n", passed, failures);
    return failures != 0 || passed == 0;
}
