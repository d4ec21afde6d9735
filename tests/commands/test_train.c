/* test_train.c - tests `pktc train`: the models that it makes of recordings and values, what --check says, and what both
 * refuse.
 * SPDX-License-Identifier: MIT
 */
#include "commands/sent.h"

#include <sys/resource.h>

#define SCHEMA(more, x, y)                                                         \
    "protocol game = 1;\n" more "struct Head { u16 number; optional u16 back; }\n" \
    "packet State @delta { int<0, 1000> x" x "; u16 y" y "; }\n"
#define DEEDS(more) "struct Walk {}\nstruct Wave {}\nunion Deed { Walk walk" more "; }\n"
#define STREAM "--stream 'Update=Head, State delta(Head.number from Head.number - Head.back)' "

static const char plain[] = SCHEMA("", "", ""), coded[] = SCHEMA("", " coded", " coded"),
                  modelled[] = SCHEMA("model \"game.model\";\n", " coded", " coded"),
                  waving[] = SCHEMA(DEEDS("; Wave wave"), " coded", "; Deed does"),
                  walking[] = SCHEMA(DEEDS(""), " coded", "; Deed does");

static void prints(int status, const char *arguments, const char *out, const char *err)
{
    process_result r = run_for(status, arguments);
    assert_string_equal(r.out, out);
    assert_string_equal(r.err, err);
    process_free(&r);
}

/* x moves by 3 or by 4, and y rarely. */
static unsigned x_of(unsigned i)
{
    return 100 + 3 * i + i / 3;
}

static unsigned y_of(unsigned i)
{
    return i < 6 ? 9 : 10;
}

enum { TICKS = 12 };

