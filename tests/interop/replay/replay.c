/* replay.c - implements replay.h.
 * SPDX-License-Identifier: MIT
 *
 * A record can be for a value, a delta, a packet, or a delta of a packet. Only put and get tell these apart; the checks
 * that call them see bytes and values.
 */
#include "replay.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CRC_SIZE = 4, CRC_BITS = 32, END_CHECK_BITS = 32 };

/* ---- memory of exact size */

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory && size > 0)
        fail_msg("no memory");
    return memory;
}

static uint8_t *copy_of(const void *data, size_t size)
{
    uint8_t *copy = allocate(size);
    if (size > 0)
        memcpy(copy, data, size);
    return copy;
}

static void *base_value(const replay_type *type)
{
    void *v = allocate(type->size);
    type->base(v);
    return v;
}

/* ---- the objects of refs */

static char objects[4096];

void *replay_target(uint32_t id)
{
    return id > 0 && id < sizeof(objects) ? &objects[id] : NULL;
}

uint64_t replay_id(const void *target)
{
    for (uint32_t id = 0; id < sizeof(objects); id++)
        if (target == replay_target(id))
            return id;
    return UINT64_MAX;
}

static uint32_t id_of(void *user, uint32_t type, const void *target)
{
    (void)user, (void)type;
    return (uint32_t)replay_id(target);
}

static void *target_of(void *user, uint32_t type, uint32_t id)
{
    (void)user, (void)type;
    return replay_target(id);
}

static pkt_refs refs = {id_of, target_of, NULL, 0};

/* ---- the four forms of a record */

/* Returns the number of bytes written, or 0 on failure. */
static size_t put(const replay_case *c, const void *value, void *data, size_t size, pkt_error *error)
{
    const replay_type *type = c->type;
    memset(error, 0, sizeof(*error));
    if (c->packet)
        return c->delta ? type->pack_delta(c->base, value, data, size, error) : type->pack(value, data, size, error);
    pkt_writer w;
    size_t written;
    pkt_writer_init(&w, data, size);
    pkt_writer_set_refs(&w, &refs);
    bool good = c->delta ? type->write_delta(&w, c->base, value) : type->write(&w, value);
    if (good && c->bits > 0 && pkt_writer_bits(&w) != c->bits)
        fail_msg("%" PRIu64 " bits written, not %" PRIu64, pkt_writer_bits(&w), c->bits);
    if (pkt_writer_finish(&w, &written) != good)
        fail_msg("write and pkt_writer_finish disagree");
    if (good != (w.error.code == PKT_OK))
        fail_msg("write %s with the error %s", good ? "succeeds" : "fails", pkt_code_name(w.error.code));
    if (!good && written != 0)
        fail_msg("a failed finish gives %zu bytes", written);
    *error = w.error;
    return written;
}

static bool get(const replay_case *c, void *value, const void *data, size_t size, pkt_error *error)
{
    const replay_type *type = c->type;
    memset(error, 0, sizeof(*error));
    if (c->packet)
        return c->delta ? type->unpack_delta(c->base, value, data, size, error)
                        : type->unpack(value, data, size, error);
    pkt_reader r;
    pkt_reader_init(&r, data, size);
    pkt_reader_set_refs(&r, &refs);
    bool good = c->delta ? type->read_delta(&r, c->base, value) : type->read(&r, value);
    if (!good && r.error.code == PKT_OK)
        fail_msg("read fails without an error");
    good = pkt_reader_finish(&r);
    if (good != (r.error.code == PKT_OK))
        fail_msg("pkt_reader_finish %s with the error %s", good ? "succeeds" : "fails", pkt_code_name(r.error.code));
    *error = r.error;
    return good;
}

static uint64_t measured(const replay_case *c, const void *value)
{
    uint64_t start = c->packet ? CRC_BITS : 0;
    uint64_t body = c->delta ? c->type->measure_delta(c->base, value, start) : c->type->measure(value, start);
    return c->packet ? CRC_BITS + body + END_CHECK_BITS : body;
}

