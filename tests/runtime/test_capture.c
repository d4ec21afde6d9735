/* test_capture.c - tests pkt_capture: known bytes, what libpcap reads of it, files that end anywhere, threads.
 * SPDX-License-Identifier: MIT
 */
#define PKT_WITH_CAPTURE
#include "pkt.h"
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAS_PCAP
/* What pcap.h uses and POSIX does not have. */
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
#include <pcap.h>
#endif

static const uint8_t local_v4[] = {192, 0, 2, 1}, peer_v4[] = {198, 51, 100, 7};
static const uint8_t local_v6[] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
static const uint8_t peer_v6[] = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

/* A file in memory, which may be full after some bytes. */
typedef struct memory {
    uint8_t *bytes;
    size_t size, room;
    unsigned writes;
} memory;

static bool to_memory(void *user, const void *data, size_t size)
{
    memory *m = user;
    const size_t left = m->room - m->size, part = size < left ? size : left;
    memcpy(m->bytes + m->size, data, part);
    m->size += part;
    m->writes++;
    return part == size;
}

static memory memory_of(size_t room)
{
    memory m = {.bytes = malloc(room), .room = room};
    assert_non_null(m.bytes);
    return m;
}

static pkt_capture begun(memory *m, const char *const *schema)
{
    pkt_capture c;
    pkt_endpoint local = pkt_endpoint_of(local_v4, sizeof local_v4, 40000);
    assert_true(pkt_capture_begin(&c, to_memory, m, &local, &schema, schema != NULL));
    return c;
}

TEST(known_bytes)
{
    static const char *const schema[] = {"protocol p = 1;\n", NULL};
    static const uint8_t expected[] = {
        /* section: type, size, order of bytes, version, size of the section; size */
        0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 28, 0, 0, 0,
        /* interface: type, size, link type 113, packets of any size; a comment; the name; times are in 10^-9 s; the end; size */
        1, 0, 0, 0, 72, 0, 0, 0, 113, 0, 0, 0, 0, 0, 0, 0, 1, 0, 16, 0, 'p', 'r', 'o', 't', 'o', 'c', 'o', 'l', ' ',
        'p', ' ', '=', ' ', '1', ';', '\n', 2, 0, 13, 0, 'p', 'k', 't', 'c', ' ', '2', '6', 'b', '7', '7', 'd', '7',
        '2', 0, 0, 0, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 72, 0, 0, 0,
        /* packet: type, size, interface, time, captured and whole size */
        6, 0, 0, 0, 92, 0, 0, 0, 0, 0, 0, 0, 0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06, 0x05, 47, 0, 0, 0, 47, 0, 0, 0,
        /* cooked: sent by us, no link layer, no address, IPv4 */
        0, 4, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0,
        /* IPv4 of 31 bytes with its checksum */
        0x45, 0, 0, 31, 0, 0, 0x40, 0, 64, 17, 0x4e, 0x92, 192, 0, 2, 1, 198, 51, 100, 7,
        /* UDP from 40000 to 50000, 11 bytes, its checksum; the packet; a byte of padding */
        0x9c, 0x40, 0xc3, 0x50, 0, 11, 0xef, 0xa7, 'a', 'b', 'c', 0,
        /* direction: outbound; the end; size */
        2, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0, 92, 0, 0, 0};
    memory m = memory_of(1000);
    pkt_capture c = begun(&m, schema);
    pkt_endpoint peer = pkt_endpoint_of(peer_v4, sizeof peer_v4, 50000);
    assert_true(pkt_capture_packet(&c, UINT64_C(0x0102030405060708), PKT_SENT, &peer, "abc", 3));
    assert_int_equal(m.size, sizeof expected);
    assert_memory_equal(m.bytes, expected, sizeof expected);
    assert_int_equal(m.writes, 2);
    free(m.bytes);
}