/* A file of values: x takes 10 bits, y 16. */
static void write_values(const char *name, unsigned count)
{
    FILE *file = fopen(name, "wb");
    for (unsigned i = 0; i < count; i++) {
        const uint32_t bits = x_of(i) | y_of(i) << 10;
        const uint8_t bytes[8] = {
            4, 0, 0, 0, (uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
        fwrite(bytes, 1, sizeof bytes, file);
    }
    fclose(file);
}

/* Differences of x have 2 or 3 bits, and x alone changes; what never came is long. */
#define MODEL                                                                                                        \
    "# How many bits the symbols of coded fields have, as `pktc train` found them. The protocol id depends on it.\n" \
    "State changes 0.0: 3 1 3 2\n"                                                                                   \
    "State.x 0: 6 6 1 2 5 5 5 5 5 5 5\n"                                                                             \
    "State.y 0: 5 3 5 5 5 4 4 4 4 4 4 4 4 4 4 4 4\n"

TEST(test_values)
{
    write_values("match.values", TICKS);
    file_write("game.pkt", modelled);
    prints(0, "train --back 1 game.pkt State match.values", MODEL, "");
    prints(0, "train -o game.model --back=1 game.pkt State match.values", "", "");
    char *text = file_read("game.model");
    assert_string_equal(text, MODEL);
    free(text);
    run_silently("game.pkt");
}

TEST(test_check)
{
    write_values("match.values", TICKS);
    file_write("flat.pkt", coded);
    file_write("game.pkt", modelled);
    file_write("game.model", "");
    prints(1, "train --check flat.pkt State match.values",
           "type    deltas   bytes now   with a fresh model    saved\n"
           "State        5          11                    7   41.2 %\n"
           "\n"
           "A model would save 41.2 % of these deltas: train one.\n",
           "");
    prints(1, "train --check game.pkt State match.values",
           "type    deltas   bytes now   with a fresh model    saved\n"
           "State        5          11                    7   41.2 %\n"
           "\n"
           "A fresh model would save 41.2 % of these deltas: train again.\n",
           "");
    prints(0, "train --check --tolerance 42 game.pkt State match.values",
           "type    deltas   bytes now   with a fresh model    saved\n"
           "State        5          11                    7   41.2 %\n"
           "\n"
           "A fresh model would save 41.2 % of these deltas: no more than 42 %.\n",
           "");
    run_silently("train -o game.model game.pkt State match.values");
    prints(0, "train --check --tolerance=0 game.pkt State match.values",
           "type    deltas   bytes now   with a fresh model   saved\n"
           "State        5           7                    7   0.0 %\n"
           "\n"
           "A fresh model would save 0.0 % of these deltas: no more than 0 %.\n",
           "");
}

/* Most of a delta is not coded. */
static void write_little_coded(unsigned count)
{
    FILE *file = fopen("little.values", "wb");
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[70] = {66, 0, 0, 0, (uint8_t)(i * i), (uint8_t)(i * i >> 8)};
        memset(bytes + 6, (int)i, 64);
        fwrite(bytes, 1, sizeof bytes, file);
    }
    fclose(file);
}

/* Less than 1 % is saved; then nothing, because a model for twice as many of the same values fits them better than a
 * fresh one. What that costs more is negative, and 0 if nothing is left of it in tenths of a per cent. */
TEST(test_check_little)
{
    file_write("little.pkt", "protocol game = 1;\nmodel \"little.model\";\n"
                             "packet State @delta { u16 x coded; u32 rest[16]; }\n");
    file_write("little.model", "");
    write_little_coded(12);
    prints(1, "train --check --tolerance=0 little.pkt State little.values",
           "type    deltas   bytes now   with a fresh model   saved\n"
           "State        5         340                  338   0.6 %\n"
           "\n"
           "A fresh model would save 0.6 % of these deltas: train again.\n",
           "");
    run_silently("train -o little.model little.pkt State little.values little.values");
    prints(0, "train --check --tolerance=0 little.pkt State little.values",
           "type    deltas   bytes now   with a fresh model    saved\n"
           "State        5         337                  338   -0.1 %\n"
           "\n"
           "A fresh model would save -0.1 % of these deltas: no more than 0 %.\n",
           "");
    write_little_coded(28);
    run_silently("train -o little.model little.pkt State little.values little.values");
    prints(0, "train --check --tolerance=0 little.pkt State little.values",
           "type    deltas   bytes now   with a fresh model   saved\n"
           "State       21        1419                 1420   0.0 %\n"
           "\n"
           "A fresh model would save 0.0 % of these deltas: no more than 0 %.\n",
           "");
}

/* Streams with deltas, each to the one before, or whole packets; with the schema in the recording or without it. The
 * third value has more fields. */
static void record(const char *name, const char *schema, bool deltas, bool tells, const char *third)
{
    static const uint8_t address[4] = {192, 0, 2, 1};
    const pkt_endpoint local = pkt_endpoint_of(address, 4, 40000);
    const char *const text[] = {schema, NULL}, *const *const texts[] = {text};
    FILE *file = fopen(name, "wb");
    pkt_capture c;
    file_write("sent.pkt", schema);
    file_write("base.json", "null");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, texts, tells ? 1 : 0));
    for (unsigned i = 0; i < TICKS; i++) {
        char *values = text_format("{\"x\": %u, \"y\": %u%s}", x_of(i), y_of(i), i == 2 ? third : "");
        char *json =
            text_format("[{\"Head\": {\"number\": %u%s}}, {\"State\": %s}]", i, i == 0 ? "" : ", \"back\": 1", values);
        if (deltas)
            add_sent(&c, i, "sent.pkt", "--frame Update --base base.json", "Head, State delta", json);
        else
            add_sent(&c, i, "sent.pkt", "", "State", values);
        file_write("base.json", values);
        free(values);
        free(json);
    }
    fclose(file);
}

/* The same deltas, but for the first one, which has no baseline. */
TEST(test_recording)
{
    record("match.pcapng", coded, true, true, "");
    file_write("game.pkt", modelled);
    prints(
        0, "train " STREAM "game.pkt match.pcapng",
        "# How many bits the symbols of coded fields have, as `pktc train` found them. The protocol id depends on it.\n"
        "State changes 0.0: 3 1 3 2\n"
        "State.x 0: 6 6 1 2 6 6 5 4 5 5 5\n"
        "State.y 0: 5 3 5 5 3 5 5 5 4 4 4 4 4 4 4 4 4\n",
        "");
    prints(0, "train --back 1 " STREAM "game.pkt State match.pcapng", MODEL, "");
    file_write("game.model", "");
    prints(1, "train --check " STREAM "game.pkt match.pcapng match.pcapng",
           "24 datagrams, 334 bytes\n"
           "\n"
           "type    deltas   bytes now   with a fresh model    saved   recorded\n"
           "State       24          30                   21   28.8 %         30\n"
           "\n"
           "A fresh model would save 28.8 % of these deltas, and 2.5 % of all bytes: train again.\n",
           "");
}

