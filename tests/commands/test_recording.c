/* test_recording.c - tests `pktc decode` of recordings: what pkt_capture writes, and what tcpdump would.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

enum {
    LOOPBACK,
    ETHERNET,
    RAW_IP = 101,
    WIRELESS = 105,
    LOOP = 108,
    COOKED = 113,
    IPV4 = 228,
    COOKED2 = 276
}; /* links */

static void decodes(const char *arguments, const char *wanted, const char *warnings)
{
    process_result result = process_run("%s decode %s", pktc, arguments);
    assert_string_equal(result.out, wanted);
    assert_string_equal(result.err, warnings);
    assert_int_equal(result.status, 0);
    process_free(&result);
}

static void refuses(int status, const char *arguments, const char *wanted)
{
    process_result result = process_run("%s decode %s", pktc, arguments);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, wanted);
    assert_int_equal(result.status, status);
    process_free(&result);
}

/* ---- captures of networks */

typedef struct capture {
    FILE *file;
    unsigned count;
} capture;

static void capture_put(capture *c, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        putc((int)(number >> 8 * i & 255), c->file);
}

/* With times in nanoseconds. */
static capture capture_open(int link)
{
    capture c = {.file = fopen("network.pcap", "wb")};
    const uint32_t head[] = {0xA1B23C4D, 2 | 4 << 16, 0, 0, 65535, (uint32_t)link};
    assert_non_null(c.file);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        capture_put(&c, head[i]);
    return c;
}

static void capture_add(capture *c, const uint8_t *data, size_t size, size_t whole)
{
    const uint32_t head[] = {1700000000, c->count++, (uint32_t)size, (uint32_t)whole};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        capture_put(c, head[i]);
    fwrite(data, 1, size, c->file);
}

static void capture_close(capture *c)
{
    assert_int_equal(fclose(c->file), 0);
}

/* A packet being built. */
typedef struct packet {
    uint8_t bytes[2048];
    size_t size;
} packet;

static void put_hex(packet *p, const char *hex)
{
    for (; *hex; hex++) {
        unsigned byte;
        if (*hex == ' ')
            continue;
        assert_int_equal(sscanf(hex++, "%2x", &byte), 1);
        p->bytes[p->size++] = (uint8_t)byte;
    }
}

static void put16(packet *p, size_t number)
{
    p->bytes[p->size++] = (uint8_t)(number >> 8);
    p->bytes[p->size++] = (uint8_t)number;
}

static void put(packet *p, const void *data, size_t size)
{
    memcpy(p->bytes + p->size, data, size);
    p->size += size;
}

static void put_udp(packet *p, const uint8_t *data, size_t size)
{
    put_hex(p, "9c40 c350");
    put16(p, 8 + size);
    put_hex(p, "0000");
    put(p, data, size);
}

static void put_ipv4(packet *p, unsigned part, unsigned protocol, size_t inside)
{
    put_hex(p, "4500");
    put16(p, 20 + inside);
    put_hex(p, "0000");
    put16(p, part);
    p->bytes[p->size++] = 64;
    p->bytes[p->size++] = (uint8_t)protocol;
    put_hex(p, "0000 0a000001 0a000002");
}

static void put_ipv6(packet *p, unsigned next, size_t inside)
{
    put_hex(p, "60000000");
    put16(p, inside);
    p->bytes[p->size++] = (uint8_t)next;
    put_hex(p, "40 20010db8000000000000000000000001 20010db8000000000000000000000002");
}

/* The link header in front of IPv4 and IPv6, of each link type. */
static const struct {
    int link;
    const char *v4, *v6, *direction;
} links[] = {
    {ETHERNET, "020000000002 020000000001 0800", "020000000002 020000000001 86dd", ""},
    {ETHERNET, "020000000002 020000000001 8100 0005 0800", "020000000002 020000000001 88a8 0005 8100 0006 86dd", ""},
    {LOOPBACK, "02000000", "0000001e", ""},
    {LOOP, "00000002", "00000018", ""},
    {RAW_IP, "", "", ""},
    {COOKED, "0000 0001 0006 0200000000010000 0800", "0000 0001 0006 0200000000010000 8100 0005 86dd",
     "\"direction\": \"received\", "},
    {COOKED, "0004 0001 0006 0200000000010000 0800", "0004 0001 0006 0200000000010000 86dd",
     "\"direction\": \"sent\", "},
    {COOKED2, "0800 0000 00000002 0001 00 06 0200000000010000", "86dd 0000 00000002 0001 01 06 0200000000010000",
     "\"direction\": \"received\", "},
    {COOKED2, "0800 0000 00000002 0001 04 06 0200000000010000", "86dd 0000 00000002 0001 04 06 0200000000010000",
     "\"direction\": \"sent\", "},
};

#define V4 "\"from\": \"10.0.0.1:40000\", \"to\": \"10.0.0.2:50000\""
#define V6 "\"from\": \"[2001:db8::1]:40000\", \"to\": \"[2001:db8::2]:50000\""
#define PING7 "\"size\": 9, \"type\": \"Ping\", \"value\": {\"n\": 7}}\n"