/* A checksum of 0 would mean that there is none, so 0xFFFF stands for it. Data that are the checksum of two zeros make it 0. */
/* A session is a packet of protocol 253 from this program to the peer. */
TEST(known_bytes_of_a_session)
{
    static const uint8_t expected[] = {
        /* packet: type, size, interface, time, captured and whole size */
        6, 0, 0, 0, 108, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 64, 0, 0, 0, 64, 0, 0, 0,
        /* cooked: sent by us, no link layer, no address, IPv4 */
        0, 4, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0,
        /* IPv4 of 48 bytes with its checksum */
        0x45, 0, 0, 48, 0, 0, 0x40, 0, 64, 253, 0x4d, 0x95, 192, 0, 2, 1, 198, 51, 100, 7,
        /* the mark; 40000 and 50000; the seed; the protocol id */
        'p', 'k', 't', ' ', 's', 'e', 'e', 'd', 0x9c, 0x40, 0xc3, 0x50, 1, 2, 3, 4, 5, 6, 7, 8, 0xa0, 0xca, 0xcf, 0xb0,
        0xf4, 0xee, 0xd7, 0x63,
        /* direction: outbound; the end; size */
        2, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0, 108, 0, 0, 0};
    memory m = memory_of(1000);
    pkt_capture c = begun(&m, NULL);
    pkt_endpoint peer = pkt_endpoint_of(peer_v4, sizeof peer_v4, 50000);
    const size_t before = m.size;
    m.writes = 0;
    assert_true(pkt_capture_session(&c, 9, &peer, UINT64_C(0x0102030405060708), UINT64_C(0xa0cacfb0f4eed763)));
    assert_int_equal(m.writes, 1);
    assert_int_equal(m.size - before, sizeof expected);
    assert_memory_equal(m.bytes + before, expected, sizeof expected);
    m.room = m.size + 107;
    assert_false(pkt_capture_session(&c, 9, &peer, 1, 2));
    free(m.bytes);
}

TEST(checksums_of_zero)
{
    enum { CHECKSUM = 28 + 16 + 20 + 6, DATA = CHECKSUM + 2 }; /* in the block: after cooked and IPv4 headers */
    memory m = memory_of(1000);
    pkt_capture c = begun(&m, NULL);
    pkt_endpoint peer = pkt_endpoint_of(peer_v4, sizeof peer_v4, 50000);
    const uint8_t *block = m.bytes + m.size;
    uint8_t data[2] = {0, 0};
    assert_true(pkt_capture_packet(&c, 0, PKT_SENT, &peer, data, sizeof data));
    memcpy(data, block + CHECKSUM, 2);
    block = m.bytes + m.size;
    assert_true(pkt_capture_packet(&c, 0, PKT_SENT, &peer, data, sizeof data));
    assert_memory_equal(block + DATA, data, 2);
    assert_memory_equal(block + CHECKSUM, ((const uint8_t[]){0xFF, 0xFF}), 2);
    free(m.bytes);
}

/* More than UDP has is refused, and nothing is written. A full disk stops the recording. */
TEST(refusals)
{
    static uint8_t data[PKT_CAPTURE_MOST + 1];
    memory m = memory_of(70000);
    pkt_capture c = begun(&m, NULL);
    pkt_endpoint peer = pkt_endpoint_of(peer_v4, sizeof peer_v4, 50000);
    const size_t before = m.size;
    assert_false(pkt_capture_packet(&c, 0, PKT_SENT, &peer, data, sizeof data));
    assert_int_equal(m.size, before);
    assert_true(pkt_capture_packet(&c, 0, PKT_SENT, &peer, data, sizeof data - 1));
    free(m.bytes);

    FILE *full = fopen("/dev/full", "wb");
    if (!full)
        return;
    assert_false(pkt_capture_begin(&c, pkt_capture_to_file, full, &peer, NULL, 0));
    assert_false(pkt_capture_packet(&c, 0, PKT_SENT, &peer, data, 10));
    assert_false(pkt_capture_packet(&c, 0, PKT_SENT, &peer, data, 5000));
    fclose(full);
}

