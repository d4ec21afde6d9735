/* SDL_net.h - as much of SDL_net as docs/engines.md uses: a socket that receives what it sends.
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>

typedef struct _UDPsocket *UDPsocket;
typedef struct {
    int channel;
    uint8_t *data;
    int len, maxlen;
} UDPpacket;
int SDLNet_UDP_Send(UDPsocket socket, int channel, UDPpacket *packet);
int SDLNet_UDP_Recv(UDPsocket socket, UDPpacket *packet);
