/* test_mygame.c - tests random packets of schemas/mygame.pkt: written and read, truncated, and with each bit flipped.
 * SPDX-License-Identifier: MIT
 *
 * The seed is printed; set PKT_SEED=N in the environment to repeat a run. Bytes that are accepted must be what the
 * writer writes. After each flipped bit the CRC must refuse the packet; then the CRC is corrected, so that the body is
 * tested too.
 */
#include "mygame.h"
#define OWN_MAIN
#include "unit.h"

#include <string.h>

enum { ROUNDS = 60 };

/* ---- random values */

static uint64_t seed, state;

static uint64_t random64(void)
{
    state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* From 0 to max. The two ends are more frequent, because mistakes are more likely there. */
static uint32_t up_to(uint32_t max)
{
    switch (random64() % 6) {
    case 0: return 0;
    case 1: return max;
    default: return (uint32_t)(random64() % ((uint64_t)max + 1));
    }
}

static bool coin(void)
{
    return random64() & 1;
}

/* Sometimes a little outside the range, where the writer clamps. */
static float real(float low, float high)
{
    switch (random64() % 8) {
    case 0: return low;
    case 1: return high;
    case 2: return low - 1;
    case 3: return 0;
    default: return low + (high - low) * (float)(random64() >> 40) / 16777216.0f;
    }
}

static void random_text(char *text, uint32_t room)
{
    static const char *const pieces[] = {"a", "Z", " ", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\x7f"};
    size_t size = 0, wanted = up_to(room - 1);
    for (;;) {
        const char *piece = pieces[random64() % (sizeof(pieces) / sizeof(pieces[0]))];
        if (size + strlen(piece) > wanted)
            break;
        memcpy(text + size, piece, strlen(piece));
        size += strlen(piece);
    }
    text[size] = '\0';
}

static void fill_ConnectRequest(ConnectRequest *v)
{
    v->client_salt = random64();
    random_text(v->name, sizeof(v->name));
}

static void fill_ConnectChallenge(ConnectChallenge *v)
{
    v->client_salt = random64();
    v->server_salt = random64();
}

static void fill_ConnectResponse(ConnectResponse *v)
{
    v->salts = random64();
    v->has_password = coin();
    if (v->has_password)
        random_text(v->password, sizeof(v->password));
}

static void fill_ConnectAccept(ConnectAccept *v)
{
    v->slot = (uint8_t)up_to(63);
    v->tick = up_to(UINT32_MAX);
    v->tick_rate = (uint8_t)up_to(255);
}

static void fill_ConnectDeny(ConnectDeny *v)
{
    v->reason = (DenyReason)up_to(3);
    v->permanent = v->reason == DenyReason_banned && coin();
    if (v->reason == DenyReason_banned && !v->permanent)
        v->minutes = 1 + up_to(525599);
}

static void fill_Aim(Aim *v)
{
    v->yaw = real(0, 360);
    v->pitch = real(-90, 90);
}

static void fill_Command(Command *v)
{
    v->buttons = (Buttons)up_to(31);
    fill_Aim(&v->aim);
    v->forward = real(-1, 1);
    v->strafe = real(-1, 1);
    v->weapon = (Weapon)up_to(15);
}

static void fill_Input(Input *v)
{
    v->tick = up_to(UINT32_MAX);
    v->ack = (uint16_t)up_to(UINT16_MAX);
    v->ack_bits = up_to(UINT32_MAX);
    v->commands_count = (uint8_t)(1 + up_to(7));
    for (size_t i = 0; i < v->commands_count; i++)
        fill_Command(&v->commands[i]);
}

static void fill_Player(Player *v)
{
    v->slot = (uint8_t)up_to(63);
    v->team = (Team)up_to(3);
    v->alive = coin();
    if (!v->alive)
        return;
    v->x = real(-1024, 1024);
    v->y = real(-1024, 1024);
    v->z = real(0, 256);
    fill_Aim(&v->aim);
    v->health = (int16_t)up_to(200);
    v->moving = coin();
    if (v->moving) {
        v->velocity.x = real(-32, 32);
        v->velocity.y = real(-32, 32);
        v->velocity.z = real(-32, 32);
    }
    v->weapon = (Weapon)up_to(15);
}

static void fill_Snapshot(Snapshot *v)
{
    v->sequence = (uint16_t)up_to(UINT16_MAX);
    v->tick = up_to(UINT32_MAX);
    v->players_count = (uint8_t)up_to(32);
    for (size_t i = 0; i < v->players_count; i++)
        fill_Player(&v->players[i]);
}

static void fill_Chat(Chat *v)
{
    v->from_slot = (uint8_t)up_to(63);
    v->to = (Team)up_to(3);
    random_text(v->text, sizeof(v->text));
}

static void fill_Disconnect(Disconnect *v)
{
    random_text(v->reason, sizeof(v->reason));
}

static void fill_Message(Message *v)
{
    v->tag = (Message_tag)up_to(Message_tag_disconnect);
    switch (v->tag) {
    case Message_tag_connect_request:
        ConnectRequest_init(&v->as.connect_request);
        fill_ConnectRequest(&v->as.connect_request);
        break;
    case Message_tag_connect_challenge:
        ConnectChallenge_init(&v->as.connect_challenge);
        fill_ConnectChallenge(&v->as.connect_challenge);
        break;
    case Message_tag_connect_response:
        ConnectResponse_init(&v->as.connect_response);
        fill_ConnectResponse(&v->as.connect_response);
        break;
    case Message_tag_connect_accept:
        ConnectAccept_init(&v->as.connect_accept);
        fill_ConnectAccept(&v->as.connect_accept);
        break;
    case Message_tag_connect_deny:
        ConnectDeny_init(&v->as.connect_deny);
        fill_ConnectDeny(&v->as.connect_deny);
        break;
    case Message_tag_input:
        Input_init(&v->as.input);
        fill_Input(&v->as.input);
        break;
    case Message_tag_snapshot:
        Snapshot_init(&v->as.snapshot);
        fill_Snapshot(&v->as.snapshot);
        break;
    case Message_tag_chat:
        Chat_init(&v->as.chat);
        fill_Chat(&v->as.chat);
        break;
    case Message_tag_disconnect:
        Disconnect_init(&v->as.disconnect);
        fill_Disconnect(&v->as.disconnect);
        break;
    }
}

/* ---- what must be true of every packet */

typedef struct kind {
    const char *name;
    size_t size, max_bytes;
    void (*init)(void *v);
    void (*fill)(void *v);
    size_t (*pack)(const void *v, void *data, size_t size);
    bool (*unpack)(void *v, const void *data, size_t size);
    bool (*equal)(const void *a, const void *b);
    uint64_t (*measure)(const void *v, uint64_t start_bit);
} kind;

/* Memory of exactly this size, so that the address sanitizer reports any access outside it. */
static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    assert_non_null(memory);
    return memory;
}

static void *new_value(const kind *k)
{
    void *v = allocate(k->size);
    k->init(v);
    return v;
}

static bool unpack_copy(const kind *k, void *v, const uint8_t *data, size_t size)
{
    uint8_t *copy = allocate(size);
    memcpy(copy, data, size);
    bool good = k->unpack(v, copy, size);
    free(copy);
    return good;
}

static void sign(const kind *k, uint8_t *packet, size_t size)
{
    uint8_t id[8];
    for (unsigned i = 0; i < 8; i++)
        id[i] = (uint8_t)(mygame_PROTOCOL_ID >> (8 * i));
    uint32_t crc = pkt_crc32(pkt_crc32(0, id, sizeof(id)), k->name, strlen(k->name));
    crc = pkt_crc32(crc, packet + 4, size - 4);
    for (unsigned i = 0; i < 4; i++)
        packet[i] = (uint8_t)(crc >> (8 * i));
}

static void check_packs_to(const kind *k, const void *v, const uint8_t *packet, size_t size)
{
    uint8_t *again = allocate(size);
    assert_int_equal(k->pack(v, again, size), size);
    assert_memory_equal(again, packet, size);
    free(again);
}

static void check_truncations(const kind *k, const uint8_t *packet, size_t size)
{
    void *v = new_value(k);
    uint8_t *data = allocate(size);
    memcpy(data, packet, size);
    for (size_t cut = 0; cut < size; cut++) {
        assert_false(unpack_copy(k, v, packet, cut));
        if (cut < 4)
            continue;
        sign(k, data, cut);
        assert_false(unpack_copy(k, v, data, cut));
    }
    free(data);
    free(v);
}

static void check_flips(const kind *k, const uint8_t *packet, size_t size)
{
    void *v = new_value(k);
    uint8_t *data = allocate(size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        memcpy(data, packet, size);
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        assert_false(unpack_copy(k, v, data, size));
        sign(k, data, size);
        if (unpack_copy(k, v, data, size))
            check_packs_to(k, v, data, size);
    }
    free(data);
    free(v);
}

static void check_value(const kind *k, const void *v)
{
    size_t size = (size_t)((32 + k->measure(v, 32) + 32 + 7) / 8);
    assert_true(size <= k->max_bytes);
    uint8_t *packet = allocate(size);
    assert_int_equal(k->pack(v, packet, size - 1), 0);
    assert_int_equal(k->pack(v, packet, size), size);
    void *read = new_value(k);
    assert_true(unpack_copy(k, read, packet, size));
    assert_true(k->equal(v, read));
    assert_true(k->equal(read, v));
    check_packs_to(k, read, packet, size);
    check_truncations(k, packet, size);
    check_flips(k, packet, size);
    free(read);
    free(packet);
}

static void check_kind(const kind *k)
{
    state = seed;
    for (int round = 0; round < ROUNDS; round++) {
        void *v = new_value(k);
        if (round > 0)
            k->fill(v);
        check_value(k, v);
        free(v);
    }
}

#define PACKET(T)                                                         \
    static void call_##T##_init(void *v)                                  \
    {                                                                     \
        T##_init(v);                                                      \
    }                                                                     \
    static void call_##T##_fill(void *v)                                  \
    {                                                                     \
        fill_##T(v);                                                      \
    }                                                                     \
    static size_t call_##T##_pack(const void *v, void *data, size_t size) \
    {                                                                     \
        return T##_pack(v, data, size);                                   \
    }                                                                     \
    static bool call_##T##_unpack(void *v, const void *data, size_t size) \
    {                                                                     \
        return T##_unpack(v, data, size);                                 \
    }                                                                     \
    static bool call_##T##_equal(const void *a, const void *b)            \
    {                                                                     \
        return T##_equal(a, b);                                           \
    }                                                                     \
    static uint64_t call_##T##_measure(const void *v, uint64_t start_bit) \
    {                                                                     \
        return T##_measure(v, start_bit);                                 \
    }                                                                     \
    TEST(test_##T)                                                        \
    {                                                                     \
        static const kind k = {#T,                                        \
                               sizeof(T),                                 \
                               T##_MAX_BYTES,                             \
                               call_##T##_init,                           \
                               call_##T##_fill,                           \
                               call_##T##_pack,                           \
                               call_##T##_unpack,                         \
                               call_##T##_equal,                          \
                               call_##T##_measure};                       \
        check_kind(&k);                                                   \
    }

PACKET(ConnectRequest)
PACKET(ConnectChallenge)
PACKET(ConnectResponse)
PACKET(ConnectAccept)
PACKET(ConnectDeny)
PACKET(Input)
PACKET(Snapshot)
PACKET(Chat)
PACKET(Disconnect)
PACKET(Message)

int main(void)
{
    seed = random_seed();
    return run_all(NULL);
}
