/* pkt_stream.h - the functions that programs call: streams, errors, frames, CRC-32, hashes, UTF-8, presence bits.
 * SPDX-License-Identifier: MIT
 *
 * Bit i of a stream is bit i % 8 of byte i / 8, where bit 0 is the least significant. A value is stored with its least
 * significant bit first. Positions are in bits from the start of the data. Sizes are in bytes, unless a comment says
 * bits.
 */
#ifndef PKT_STREAM_H
#define PKT_STREAM_H

#include "pkt_platform.h"

#include <string.h>

PKT_C_BEGIN

/* Stands for a number that a function cannot give: of bits, a code of a rotation, the id of a ref. All are less. */
#define PKT_FAILED UINT64_MAX

/* ---- Errors ---------------------------------------------------------------------------------------- */

/* Why writing or reading failed. pkt_code_name and code_text in pkt_stream.c have a case for each. */
typedef enum pkt_code {
    PKT_OK,
    PKT_ERROR_END,   /* reading: the data ends too early */
    PKT_ERROR_RANGE, /* a value, count, tag or index is out of range */
    PKT_ERROR_ORDER, /* indices or keys are not ascending, or a field is not greater than the one it has to come after */
    PKT_ERROR_PADDING,   /* reading: padding bits are not zero, before an aligned field or after the last one */
    PKT_ERROR_UTF8,      /* a text is not valid UTF-8, or contains a zero byte */
    PKT_ERROR_CHECK,     /* reading: a constant, a reserved field or a check has a wrong value */
    PKT_ERROR_CANONICAL, /* reading: the value is valid, but a writer would have encoded it in other bits */
    PKT_ERROR_TRAILING,  /* reading: whole bytes are left over at the end */
    PKT_ERROR_CRC,       /* reading: the packet is damaged, or of another protocol, seed or baseline */
    PKT_ERROR_CAPACITY,  /* writing: the buffer is full, or there is no memory to enlarge it */
    PKT_ERROR_VALUE,     /* writing: the value has no encoding, for example NaN in a quantized float */
    PKT_ERROR_BASELINE   /* the baseline of a delta is missing or invalid, or has another number than is named */
} pkt_code;

/* Bytes for the name of a field, including the terminator. */
enum { PKT_FIELD_SIZE = 160 };

typedef struct pkt_error {
    pkt_code code;
    uint64_t bit;               /* position of the item that failed, in bits from the start of the data */
    char field[PKT_FIELD_SIZE]; /* its full name, such as "Snapshot.bodies[17].x"; empty if no field is to blame */
} pkt_error;

/* An element of an array with @fit: element i of x in T is T_FIT_x + i. */
typedef struct pkt_element {
    uint32_t number;
    float priority; /* for the program to sort by: T_fit_... moves it with the number, and does not look at it */
    uint32_t slot;  /* likewise: of the element in the program's tables, such as its key. See pkt_turns */
} pkt_element;

/* What T_fit_... did with the elements of an order. kept + left_out + invalid + absent is how many there were, if it
 * returned true. */
typedef struct pkt_fit_report {
    uint32_t kept;     /* elements that are sent, or equal the baseline's: the new *count */
    uint32_t left_out; /* elements for which there is no room */
    uint32_t invalid; /* elements that cannot be written, whatever the room: order[kept] to order[kept + invalid - 1] */
    uint32_t absent;  /* numbers that stand for nothing: no element has them, or the value does not have the element */
    uint32_t cut;     /* of a packet with parts: its own arrays that end before an element that cannot be written. These
                        * elements have no number in the order */
    /* Of the first element that cannot be written: its field, such as "World.karts[3].lap", and why. Its bit is counted
     * from the start of the element. Those of arrays that were cut come first. If T_fit_... returned false: why. Otherwise
     * PKT_OK. */
    pkt_error error;
} pkt_fit_report;

/* The code as one word: "end", "range", "order", "padding", "utf8", "check", "canonical", "trailing", "crc", "capacity",
 * "value" or "baseline"; "ok" for PKT_OK, "unknown" for a number that is not a code. A constant string, never NULL. */
PKT_API const char *pkt_code_name(pkt_code code);

/* Writes one line about the error, without a newline:
 *     Snapshot.bodies[17].x: value out of range at bit 133 (range)
 * The text is cut to fit into size bytes, including the terminator; 256 bytes are enough for every error. Returns
 * buffer. If size is 0, buffer may be NULL, nothing is written, and the result is "". */
