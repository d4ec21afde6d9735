/* play.c - sends a state with the program of docs/engines.md, and receives it after a damaged datagram.
 * SPDX-License-Identifier: MIT
 */
#include <SDL_net.h>
#include "game.h"
#include <stdio.h>
#include <string.h>

static uint8_t waiting[game_State_MAX_BYTES];
static int waiting_size, damaged = 1;

bool send_state(UDPsocket socket, UDPpacket *packet, const game_State *state);
bool receive_state(UDPsocket socket, UDPpacket *packet, game_State *state);

int SDLNet_UDP_Send(UDPsocket socket, int channel, UDPpacket *packet)
{
    (void)socket;
    memcpy(waiting, packet->data, (size_t)packet->len);
    waiting_size = packet->len;
    return channel == -1;
}

int SDLNet_UDP_Recv(UDPsocket socket, UDPpacket *packet)
{
    (void)socket;
    memcpy(packet->data, waiting, (size_t)waiting_size);
    packet->data[0] ^= (uint8_t)damaged;
    packet->len = waiting_size;
    return damaged-- >= 0;
}

int main(void)
{
    uint8_t data[game_State_MAX_BYTES];
    UDPpacket packet = {0, data, 0, sizeof data};
    game_State state = {9, {{0}}, 3}, seen;
    const bool received = send_state(NULL, &packet, &state) && receive_state(NULL, &packet, &seen);
    printf("%d %u %u\n", received, (unsigned)seen.tick, (unsigned)seen.ships_count);
    return receive_state(NULL, &packet, &seen);
}
