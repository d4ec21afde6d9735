/* missing.c - functions that pktc and libpcap call and wasm does not have: no process but one, no modes of files, no
 * filters.
 * SPDX-License-Identifier: MIT
 */
#include <pcap/pcap.h>
#include <sys/stat.h>
#include <unistd.h>

pid_t getpid(void)
{
    return 1;
}

int fchmod(int file, mode_t mode)
{
    (void)file;
    (void)mode;
    return 0;
}

/* In libpcap; pktc sets no filter. */
int install_bpf_program(pcap_t *recording, struct bpf_program *filter);
void fix_linux_usb_mmapped_length(struct pcap_pkthdr *header, const u_char *bytes);

int install_bpf_program(pcap_t *recording, struct bpf_program *filter)
{
    (void)recording;
    (void)filter;
    return -1;
}

void pcap_freecode(struct bpf_program *filter)
{
    (void)filter;
}

/* In libpcap; pktc reads nothing of USB. */
void fix_linux_usb_mmapped_length(struct pcap_pkthdr *header, const u_char *bytes)
{
    (void)header;
    (void)bytes;
}
