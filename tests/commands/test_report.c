/* test_report.c - tests `pktc report`: what it prints about a small recording, and what it refuses.
 * SPDX-License-Identifier: MIT
 */
#include "commands/sent.h"

enum { PINGS = 20 };

/* A packet, whose number runs and whose kind hardly changes; streams with deltas; and what is nothing known. */
static void record(void)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    FILE *file = fopen("match.pcapng", "wb");
    pkt_capture c;
    file_write("game.pkt", "protocol game = 1;\n"
                           "enum Kind { none, small, large }\n"
                           "packet Ping { u16 n; Kind kind; sparse<flag> u8 set[16]; }\n"
                           "struct Head { u16 number; optional u16 back; }\n"
                           "struct State @delta { u16 x; }\n");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (unsigned i = 0; i < PINGS; i++) {
        char *json =
            text_format("{\"n\": %u, \"kind\": \"%s\", \"set\": [[3, 1]]}", 300 + i, i == 7 ? "large" : "small");
        add_sent(&c, 2 * i, "game.pkt", "", "Ping", json);
        free(json);
        json = text_format("[{\"Head\": {\"number\": %u%s}}, {\"State\": {\"x\": %u}}]", i,
                           i == 0 ? "" : ", \"back\": 1", 1000 + 3 * i);
        char *base = i == 0 ? text_format("null") : text_format("{\"x\": %u}", 1000 + 3 * (i - 1));
        file_write("base.json", base);
        add_sent(&c, 2 * i + 1, "game.pkt", "--frame Update --base base.json", "Head, State delta", json);
        free(base);
        free(json);
    }
    assert_true(pkt_capture_packet(&c, UINT64_C(1700000004000000000), PKT_SENT, &local, "?", 1));
    fclose(file);
}

#define STREAM "--stream 'Update=Head, State delta(Head.number from Head.number - Head.back)'"

TEST(test_text)
{
    record();
    process_result r = run_for(0, "report " STREAM " game.pkt match.pcapng");
    assert_string_equal(r.err, "");
    assert_string_equal(
        r.out,
        "40 datagrams, 578 bytes in 4.0 s: 1.2 kbit/s\n"
        "1 more, of 1 bytes in all, could not be read: `pktc decode` says why.\n"
        "\n"
        "datagram   count   bytes: mean   95 %   most   kbit/s    share\n"
        "Ping          20          14.0     14     14      0.6   48.4 %\n"
        "Update        20          14.9     15     15      0.6   51.6 %\n"
        "\n"
        "from and to                          count   bytes: mean   kbit/s     share\n"
        "192.0.2.1:40000 to 192.0.2.9:50000      40          14.4      1.2   100.0 %\n"
        "\n"
        "field              items   bits    share   bits each   entropy   of differences   seen\n"
        "Ping.crc              20    640   13.8 %        32.0\n"
        "Ping.end check        20    640   13.8 %        32.0\n"
        "Update.crc            20    640   13.8 %        32.0\n"
        "Update.end check      20    640   13.8 %        32.0\n"
        "Head.number           20    320    6.9 %        16.0     >4.32             0.00   0 to 19, counting up\n"
        "Ping.n                20    320    6.9 %        16.0     >4.32             0.00   300 to 319, counting up\n"
        "Ping.set             320    320    6.9 %         1.0\n"
        "State.x               20    320    6.9 %        16.0     >4.32             0.29   1000 to 1057, counting up\n"
        "Head.back             19    304    6.6 %        16.0      0.00             0.00   1\n"
        "Ping.set[]            20    160    3.5 %         8.0      0.00             0.00   1\n"
        "Ping.kind             20     40    0.9 %         2.0      0.29             0.59   small to large\n"
        "Head.has_back         20     20    0.4 %         1.0\n"
        "State.changes         20     20    0.4 %         1.0\n"
        "\n"
        "sparse array: bits of indices   elements   flag   count   sentinel   relative   bitmap   auto\n"
        "Ping.set (flag)                      1.0   16.0     9.0       10.0       10.0     16.0   11.0\n"
        "\n"
        "What each change by itself would have saved, in bytes and as a share of all. What a recording did not have, the next may:\n"
        "38   6.6 %   Head.back    is always 1\n"
        "33   5.8 %   State.x      coded, with a model: about 2.7 bits each instead of 16.0\n"
        "28   5.0 %   State.x      delta<3, 11>\n"
        "20   3.5 %   Ping.set[]   is always 1\n"
        "17   3.0 %   Ping.set     sparse<count> instead of flag\n"
        " 2   0.4 %   Ping.kind    unless small, which 95 % of all values are\n");
    process_free(&r);
}

