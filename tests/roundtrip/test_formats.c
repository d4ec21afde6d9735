/* test_formats.c - messages of other formats, whose bytes are published, against the schemas of formats.pkt.
 * SPDX-License-Identifier: MIT
 *
 * Each is read, gives the published values, and is written again as the same bytes.
 */
#include "formats.h"
#include "unit.h"

#include <string.h>

enum { MOST = 128 };

static uint8_t message[MOST];
static size_t message_size;

/* Sets the message to the bytes of hexadecimal digits. */
static void take_hex(const char *digits)
{
    unsigned byte;
    for (message_size = 0; *digits; digits += 2) {
        assert_int_equal(sscanf(digits, "%2x", &byte), 1);
        message[message_size++] = (uint8_t)byte;
    }
}

/* The same for the six bits of each character of an AIS payload, the most significant bit first. */
static void take_six_bits(const char *text)
{
    const size_t bits = 6 * strlen(text);
    memset(message, 0, sizeof message);
    message_size = (bits + 7) / 8;
    for (size_t i = 0; i < bits; i++) {
        const int code = text[i / 6] - 48, value = code > 40 ? code - 8 : code;
        message[i / 8] |= (uint8_t)((value >> (5 - i % 6) & 1) << (7 - i % 8));
    }
}

static void reverse_bytes(void)
{
    for (size_t i = 0, j = message_size; i + 1 < j; i++) {
        const uint8_t byte = message[i];
        message[i] = message[--j];
        message[j] = byte;
    }
}

/* Two's complement of this many bits. */
static int64_t negative_too(uint64_t raw, unsigned bits)
{
    const int64_t sign = INT64_C(1) << (bits - 1);
    return ((int64_t)raw ^ sign) - sign;
}

#define AGREES(T, ...)                                                                          \
    do {                                                                                        \
        formats_##T want_ = __VA_ARGS__, read_;                                                 \
        uint8_t again_[MOST];                                                                   \
        assert_true(formats_##T##_unpack_body(&read_, message, message_size));                  \
        assert_true(formats_##T##_equal(&read_, &want_));                                       \
        assert_int_equal(formats_##T##_pack_body(&want_, again_, sizeof again_), message_size); \
        assert_memory_equal(again_, message, message_size);                                     \
    } while (0)

/* AIS, a position report of type 1: the example of gpsd's page "AIVDM/AIVDO protocol decoding", 47.582833 N,
 * 122.345833 W, in units of 1/600,000 of a degree. */
TEST(ais)
{
    take_six_bits("177KQJ5000G?tO`K>RA1wUbN0TKH");
    reverse_bytes();
    AGREES(Position, {.radio = 149208,
                      .second = 15,
                      .heading = 181,
                      .course = 510,
                      .latitude = 28549700,
                      .longitude = 195027956,
                      .status = 5,
                      .mmsi = 477553000});
    assert_int_equal(negative_too(195027956, 28), -73407500);
    assert_int_equal(negative_too(28549700, 27), 28549700);
}

/* RTCM 3, message 1005: the example of the standard (10403), station 2003, in units of 0.1 mm. */
TEST(rtcm)
{
    take_hex("D300133ED7D30202980EDEEF34B4BD62AC0941986F33360B98");
    reverse_bytes();
    AGREES(Station,
           {.parity = 0x360b98, .z = 39755214643, .y = 226370609836, .x = 11141045999, .gps = true, .station = 2003});
    assert_int_equal(negative_too(226370609836, 38), -48507297108);
}

/* ADS-B, an identification: the example of Junzi Sun's book "The 1090 Megahertz Riddle". The last character comes first. */
TEST(adsb)
{
    take_hex("8D4840D6202CC371C32CE0576098");
    reverse_bytes();
    AGREES(Identification, {.parity = 0x576098,
                            .name = {' ', '3', '2', '0', '1', 'M' - 64, 'L' - 64, 'K' - 64},
                            .address = 0x4840d6,
                            .capability = 5});
}

/* MAVLink 2: the heartbeat in the tests of rust-mavlink. */
TEST(mavlink)
{
    take_hex("fd090000ef0102000000050000000203590303"
             "2e73");
    AGREES(Heartbeat, {.sequence = 239,
                       .system = 1,
                       .component = 2,
                       .custom_mode = 5,
                       .type = 2,
                       .autopilot = 3,
                       .base_mode = 89,
                       .status = 3,
                       .version = 3,
                       .checksum = 0x732e});
}

/* J1939, EEC1: the example in Thomson Technology's manual of option J of the MEC 310, 700 rpm. 0xff and 0xffff are codes for
 * "not available". */
TEST(j1939)
{
    take_hex("ff7d7de015fff0ff");
    AGREES(Engine, {.torque_mode = 15,
                    .torque_eighths = 15,
                    .rpm = 700,
                    .source = 0xff,
                    .starter = 0,
                    .unused = 15,
                    .demand = 130});
    take_hex("ff7d7dfffffff0ff");
    AGREES(Engine, {.torque_mode = 15,
                    .torque_eighths = 15,
                    .rpm = 8191.875f,
                    .source = 0xff,
                    .starter = 0,
                    .unused = 15,
                    .demand = 130});
}

/* Cyphal (UAVCAN 1.0): a heartbeat, and the answer of a node to GetInfo, in the tests of canadensis. */
TEST(cyphal)
{
    take_hex("00000000047868e0");
    AGREES(Alive, {.mode = 1, .status = 0x343c0, .toggle = true, .last = true, .first = true});
    take_hex("010000000100000000000000000000000000000000000000000000000000246f72672e75617663616e2e707975617663"
             "616e2e64656d6f2e62617369635f75736167650000");
    formats_Info want = {.cyphal = {1}, .software = {1}, .name_size = 36};
    memcpy(want.name, "org.uavcan.pyuavcan.demo.basic_usage", 36);
    AGREES(Info, want);
}

/* Minecraft's VarInt: the samples of wiki.vg. */
TEST(minecraft)
{
    static const struct {
        int64_t value;
        const char *bytes;
    } samples[] = {{0, "00"},
                   {1, "01"},
                   {2, "02"},
                   {127, "7f"},
                   {128, "8001"},
                   {255, "ff01"},
                   {25565, "ddc701"},
                   {2097151, "ffff7f"},
                   {2147483647, "ffffffff07"},
                   {-1, "ffffffff0f"},
                   {-2147483648, "8080808008"}};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const uint32_t n = (uint32_t)samples[i].value;
        take_hex(samples[i].bytes);
        AGREES(VarInt, {.a = n & 127,
                        .more = n >> 7 != 0,
                        .b = n >> 7 & 127,
                        .more2 = n >> 14 != 0,
                        .c = n >> 14 & 127,
                        .more3 = n >> 21 != 0,
                        .d = n >> 21 & 127,
                        .more4 = n >> 28 != 0,
                        .e = n >> 28});
    }
}