TEST(test_links)
{
    size_t size;
    file_write("game.pkt", SCHEMA);
    uint8_t *ping = encoded("", "Ping", "{\"n\": 7}", &size);
    assert_int_equal(size, 9);
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        capture c = capture_open(links[i].link);
        packet p = {.size = 0}, q = {.size = 0};
        put_hex(&p, links[i].v4);
        put_ipv4(&p, 0x4000, 17, 8 + size);
        put_udp(&p, ping, size);
        put_hex(&p, "0000000000"); /* a short frame is filled up */
        capture_add(&c, p.bytes, p.size, p.size);
        put_hex(&q, links[i].v6);
        put_ipv6(&q, 17, 8 + size);
        put_udp(&q, ping, size);
        capture_add(&c, q.bytes, q.size, q.size);
        capture_close(&c);
        char *wanted = text_format("{\"index\": 1, \"time\": 1700000000.000000000, %s" V4 ", " PING7
                                   "{\"index\": 2, \"time\": 1700000000.000000001, %s" V6 ", " PING7,
                                   links[i].direction, links[i].direction);
        decodes("game.pkt network.pcap", wanted, "");
        free(wanted);
    }
    free(ping);
}

/* Extension headers, fragments, packets that are cut, other protocols. */
TEST(test_shapes)
{
    size_t size;
    file_write("game.pkt", SCHEMA);
    uint8_t *ping = encoded("", "Ping", "{\"n\": 7}", &size);
    packet p[8] = {{.size = 0}};
    put_ipv6(&p[0], 0, 16 + 8 + 8 + size); /* hop by hop, destination options */
    put_hex(&p[0], "3c00 050200000000 1100 050200000000");
    put_udp(&p[0], ping, size);
    put_ipv6(&p[1], 44, 8 + 8 + size); /* the only fragment: it is whole */
    put_hex(&p[1], "1100 0000 00000001");
    put_udp(&p[1], ping, size);
    put_ipv6(&p[2], 44, 8 + 8 + size); /* the first fragment */
    put_hex(&p[2], "1100 0001 00000001");
    put_udp(&p[2], ping, size);
    put_ipv4(&p[3], 0x2000, 17, 8 + size); /* the first fragment */
    put_udp(&p[3], ping, size);
    put_ipv4(&p[4], 0x0010, 17, 8 + size); /* a later fragment */
    put_udp(&p[4], ping, size);
    put_ipv4(&p[5], 0, 6, 8 + size); /* TCP */
    put_udp(&p[5], ping, size);
    put_ipv4(&p[6], 0, 17, 8 + size); /* cut */
    put_udp(&p[6], ping, size);
    put_ipv4(&p[7], 0, 17, 8 + size); /* damaged */
    put_udp(&p[7], ping, size);
    p[7].bytes[30] ^= 1;
    capture c = capture_open(RAW_IP);
    for (int i = 0; i < 8; i++)
        capture_add(&c, p[i].bytes, p[i].size - (i == 6 ? 3 : 0), p[i].size);
    capture_close(&c);
    decodes("game.pkt network.pcap",
            "{\"index\": 1, \"time\": 1700000000.000000000, " V6 ", " PING7
            "{\"index\": 2, \"time\": 1700000000.000000001, " V6 ", " PING7
            "{\"index\": 3, \"time\": 1700000000.000000002, " V6 ", \"size\": 9, \"type\": null, \"refused\": "
            "\"the first part of a datagram that was sent in several\"}\n"
            "{\"index\": 4, \"time\": 1700000000.000000003, " V4 ", \"size\": 9, \"type\": null, \"refused\": "
            "\"the first part of a datagram that was sent in several\"}\n"
            "{\"index\": 7, \"time\": 1700000000.000000006, " V4 ", \"size\": 9, \"type\": null, \"refused\": "
            "\"cut: 6 of 9 bytes were captured\"}\n"
            "{\"index\": 8, \"time\": 1700000000.000000007, " V4 ", \"size\": 9, \"type\": null, \"refused\": "
            "\"damaged, or of another protocol, seed or baseline\"}\n",
            "pktc: warning: 1 datagrams were not captured whole\n"
            "      = help: `tcpdump -s 0` captures them whole\n"
            "pktc: warning: 1 packets are fragments of datagrams, which are not put together\n");
    free(ping);
}

static void put32(packet *p, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        p->bytes[p->size++] = (uint8_t)(number >> 8 * i);
}

static void put_interface(packet *p, uint32_t link, const char *options)
{
    packet more = {.size = 0};
    put_hex(&more, options);
    put_hex(p, "01000000");
    put32(p, 20 + (uint32_t)more.size);
    put32(p, link);
    put_hex(p, "00000000");
    put(p, more.bytes, more.size);
    put32(p, 20 + (uint32_t)more.size);
}

/* The first two blocks of a section: its header, and one interface. */
static void put_section(packet *p, uint32_t link)
{
    put_hex(p, "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000");
    put_interface(p, link, "");
}

static void put_block_of(packet *p, uint32_t interface, const char *time, const packet *inside)
{
    const uint32_t padded = (uint32_t)(inside->size + 3) / 4 * 4;
    put_hex(p, "06000000");
    put32(p, 32 + padded);
    put32(p, interface);
    put_hex(p, time);
    put32(p, (uint32_t)inside->size);
    put32(p, (uint32_t)inside->size);
    put(p, inside->bytes, padded);
    put32(p, 32 + padded);
}

static void put_block(packet *p, const packet *inside)
{
    put_block_of(p, 0, "00000000 00000000", inside);
}

static void put_file(const packet *p)
{
    FILE *file = fopen("sections.pcapng", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(p->bytes, 1, p->size, file), p->size);
    fclose(file);
}

