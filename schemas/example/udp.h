/* udp.h - the system functions of the example: non-blocking UDP on 127.0.0.1, and a clock.
 * SPDX-License-Identifier: MIT
 */
#ifndef UDP_H
#define UDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef _WIN32
#include <winsock2.h>
#include <windows.h>
typedef SOCKET udp_socket;
typedef int udp_size, udp_address_size;
#else
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
typedef int udp_socket;
typedef size_t udp_size;
typedef socklen_t udp_address_size;
#endif

typedef struct sockaddr_in udp_address;

static inline udp_address udp_local(uint16_t port)
{
    udp_address address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/* Opens a socket on a port, or on a free one if port is 0, and stores its address in *opened. Exits if it fails. */
static inline udp_socket udp_open(uint16_t port, udp_address *opened)
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

static inline void udp_send(udp_socket s, const udp_address *to, const void *data, size_t size)
{
    /* A datagram that cannot be sent counts as lost. */
    (void)!sendto(s, (const char *)data, (udp_size)size, 0, (const struct sockaddr *)to, sizeof *to);
}

/* Returns the size of the next datagram that has arrived, or -1 if there is none. */
static inline int udp_receive(udp_socket s, udp_address *from, void *data, size_t size)
{
    udp_address_size from_size = sizeof *from;
    return (int)recvfrom(s, (char *)data, (udp_size)size, 0, (struct sockaddr *)from, &from_size);
}

static inline double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Waits for the next tick, and returns its time. After a delay, ticks are skipped instead of catching up. */
static inline double wait_for_tick(double next)
{
    double left = next - seconds();
    if (left <= 0)
        return seconds();
#ifdef _WIN32
    Sleep((DWORD)(left * 1000));
#else
    struct timespec pause = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    nanosleep(&pause, NULL);
#endif
    return next;
}

#endif