PKT_API PKT_COLD const char *pkt_error_string(const pkt_error *error, char *buffer, size_t size);

/* Prepends "outer." to the name of the field; if there is no name yet, outer becomes the name. The functions for nested
 * types fail from the inside out, and each adds its part of the name like this. If the name does not fit, it begins
 * with "..." and keeps its end. Does nothing if outer is NULL or "". */
PKT_API PKT_COLD void pkt_error_outer(pkt_error *error, const char *outer);
/* The same with the first `length` characters of outer. */
PKT_API PKT_COLD void pkt_error_outer_part(pkt_error *error, const char *outer, size_t length);

/* Says which element of an array failed: inserts its index after the outermost part of the name, so that "bodies.x"
 * becomes "bodies[17].x". For an array of arrays, call it for the innermost index first. Does nothing if there is no
 * name, or if the outermost part has been cut. */
PKT_API PKT_COLD void pkt_error_element(pkt_error *error, uint64_t index);
/* Appends to the name, which also begins with "..." if it does not fit. */
PKT_API PKT_COLD void pkt_error_ending(pkt_error *error, const char *ending);

/* ---- Refs ------------------------------------------------------------------------------------------ */

/* A `ref` field is a pointer in C and an id on the wire. The program says which id stands for which object with these
 * two callbacks. Pass a pkt_refs to pkt_writer_set_refs and pkt_reader_set_refs, or to the functions of a packet that
 * end in _refs. One pkt_refs may serve any number of streams, one after another. If id_of is NULL, only NULL can be
 * written. If target_of is NULL, every ref reads as NULL.
 *
 * `type` says what kind of object the ref points to. For ref<Player, MAX> it is the constant Player_REF of the
 * generated header. */
typedef struct pkt_refs {
    /* Returns the id of target, from 1 to the field's MAX, or 0 to send NULL, for an object without an id. Any other
     * number fails with PKT_ERROR_RANGE. target is never NULL. */
    uint32_t (*id_of)(void *user, uint32_t type, const void *target);
    /* Returns a pointer to the object with this id, which is from 1 to the field's MAX, or NULL if there is none. */
    void *(*target_of)(void *user, uint32_t type, uint32_t id);
    void *user; /* passed to both callbacks */
    /* The number of ids for which target_of returned NULL, including those in data that was rejected later. If it has
     * risen, a program can read the same bytes again when it knows more objects. The program may reset it to 0. */
    uint64_t unknown;
} pkt_refs;

/* ---- Writing --------------------------------------------------------------------------------------- */

/* A stream that is being written. Programs call the functions below and may read `error`; the other members are for
 * generated code. After each write, all bits before `bit` are stored in data, and the unused high bits of the last byte
 * are zero. A write may store anything into bytes after that one, up to the limit.
 *
 * After a failure error.code is not PKT_OK, and limit is 0. So the bounds check that every write makes anyway fails,
 * and writes need no separate check for an earlier error. */
struct pkt_coding;
struct pkt_delta_part;

typedef struct pkt_writer {
    uint8_t *data;
    uint64_t bit;   /* position: bits written so far */
    uint64_t limit; /* size of data in bits; 0 after a failure */
    uint64_t carry; /* the bit % 8 bits of the last byte, if it is not complete; else 0 */
    bool grows;     /* data was allocated by pkt_writer_grow; pkt_writer_free frees it */
    bool terse;     /* failures are not explained: see pkt_writer_set_terse */
    uint8_t kept;   /* in a frame: 32 bits of data that are kept for the end check, and are in neither limit nor room */
    bool framed;    /* pkt_writer_frame_begin was called */
    uint64_t room;  /* size of data in bits, also after a failure */
    pkt_refs *refs;
    struct pkt_coding *coding;         /* for coded deltas, while one is written */
    const struct pkt_delta_part *part; /* a part with `else start`, while it is written; else NULL */
    pkt_error error;
} pkt_writer;

/* The size of a buffer in bits. 0 if data is NULL, or if size is over PTRDIFF_MAX, usually a negative number converted
 * to size_t. The multiplication can only wrap for sizes that exceed all memory, and then gives too few bits. */
PKT_INLINE uint64_t pkt_size_bits(const void *data, size_t size)
{
    if (PKT_UNLIKELY(!data || size > (size_t)PTRDIFF_MAX))
        return 0;
    return 8 * (uint64_t)size;
}

