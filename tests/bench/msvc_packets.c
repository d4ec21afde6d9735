/* msvc_packets.c - packets of mygame as a library of Windows: it measures how long each takes.
 * SPDX-License-Identifier: MIT
 */
#include "mygame.h"

#include "msvc.h"

#if defined(_MSC_VER)
#include <intrin.h>
int _fltused = 1; /* objects refer to it if they have floats */
#else
#include <x86intrin.h>
#endif

/* The entry of the library: nothing has to be prepared. */
int __stdcall load_library(void *library, unsigned reason, void *reserved);
int __stdcall load_library(void *library, unsigned reason, void *reserved)
{
    (void)library, (void)reason, (void)reserved;
    return 1;
}

static Snapshot snapshot;
static Input input;
static Chat chat;
static ConnectAccept accepted;
static ConnectChallenge challenge;
static ConnectDeny deny;

static void fill(void)
{
    Snapshot_init(&snapshot);
    snapshot.players_count = 32;
    for (unsigned i = 0; i < 32; i++) {
        Player *p = &snapshot.players[i];
        Player_init(p);
        p->slot = (uint8_t)i;
        p->alive = i % 5 != 0;
        p->moving = i % 2 != 0;
        p->x = (float)(i * 31 % 1000);
        p->y = (float)(i * 17 % 900) - 400.0f;
    }
    Snapshot_quantize(&snapshot);
    Input_init(&input);
    input.commands_count = 8;
    for (unsigned i = 0; i < 8; i++)
        Command_init(&input.commands[i]);
    Chat_init(&chat);
    pkt_text_set(chat.text, sizeof chat.text, "hello everybody, shall we go to the tower?");
    ConnectAccept_init(&accepted);
    ConnectChallenge_init(&challenge);
    challenge.client_salt = 0x123456789ABCDEF0;
    ConnectDeny_init(&deny);
    deny.minutes = 30;
}

#define MEASURE(T, v, repeats)                                         \
    if (which-- == 0) {                                                \
        T read;                                                        \
        unsigned sum = 0;                                              \
        m->name = #T;                                                  \
        m->bytes = (unsigned)T##_pack(&(v), data, sizeof data);        \
        start = __rdtsc();                                             \
        for (unsigned i = 0; i < (repeats); i++)                       \
            sum += (unsigned)T##_pack(&(v), data, sizeof data);        \
        m->pack = (double)(__rdtsc() - start) / (repeats);             \
        start = __rdtsc();                                             \
        for (unsigned i = 0; i < (repeats); i++)                       \
            sum += T##_unpack(&read, data, m->bytes);                  \
        m->unpack = (double)(__rdtsc() - start) / (repeats);           \
        m->works = m->bytes != 0 && sum == (m->bytes + 1) * (repeats); \
        return;                                                        \
    }

__declspec(dllexport) void measure(unsigned which, measurement *m);
void measure(unsigned which, measurement *m)
{
    static uint8_t data[Snapshot_MAX_BYTES];
    uint64_t start;
    fill();
    MEASURE(Snapshot, snapshot, 30)
    MEASURE(Input, input, 200)
    MEASURE(Chat, chat, 200)
    MEASURE(ConnectAccept, accepted, 1000)
    MEASURE(ConnectChallenge, challenge, 1000)
    MEASURE(ConnectDeny, deny, 1000)
    m->name = NULL;
}