#define AT(index, time) "{\"index\": " #index ", \"time\": " time ", " V4 ", " PING7

static packet ping_over_ip(void)
{
    size_t size;
    packet ip = {.size = 0};
    file_write("game.pkt", SCHEMA);
    uint8_t *ping = encoded("", "Ping", "{\"n\": 7}", &size);
    put_ipv4(&ip, 0, 17, 8 + size);
    put_udp(&ip, ping, size);
    free(ping);
    return ip;
}

/* Captures that were put together, as by `cat`. */
TEST(test_sections)
{
    const packet ip = ping_over_ip();
    packet p = {.size = 0};
    for (int section = 0; section < 4; section++) {
        put_section(&p, section < 2 ? RAW_IP : IPV4);
        put_block(&p, &ip);
    }
    put_block(&p, &ip);
    put_file(&p);
    decodes("game.pkt sections.pcapng",
            AT(1, "0.000000000") AT(2, "0.000000000") AT(3, "0.000000000") AT(4, "0.000000000") AT(5, "0.000000000"),
            "");
    /* A file may end within the last section. */
    p.size -= 4;
    put_file(&p);
    decodes("game.pkt sections.pcapng",
            AT(1, "0.000000000") AT(2, "0.000000000") AT(3, "0.000000000") AT(4, "0.000000000"),
            "pktc: warning: 'sections.pcapng' ends after packet 4: the file ends within what follows\n");
}

/* A section has any number of interfaces, as mergecap makes them, each with its link, its unit of time and its first moment.
 * Blocks of other kinds come between. */
TEST(test_interfaces)
{
    const packet ip = ping_over_ip();
    packet p = {.size = 0};
    put_section(&p, RAW_IP);
    put_interface(&p, RAW_IP, "09000100 09000000 00000000"); /* nanoseconds */
    put_interface(&p, IPV4, "0e000800 0200000000000000 09000100 81000000");
    put_hex(&p, "05000000 10000000 01020304 10000000"); /* statistics */
    put_interface(&p, WIRELESS, "");
    put_interface(&p, RAW_IP, "09000100 0c000000");
    for (uint32_t i = 0; i < 5; i++)
        put_block_of(&p, i, "00000000 07000000", &ip);
    put_hex(&p, "03000000"); /* of the first interface, without a time */
    put32(&p, 16 + (uint32_t)(ip.size + 3) / 4 * 4);
    put32(&p, (uint32_t)ip.size);
    put(&p, ip.bytes, (ip.size + 3) / 4 * 4);
    put32(&p, 16 + (uint32_t)(ip.size + 3) / 4 * 4);
    put_hex(&p, "02000000"); /* an older block of the second one */
    put32(&p, 32 + (uint32_t)(ip.size + 3) / 4 * 4);
    put_hex(&p, "0100 ffff 00000000 08000000");
    put32(&p, (uint32_t)ip.size);
    put32(&p, (uint32_t)ip.size);
    put(&p, ip.bytes, (ip.size + 3) / 4 * 4);
    put32(&p, 32 + (uint32_t)(ip.size + 3) / 4 * 4);
    put_file(&p);
    decodes("game.pkt sections.pcapng",
            AT(1, "0.000007000") AT(2, "0.000000007") AT(3, "5.500000000") AT(5, "0.000000000") AT(6, "0.000000000")
                AT(7, "0.000000008"),
            "pktc: warning: 1 packets have another link type, such as 105, which pktc does not read\n");
    /* And what is converted has them too. */
    process_result made = process_run("%s convert game.pkt game.pkt sections.pcapng >new.pcapng", pktc);
    assert_int_equal(made.status, 0);
    process_free(&made);
    decodes("new.pcapng",
            AT(1, "0.000007000") AT(2, "0.000000007") AT(3, "5.500000000") AT(4, "0.000000000") AT(5, "0.000000000")
                AT(6, "0.000000008"),
            "");
}

/* ---- recordings of programs */

TEST(test_schema_inside)
{
    file_write("game.pkt", SCHEMA);
    record r = record_open(2);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 1}");
    file_write("game.pkt", "protocol other = 1;\npacket Pong { u8 m; }\n");
    record_add(&r, 3, PKT_RECEIVED, "", "Pong", "{\"m\": 2}");
    fclose(r.file);
    decodes(
        "match.pcapng",
        "{\"index\": 1, \"time\": 1700000000.000000000, \"direction\": \"sent\", \"from\": \"10.0.0.1:40000\", \"to\": "
        "\"10.0.0.2:50000\", \"size\": 9, \"type\": \"Ping\", \"value\": {\"n\": 1}}\n"
        "{\"index\": 2, \"time\": 1700000000.000000001, \"direction\": \"received\", \"from\": \"10.0.0.3:50000\", "
        "\"to\": \"10.0.0.1:40000\", \"size\": 9, \"type\": \"Pong\", \"value\": {\"m\": 2}}\n",
        "");
    shows("game.pkt match.pcapng",
          "{0 \"direction\": \"sent\", \"type\": null, \"refused\": \"damaged, or of another "
          "protocol, seed or baseline\"}\n{1 \"direction\": \"received\", \"type\": \"Pong\", \"value\": "
          "{\"m\": 2}}\n");
    decodes("--port 9 match.pcapng", "", "pktc: warning: 'match.pcapng' has no datagram from or to port 9\n");
}