/* A position to which a writer can return: see pkt_writer_mark. */
typedef struct pkt_mark {
    uint64_t bit, carry;
    pkt_code code;
} pkt_mark;

/* Starts writing into the size bytes at data, and writes nothing yet. The buffer belongs to the caller, needs no
 * alignment, and must exist as long as the writer is used. A NULL buffer and a size over PTRDIFF_MAX, such as a
 * converted negative number, count as an empty buffer. */
PKT_INLINE void pkt_writer_init(pkt_writer *w, void *data, size_t size)
{
    w->data = (uint8_t *)data;
    w->bit = 0;
    w->limit = pkt_size_bits(data, size);
    w->carry = 0;
    w->grows = false;
    w->terse = false;
    w->kept = 0;
    w->framed = false;
    w->room = w->limit;
    w->refs = NULL;
    w->part = NULL;
    w->error.code = PKT_OK;
    w->error.bit = 0;
    w->error.field[0] = 0;
}

/* Starts writing into memory that the writer allocates, and enlarges when it is full. The data is at w->data. Every
 * write may move it. Call pkt_writer_free to free it. */
PKT_API void pkt_writer_grow_init(pkt_writer *w);

/* Frees the memory of a growing writer, whether it has failed or not, and leaves it empty, as after
 * pkt_writer_grow_init. Does nothing if the buffer belongs to the caller. */
PKT_API void pkt_writer_free(pkt_writer *w);

/* Makes room for this many more bits. If the memory has to grow, it at least doubles, and data and limit change.
 * Returns false, and changes nothing, if the writer cannot grow, has failed, or there is no memory; the caller then
 * reports PKT_ERROR_CAPACITY. */
PKT_API PKT_COLD bool pkt_writer_grow(pkt_writer *w, uint64_t bits);

/* Ends writing: stores in *size the number of bytes written, where unused bits of the last byte are zero. Returns false
 * and stores 0 if anything has failed. Writing may go on afterwards, at the same bit. */
PKT_INLINE bool pkt_writer_finish(pkt_writer *w, size_t *size)
{
    bool ok = w->error.code == PKT_OK;
    *size = ok ? (size_t)((w->bit + 7) / 8) : 0;
    return ok;
}

/* Sets the callbacks for the refs written from here on. *refs belongs to the caller and must exist as long as the
 * writer is used. With NULL, the initial setting, only NULL can be written: other pointers fail with
 * PKT_ERROR_VALUE. */
PKT_INLINE void pkt_writer_set_refs(pkt_writer *w, pkt_refs *refs)
{
    w->refs = refs;
}

/* With true, writing does not find out why a value cannot be written, which takes several times as long as writing it.
 * For a program that writes until something does not fit, and rewinds: a write that fails then costs no more than one
 * that does not. The error is PKT_ERROR_CAPACITY where the value begins, without a field, even if the value could not
 * be written into any buffer. pkt_writer_init sets false. A growing writer fails only if something is wrong, and always
 * finds out what. */
PKT_INLINE void pkt_writer_set_terse(pkt_writer *w, bool terse)
{
    w->terse = terse;
}

/* The number of bits written; after a failure, those before it. */
PKT_INLINE uint64_t pkt_writer_bits(const pkt_writer *w)
{
    return w->bit;
}

/* The number of bits that still fit; for a growing writer, before it has to grow. 0 after a failure. */
PKT_INLINE uint64_t pkt_writer_bits_left(const pkt_writer *w)
{
    return w->bit < w->limit ? w->limit - w->bit : 0;
}

/* Saves the position, for pkt_writer_rewind on the same writer. The mark is valid until the writer is initialized
 * again, freed, or rewound to an earlier mark. */
PKT_API pkt_mark pkt_writer_mark(const pkt_writer *w);

/* Goes back to the mark: removes what was written since, and clears a failure that happened since. Memory that a
 * growing writer has gained remains. Does nothing if the writer had already failed at the mark, or if the mark is after
 * the current position. */
PKT_API void pkt_writer_rewind(pkt_writer *w, pkt_mark mark);

/* Makes the writer fail with this code. The first failure counts: if it has failed before, nothing changes. bit is the
 * position of the item that failed. field is its name, in the form that pkt_error_outer takes, or NULL. */