TEST(test_json)
{
    record();
    process_result r = run_for(0, "report --json " STREAM " game.pkt match.pcapng match.pcapng");
    json_t *all = json_loads(r.out, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    assert_int_equal(json_integer_value(json_object_get(all, "count")), 80);
    assert_int_equal(json_integer_value(json_object_get(all, "refused")), 2);
    assert_int_equal(json_array_size(json_object_get(all, "datagrams")), 2);
    const json_t *first = json_array_get(json_object_get(all, "advice"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "field")), "Head.back");
    json_decref(all);
    process_free(&r);
}

static bool is_said_to_count(const json_t *report, const char *field)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(report, "fields"), i,
                       each) if (strcmp(json_string_value(json_object_get(each, "field")), field) ==
                                 0) return json_is_true(json_object_get(each, "counter"));
    fail_msg("no field '%s'", field);
    return false;
}

/* Each sender counts for itself, and begins again in a new recording. What falls is no counter. */
TEST(test_counters)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    const pkt_endpoint peers[2] = {pkt_endpoint_of(address, 4, 50001), pkt_endpoint_of(address, 4, 50002)};
    FILE *file = fopen("match.pcapng", "wb");
    pkt_capture c;
    file_write("game.pkt", "protocol game = 1;\npacket Ping { u16 n; u16 hp; u8 me; u8 up; }\n");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (unsigned i = 0; i < PINGS; i++) {
        size_t size;
        char *command = text_format("echo '{\"n\": %u, \"hp\": %u, \"me\": %u, \"up\": %u}' | %s encode game.pkt Ping",
                                    (i % 2 == 0 ? 300 : 100) + i, 90 - i / 2, i % 2, i % 4, pktc);
        uint8_t *bytes = bytes_of(command, &size);
        assert_true(pkt_capture_packet(&c, i, PKT_RECEIVED, &peers[i % 2], bytes, size));
        free(bytes);
        free(command);
    }
    fclose(file);
    process_result r = run_for(0, "report game.pkt match.pcapng match.pcapng");
    assert_contains(r.out, "101 to 318, counting up\n");
    assert_contains(r.out, "81 to 90\n");
    assert_contains(r.out, "0 to 1, constant per connection\n");
    assert_contains(r.out, "0 to 3\n");
    assert_contains(r.out, "Ping.hp   a range from 81 to 90, ");
    assert_null(strstr(r.out, "Ping.n    a range"));
    assert_null(strstr(r.out, "Ping.n    compact"));
    process_free(&r);
}

/* Datagrams overtake each other on their way. A counter is one nevertheless, and what begins again is none. */
TEST(test_counters_out_of_order)
{
    enum { COUNT = 199 };
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    FILE *file = fopen("match.pcapng", "wb");
    pkt_capture c;
    file_write("game.pkt", "protocol game = 1;\npacket Ping { u16 tick; u16 old; u16 again; u16 bit; u16 end; }\n");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (unsigned i = 0; i < COUNT; i++) {
        /* Each tenth is 3 places late; one of `old` is 100 late; `end` is late at the end too. */
        const unsigned tick = i % 10 == 9 ? i - 3 : i, old = i == 100 ? 0 : i, end = i == COUNT - 1 ? i - 2 : i;
        char *json = text_format("{\"tick\": %u, \"old\": %u, \"again\": %u, \"bit\": %u, \"end\": %u}", 300 + tick,
                                 300 + old, i % 150, i % 2, end);
        add_sent(&c, i, "game.pkt", "", "Ping", json);
        free(json);
    }
    fclose(file);
    process_result r = run_for(0, "report --json game.pkt match.pcapng");
    json_t *all = json_loads(r.out, 0, NULL);
    static const char *const counters[] = {"Ping.tick", "Ping.old", "Ping.end"}, *const others[] = {"Ping.again",
                                                                                                    "Ping.bit"};
    for (unsigned i = 0; i < 3; i++)
        assert_true(is_said_to_count(all, counters[i]));
    for (unsigned i = 0; i < 2; i++)
        assert_false(is_said_to_count(all, others[i]));
    json_decref(all);
    process_free(&r);
    run_silently("tally game.pkt match.pcapng -o match.tally");
    r = run_for(0, "report match.tally");
    assert_contains(r.out, "300 to 498, counting up\n");
    assert_null(strstr(r.out, "0 to 149, counting up\n"));
    process_free(&r);
}