/* A schema in a recording is from whoever made the recording: it must not open files of whoever reads it. */
TEST(test_schemas_inside_open_no_files)
{
    static const char *const importing[] = {"protocol game = 1;\n", "import \"secret.pkt\";\n",
                                            "packet Ping { u8 n; }\n", NULL};
    static const char *const modelled[] = {"protocol game = 1;\n", "model \"secret.pkt\";\n",
                                           "packet Ping @delta { u8 n coded; }\n", NULL};
    static const char *const *const texts[] = {importing, modelled};
    static const char *const commands[] = {"decode match.pcapng", "report match.pcapng",
                                           "convert game.pkt match.pcapng", "train game.pkt match.pcapng"};
    file_write("secret.pkt", "secret lines\n");
    file_write("game.pkt", "protocol game = 1;\npacket Ping @delta { u8 n coded; }\n");
    for (size_t i = 0; i < 2; i++) {
        record r = record_open_with(&texts[i], 1);
        fclose(r.file);
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            process_result result = run_for(1, commands[k]);
            assert_contains(result.err, "error: a schema in a recording has no files beside it, so it");
            assert_null(strstr(result.err, "secret lines"));
            process_free(&result);
        }
    }
}

/* Values of another version would be read wrongly where no checksum tells them apart. */
TEST(test_another_schema_inside)
{
    static const char *const commands[] = {"decode game.pkt match.pcapng", "report game.pkt match.pcapng"};
    file_write("game.pkt", SCHEMA);
    record r = record_open(2);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 1}");
    fclose(r.file);
    file_write("game.pkt", "protocol game = 1;\npacket Ping { u16 n; }\n");
    for (size_t i = 0; i < 2; i++) {
        process_result result = run_for(1, commands[i]);
        assert_string_equal(result.out, "");
        assert_contains(result.err,
                        "pktc: error: 'match.pcapng' was made with another schema of protocol 'game': the id of "
                        "the one in it is 0x");
        assert_contains(result.err,
                        i == 0 ? "      = help: without a schema, `pktc decode match.pcapng` takes the one in it\n"
                               : "      = help: without a schema, `pktc report match.pcapng` takes the one in it\n");
        process_free(&result);
    }
    file_write("old.pkt", "protocol game = 1;\npacket Ping { u32 n; }\n");
    process_result result = run_for(1, "convert old.pkt game.pkt match.pcapng");
    assert_contains(result.err,
                    "      = help: without 'old.pkt', `pktc convert game.pkt match.pcapng` takes the one in it\n");
    process_free(&result);
}

/* Each pair of addresses has baselines of its own, and anybody can send from many addresses: 40,000 would take 400 MB. */
TEST(test_many_senders)
{
    enum { SENDERS = 40000 };
    static const uint8_t head[] = {0xd4, 0xc3, 0xb2, 0xa1, 2,    0,    4, 0, 0,   0, 0, 0,
                                   0,    0,    0,    0,    0xff, 0xff, 0, 0, 101, 0, 0, 0};
    static const uint8_t headers[] = {0x45, 0, 0,  0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0,
                                      0,    0, 11, 0, 0, 1, 1, 0, 2,  0,  0, 0, 0,  0};
    size_t size;
    file_write("game.pkt", SCHEMA);
    file_write("base.json", "null");
    uint8_t *data = encoded("--frame F --base base.json", "State delta", "[{\"State\": {\"a\": 1}}]", &size);
    FILE *file = fopen("many.pcap", "wb");
    assert_non_null(file);
    fwrite(head, 1, sizeof head, file);
    for (unsigned i = 0; i < SENDERS; i++) {
        uint8_t sent[sizeof headers];
        const uint8_t whole = (uint8_t)(sizeof headers + size), sizes[16] = {[8] = whole, [12] = whole};
        memcpy(sent, headers, sizeof headers);
        sent[3] = whole;
        sent[14] = (uint8_t)(i >> 8);
        sent[15] = (uint8_t)i;
        sent[25] = (uint8_t)(8 + size);
        fwrite(sizes, 1, sizeof sizes, file);
        fwrite(sent, 1, sizeof sent, file);
        fwrite(data, 1, size, file);
    }
    fclose(file);
    free(data);
    process_result result = process_run(
        "ulimit -v 200000; %s decode --stream 'F=State delta(last)' game.pkt many.pcap | grep -c '\"a\": 1'", pktc);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, "40000\n");
    process_free(&result);
}

/* A comment of more than 63,000 bytes may go on in the next, unless that begins a schema. */
TEST(test_long_schema_inside)
{
    static char remark[64001];
    static const char *const long_text[] = {SCHEMA, "//", remark, "\n", NULL};
    static const char *const *const texts[] = {long_text, other_text};
    memset(remark, 'x', sizeof remark - 1);
    file_write("game.pkt", "protocol other = 1;\npacket Pong { u8 m; }\n");
    record r = record_open_with(texts, 2);
    record_add(&r, 3, PKT_RECEIVED, "", "Pong", "{\"m\": 2}");
    fclose(r.file);
    shows("match.pcapng", "{0 \"direction\": \"received\", \"type\": \"Pong\", \"value\": {\"m\": 2}}\n");
}

/* A number comes again, with a value whose baseline is not in the recording: its old value is not the one that a later
 * delta means. */