/* What was recorded need not have coded fields, or deltas. */
TEST(test_older)
{
    record("match.pcapng", plain, false, true, "");
    record("captured.pcapng", plain, true, false, "");
    file_write("game.pkt", modelled);
    prints(0, "train --back 1 game.pkt State match.pcapng", MODEL, "");
    file_write("old.pkt", plain);
    prints(0, "train --back 1 " STREAM "game.pkt old.pkt State captured.pcapng", MODEL, "");
    /* Without a model, the schema is that of the recording, but for another id. */
    prints(1, "train game.pkt match.pcapng", "",
           "pktc: error: there is no delta of a type with coded fields\n"
           "      = help: --stream 'NAME=TYPE, TYPE delta(...)' names the types in frames; or give the name of a "
           "type, so that deltas between its values are taken\n");
    prints(1, "train " STREAM "game.pkt captured.pcapng", "",
           "game.pkt:2:7: error: cannot read 'game.model': No such file or directory\n"
           "    2 | model \"game.model\";\n"
           "      |       ^~~~~~~~~~~~\n"
           "      = help: `pktc train` makes a model; an empty file is one too, in which no code is known better\n"
           "pktc: error: 'captured.pcapng' has no schema in it\n"
           "      = help: give the schema that it was made with: `pktc train game.pkt FILE.pkt captured.pcapng`\n");
    prints(
        1, "train old.pkt match.pcapng", "",
        "pktc: error: 'old.pkt' has no coded fields, so there is nothing to train\n"
        "      = help: a field of a @delta type is coded if `coded` stands behind its name; `pktc report` says which gain\n");
    file_write("game.model", "");
    prints(1, "train " STREAM "game.pkt captured.pcapng", "",
           "pktc: error: there is no delta of a type with coded fields\n"
           "      = help: no datagram could be read; `pktc decode` says why\n");
    prints(1, "train --check " STREAM "game.pkt old.pkt captured.pcapng",
           "12 datagrams, 170 bytes\n"
           "\n"
           "type    deltas   bytes now   with a fresh model    saved   recorded\n"
           "State       12          15                   11   26.3 %         22\n"
           "\n"
           "Now these deltas take 33.0 % less than when they were recorded, 4.3 % of all bytes.\n"
           "A fresh model would save 26.3 % of these deltas, and 2.3 % of all bytes: train again.\n",
           "");
}

#define PREDICTED                                                                            \
    "protocol game = 1;\nstruct Head { u16 number; optional u16 back; optional u16 gap; }\n" \
    "packet State @delta(predict) { int<0, 1000> x coded; u16 y%s; }\n"
#define AFTER                                                                                                      \
    "--stream 'Update=Head, State delta(Head.number from Head.number - Head.back after Head.number - Head.back - " \
    "Head.gap)' "

/* One list reads recordings from both sides of a change to @delta(predict). */
TEST(test_change_to_predict)
{
    char *predicted = text_format(PREDICTED, " coded"), *renamed = text_format(PREDICTED, "2 coded");
    record("old.pcapng", coded, true, true, "");
    record("new.pcapng", predicted, true, true, "");
    file_write("game.pkt", predicted);
    prints(0, "train " AFTER "-o game.model game.pkt new.pcapng", "", "");
    prints(
        0, "train " AFTER "-o game.model game.pkt new.pcapng old.pcapng", "",
        "pktc: warning: some deltas of types with @delta(predict) were not predicted when recorded\n"
        "      = help: give the name of the type: then each value is predicted from the values --back and --gap before it\n");
    prints(0, "train " AFTER "-o game.model game.pkt State new.pcapng old.pcapng", "", "");
    file_write("game.pkt", renamed);
    prints(0, "train " AFTER "-o game.model game.pkt State new.pcapng old.pcapng", "",
           "game.pkt:3:58: warning: no recording has 'State.y2', so it is trained as if it never changed\n"
           "    3 | packet State @delta(predict) { int<0, 1000> x coded; u16 y2 coded; }\n"
           "      |                                                          ^~\n"
           "      = help: if it had another name there, add `was \"NAME\"` behind it\n");
    free(renamed);
    free(predicted);
}

/* A delta whose value, or whose baseline, has a member that is gone. */
TEST(test_lost)
{
    record("match.pcapng", waving, true, true, ", \"does\": {\"wave\": {}}");
    file_write("game.pkt", walking);
    prints(1, "train --check " STREAM "game.pkt match.pcapng",
           "12 datagrams, 170 bytes\n"
           "\n"
           "type    deltas   bytes now   with a fresh model    saved   recorded\n"
           "State       10          17                   13   24.8 %         17\n"
           "\n"
           "A model would save 24.8 % of these deltas, and 2.4 % of all bytes: train one.\n",
           "pktc: warning: 2 values do not convert to this schema, and are left out\n");
}

