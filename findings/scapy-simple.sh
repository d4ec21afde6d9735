#!/bin/bash
# scapy-simple.sh - scapy reads a pcapng file's simple packets as empty, and does not add an interface's offset to times.
# SPDX-License-Identifier: MIT
#
# Seen with scapy 2.5.0+dfsg-2 from Debian's python3-scapy, in Python 3.
#
# Guess: scapy reads each kind of packet block and each option of time, as Wireshark does.
#
# What happens: a simple packet block has no length of its own for what was captured, so a reader takes the lesser of the packet's
# length and the interface's limit. A limit of 0 means that there is none; scapy takes it as a length, and the packet has no
# bytes. It also gets the time of reading. An offset of an interface (if_tsoffset) is not added: a capture whose times count from
# its start is in January 1970. Units of time are right, for each interface.
#
# Why it matters: small recorders in games and consoles like simple packets, and times from the start. Their files look empty or
# old in scapy, and are right in Wireshark. pktc writes packet blocks with times since 1970, and reads offsets.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download --quiet=2 python3-scapy=2.5.0+dfsg-2 && dpkg -x python3-scapy_*.deb .)
cat >"$dir/try.py" <<'END'
import io, struct, sys, time
sys.path.insert(0, 'usr/lib/python3/dist-packages')
from scapy.utils import PcapNgReader

def block(kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack('<I', len(body) + 12)
    return struct.pack('<I', kind) + size + body + size

def option(code, value):
    return struct.pack('<HH', code, len(value)) + value + bytes(-len(value) % 4)

def interface(limit, offset=0):
    options = option(9, bytes([3])) + (option(14, struct.pack('<q', offset)) if offset else b'') + option(0, b'')
    return block(1, struct.pack('<HHI', 147, 0, limit) + options)

SECOND = 1700000000
section = block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1))
simple = block(3, struct.pack('<I', 4) + b'game')
def packet(when):
    return block(6, struct.pack('<IIIII', 0, when >> 32, when & 0xffffffff, 4, 4) + b'game')
files = {
    'simple packet, limit 65535': section + interface(65535) + simple,
    'simple packet, no limit': section + interface(0) + simple,
    'packet': section + interface(0) + packet(SECOND * 1000 + 250),
    'packet, from an offset': section + interface(0, SECOND) + packet(250),
}
for name, data in files.items():
    for read in PcapNgReader(io.BytesIO(data)):
        when = 'now' if abs(float(read.time) - time.time()) < 60 else f'{float(read.time):.2f}'
        print(f'{name}: {len(bytes(read))} bytes, time {when}')
END
cat >"$dir/seen" <<'END'
simple packet, limit 65535: 4 bytes, time now
simple packet, no limit: 0 bytes, time now
packet: 4 bytes, time 1700000000.25
packet, from an offset: 4 bytes, time 0.25
END
(cd "$dir" && python3 try.py 2>/dev/null) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
