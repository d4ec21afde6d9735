/* net/if.h - for libpcap in wasm: what it names of network interfaces, of which there are none.
 * SPDX-License-Identifier: MIT
 */
#ifndef WEB_NET_IF_H
#define WEB_NET_IF_H

#include <sys/socket.h>

#define IFNAMSIZ 16
#define SIOCGIFADDR 1
#define SIOCGIFNETMASK 2

struct ifreq {
    char ifr_name[IFNAMSIZ];
    struct sockaddr ifr_addr;
};

#endif
