
#include "handshake.h"

enum { GAME = 77 };
static pkt_door door; /* a key of zeros is good enough for a test */

/* What the generated code of the schema reads in the answer to a Hello: 1 for a Challenge, or 30 and the reason. */
static int greet_as(uint64_t game_id, bool full, pkt_joining *j)
{
    uint8_t data[PKT_HANDSHAKE_BYTES], answer[PKT_HELLO_BYTES];
    Hello hello;
    Challenge challenge;
    Refused refused;
    pkt_guest guest;
    pkt_joining_init(j, 7, game_id, "Ada", 3);
    size_t size = pkt_joining_send(j, 0, data);
    const size_t sent = size;
    if (!Hello_unpack(&hello, data, size) || hello.client_salt != 7 || hello.game_id != game_id)
        return -1;
    if (greet(&door, "a", 1, GAME, full, data, &size, &guest, answer) || size == 0 || size > sent)
        return -2;
    if (!pkt_joining_receive(j, answer, size))
        return -3;
    if (Challenge_unpack(&challenge, answer, size))
        return challenge.client_salt == 7 ? 1 : -4;
    return Refused_unpack(&refused, answer, size) && refused.release == 8 && refused.reason == j->reason
               ? 30 + (int)refused.reason
               : -5;
}

int main(void)
{
    uint8_t data[PKT_HANDSHAKE_BYTES];
    pkt_joining j;
    pkt_guest guest;
    Response response;
    printf("%d, ", greet_as(GAME - 1, true, &j));
    printf("%d, ", greet_as(GAME, true, &j));
    printf("%d, ", greet_as(GAME, false, &j));
    const size_t sent = pkt_joining_send(&j, 0, data);
    if (!Response_unpack(&response, data, sent) || response.data_size != 3 || memcmp(response.data, "Ada", 3) != 0)
        return 1;
    for (int i = 0; i < 4; i++) {
        size_t size = sent;
        response.client_salt += i == 3;
        if (i == 3 && (size = Response_pack(&response, data, sizeof data)) == 0)
            return 2;
        printf("%d ", greet(&door, i == 0 ? "b" : "a", 1, GAME, false, data, &size, &guest, data));
    }
    printf("%d\n", guest.session == 0);
    return 0;
}