TEST(test_a_number_that_comes_again)
{
    static const char stream[] =
        "--stream 'Down=Head, State delta(Head.number from Head.number - Head.back)' match.pcapng";
    static const char down[] = "--frame Down --base base.json";
    file_write("game.pkt", SCHEMA);
    record r = record_open(1);
    file_write("base.json", "null");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta", "[{\"Head\": {\"number\": 6}}, {\"State\": {\"a\": 1}}]");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta",
               "[{\"Head\": {\"number\": 6, \"back\": 2}}, {\"State\": {\"a\": 2}}]");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta",
               "[{\"Head\": {\"number\": 7, \"back\": 1}}, {\"State\": {\"a\": 3}}]");
    fclose(r.file);
    shows(stream, "{0 \"direction\": \"sent\", \"type\": \"Down\", \"values\": "
                  "[{\"Head\": {\"number\": 6, \"back\": null}}, {\"State\": {\"a\": 1, \"b\": 0}}]}\n"
                  "{1 \"direction\": \"sent\", \"type\": \"Down\", \"refused\": "
                  "\"Down.State: its baseline, 4, is not in the recording\", \"values\": "
                  "[{\"Head\": {\"number\": 6, \"back\": 2}}]}\n"
                  "{2 \"direction\": \"sent\", \"type\": \"Down\", \"refused\": "
                  "\"Down.State: its baseline, 6, is not in the recording\", \"values\": "
                  "[{\"Head\": {\"number\": 7, \"back\": 1}}]}\n");
}

/* A game may send each 256th tick. */
TEST(test_numbers_far_apart)
{
    static const char stream[] =
        "--stream 'Down=Head, State delta(Head.number from Head.number - Head.back)' match.pcapng | tail -n 1";
    static const char down[] = "--frame Down --base base.json";
    file_write("game.pkt", SCHEMA);
    record r = record_open(1);
    file_write("base.json", "null");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta", "[{\"Head\": {\"number\": 255}}, {\"State\": {\"a\": 1}}]");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta", "[{\"Head\": {\"number\": 511}}, {\"State\": {\"a\": 2}}]");
    file_write("base.json", "{\"a\": 1}");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta",
               "[{\"Head\": {\"number\": 256, \"back\": 1}}, {\"State\": {\"a\": 3}}]");
    fclose(r.file);
    shows(stream, "{2 \"direction\": \"sent\", \"type\": \"Down\", \"values\": "
                  "[{\"Head\": {\"number\": 256, \"back\": 1}}, {\"State\": {\"a\": 3, \"b\": 0}}]}\n");
}

/* Deltas to values that came before, from each sender to each receiver; counts; deltas in a row. */
TEST(test_streams)
{
    static const char lists[] = "--stream 'Down=Head,\n \tState delta(Head.number\nfrom Head.number - Head.back )' "
                                "--stream 'Up=Steps,Step delta(previous)[1+bits(Steps.mask)],Ping*' match.pcapng";
    static const char down[] = "--frame Down --seed 77 --base base.json";
    static const char up[] = "--frame Up --seed 78";
    file_write("game.pkt", SCHEMA);
    record r = record_open(1);
    file_write("base.json", "null");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta",
               "[{\"Head\": {\"number\": 65535}}, {\"State\": {\"a\": 5, \"b\": 6}}]");
    record_add(&r, 3, PKT_SENT, down, "Head, State delta",
               "[{\"Head\": {\"number\": 65535}}, {\"State\": {\"a\": 1}}]");
    file_write("base.json", "{\"a\": 5, \"b\": 6}");
    record_add(&r, 2, PKT_SENT, down, "Head, State delta",
               "[{\"Head\": {\"number\": 0, \"back\": 1}}, {\"State\": {\"a\": 5, \"b\": 9}}]");
    record_add(&r, 4, PKT_SENT, down, "Head, State delta",
               "[{\"Head\": {\"number\": 0, \"back\": 1}}, {\"State\": {\"a\": 5, \"b\": 9}}]");
    record_add(&r, 2, PKT_RECEIVED, up, "Steps, Step delta(previous)[1 + bits(Steps.mask)], Ping*",
               "[{\"Steps\": {\"mask\": 6}}, {\"Step\": {\"x\": 1}}, {\"Step\": {\"x\": 1, \"y\": 2}},"
               " {\"Step\": {\"x\": 1, \"y\": 2}}, {\"Ping\": {\"n\": 3}}]");
    record_add(&r, 2, PKT_RECEIVED, "", "Ping", "{\"n\": 4}");
    fclose(r.file);
    shows(lists, "{0 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"values\": "
                 "[{\"Head\": {\"number\": 65535, \"back\": null}}, {\"State\": {\"a\": 5, \"b\": 6}}]}\n"
                 "{1 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"values\": "
                 "[{\"Head\": {\"number\": 65535, \"back\": null}}, {\"State\": {\"a\": 1, \"b\": 0}}]}\n"
                 "{2 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"values\": "
                 "[{\"Head\": {\"number\": 0, \"back\": 1}}, {\"State\": {\"a\": 5, \"b\": 9}}]}\n"
                 "{3 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"refused\": "
                 "\"Down.State: its baseline, 65535, is not in the recording\", \"values\": "
                 "[{\"Head\": {\"number\": 0, \"back\": 1}}]}\n"
                 "{4 \"direction\": \"received\", \"type\": \"Up\", \"crc\": \"unchecked\", \"values\": "
                 "[{\"Steps\": {\"mask\": 6}}, {\"Step\": {\"x\": 1, \"y\": 0}}, {\"Step\": {\"x\": 1, \"y\": 2}}, "
                 "{\"Step\": {\"x\": 1, \"y\": 2}}, {\"Ping\": {\"n\": 3}}]}\n"
                 "{5 \"direction\": \"received\", \"type\": \"Ping\", \"value\": {\"n\": 4}}\n");
    /* What changed: a delta to base values is printed as a whole. */
    char *changes = text_format("--changes %s", lists);
    shows(changes, "{0 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"values\": "
                   "[{\"Head\": {\"number\": 65535, \"back\": null}}, {\"State\": {\"a\": 5, \"b\": 6}}]}\n"
                   "{1 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"values\": "
                   "[{\"Head\": {\"number\": 65535, \"back\": null}}, {\"State\": {\"a\": 1, \"b\": 0}}]}\n"
                   "{2 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"values\": "
                   "[{\"Head\": {\"number\": 0, \"back\": 1}}, {\"State delta\": {\"b\": 9}}]}\n"
                   "{3 \"direction\": \"sent\", \"type\": \"Down\", \"crc\": \"unchecked\", \"refused\": "
                   "\"Down.State: its baseline, 65535, is not in the recording\", \"values\": "
                   "[{\"Head\": {\"number\": 0, \"back\": 1}}]}\n"
                   "{4 \"direction\": \"received\", \"type\": \"Up\", \"crc\": \"unchecked\", \"values\": "
                   "[{\"Steps\": {\"mask\": 6}}, {\"Step\": {\"x\": 1, \"y\": 0}}, {\"Step delta\": {\"y\": 2}}, "
                   "{\"Step delta\": {}}, {\"Ping\": {\"n\": 3}}]}\n"
                   "{5 \"direction\": \"received\", \"type\": \"Ping\", \"value\": {\"n\": 4}}\n");
    free(changes);
}