/* What is before the schemas: the block of the section, and the fields of the interface. After them come its name and its
 * unit of time. */
enum { SECTION_BYTES = 28, BEFORE_SCHEMAS = SECTION_BYTES + 16, AFTER_SCHEMAS = 20 + 8 + 4 };

/* The comments from `at` on are these bytes: each with at most 65,532 of them, and each but the last with more than 63,000, by
 * which readers know that the schema goes on. None begins inside of a character, and none but the first with a schema's first
 * word. Returns what follows them. */
static const uint8_t *check_comments(const uint8_t *at, const uint8_t *end, const char *wanted)
{
    const size_t whole = strlen(wanted);
    size_t done = 0;
    while (at[0] == 1 && at[1] == 0) {
        size_t size = (size_t)(at[2] | at[3] << 8);
        at += 4;
        assert_true(size <= 65532 && size <= whole - done && (size > 63000 || size == whole - done));
        assert_memory_equal(at, wanted + done, size);
        assert_true((wanted[done] & 0xC0) != 0x80 && (done == 0 || strncmp(wanted + done, "protocol ", 9) != 0));
        done += size;
        for (at += size; size % 4 != 0; size++)
            assert_int_equal(*at++, 0);
        assert_true(at < end);
    }
    assert_int_equal(done, whole);
    return at;
}

/* Texts of these lengths. */
static const char **texts_of(const size_t *lengths, size_t count)
{
    const char **schema = calloc(count + 1, sizeof *schema);
    assert_non_null(schema);
    for (size_t i = 0; i < count; i++) {
        char *text = malloc(lengths[i] + 1);
        assert_non_null(text);
        for (size_t k = 0; k < lengths[i]; k++)
            text[k] = (char)('!' + (i * 31 + k * 7) % 90);
        text[lengths[i]] = '\0';
        schema[i] = text;
    }
    return schema;
}

static char *joined(const char *const *schema)
{
    size_t size = 1;
    for (const char *const *text = schema; *text; text++)
        size += strlen(*text);
    char *whole = calloc(size, 1);
    assert_non_null(whole);
    for (; *schema; schema++)
        strcat(whole, *schema);
    return whole;
}

static void check_texts(const char *const *schema)
{
    memory m = memory_of(300000);
    char *whole = joined(schema);
    begun(&m, schema);
    const uint8_t *from = m.bytes + SECTION_BYTES, *end = from + (from[4] | from[5] << 8 | from[6] << 16) - 4,
                  *at = check_comments(m.bytes + BEFORE_SCHEMAS, end, whole);
    assert_int_equal(end - at, AFTER_SCHEMAS);
    assert_memory_equal(at, "\2\0\15\0pktc ", 9);
    assert_memory_equal(end, from + 4, 4);
    assert_int_equal(end + 4 - m.bytes, m.size);
    free(whole);
    free(m.bytes);
}

/* Writes a schema of texts with these lengths, and compares its comments with them. */
static void check_schema(const size_t *lengths, size_t count)
{
    const char **schema = texts_of(lengths, count);
    check_texts(schema);
    for (size_t i = 0; i < count; i++)
        free((void *)schema[i]);
    free(schema);
}

TEST(several_schemas)
{
    static const char *const one[] = {"one", NULL}, *const two[] = {"two, ", "three", NULL};
    const char *const *const both[] = {one, two};
    static const uint8_t comments[] = {1,   0,   3,   0,   'o', 'n', 'e', 0,   1,   0,   10, 0,
                                       't', 'w', 'o', ',', ' ', 't', 'h', 'r', 'e', 'e', 0,  0};
    const pkt_endpoint local = pkt_endpoint_of(local_v4, sizeof local_v4, 40000);
    memory m = memory_of(200);
    pkt_capture c;
    assert_true(pkt_capture_begin(&c, to_memory, &m, &local, both, 2));
    assert_int_equal(m.size, BEFORE_SCHEMAS + sizeof comments + AFTER_SCHEMAS + 4);
    assert_memory_equal(m.bytes + BEFORE_SCHEMAS, comments, sizeof comments);
    free(m.bytes);
}