/* A text is one item, whether it has a size, padding and bytes or less. */
TEST(test_texts)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    static const char *const texts[] = {"hello", "", "hi", "you"};
    static const char *const blobs[] = {"010203", "", "04", ""};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    FILE *file = fopen("match.pcapng", "wb");
    pkt_capture c;
    file_write("game.pkt", "protocol game = 1;\npacket Say { bits<3> who; string<60> texts[2]; bytes<20> blob; }\n");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (unsigned i = 0; i < 4; i++) {
        char *json = text_format("{\"texts\": [\"%s\", \"%s\"], \"blob\": \"%s\"}", texts[i], texts[3 - i], blobs[i]);
        add_sent(&c, i, "game.pkt", "", "Say", json);
        free(json);
    }
    fclose(file);
    process_result r = run_for(0, "report game.pkt match.pcapng");
    assert_contains(r.out, "\nSay.texts[]         8    244   42.4 %        30.5\n");
    assert_contains(r.out, "\nSay.blob            4     44    7.6 %        11.0\n");
    assert_contains(r.out, "\nSay.blob_size       4     20    3.5 %         5.0\n");
    process_free(&r);
}

/* Two versions of a protocol in one recording: a field of one type in both has the values of both. */
TEST(test_versions)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    FILE *file = fopen("match.pcapng", "wb");
    pkt_capture c;
    file_write("one.pkt", "protocol game = 1;\nenum Kind { none, big, red }\n"
                          "packet Ping { u32 n; u8 hp; u16 mark; Kind kind; }\n");
    file_write("two.pkt", "protocol game = 2;\nenum Kind { none, big, old, red }\n"
                          "packet Ping { u32 n; u8<0, 200> hp; u16 mark unless 9; Kind kind; }\n");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    for (unsigned i = 0; i < PINGS; i++) {
        char *json = text_format("{\"n\": %u, \"hp\": 90, \"mark\": 9, \"kind\": 2}", 100000 + 1000 * i);
        add_sent(&c, 2 * i, "one.pkt", "", "Ping", json);
        free(json);
        add_sent(&c, 2 * i + 1, "two.pkt", "", "Ping", "{\"n\": 7, \"hp\": 90, \"mark\": 9, \"kind\": 2}");
    }
    fclose(file);
    process_result r = run_for(0, "report one.pkt two.pkt match.pcapng");
    assert_contains(r.out,
                    "\nPing.n              40   1280   26.7 %        32.0     >3.16            >5.29   7 to 119000\n");
    assert_contains(
        r.out, "\nPing.hp             40    320    6.7 %         8.0                              several types\n");
    assert_contains(
        r.out, "\nPing.kind           40     80    1.7 %         2.0                              several types\n");
    assert_contains(r.out, "\nPing.mark           40    340    7.1 %         8.5      0.00             0.00   9\n");
    assert_contains(r.out, "Ping.n   a range from 7 to 119000, ");
    assert_null(strstr(r.out, "is always"));
    process_result other = run_for(0, "report two.pkt one.pkt match.pcapng");
    assert_string_equal(other.out, r.out);
    process_free(&other);
    process_free(&r);
}

/* The name of a frame can have any bytes. */
TEST(test_json_of_odd_names)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    FILE *file = fopen("match.pcapng", "wb");
    pkt_capture c;
    file_write("game.pkt", "protocol game = 1;\nstruct Head { u16 number; }\nstruct Body { u8 x; }\n");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, NULL, 0));
    add_sent(&c, 0, "game.pkt", "--frame 'a\"b\\\x01\xc2\x85\xff'", "Head, Body",
             "[{\"Head\": {\"number\": 3}}, {\"Body\": {\"x\": 4}}]");
    fclose(file);
    process_result r = run_for(0, "report --json --stream 'a\"b\\\x01\xc2\x85\xff=Head, Body' game.pkt match.pcapng");