static size_t bytes_for(uint64_t bits)
{
    return (size_t)((bits + 7) / 8);
}

/* ---- the CRC of packets, independent of the runtime */

static uint32_t crc32_of(uint32_t crc, const uint8_t *data, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    return ~crc;
}

static uint32_t packet_crc(const replay_case *c, uint64_t id, const uint8_t *packet, size_t size)
{
    uint8_t prefix[8];
    for (unsigned i = 0; i < sizeof(prefix); i++)
        prefix[i] = (uint8_t)(id >> (8 * i));
    uint32_t crc = crc32_of(0, prefix, sizeof(prefix));
    crc = crc32_of(crc, (const uint8_t *)c->type->name, strlen(c->type->name));
    return crc32_of(crc, packet + CRC_SIZE, size - CRC_SIZE);
}

static uint32_t stored_crc(const uint8_t *packet)
{
    return (uint32_t)packet[0] | (uint32_t)packet[1] << 8 | (uint32_t)packet[2] << 16 | (uint32_t)packet[3] << 24;
}

static bool crc_right(const replay_case *c)
{
    return c->size >= CRC_SIZE && packet_crc(c, c->id, c->bytes, c->size) == stored_crc(c->bytes);
}

static void sign(const replay_case *c, uint8_t *packet, size_t size)
{
    uint32_t crc = packet_crc(c, c->type->id, packet, size);
    for (unsigned i = 0; i < CRC_SIZE; i++)
        packet[i] = (uint8_t)(crc >> (8 * i));
}

/* The record's bytes for the generated code: a CRC that is right for the record's protocol id is replaced by the one
 * for the generated id; a wrong one stays wrong. */
static uint8_t *bytes_of(const replay_case *c)
{
    uint8_t *bytes = copy_of(c->bytes, c->size);
    if (c->packet && crc_right(c))
        sign(c, bytes, c->size);
    else if (c->packet && c->size >= CRC_SIZE && packet_crc(c, c->type->id, bytes, c->size) == stored_crc(bytes))
        bytes[0] ^= 1;
    return bytes;
}

/* ---- checks */

static void check_error(const char *step, const pkt_error *error, pkt_code code)
{
    if (error->code != code)
        fail_msg("%s: refused for %s at bit %" PRIu64 " (%s), not for %s", step, pkt_code_name(error->code), error->bit,
                 error->field, pkt_code_name(code));
}

static void check_written(const replay_case *c, const void *value, const uint8_t *want)
{
    uint8_t *data = allocate(c->size);
    pkt_error error;
    size_t written = put(c, value, data, c->size, &error);
    if (written != c->size)
        fail_msg("%zu bytes written, not %zu (error %s at bit %" PRIu64 ", %s)", written, c->size,
                 pkt_code_name(error.code), error.bit, error.field);
    for (size_t i = 0; i < c->size; i++)
        if (data[i] != want[i])
            fail_msg("byte %zu is written as %02x, not %02x", i, data[i], want[i]);
    free(data);
}

static void check_short_buffers(const replay_case *c, const void *value)
{
    for (size_t size = 0; size < c->size; size++) {
        uint8_t *data = allocate(size);
        pkt_error error;
        if (put(c, value, data, size, &error) != 0)
            fail_msg("%zu bytes are written into a buffer of %zu", c->size, size);
        check_error("short buffer", &error, PKT_ERROR_CAPACITY);
        free(data);
    }
}

static void check_read(const replay_case *c, void *into, const uint8_t *bytes, const void *want)
{
    uint8_t *data = copy_of(bytes, c->size);
    pkt_error error;
    if (!get(c, into, data, c->size, &error))
        fail_msg("refused for %s at bit %" PRIu64 " (%s)", pkt_code_name(error.code), error.bit, error.field);
    c->type->same(into, want);
    free(data);
}