/* Endpoints of the same address and port have the same bytes. */
TEST(endpoints)
{
    pkt_endpoint e = pkt_endpoint_of(peer_v4, sizeof peer_v4, 50000);
    assert_int_equal(e.size, 4);
    assert_int_equal(e.port, 50000);
    assert_memory_equal(e.address, peer_v4, 4);
    for (size_t i = 4; i < sizeof e.address; i++)
        assert_int_equal(e.address[i], 0);
}

TEST(long_schemas)
{
    static const size_t known[][3] = {{65532},    {65532, 1}, {65528, 4},       {65528, 5},    {4, 65528},
                                      {1, 1, 1},  {62999, 9}, {63001, 9999},    {60000, 9999}, {65533},
                                      {1, 65532}, {200000},   {9, 65533, 9999}, {1, 0, 140000}};
    size_t lengths[200];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        check_schema(known[i], known[i][2] != 0 ? 3 : known[i][1] != 0 ? 2 : 1);
    for (size_t length = 0; length < 12; length++) {
        for (size_t i = 0; i < 200; i++)
            lengths[i] = 990 + length;
        check_schema(lengths, 200);
        lengths[0] = 1020 + length;
        check_schema(lengths, 1);
        check_schema(&length, length != 0);
    }
}

/* A program's own schema in one text, and what may stand where a comment ends. */
TEST(schemas_in_one_text)
{
    static const char *const parts[] = {"protocol p = 1;", "\xe2\x82\xac", "\xf0\x9f\x82\xa1"};
    enum { WHOLE = 140000, ENDS = 65532 };
    char *text = malloc(WHOLE + 1);
    const char *const schema[] = {text, NULL};
    assert_non_null(text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t before = 0; before < 12; before++) {
            memset(text, 'x', WHOLE);
            text[WHOLE] = '\0';
            memcpy(text + ENDS - before, parts[i], strlen(parts[i]));
            check_texts(schema);
        }
    free(text);
}

/* What is written before it stops may be any part of the first blocks. */
TEST(schemas_on_a_full_disk)
{
    static char line[5001];
    static const char *const schema[] = {line, line, NULL};
    const char *const *const all = schema;
    const pkt_endpoint local = pkt_endpoint_of(local_v4, sizeof local_v4, 40000);
    pkt_capture c;
    memset(line, 'x', 5000);
    memory m = memory_of(20000);
    assert_true(pkt_capture_begin(&c, to_memory, &m, &local, &all, 1));
    const size_t whole_size = m.size;
    for (size_t room = 0; room < whole_size; room += room < 1100 ? 1 : 499) {
        m.size = m.writes = 0;
        m.room = room;
        assert_false(pkt_capture_begin(&c, to_memory, &m, &local, &all, 1));
        assert_true(m.writes <= room / 1024 + 1); /* none after the one that failed */
    }
    free(m.bytes);
}

#ifdef HAS_PCAP

static pcap_t *opened(const uint8_t *bytes, size_t size, FILE **from)
{
    char why[PCAP_ERRBUF_SIZE];
    *from = fmemopen((void *)bytes, size, "rb");
    assert_non_null(*from);
    return pcap_fopen_offline_with_tstamp_precision(*from, PCAP_TSTAMP_PRECISION_NANO, why);
}

static unsigned big(const uint8_t *at)
{
    return (unsigned)(at[0] << 8 | at[1]);
}

/* The sum of 16-bit words that is 0xFFFF where a checksum is right. */
static unsigned internet_sum(unsigned sum, const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        sum += i % 2 ? at[i] : (unsigned)at[i] << 8;
        sum = (sum & 0xFFFF) + (sum >> 16);
    }
    return sum;
}

