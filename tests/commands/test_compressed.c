/* test_compressed.c - tests recordings in gzip and zstd, and those that come through pipes.
 * SPDX-License-Identifier: MIT
 */
#include "commands/record.h"

#if defined(PKTC_ZLIB) && defined(PKTC_ZSTD)
#include <zlib.h>
#include <zstd.h>

enum { MOST_BYTES = 1 << 20, PINGS = 12 };

typedef struct bytes {
    uint8_t at[MOST_BYTES];
    size_t size;
} bytes;

static bytes plain, packed;

static void write_bytes(const char *path, const bytes *b, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b->at, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void add_gzip(bytes *to, const uint8_t *from, size_t size)
{
    z_stream z = {.next_in = (uint8_t *)from,
                  .avail_in = (unsigned)size,
                  .next_out = to->at + to->size,
                  .avail_out = (unsigned)(MOST_BYTES - to->size)};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    to->size = MOST_BYTES - z.avail_out;
}

static void add_zstd(bytes *to, const uint8_t *from, size_t size)
{
    const size_t made = ZSTD_compress(to->at + to->size, MOST_BYTES - to->size, from, size, 3);
    assert_false(ZSTD_isError(made));
    to->size += made;
}

typedef void adder(bytes *to, const uint8_t *from, size_t size);
static adder *const ways[] = {add_gzip, add_zstd};

/* match.pcapng, whose bytes are also in `plain`: Pings with the numbers from 0. */
static void record_pings(void)
{
    file_write("game.pkt", SCHEMA);
    record r = record_open(1);
    for (unsigned i = 0; i < PINGS; i++) {
        char *json = text_format("{\"n\": %u}", i);
        record_add(&r, 2, PKT_SENT, "", "Ping", json);
        free(json);
    }
    fclose(r.file);
    FILE *file = fopen("match.pcapng", "rb");
    plain.size = fread(plain.at, 1, MOST_BYTES, file);
    fclose(file);
    packed.size = 0;
}

/* Runs a command line of the shell, in which $PKTC is pktc. It must print the same as `pktc decode match.pcapng`. */
static void decodes_the_same(const char *line)
{
    process_result wanted = run_for(0, "decode match.pcapng");
    process_result result = process_run("PKTC=%s; %s", pktc, line);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, wanted.out);
    assert_int_equal(result.status, 0);
    process_free(&wanted);
    process_free(&result);
}

/* Every command that reads recordings reads these; the name does not matter. */
TEST(test_forms)
{
    static const char *const commands[] = {"report $f", "report --json game.pkt $f", "decode game.pkt $f",
                                           "convert next.pkt $f"};
    record_pings();
    file_write("next.pkt", "protocol game = 1; packet Ping { u16 n; }");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        packed.size = 0;
        ways[i](&packed, plain.at, plain.size);
        write_bytes("data", &packed, packed.size);
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            char *command = text_format("for f in match.pcapng data; do %s %s > $f.out || exit 1; done; "
                                        "cmp match.pcapng.out data.out",
                                        pktc, commands[k]);
            run_shell(command);
            free(command);
        }
    }
}

/* A file of values too, which is cut at a byte of the compressed file. */
TEST(test_values)
{
    static const char wrong[] =
        "%s train coded.pkt Ping data 2>&1 | grep -q \"^pktc: error: cannot read 'data': its .* data "
        "is cut off$\"";
    file_write("coded.pkt", "protocol game = 1; struct Ping @delta { u16 n coded; }");
    plain.size = 0;
    for (unsigned i = 0; i < 40; i++) {
        const uint8_t value[] = {2, 0, 0, 0, (uint8_t)(i * i), (uint8_t)(i * i >> 8)};
        memcpy(plain.at + plain.size, value, sizeof value);
        plain.size += sizeof value;
    }
    write_bytes("plain", &plain, plain.size);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        packed.size = 0;
        ways[i](&packed, plain.at, plain.size);
        write_bytes("data", &packed, packed.size);
        run_shell(text_format("%s train coded.pkt Ping plain > wanted && %s train coded.pkt Ping data | cmp - wanted",
                              pktc, pktc));
        write_bytes("data", &packed, packed.size - 9);
        run_shell(text_format(wrong, pktc));
    }
}