/* Earlier contents of the struct must not matter for the value that is read. */
static void check_reads(const replay_case *c, const uint8_t *bytes, const void *want)
{
    static const uint8_t noise[] = {0, 0xa5, 1, 0xff};
    void *fresh = base_value(c->type);
    check_read(c, fresh, bytes, want);
    check_read(c, fresh, bytes, want);
    for (size_t i = 0; i < sizeof noise; i++) {
        memset(fresh, noise[i], c->type->size);
        check_read(c, fresh, bytes, want);
    }
    check_read(c, c->type->used, bytes, want);
    free(fresh);
}

static void check_refused(const char *step, const replay_case *c, const uint8_t *bytes, size_t size, pkt_error *error)
{
    uint8_t *data = copy_of(bytes, size);
    void *fresh = base_value(c->type);
    if (get(c, fresh, data, size, error))
        fail_msg("%s: %zu bytes are accepted", step, size);
    c->type->sane(fresh);
    get(c, c->type->used, data, size, error);
    c->type->sane(c->type->used);
    free(fresh);
    free(data);
}

static void check_truncations(const replay_case *c, const uint8_t *bytes)
{
    for (size_t size = 0; size < c->size; size++) {
        pkt_error error;
        check_refused("truncation", c, bytes, size, &error);
        check_error("truncation", &error, c->packet && size >= CRC_SIZE ? PKT_ERROR_CRC : PKT_ERROR_END);
        if (!c->packet || size < CRC_SIZE)
            continue;
        uint8_t *resigned = copy_of(bytes, size);
        sign(c, resigned, size);
        check_refused("truncation with a right crc", c, resigned, size, &error);
        check_error("truncation with a right crc", &error, PKT_ERROR_END);
        free(resigned);
    }
}

static void check_measure(const replay_case *c, const void *value)
{
    uint64_t bits = measured(c, value);
    if (c->bits > 0 ? bits != c->bits : bytes_for(bits) != c->size)
        fail_msg("%" PRIu64 " bits measured for %" PRIu64 " bits in %zu bytes", bits, c->bits, c->size);
    uint64_t max = c->delta ? c->type->delta_max_bits : c->type->max_bits;
    uint64_t body = c->packet ? bits - CRC_BITS - END_CHECK_BITS : bits;
    if (body > max || (!c->delta && body < c->type->min_bits))
        fail_msg("%" PRIu64 " bits are outside the declared bounds", body);
}

/* T_equal and T_quantize must agree with what was sent. */
static void check_twins(const replay_case *c, const void *value, const void *read)
{
    if (!c->type->equal(value, value) || !c->type->equal(read, read))
        fail_msg("a writable value does not equal itself");
    if (c->delta)
        return;
    if (!c->type->equal(value, read) || !c->type->equal(read, value))
        fail_msg("the value does not equal what a reader sees of it");
    void *quantized = copy_of(value, c->type->size);
    c->type->quantize(quantized);
    c->type->same(quantized, read);
    free(quantized);
}

/* Tests a record of a packet's body with the functions for bodies. */
static void check_body(const replay_case *c, const void *value, const uint8_t *want, const void *read)
{
    pkt_error error;
    uint8_t *data = allocate(c->size);
    void *back = base_value(c->type);
    if (c->type->pack_body(value, data, c->size, &error) != c->size || error.code != PKT_OK)
        fail_msg("pack_body fails (error %s at bit %" PRIu64 ", %s)", pkt_code_name(error.code), error.bit,
                 error.field);
    if (c->size > 0 && memcmp(data, want, c->size) != 0)
        fail_msg("pack_body gives other bytes");
    if (!c->type->unpack_body(back, data, c->size, &error))
        fail_msg("unpack_body refuses for %s at bit %" PRIu64 " (%s)", pkt_code_name(error.code), error.bit,
                 error.field);
    c->type->same(back, read);
    free(back);
    free(data);
}