/* Checks the headers of a packet in all that Wireshark would, and returns its own bytes. */
static const uint8_t *check_headers(const uint8_t *at, size_t size, bool sent, bool v6, size_t *payload)
{
    assert_int_equal(big(at), sent ? 4 : 0);
    assert_int_equal(big(at + 14), v6 ? 0x86DD : 0x0800);
    at += 16;
    size -= 16;
    const uint8_t *addresses = at + (v6 ? 8 : 12);
    const size_t header = v6 ? 40 : 20, address = v6 ? 16 : 4;
    assert_int_equal(at[0] >> 4, v6 ? 6 : 4);
    assert_int_equal(at[v6 ? 6 : 9], 17);
    assert_int_equal(at[v6 ? 7 : 8], 64); /* the hop limit, or the time to live */
    assert_int_equal(big(at + (v6 ? 4 : 2)), v6 ? size - 40 : size);
    if (!v6)
        assert_int_equal(internet_sum(0, at, 20), 0xFFFF);
    assert_memory_equal(addresses, sent ? (v6 ? local_v6 : local_v4) : (v6 ? peer_v6 : peer_v4), address);
    assert_memory_equal(addresses + address, sent ? (v6 ? peer_v6 : peer_v4) : (v6 ? local_v6 : local_v4), address);
    const uint8_t *udp = at + header;
    assert_int_equal(big(udp), sent ? 40000 : 50000);
    assert_int_equal(big(udp + 2), sent ? 50000 : 40000);
    assert_int_equal(big(udp + 4), size - header);
    assert_int_not_equal(big(udp + 6), 0); /* which would mean: no checksum */
    unsigned sum = internet_sum(17 + (unsigned)(size - header), addresses, 2 * address);
    assert_int_equal(internet_sum(sum, udp, size - header), 0xFFFF);
    *payload = size - header - 8;
    return udp + 8;
}

TEST(sizes_and_addresses)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 1199, PKT_CAPTURE_SMALL, PKT_CAPTURE_SMALL + 1, PKT_CAPTURE_MOST};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    static uint8_t data[PKT_CAPTURE_MOST];
    FILE *from;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(0xC0 | (i * 37 + i / 256)); /* great ones, so sums have carries */
    memory m = memory_of(1 << 20);
    pkt_capture c = begun(&m, NULL);
    for (unsigned i = 0; i < 4 * SIZES; i++) {
        const bool v6 = (i & 2) != 0;
        pkt_endpoint peer = pkt_endpoint_of(v6 ? peer_v6 : peer_v4, v6 ? 16 : 4, 50000);
        c.local = pkt_endpoint_of(v6 ? local_v6 : local_v4, v6 ? 16 : 4, 40000);
        assert_true(pkt_capture_packet(&c, UINT64_C(1700000000123456789) + i, i & 1 ? PKT_SENT : PKT_RECEIVED, &peer,
                                       sizes[i / 4] == 0 ? NULL : data, sizes[i / 4]));
    }
    pcap_t *p = opened(m.bytes, m.size, &from);
    assert_non_null(p);
    assert_int_equal(pcap_datalink(p), DLT_LINUX_SLL);
    for (unsigned i = 0; i < 4 * SIZES; i++) {
        struct pcap_pkthdr *header;
        const uint8_t *bytes;
        size_t payload;
        assert_int_equal(pcap_next_ex(p, &header, &bytes), 1);
        assert_int_equal(header->ts.tv_sec, 1700000000);
        assert_int_equal(header->ts.tv_usec, 123456789 + i);
        assert_int_equal(header->caplen, header->len);
        const uint8_t *own = check_headers(bytes, header->caplen, i & 1, (i & 2) != 0, &payload);
        assert_int_equal(payload, sizes[i / 4]);
        assert_memory_equal(own, data, payload);
    }
    pcap_close(p);
    free(m.bytes);
}