PKT_API PKT_COLD void pkt_fail_writer(pkt_writer *w, pkt_code code, uint64_t bit, const char *field);

/* ---- Reading --------------------------------------------------------------------------------------- */

/* A stream that is being read. Programs call the functions below and may read `error`; the other members are for
 * generated code. Bytes from limit / 8 on are never read. After a failure limit is 0, as for a writer. */
typedef struct pkt_reader {
    const uint8_t *data;
    uint64_t bit;   /* position: bits read so far */
    uint64_t limit; /* size of data in bits; 0 after a failure */
    pkt_refs *refs;
    struct pkt_coding *coding;         /* for coded deltas, while one is read */
    const struct pkt_delta_part *part; /* a part with `else start`, while it is read; else NULL */
    bool changed;                      /* the last delta that was read changed something */
    bool terse;                        /* failures are not explained: see pkt_reader_set_terse */
    uint8_t kept; /* in a frame: 32 bits of data that are the end check or come after it, and are not in limit */
    pkt_error error;
} pkt_reader;

/* A position to which a reader can return: see pkt_reader_mark. */
typedef struct pkt_read_mark {
    uint64_t bit, limit;
    uint8_t kept;
    pkt_code code;
} pkt_read_mark;

/* Internal: an address for readers without data, since arithmetic on NULL is undefined; and the uncommon cases of
 * pkt_reader_finish. */
PKT_API extern const uint8_t pkt_nothing[1];
PKT_API bool pkt_reader_left_over(pkt_reader *r);

/* Starts reading the size bytes at data. They belong to the caller, need no alignment, are not copied, and must not
 * change while they are read. As for a writer, NULL and a size over PTRDIFF_MAX count as an empty buffer. */
PKT_INLINE void pkt_reader_init(pkt_reader *r, const void *data, size_t size)
{
    r->data = data ? (const uint8_t *)data : pkt_nothing;
    r->bit = 0;
    r->limit = pkt_size_bits(data, size);
    r->refs = NULL;
    r->part = NULL;
    r->changed = false;
    r->terse = false;
    r->kept = 0;
    r->error.code = PKT_OK;
    r->error.bit = 0;
    r->error.field[0] = 0;
}

/* Ends reading. Returns true if nothing has failed, no whole byte is left, and the unused bits of the last byte are
 * zero. Returns false otherwise. Then, unless something had failed before, the error is PKT_ERROR_TRAILING or
 * PKT_ERROR_PADDING at the first bit that is left, without a field. */
PKT_INLINE bool pkt_reader_finish(pkt_reader *r)
{
    if (r->bit == r->limit && r->error.code == PKT_OK)
        return true;
    return pkt_reader_left_over(r);
}

/* Sets the callbacks for the refs read from here on. *refs belongs to the caller and must exist as long as the reader
 * is used. With NULL, the initial setting, every ref reads as NULL. */
PKT_INLINE void pkt_reader_set_refs(pkt_reader *r, pkt_refs *refs)
{
    r->refs = refs;
}

/* With true, reading does not find out why data is refused, which takes several times as long as reading it. For data
 * from strangers: to refuse it then costs no more than to accept it. The error is PKT_ERROR_END where the value begins,
 * without a field, whatever is wrong. pkt_reader_init sets false. */
PKT_INLINE void pkt_reader_set_terse(pkt_reader *r, bool terse)
{
    r->terse = terse;
}

/* The number of bits read; after a failure, those before it. */
PKT_INLINE uint64_t pkt_reader_bits(const pkt_reader *r)
{
    return r->bit;
}

/* The number of bits not read yet, including unused bits of the last byte. 0 after a failure. */
PKT_INLINE uint64_t pkt_reader_bits_left(const pkt_reader *r)
{
    return r->bit < r->limit ? r->limit - r->bit : 0;
}

/* Saves the position, for pkt_reader_rewind on the same reader. */
PKT_API pkt_read_mark pkt_reader_mark(const pkt_reader *r);

/* Goes back to the mark, and clears a failure that happened since: to look ahead, or to try whether the next bits are a
 * value of one type, and then of another. Does nothing if the reader had already failed at the mark. */
PKT_API void pkt_reader_rewind(pkt_reader *r, pkt_read_mark mark);

/* Like pkt_fail_writer. */
PKT_API PKT_COLD void pkt_fail_reader(pkt_reader *r, pkt_code code, uint64_t bit, const char *field);