TEST(test_refused)
{
    write_values("short.values", 6);
    write_values("match.values", TICKS);
    file_write("game.pkt", coded);
    prints(1, "train game.pkt State short.values", "",
           "pktc: error: there are too few values of 'State': a delta needs one 7 values before it\n");
    file_write("empty.values", "");
    prints(1, "train game.pkt State empty.values", "",
           "pktc: error: the recordings have no value of 'State'\n"
           "      = help: --stream 'NAME=TYPE, TYPE delta(...)' names the types in frames\n");
    file_write("flat.pkt", plain);
    prints(1, "train flat.pkt State match.values", "",
           "pktc: error: 'State' is no @delta type with coded fields, so there is nothing to train\n");
    prints(1, "train game.pkt Head match.values", "",
           "pktc: error: 'Head' is no @delta type with coded fields, so there is nothing to train\n");
    prints(1, "train game.pkt Gone match.values", "", "pktc: error: there is no struct, packet or union 'Gone'\n");
    prints(1, "train game.pkt State gone.values", "",
           "pktc: error: cannot read 'gone.values': No such file or directory\n");
    prints(1, "train game.pkt gone.pcapng", "", "pktc: error: cannot read 'gone.pcapng': No such file or directory\n");
    prints(1, "train game.pkt State gone.pcapng --stream State", "",
           "pktc: error: cannot read 'gone.pcapng': No such file or directory\n");
    prints(2, "train", "", "pktc: train needs a .pkt file and recordings; try 'pktc help train'\n");
    prints(2, "train game.pkt", "", "pktc: train needs a recording; try 'pktc help train'\n");
    prints(2, "train game.pkt State", "", "pktc: train needs a recording; try 'pktc help train'\n");
    prints(2, "train match.values", "",
           "pktc: train needs a .pkt file first, and 'match.values' is none; try 'pktc help train'\n");
    prints(
        2, "train game.pkt ./match.values", "",
        "pktc: './match.values' is no pcap or pcapng file: for a file of values, give the name of their type; try 'pktc help train'\n");
    prints(2, "train game.pkt State match.values game.pkt", "",
           "pktc: 'game.pkt' comes after a recording: schemas come first; try 'pktc help train'\n");
    prints(2, "train game.pkt game.pkt State match.values", "",
           "pktc: 'game.pkt' is for pcap and pcapng files without a schema; try 'pktc help train'\n");
    prints(2, "train --back 3 game.pkt gone.pcapng", "",
           "pktc: --back needs the name of a type: deltas are taken as they were sent; try 'pktc help train'\n");
    prints(2, "train --gap 3 game.pkt gone.pcapng", "",
           "pktc: --gap needs the name of a type: deltas are taken as they were sent; try 'pktc help train'\n");
    prints(2, "train --port 3 game.pkt State match.values", "",
           "pktc: --port is for pcap and pcapng files; try 'pktc help train'\n");
    prints(2, "train " STREAM "game.pkt State match.values", "",
           "pktc: --stream is for pcap and pcapng files; try 'pktc help train'\n");
    prints(2, "train --check -o game.model game.pkt State match.values", "",
           "pktc: -o and --check cannot be combined: --check makes no model; try 'pktc help train'\n");
    prints(2, "train --tolerance 3 game.pkt State match.values", "",
           "pktc: --tolerance needs --check; try 'pktc help train'\n");
    prints(2, "train --check --tolerance 101 game.pkt State match.values", "",
           "pktc: --tolerance takes a number from 0 to 100, not '101'; try 'pktc help train'\n");
    prints(2, "train --check --tolerance x game.pkt State match.values", "",
           "pktc: --tolerance takes a number from 0 to 100, not 'x'; try 'pktc help train'\n");
    prints(2, "train --back 0 game.pkt State match.values", "",
           "pktc: --back takes a number from 1 to 1000000, not '0'; try 'pktc help train'\n");
    prints(2, "train --gap 1000001 game.pkt State match.values", "",
           "pktc: --gap takes a number from 1 to 1000000, not '1000001'; try 'pktc help train'\n");
    prints(2, "train --json game.pkt State match.values", "",
           "pktc: train has no option --json; try 'pktc help train'\n");
    file_write("cut.values", "1234");
    prints(1, "train game.pkt State cut.values", "", "pktc: error: 'cut.values': value 0 is cut off\n");
    file_write("broken.pkt", BROKEN);
    prints(1, "train broken.pkt State match.values", "",
           "broken.pkt:3:20: error: expected ';' after field 'n', found '}'\n"
           "    3 | packet Ping { u8 n }\n"
           "      |                    ^\n");
    file_write("game.pkt", modelled);
    prints(1, "train --check game.pkt State match.values", "",
           "game.pkt:2:7: error: cannot read 'game.model': No such file or directory\n"
           "    2 | model \"game.model\";\n"
           "      |       ^~~~~~~~~~~~\n"
           "      = help: `pktc train` makes a model; an empty file is one too, in which no code is known better\n");
}