#define NAME "a\\\"b\\\\\\u0001\\u0085\\\\xff"
#define VALUE(v)                                                                      \
    "\"values\": 1, \"different\": 1, \"entropy\": 0, \"least\": " v ", \"most\": " v \
    ", \"counter\": false, \"constant_per_connection\": false, \"usual\": " v ", \"usual_count\": 1}"
    assert_string_equal(
        r.out,
        "{\n"
        "    \"count\": 1,\n"
        "    \"bytes\": 11,\n"
        "    \"refused\": 0,\n"
        "    \"seconds\": 0,\n"
        "    \"datagrams\": [\n"
        "        {\"name\": \"" NAME "\", \"count\": 1, \"bytes\": 11, \"least\": 11, \"most\": 11}\n"
        "    ],\n"
        "    \"peers\": [\n"
        "        {\"name\": \"192.0.2.1:40000 to 192.0.2.9:50000\", \"count\": 1, \"bytes\": 11}\n"
        "    ],\n"
        "    \"fields\": [\n"
        "        {\"field\": \"" NAME ".crc\", \"items\": 1, \"bits\": 32},\n"
        "        {\"field\": \"" NAME ".end check\", \"items\": 1, \"bits\": 32},\n"
        "        {\"field\": \"Head.number\", \"items\": 1, \"bits\": 16, " VALUE(
            "\"3\"") ",\n"
                     "        {\"field\": \"Body.x\", \"items\": 1, \"bits\": 8, " VALUE("\"4\"") "\n"
                                                                                                  "    ],\n"
                                                                                                  "    \"advice\": []\n"
                                                                                                  "}\n");
    json_t *all = json_loads(r.out, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    json_decref(all);
    process_free(&r);
    r = run_for(0, "decode --stream 'a\"b\\\x01\xc2\x85\xff=Head, Body' game.pkt match.pcapng");
    assert_contains(r.out,
                    "\"type\": \"" NAME "\", \"values\": [{\"Head\": {\"number\": 3}}, {\"Body\": {\"x\": 4}}]}");
    process_free(&r);
}

TEST(test_page)
{
    record();
    process_result r = run_for(0, "report --html page.html " STREAM " game.pkt match.pcapng");
    assert_string_equal(r.out, "");
    char *page = file_read("page.html");
    assert_non_null(strstr(page, "<title>game: traffic</title>"));
    assert_non_null(strstr(page, "sparse&lt;count&gt; instead of flag"));
    assert_non_null(strstr(page, "</html>\n"));
    assert_null(strstr(page, "http"));
    free(page);
    process_free(&r);
}

/* Nothing in it is known: no numbers, and a word about what may be missing. */
TEST(test_nothing)
{
    record();
    file_write("other.pkt", "protocol other = 1;\npacket Ping { u8 n; }\n");
    process_result r = run_for(0, "report other.pkt match.pcapng");
    assert_string_equal(r.out, "0 datagrams, 0 bytes\n"
                               "41 more, of 579 bytes in all, could not be read: `pktc decode` says why.\n");
    assert_string_equal(r.err,
                        "pktc: warning: none of the 41 datagrams is a packet of this protocol\n"
                        "      = help: --stream 'NAME=TYPE, TYPE*' names the types in frames; `pktc help decode` says "
                        "more\n");
    process_free(&r);
}

static void refuses(int status, const char *arguments, const char *wanted)
{
    process_result r = run_for(status, arguments);
    assert_string_equal(r.out, "");
    assert_string_equal(r.err, wanted);
    process_free(&r);
}

TEST(test_refused)
{
    record();
    refuses(1, "report match.pcapng",
            "pktc: error: 'match.pcapng' has no schema in it\n"
            "      = help: give the schema that it was made with: `pktc report FILE.pkt match.pcapng`\n");
    refuses(1, "report game.pkt gone.pcapng", "pktc: error: cannot read 'gone.pcapng': No such file or directory\n");
    refuses(1, "report gone", "pktc: error: cannot read 'gone': No such file or directory\n");
    refuses(1, "report match.pcapng gone", "pktc: error: cannot read 'gone': No such file or directory\n");
    file_write("text.txt", "what is that?");
    refuses(1, "report game.pkt text.txt",
            "pktc: error: 'text.txt' is not a recording: pktc reads files of tcpdump, Wireshark and pkt_capture\n");
    refuses(2, "report game.pkt", "pktc: report needs a recording; try 'pktc help report'\n");
    refuses(2, "report game.pkt Ping match.pcapng",
            "pktc: 'Ping' is no recording: types of streams in a recording need --stream; try 'pktc help report'\n");
    refuses(2, "report", "pktc: report needs a recording; try 'pktc help report'\n");
    refuses(2, "report match.pcapng game.pkt",
            "pktc: 'game.pkt' comes after a recording: schemas come first; try 'pktc help report'\n");
    refuses(2, "report --json --html x.html game.pkt match.pcapng",
            "pktc: --json and --html cannot be combined; try 'pktc help report'\n");
    refuses(1, "report --seed 3 game.pkt match.pcapng",
            "pktc: error: --seed needs --stream, or a packet with parts or @seed\n");
    refuses(2, "report --hex game.pkt match.pcapng", "pktc: report has no option --hex; try 'pktc help report'\n");
}

int main(void)
{
    cli_begin("report");
    return cli_end(run_all(set_up));
}