/* The packets that libpcap finds, each of which has to be whole. */
static unsigned count_packets(const uint8_t *bytes, size_t size, unsigned (*number_of)(const uint8_t *, size_t))
{
    FILE *from;
    struct pcap_pkthdr *header;
    const uint8_t *data;
    unsigned count = 0;
    pcap_t *p = opened(bytes, size, &from);
    if (!p) {
        fclose(from);
        return 0;
    }
    while (pcap_next_ex(p, &header, &data) == 1)
        count += number_of(data, header->caplen);
    pcap_close(p);
    return count;
}

static unsigned whole(const uint8_t *data, size_t size)
{
    size_t payload;
    const uint8_t *own = check_headers(data, size, true, false, &payload);
    for (size_t i = 1; i < payload; i++)
        assert_int_equal(own[i], own[0]);
    return 1;
}

/* A file that ends anywhere, as on a full disk. */
TEST(cut_files)
{
    static uint8_t data[100];
    size_t ends[5];
    memory m = memory_of(2000);
    pkt_capture c = begun(&m, NULL);
    pkt_endpoint peer = pkt_endpoint_of(peer_v4, sizeof peer_v4, 50000);
    ends[0] = m.size;
    for (size_t i = 1; i < 5; i++) {
        memset(data, (int)i, sizeof data);
        assert_true(pkt_capture_packet(&c, i, PKT_SENT, &peer, data, 25 * i));
        ends[i] = m.size;
    }
    for (size_t size = ends[0]; size <= ends[4]; size++) {
        unsigned expected = 0;
        while (expected < 4 && ends[expected + 1] <= size)
            expected++;
        uint8_t *copy = malloc(size);
        memcpy(copy, m.bytes, size);
        assert_int_equal(count_packets(copy, size, whole), expected);
        free(copy);
    }
    free(m.bytes);
}

static uint8_t *file_bytes(FILE *file, size_t *size)
{
    fflush(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    uint8_t *bytes = malloc(*size);
    rewind(file);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    return bytes;
}

enum { THREADS = 2, PACKETS = 500 };

static void *record(void *user)
{
    const pkt_capture *c = user;
    uint8_t data[3000];
    pkt_endpoint peer = pkt_endpoint_of(peer_v4, sizeof peer_v4, 50000);
    for (size_t i = 0; i < PACKETS; i++) {
        memset(data, (int)i, sizeof data);
        if (!pkt_capture_packet(c, i, PKT_SENT, &peer, data, i * 6 % sizeof data))
            return user;
    }
    return NULL;
}

TEST(threads)
{
    pthread_t running[THREADS];
    pkt_capture c;
    size_t size;
    FILE *file = tmpfile();
    pkt_endpoint local = pkt_endpoint_of(local_v4, sizeof local_v4, 40000);
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&running[i], NULL, record, &c), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(running[i], &failed);
        assert_null(failed);
    }
    uint8_t *bytes = file_bytes(file, &size);
    assert_int_equal(count_packets(bytes, size, whole), THREADS * PACKETS);
    free(bytes);
    fclose(file);
}

/* A process that is killed leaves all packets that it has recorded. */
TEST(killed)
{
    pkt_capture c;
    size_t size;
    int done[2];
    char byte;
    FILE *file = tmpfile();
    pkt_endpoint local = pkt_endpoint_of(local_v4, sizeof local_v4, 40000);
    assert_int_equal(pipe(done), 0);
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    const pid_t child = fork();
    if (child == 0) {
        void *failed = record(&c);
        if (write(done[1], failed ? "-" : "+", 1) == 1)
            for (;;)
                (void)record(&c);
        _exit(1);
    }
    assert_int_equal(read(done[0], &byte, 1), 1);
    assert_int_equal(byte, '+');
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    uint8_t *bytes = file_bytes(file, &size);
    assert_true(count_packets(bytes, size, whole) >= PACKETS);
    free(bytes);
    fclose(file);
    close(done[0]);
    close(done[1]);
}

#endif
