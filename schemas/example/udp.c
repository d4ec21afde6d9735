/* udp.c - the sockets of POSIX and of Windows.
 * SPDX-License-Identifier: MIT
 */
#include "udp.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
typedef int udp_size, udp_address_size;
#else
#include <fcntl.h>
#include <unistd.h>
typedef size_t udp_size;
typedef socklen_t udp_address_size;
#endif

udp_socket udp_open(uint16_t port, udp_address *opened)
{
    *opened = udp_local(port);
#ifdef _WIN32
    WSADATA data;
    u_long on = 1;
    WSAStartup(MAKEWORD(2, 2), &data);
    udp_socket s = socket(AF_INET, SOCK_DGRAM, 0);
    bool fine = s != INVALID_SOCKET && ioctlsocket(s, FIONBIO, &on) == 0;
#else
    udp_socket s = socket(AF_INET, SOCK_DGRAM, 0);
    bool fine = s >= 0 && fcntl(s, F_SETFL, O_NONBLOCK) == 0;
#endif
    int room = 1 << 22; /* the system may give less */
    udp_address_size size = sizeof *opened;
    if (!fine || bind(s, (struct sockaddr *)opened, sizeof *opened) != 0 ||
        getsockname(s, (struct sockaddr *)opened, &size) != 0) {
        fprintf(stderr, "cannot open port %u on 127.0.0.1\n", (unsigned)port);
        exit(1);
    }
    setsockopt(s, SOL_SOCKET, SO_RCVBUF, (const char *)&room, sizeof room);
    return s;
}

void udp_close(udp_socket s)
{
#ifdef _WIN32
    closesocket(s);
#else
    close(s);
#endif
}

void udp_send(udp_socket s, const udp_address *to, const void *data, size_t size)
{
    (void)!sendto(s, (const char *)data, (udp_size)size, 0, (const struct sockaddr *)to, sizeof *to);
}

int udp_receive(udp_socket s, udp_address *from, void *data, size_t size)
{
    udp_address_size from_size = sizeof *from;
    return (int)recvfrom(s, (char *)data, (udp_size)size, 0, (struct sockaddr *)from, &from_size);
}