/* A packet has no seed, also beside frames that have one; converted, each keeps its own. */
TEST(test_packet_deltas_beside_a_seed)
{
    static const char lists[] = "--seed 77 --stream 'World=World delta(last)' --stream 'Up=Ping'";
    static const char lines[] =
        "{0 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 5, \"b\": 0}}]}\n"
        "{1 \"direction\": \"sent\", \"type\": \"Up\", \"values\": [{\"Ping\": {\"n\": 1}}]}\n"
        "{2 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 5, \"b\": 6}}]}\n";
    file_write("game.pkt", "protocol game = 1; packet Ping { u8 n; } packet World @delta { u8 a; u8 b; }");
    file_write("next.pkt", "protocol game = 1; packet Ping { u8 n; } packet World @delta { u8 b; u16 a; }");
    record r = record_open(0);
    file_write("base.json", "null");
    record_add(&r, 2, PKT_SENT, "--base base.json", "World", "{\"a\": 5}");
    record_add(&r, 2, PKT_SENT, "--frame Up --seed 77", "Ping", "[{\"Ping\": {\"n\": 1}}]");
    file_write("base.json", "{\"a\": 5}");
    record_add(&r, 2, PKT_SENT, "--base base.json", "World", "{\"a\": 5, \"b\": 6}");
    fclose(r.file);
    char *recorded = text_format("%s game.pkt match.pcapng", lists), *converted = text_format("%s next.pcapng", lists);
    shows(recorded, lines);
    run_shell(text_format("%s convert %s game.pkt next.pkt match.pcapng >next.pcapng", pktc, lists));
    process_result next = process_run("%s decode %s | %s", pktc, converted, filter);
    assert_string_equal(next.err, "");
    assert_contains(
        next.out,
        "{0 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"b\": 0, \"a\": 5}}]}\n");
    assert_contains(next.out, "{1 \"direction\": \"sent\", \"type\": \"Up\", \"values\": [{\"Ping\": {\"n\": 1}}]}\n");
    assert_contains(
        next.out,
        "{2 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"b\": 6, \"a\": 5}}]}\n");
    process_free(&next);
    free(converted);
    free(recorded);
    process_result lua = process_run("%s wireshark %s game.pkt | tail -n 6", pktc, lists);
    assert_string_equal(
        lua.out, "    packet(types[\"Ping\"])\n"
                 "    stream(\"World\", 0x0, 0x0, { part(types[\"World\"], { is_delta = true, last = true }) })\n"
                 "    stream(\"Up\", 0x0, 0x4d, { part(types[\"Ping\"], {}) })\n"
                 "    listen(\"\")\nend\nadd_packets()\n");
    process_free(&lua);
}

