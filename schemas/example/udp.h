/* udp.h - UDP on 127.0.0.1 that never waits. Every datagram of the example goes through udp_send and udp_receive.
 * SPDX-License-Identifier: MIT
 */
#ifndef UDP_H
#define UDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef _WIN32
#include <winsock2.h>
typedef SOCKET udp_socket;
#else
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
typedef int udp_socket;
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sockaddr_in udp_address;

/* A port of this machine. */
static inline udp_address udp_local(uint16_t port)
{
    udp_address address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static inline bool udp_same(const udp_address *a, const udp_address *b)
{
    return a->sin_port == b->sin_port && a->sin_addr.s_addr == b->sin_addr.s_addr;
}

/* Opens a socket on a port, or on a free one if port is 0, and stores its address in *opened. Exits if it fails. */
udp_socket udp_open(uint16_t port, udp_address *opened);

void udp_close(udp_socket s);

/* A datagram that cannot be sent counts as lost. */
void udp_send(udp_socket s, const udp_address *to, const void *data, size_t size);

/* Returns the size of the next datagram that has arrived, or -1 if there is none. */
int udp_receive(udp_socket s, udp_address *from, void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