/* ---- Frames ---------------------------------------------------------------------------------------- */

/* A frame around what the program writes to a stream itself, such as a header, a delta and some messages in one
 * datagram. It is what T_pack puts around a single value: a checksum of 32 bits at the start, and at the end an end
 * check of 32 bits and zeros up to the next byte. The checksum covers the protocol id, the name of the frame, and a
 * seed, which are not sent, and everything that follows it. In the order of the calls:
 *
 *     static const pkt_frame update = mygame_PROTOCOL_FRAME("Update");
 *
 *     pkt_writer_init(&w, data, sizeof data);
 *     pkt_writer_frame_begin(&w, &update);
 *     Header_write(&w, &header);
 *     State_write_delta(&w, baseline, &state);
 *     size = pkt_writer_frame_end(&w, &update, seed);
 *
 *     pkt_reader_init(&r, data, size);
 *     if (pkt_reader_frame_begin(&r, &update, seed) && Header_read(&r, &header) &&
 *         State_read_delta(&r, baseline, &state) && pkt_reader_frame_end(&r, &update)) ...
 *
 * The seed is a number that both sides have and do not send, such as the hash of the baseline: a reader that has
 * another one refuses the frame. 0 stands for no seed. A seed guards against mistakes, not against an attacker, who can
 * find it out from a few packets. */
typedef struct pkt_frame {
    uint64_t protocol_id;
    const char *name; /* says what is in the frame; as text in UTF-8, not NULL */
    bool end_check;   /* false with --no-checks */
} pkt_frame;

/* Begins a frame at the start of the writer's data: discards what was written before and clears a failure. So a growing
 * writer can be used for one frame after the other. Bits up to pkt_writer_bits_left are for the program; the end check
 * has room of its own, so that pkt_writer_frame_end cannot fail for lack of room. Marks that are made after this call
 * can be rewound to. Returns false, and the writer has failed, if there is not even room for an empty frame. */
PKT_API bool pkt_writer_frame_begin(pkt_writer *w, const pkt_frame *frame);

/* Ends the frame, and returns its size in bytes; 0 if the writer has failed. To write on instead, and end the frame
 * once more, rewind to a mark inside it. PKT_ERROR_VALUE if no frame was begun; a growing writer may also fail with
 * PKT_ERROR_CAPACITY, if there is no memory. */
PKT_API size_t pkt_writer_frame_end(pkt_writer *w, const pkt_frame *frame, uint64_t seed);

/* Begins to read a frame, which is all of the reader's data: checks the checksum before anything is read, and continues
 * after it, wherever the reader was before. Returns false, and the reader has failed: with PKT_ERROR_CRC if the data is
 * damaged, or not a frame of this protocol, name and seed; with PKT_ERROR_END if it is too short.
 *
 * pkt_reader_bits_left then counts the bits before the end check, plus up to 7 that are padding. Items of 8 bits or
 * more, as many as there are, can be read while 8 bits are left. */
PKT_API bool pkt_reader_frame_begin(pkt_reader *r, const pkt_frame *frame, uint64_t seed);

/* Continues after the checksum without checking it: to read first the item that tells the right seed, such as the
 * number of the baseline. Do not trust it. With the seed, call pkt_reader_frame_begin, and read everything again. */
PKT_API bool pkt_reader_frame_peek(pkt_reader *r, const pkt_frame *frame);

/* Ends reading: returns true if nothing has failed, the end check is right, and nothing is left but zeros up to the
 * next byte. If not, the reader has failed. */
PKT_API bool pkt_reader_frame_end(pkt_reader *r, const pkt_frame *frame);

/* ---- CRC-32 ---------------------------------------------------------------------------------------- */

/* The CRC-32 of Ethernet, zlib and PNG (reflected polynomial 0xEDB88320). crc is 0, or the CRC of the data before: the
 * CRC of a followed by b is pkt_crc32(pkt_crc32(0, a, a_size), b, b_size). If size is 0, data may be NULL. A CRC
 * detects accidental damage. It does not stop an attacker, who can compute it too. */
PKT_API uint32_t pkt_crc32(uint32_t crc, const void *data, size_t size);

/* ---- Values ---------------------------------------------------------------------------------------- */

/* Internal: T_equal and T_quantize, and whether each `after` in a value is greater than its start. pkt_type.h has
 * pkt_type. */