/* As programs write that compress piece by piece, and as `cat` puts files together. */
TEST(test_members)
{
    static const uint8_t skipped[] = {0x5E, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    record_pings();
    for (size_t way = 0; way < 3; way++) {
        packed.size = 0;
        for (size_t at = 0; at < plain.size; at += 100)
            ways[way < 2 ? way : at / 100 % 2](&packed, plain.at + at, plain.size - at < 100 ? plain.size - at : 100);
        write_bytes("data", &packed, packed.size);
        decodes_the_same("$PKTC decode data");
    }
    packed.size = 0;
    memcpy(packed.at, skipped, sizeof skipped);
    packed.size = sizeof skipped;
    add_zstd(&packed, plain.at, plain.size);
    write_bytes("data", &packed, packed.size);
    decodes_the_same("$PKTC decode data");
}

TEST(test_pipes)
{
    record_pings();
    add_gzip(&packed, plain.at, plain.size);
    write_bytes("data", &packed, packed.size);
    decodes_the_same("$PKTC decode - < match.pcapng");
    decodes_the_same("cat match.pcapng | $PKTC decode -");
    decodes_the_same("cat data | $PKTC decode -");
    decodes_the_same("cat match.pcapng | $PKTC decode game.pkt -");
    decodes_the_same("mkfifo pipe; cat data > pipe & $PKTC decode pipe");
    decodes_the_same(
        "rm pipe; mkfifo pipe; (for i in $(seq 200); do dd bs=1 count=1 2>/dev/null; done; cat) < data > pipe & "
        "$PKTC decode pipe");
    run_shell(text_format("%s report match.pcapng > wanted; cat data | %s report - | cmp - wanted", pktc, pktc));
    file_write("next.pkt", "protocol game = 1; packet Ping { u16 n; }");
    run_shell(text_format("%s convert next.pkt match.pcapng > wanted; cat data | %s convert next.pkt - | cmp - wanted",
                          pktc, pktc));
}

/* The number of lines, all of which must be whole. */
static size_t lines_of(const char *text)
{
    size_t count = 0;
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
        assert_non_null(strchr(at, '\n'));
        count++;
    }
    return count;
}

/* What came before the end counts, wherever the file is cut. */
TEST(test_cut)
{
    static const char *const names[] = {"gzip", "zstd"};
    record_pings();
    for (size_t way = 0; way < 2; way++) {
        packed.size = 0;
        for (size_t at = 0; at < plain.size; at += 64)
            ways[way](&packed, plain.at + at, plain.size - at < 64 ? plain.size - at : 64);
        size_t before = 0, cut_within = 0;
        for (size_t size = packed.size / 2; size < packed.size; size += 61) {
            write_bytes("cut", &packed, size);
            process_result result = run_for(0, "decode cut");
            const size_t lines = lines_of(result.out);
            char *within =
                text_format("pktc: warning: 'cut' ends after packet %zu: its %s data is cut off\n", lines, names[way]);
            char *between = text_format("pktc: warning: 'cut' ends after packet %zu: ", lines);
            cut_within += strcmp(result.err, within) == 0;
            if (*result.err)
                assert_memory_equal(result.err, between, strlen(between));
            assert_true(lines >= before);
            before = lines;
            free(within);
            free(between);
            process_free(&result);
        }
        assert_true(before >= PINGS / 2 && before <= PINGS);
        assert_true(cut_within > 2);
    }
}