/* Ten thousand senders, each with three values. Memory does not grow with them; with sanitizers it is not measured. */
TEST(test_many_senders)
{
    enum { SENDERS = 10000, VALUES = 3, MOST_KILOBYTES = 64 << 10 };
    static const uint8_t own[4] = {192, 0, 2, 1};
    const char *const texts[] = {coded, NULL}, *const *const schemas[] = {texts};
    const pkt_endpoint local = pkt_endpoint_of(own, 4, 40000);
    pkt_capture c;
    size_t size;
    struct rusage used;
    file_write("game.pkt", coded);
    char *command = text_format("echo '{\"x\": 7}' | %s encode game.pkt State", pktc);
    uint8_t *bytes = bytes_of(command, &size);
    FILE *file = fopen("many.pcapng", "wb");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, schemas, 1));
    for (unsigned i = 0; i < VALUES * SENDERS; i++) {
        const uint8_t address[4] = {10, 0, (uint8_t)(i / VALUES >> 8), (uint8_t)(i / VALUES)};
        const pkt_endpoint peer = pkt_endpoint_of(address, 4, 50000);
        assert_true(pkt_capture_packet(&c, i, PKT_RECEIVED, &peer, bytes, size));
    }
    fclose(file);
    process_result r = run_for(0, "train --check --tolerance 100 --back 1 game.pkt State many.pcapng");
    assert_non_null(strstr(r.out, "State    10000"));
    process_free(&r);
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    assert_true(strstr(pktc, "/san/") || used.ru_maxrss <= MOST_KILOBYTES);
    free(bytes);
    free(command);
}

/* Two bytes stand for 60,000 structs. One such value is read; a datagram of 700 of them is refused, before they fill the
 * memory. */
TEST(test_many_elements)
{
    enum { VALUES = 700, MOST_KILOBYTES = 64 << 10 };
    static const char filled[] =
        "protocol game = 1;\nstruct Z { int<5, 5> a; }\nstruct Full @large { Z z[<=60000]; }\n";
    static const uint8_t own[4] = {192, 0, 2, 1}, address[4] = {192, 0, 2, 2};
    static uint8_t bytes[2 * VALUES];
    const char *const texts[] = {filled, NULL}, *const *const schemas[] = {texts};
    const pkt_endpoint local = pkt_endpoint_of(own, 4, 40000), peer = pkt_endpoint_of(address, 4, 50000);
    pkt_capture c;
    struct rusage used;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(60000 >> 8 * (i % 2));
    FILE *file = fopen("elements.pcapng", "wb");
    assert_true(pkt_capture_begin(&c, pkt_capture_to_file, file, &local, schemas, 1));
    assert_true(pkt_capture_packet(&c, 1, PKT_RECEIVED, &peer, bytes, 2));
    assert_true(pkt_capture_packet(&c, 2, PKT_RECEIVED, &peer, bytes, sizeof bytes));
    fclose(file);
    process_result r = run_for(0, "decode --stream 'Full*' elements.pcapng");
    char *second = strchr(r.out, '\n');
    assert_non_null(second);
    *second = '\0';
    assert_null(strstr(r.out, "refused"));
    assert_non_null(strstr(second + 1, "\"refused\": \"Full.z: its values take more than 12 MB\""));
    process_free(&r);
    r = run_for(0, "report --stream 'Full*' elements.pcapng");
    process_free(&r);
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    assert_true(strstr(pktc, "/san/") || used.ru_maxrss <= MOST_KILOBYTES);
}

int main(void)
{
    cli_begin("train");
    return cli_end(run_all(set_up));
}