typedef struct pkt_type pkt_type;
PKT_API bool pkt_value_equal(const pkt_type *type, const void *a, const void *b);
PKT_API bool pkt_value_in_order(const pkt_type *type, const void *v);
PKT_API void pkt_value_settle(const pkt_type *type, void *v);

/* ---- Hashes ---------------------------------------------------------------------------------------- */

/* A hash of size bytes, the same on every machine and never 0: of each word of 8 bytes the multiplication of D. Knuth, The Art of
 * Computer Programming, volume 3, 6.4. If size is 0, data may be NULL. T_hash of generated code is the hash of what T_write
 * writes to an empty stream. It finds mistakes; it does not stop an attacker, who can make another value of the same hash. */
PKT_API uint64_t pkt_hash(const void *data, size_t size);

/* Internal: T_hash. data: room for the greatest value. 0 if the value cannot be written. */
PKT_API uint64_t pkt_hash_value(const void *v, bool (*write)(pkt_writer *w, const void *v), void *data, size_t size,
                                pkt_refs *refs);

/* ---- Text ------------------------------------------------------------------------------------------ */

/* True if the size bytes at s are well-formed UTF-8 (RFC 3629) without zero bytes: no overlong forms, no surrogates, no
 * code points above U+10FFFF, no incomplete sequences. Reads only these bytes. If size is 0, s may be NULL. */
PKT_API bool pkt_text_valid(const uint8_t *s, size_t size);

/* Copies size bytes, and makes the same check on them. `to` has room for size bytes and does not overlap `from`. Adds
 * no terminator. If the result is false, the bytes in `to` are unspecified. */
PKT_API bool pkt_text_copy(char *to, const uint8_t *from, size_t size);

/* Copies the text at `from`, which ends with a zero byte, into a text of `size` bytes, which is to have a zero byte too:
 *
 *     pkt_text_set(player.name, sizeof player.name, name);
 *
 * Copies whole characters, up to the first one that does not fit, or the first byte that begins no well-formed one (as in
 * pkt_text_valid). So whatever `from` holds, the result can be written. Returns true if all of `from` was copied. Reads
 * at most `size` bytes. If size is 0, stores nothing and returns false. The two do not overlap. */
PKT_API PKT_COLD bool pkt_text_set(char *to, size_t size, const char *from);

/* ---- Presence bits --------------------------------------------------------------------------------- */

/* A bitmap of the present elements of a sparse array of n: element i is bit i % 64 of word i / 64. Generated code has
 * functions for each array that call these. An index of n or more is never present, and adding it returns false. */
PKT_INLINE bool pkt_present_has(const uint64_t *present, const uint32_t n, uint32_t i)
{
    return i < n && (present[i / 64] >> i % 64 & 1) != 0;
}

/* The first element at or after `from` that is present, or n if there is none. The number of elements present. */
PKT_API uint32_t pkt_present_next(const uint64_t *present, uint32_t n, uint32_t from);
PKT_API uint32_t pkt_present_count(const uint64_t *present, uint32_t n);

/* At most `limit` elements can be present. If that is fewer than n, those that are present are counted. */
PKT_INLINE bool pkt_present_set(uint64_t *present, const uint32_t n, const uint32_t limit, uint32_t i)
{
    if (i >= n)
        return false;
    if (limit < n && !pkt_present_has(present, n, i) && pkt_present_count(present, n) >= limit)
        return false;
    present[i / 64] |= UINT64_C(1) << i % 64;
    return true;
}

PKT_INLINE void pkt_present_clear(uint64_t *present, const uint32_t n, uint32_t i)
{
    if (i < n)
        present[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* ---- Types of fields ------------------------------------------------------------------------------- */

typedef struct pkt_quat {
    float x, y, z, w;
} pkt_quat;

typedef struct pkt_vec3 {
    float x, y, z;
} pkt_vec3;

/* The base values of rotations and directions: no rotation, and the z axis. */
PKT_INLINE pkt_quat pkt_quat_identity(void)
{
    pkt_quat q;
    q.x = q.y = q.z = 0.0f;
    q.w = 1.0f;
    return q;
}

PKT_INLINE pkt_vec3 pkt_vec3_z(void)
{
    pkt_vec3 v;
    v.x = v.y = 0.0f;
    v.z = 1.0f;
    return v;
}

PKT_C_END

#endif