TEST(test_damaged)
{
    static const char text[] = "more";
    record_pings();
    add_gzip(&packed, plain.at, plain.size);
    packed.at[packed.size - 5] ^= 1; /* of the checksum */
    write_bytes("data", &packed, packed.size);
    process_result result = run_for(0, "decode data");
    assert_int_equal(lines_of(result.out), PINGS);
    assert_string_equal(result.err, "pktc: warning: 'data' ends after packet 12: its gzip data is damaged: incorrect "
                                    "data check\n");
    process_free(&result);
    packed.at[packed.size - 5] ^= 1;
    memcpy(packed.at + packed.size, text, sizeof text);
    write_bytes("data", &packed, packed.size + sizeof text);
    result = run_for(0, "decode data");
    assert_int_equal(lines_of(result.out), PINGS);
    assert_string_equal(result.err,
                        "pktc: warning: 'data' ends after packet 12: other bytes follow its compressed data\n");
    process_free(&result);
    packed.size = 0;
    add_gzip(&packed, (const uint8_t *)SCHEMA, sizeof SCHEMA);
    write_bytes("data", &packed, packed.size);
    fails_saying("pktc: error: 'data' is not a recording: pktc reads files of tcpdump, Wireshark and pkt_capture\n",
                 "report data");
    write_bytes("data", &packed, 12);
    fails_saying("pktc: error: cannot read 'data': its gzip data is cut off\n", "report data");
    write_bytes("data.gz", &packed, 12);
    file_write("coded.pkt", "protocol game = 1;\n\npacket Ping @delta {\n    u8<0, 200> n coded;\n}\n");
    fails_saying("pktc: error: cannot read 'data.gz': its gzip data is cut off\n", "train coded.pkt data.gz");
    fails_saying("pktc: error: cannot read 'gone.pcapng.gz': No such file or directory\n", "decode gone.pcapng.gz");
    fails_saying("pktc: error: cannot read 'gone.pcap.zst': No such file or directory\n", "decode gone.pcap.zst");
}

/* Some KB that become 256 MB; and a frame that asks for 128 MB of memory. */
TEST(test_bombs)
{
    enum { BLOCK = 1 << 20, BLOCKS = 256 };
    static uint8_t block[BLOCK];
    static const uint8_t head[8] = {0xAD, 0x0B, 0, 0, 0, 0, BLOCK >> 16, 0}; /* of a type that nobody knows */
    record_pings();
    memcpy(block, head, sizeof head);
    memcpy(block + BLOCK - 4, head + 4, 4);
    for (size_t way = 0; way < 2; way++) {
        FILE *file = fopen("data", "wb");
        packed.size = 0;
        ways[way](&packed, plain.at, plain.size);
        fwrite(packed.at, 1, packed.size, file);
        packed.size = 0;
        ways[way](&packed, block, BLOCK);
        for (int i = 0; i < BLOCKS; i++)
            fwrite(packed.at, 1, packed.size, file);
        fclose(file);
        process_result result = process_run("ulimit -v 100000; %s decode data", pktc);
        assert_string_equal(result.err, "");
        assert_int_equal(lines_of(result.out), PINGS);
        process_free(&result);
    }
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_outBuffer to = {packed.at, MOST_BYTES, 0};
    ZSTD_inBuffer from = {plain.at, plain.size, 0};
    ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, 27);
    ZSTD_compressStream2(c, &to, &from, ZSTD_e_flush);
    assert_int_equal(ZSTD_compressStream2(c, &to, &from, ZSTD_e_end), 0);
    ZSTD_freeCCtx(c);
    write_bytes("data", &packed, to.pos);
    fails_saying("pktc: error: cannot read 'data': its zstd data takes more than 8 MB to read: `zstd -dc --long=31` "
                 "decompresses it\n",
                 "report data");
}

TEST(test_wrong_use)
{
    record_pings();
    static const char *const wrong[][2] = {
        {"report - -", "pktc: '-' is given twice, and can be read only once; try 'pktc help report'\n"},
        {"train game.pkt - -", "pktc: '-' is given twice, and can be read only once; try 'pktc help train'\n"},
        {"train --check game.pkt -",
         "pktc: --check reads recordings twice, and '-' can be read only once; try 'pktc help train'\n"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        process_result result = run_for(2, wrong[i][0]);
        assert_string_equal(result.err, wrong[i][1]);
        process_free(&result);
    }
    run_shell(text_format("! %s report - < game.pkt 2> error; grep -q \"'-' is not a recording\" error", pktc));
    run_shell(text_format("! %s report - <&- 2> error; grep -q \"cannot read '-'\" error", pktc));
}

TEST(test_version)
{
    process_result result = run_for(0, "--version");
    assert_contains(result.out, "reads gzip: yes\nreads zstd: yes\n");
    process_free(&result);
}
#endif

int main(void)
{
    cli_begin("compressed");
    return cli_end(run_all(set_up));
}