/* Packets that are deltas to the last one of the same sender and receiver: what T_pack_delta makes. */
TEST(test_packet_deltas)
{
    static const char delta[] = "--base base.json";
    static const char arguments[] = "--stream 'World=World delta(last)' game.pkt match.pcapng";
    file_write("game.pkt", "protocol game = 1; packet Ping { u8 n; } packet World @delta { u8 a; u8 b; }");
    record r = record_open(0);
    file_write("base.json", "null");
    record_add(&r, 2, PKT_SENT, delta, "World", "{\"a\": 5}");
    record_add(&r, 3, PKT_SENT, delta, "World", "{\"b\": 7}");
    file_write("base.json", "{\"a\": 5}");
    record_add(&r, 2, PKT_SENT, delta, "World", "{\"a\": 5, \"b\": 6}");
    record_add(&r, 2, PKT_RECEIVED, "", "Ping", "{\"n\": 1}");
    file_write("base.json", "{\"a\": 5, \"b\": 6}");
    record_add(&r, 2, PKT_SENT, delta, "World", "{\"a\": 9, \"b\": 6}");
    file_write("base.json", "{\"b\": 7}");
    record_add(&r, 3, PKT_SENT, delta, "World", "{\"b\": 7}");
    fclose(r.file);
    shows(arguments,
          "{0 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 5, \"b\": 0}}]}\n"
          "{1 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 0, \"b\": 7}}]}\n"
          "{2 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 5, \"b\": 6}}]}\n"
          "{3 \"direction\": \"received\", \"type\": \"Ping\", \"value\": {\"n\": 1}}\n"
          "{4 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 9, \"b\": 6}}]}\n"
          "{5 \"direction\": \"sent\", \"type\": \"World\", \"values\": [{\"World\": {\"a\": 0, \"b\": 7}}]}\n");
}