void replay_value(const replay_case *c, const void *value, const void *read)
{
    if (c->packet && !crc_right(c))
        fail_msg("the record's own crc is wrong");
    if (c->bits > 0 && bytes_for(c->bits) != c->size)
        fail_msg("the record's bits and bytes disagree");
    uint8_t *bytes = bytes_of(c);
    check_measure(c, value);
    check_written(c, value, bytes);
    check_written(c, read, bytes);
    check_short_buffers(c, value);
    check_reads(c, bytes, read);
    check_truncations(c, bytes);
    check_twins(c, value, read);
    if (c->type->pack_body && !c->packet && !c->delta)
        check_body(c, value, bytes, read);
    free(bytes);
}

void replay_unwritable(const replay_case *c, const void *value, pkt_code code)
{
    size_t size = bytes_for(c->type->max_bits) + sizeof(uint64_t);
    uint8_t *data = allocate(size);
    pkt_error error;
    if (put(c, value, data, size, &error) != 0)
        fail_msg("written, though it should be refused");
    check_error("write", &error, code);
    if (error.field[0] == '\0')
        fail_msg("refused without the name of a field");
    if (c->type->equal(value, value))
        fail_msg("an unwritable value equals itself");
    free(data);
}

void replay_refuse(const replay_case *c, pkt_code code, uint64_t bit)
{
    uint8_t *bytes = bytes_of(c);
    pkt_error error;
    check_refused("read", c, bytes, c->size, &error);
    check_error("read", &error, code);
    if (error.bit != bit)
        fail_msg("refused at bit %" PRIu64 " (%s), not at bit %" PRIu64, error.bit, error.field, bit);
    free(bytes);
}

void replay_init(const replay_type *type)
{
    void *v = allocate(type->size), *base = base_value(type);
    memset(v, 0xa5, type->size);
    type->init(v);
    type->sane(v);
    type->same(v, base);
    type->base(type->used);
    free(base);
    free(v);
}

/* ---- fields */

void same_unsigned(const char *field, uint64_t got, uint64_t want)
{
    if (got != want)
        fail_msg("%s is %" PRIu64 ", not %" PRIu64, field, got, want);
}

void same_signed(const char *field, int64_t got, int64_t want)
{
    if (got != want)
        fail_msg("%s is %" PRId64 ", not %" PRId64, field, got, want);
}

void same_float(const char *field, const float *got, const float *want)
{
    if (memcmp(got, want, sizeof(*got)) != 0)
        fail_msg("%s is %.9g (%a), not %.9g (%a)", field, (double)*got, (double)*got, (double)*want, (double)*want);
}

void same_double(const char *field, const double *got, const double *want)
{
    if (memcmp(got, want, sizeof(*got)) != 0)
        fail_msg("%s is %.17g (%a), not %.17g (%a)", field, *got, *got, *want, *want);
}

void same_text(const char *field, const char *got, const char *want, size_t room)
{
    sane_text(field, got, room);
    if (strcmp(got, want) != 0)
        fail_msg("%s is \"%s\", not \"%s\"", field, got, want);
}

void same_bytes(const char *field, const uint8_t *got, size_t got_size, const uint8_t *want, size_t want_size)
{
    if (got_size != want_size)
        fail_msg("%s has %zu bytes, not %zu", field, got_size, want_size);
    if (memcmp(got, want, want_size) != 0)
        fail_msg("%s has other bytes", field);
}

void sane_that(const char *field, bool holds)
{
    if (!holds)
        fail_msg("%s is out of its range after a read", field);
}

void sane_text(const char *field, const char *text, size_t room)
{
    if (!memchr(text, '\0', room))
        fail_msg("%s has no terminator", field);
}

void set_float(float *to, uint32_t bits)
{
    memcpy(to, &bits, sizeof(*to));
}

void set_double(double *to, uint64_t bits)
{
    memcpy(to, &bits, sizeof(*to));
}