TEST(test_wrong_use)
{
    file_write("game.pkt", SCHEMA);
    record r = record_open(0);
    record_add(&r, 2, PKT_SENT, "", "Ping", "{\"n\": 1}");
    fclose(r.file);
    run_shell("head -c 100 match.pcapng > cut.pcapng; head -c 20 match.pcapng > head.pcapng");
    refuses(1, "match.pcapng",
            "pktc: error: 'match.pcapng' has no schema in it\n"
            "      = help: give the schema that it was made with: `pktc decode FILE.pkt match.pcapng`\n");
    refuses(1, "--changes game.pkt match.pcapng",
            "pktc: error: --changes needs --stream, or a packet with parts that are deltas\n");
    refuses(2, "--changes game.pkt Ping", "pktc: --changes needs --base; try 'pktc help decode'\n");
    refuses(2, "--bits game.pkt match.pcapng",
            "pktc: --bits is for the bytes of one value, and 'match.pcapng' is a recording; try 'pktc help decode'\n");
    refuses(2, "game.pkt Ping match.pcapng",
            "pktc: 'Ping' is no .pkt file: types of streams in a recording need --stream; try 'pktc help decode'\n");
    refuses(2, "match.pcapng game.pkt",
            "pktc: 'game.pkt' comes after a recording: schemas come first; try 'pktc help decode'\n");
    refuses(2, "match.pcapng Ping",
            "pktc: 'Ping' comes after recording 'match.pcapng', which has to be last; try 'pktc help decode'\n");
    refuses(2, "match.pcapng match.pcapng",
            "pktc: decode takes one recording, and 'match.pcapng' is another one; try 'pktc help decode'\n");
    refuses(2, ".", "pktc: '.' is neither a recording nor a .pkt file; try 'pktc help decode'\n");
    refuses(2, "--port 3", "pktc: --port needs a recording; try 'pktc help decode'\n");
    refuses(1, "gone.pcapng", "pktc: error: cannot read 'gone.pcapng': No such file or directory\n");
    refuses(1, "game.pkt gone.pcap", "pktc: error: cannot read 'gone.pcap': No such file or directory\n");
    file_write("empty.pcap", "");
    refuses(1, "empty.pcap",
            "pktc: error: 'empty.pcap' is not a recording: pktc reads files of tcpdump, Wireshark and pkt_capture\n");
    fails_saying("pktc: error: 'match.pcapng' is no schema: it is a recording\n", "match.pcapng");
    refuses(2, "--skip 0 game.pkt Ping",
            "pktc: --skip takes a number of bits from 1 to 1000000, not '0'; try 'pktc help decode'\n");
    refuses(1, "--seed 1 game.pkt match.pcapng",
            "pktc: error: --seed needs --stream, or a packet with parts or @seed\n");
    refuses(2, "--stream Ping game.pkt Ping game.pkt",
            "pktc: --stream needs a recording, and 'game.pkt' is none; try 'pktc help decode'\n");
    refuses(1, "--stream Ping --stream Head game.pkt match.pcapng",
            "pktc: error: there are two streams without a frame, which nothing could tell apart\n");
    refuses(2, "--port 65536 game.pkt match.pcapng",
            "pktc: --port takes a number from 1 to 65535, not '65536'; try 'pktc help decode'\n");
    refuses(2, "--port 1 game.pkt Ping game.pkt",
            "pktc: --port needs a recording, and 'game.pkt' is none; try 'pktc help decode'\n");
    refuses(1, "--stream 'F=State delta' game.pkt match.pcapng",
            "pktc: error: 'State delta' does not say which baseline it has\n"
            "      = help: 'State delta(Header.sequence from Header.baseline)' names the fields that do\n"
            "      = help: 'State delta(Header.sequence from Header.sequence - Header.back)', if it is so many before\n"
            "      = help: 'State delta(last)' is a delta to the last one that came before\n");
    refuses(1, "--stream 'F=Head, Ping delta(Head.number from Head.back)' game.pkt match.pcapng",
            "pktc: error: 'Ping' cannot be sent as a delta, because it is not @delta\n");
    refuses(1, "--stream 'F=Ping delta(last)' game.pkt match.pcapng",
            "pktc: error: 'Ping' cannot be sent as a delta, because it is not @delta\n");
    refuses(1, "--stream 'F=State delta(lost)' game.pkt match.pcapng",
            "pktc: error: 'State delta(lost)': 'lost' is no type before this one in the list\n");
    refuses(1, "--stream =Ping game.pkt match.pcapng",
            "pktc: error: '=Ping' has no name for its frame\n"
            "      = help: without a frame, write 'Ping'\n");
    refuses(1, "--stream F=Ping --stream F=Head game.pkt match.pcapng",
            "pktc: error: there are two streams in frames of the name 'F'\n");
    refuses(1, "--stream 'F=Head, Step[Heat.number]' game.pkt match.pcapng",
            "pktc: error: 'Head, Step[Heat.number]': 'Heat' is no type before this one in the list\n"
            "      = help: did you mean 'Head'?\n");
    refuses(1, "--stream 'F=Head, Step[number]' game.pkt match.pcapng",
            "pktc: error: 'Head, Step[number]': 'number' is no type before this one in the list\n"
            "      = help: 'Head' has such a field: write 'Head.number'\n");
    refuses(
        1, "--stream 'F=Head, State delta(Head.number, Head.back)' game.pkt match.pcapng",
        "pktc: error: 'Head, State delta(Head.number, Head.back)' does not say which baseline a delta has: expected "
        "'from', found ', Head.back)'\n"
        "      = help: 'State delta(Header.number from Header.baseline)' names the fields that do\n");
    refuses(1, "--stream 'F=Head, State delta(Head.number from Head.back' game.pkt match.pcapng",
            "pktc: error: 'Head, State delta(Head.number from Head.back' does not say which baseline a delta has: "
            "expected ')' or 'after', found the end\n"
            "      = help: 'State delta(Header.number from Header.baseline)' names the fields that do\n");
    refuses(
        1, "--stream 'F=Head, Step[bits(Head.number' game.pkt match.pcapng",
        "pktc: error: 'Head, Step[bits(Head.number' is not a list of types: expected ')' after 'bits(...', found the "
        "end\n"
        "      = help: a list looks like 'Header, State delta, Event*'\n");
    refuses(1, "--stream 'F=Head, Step[Head.number' game.pkt match.pcapng",
            "pktc: error: 'Head, Step[Head.number' is not a list of types: expected ']', found the end\n"
            "      = help: a list looks like 'Header, State delta, Event*'\n");
    refuses(1, "--stream 'F=Head, Step[Head.nr]' game.pkt match.pcapng",
            "pktc: error: 'Head, Step[Head.nr]': there is no single field 'nr'\n"
            "game.pkt:3:8: note: the fields of 'Head' are here\n"
            "    3 | struct Head { u16 number; optional u16 back; }\n"
            "      |        ^~~~\n");
    refuses(1, "--stream 'F=Head, Step[Head.nubmer]' game.pkt match.pcapng",
            "pktc: error: 'Head, Step[Head.nubmer]': there is no single field 'nubmer'\n"
            "      = help: did you mean 'number'?\n"
            "game.pkt:3:8: note: the fields of 'Head' are here\n"
            "    3 | struct Head { u16 number; optional u16 back; }\n"
            "      |        ^~~~\n");
    refuses(1, "--stream 'F=Head, Step[Head]' game.pkt match.pcapng",
            "pktc: error: 'Head, Step[Head]': expected a field that is a whole number, such as 'Head.count'\n");
    capture wireless = capture_open(WIRELESS);
    capture_add(&wireless, (const uint8_t *)"", 1, 1);
    capture_close(&wireless);
    refuses(
        1, "game.pkt network.pcap",
        "pktc: error: 'network.pcap' has packets of link type 105, which pktc does not read\n"
        "      = help: it reads Ethernet, Linux cooked, loopback and raw IP; `tcpdump -i any` captures Linux cooked\n");
    file_write("other.pkt", "protocol other = 1;\n");
    file_write("head.pkt", "protocol other = 1;\nstruct Head { u8 n; }\n");
    decodes(
        "other.pkt match.pcapng",
        "{\"index\": 1, \"time\": 1700000000.000000000, \"direction\": \"sent\", \"from\": \"10.0.0.1:40000\", \"to\": "
        "\"10.0.0.2:50000\", \"size\": 9, \"type\": null, \"refused\": \"damaged, or of another protocol, seed or baseline\"}\n",
        "pktc: warning: none of the 1 datagrams is a packet of this protocol\n"
        "      = help: --stream 'NAME=TYPE, TYPE*' names the types in frames; `pktc help decode` says more\n");
    process_result unseen =
        run_for(0, "decode --stream 'F=Head' --stream Down=Head --seed 3 other.pkt game.pkt match.pcapng");
    assert_string_equal(unseen.err, "");
    process_free(&unseen);
    unseen = run_for(0, "decode --stream F=Head --stream Down=Head --seed 3 head.pkt match.pcapng");
    assert_string_equal(unseen.err, "pktc: warning: none of the 1 datagrams is a packet of this protocol\n"
                                    "      = help: none is a frame 'F' with this seed\n"
                                    "      = help: none is a frame 'Down' with this seed\n");
    process_free(&unseen);
    refuses(1, "game.pkt head.pcapng", "pktc: error: cannot read 'head.pcapng': it ends within its head\n");
    decodes("game.pkt cut.pcapng", "",
            "pktc: warning: 'cut.pcapng' ends after packet 0: the file ends within what follows\n");
}

int main(void)
{
    cli_begin("recording");
    return cli_end(run_all(set_up));
}
