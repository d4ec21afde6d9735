#!/bin/bash
# dpkt-interfaces.sh - dpkt reads the times of all interfaces of a pcapng file in the unit of the first.
# SPDX-License-Identifier: MIT
#
# Seen with dpkt 1.9.8-1 from Debian's python3-dpkt, in Python 3.
#
# Guess: a pcapng file has a unit of time for each interface, and a block of a packet says its interface, so each packet has its
# own time in seconds.
#
# What happens: the reader keeps the options of the first interface and skips the others. Behind an interface of nanoseconds,
# packets of an interface of microseconds are in January 1970, and an offset of another interface is not added. Nothing is
# reported. The other way round, nanoseconds read as microseconds are in the year 55841.
#
# Why it matters: `mergecap` puts a server's recording, in nanoseconds, and a capture by tcpdump, in microseconds, into one file
# with two interfaces. The packets are right, and half of the times are wrong by a factor of 1000. Read the two files apart, or
# write the merged file again with one unit.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download --quiet=2 python3-dpkt=1.9.8-1 && dpkg -x python3-dpkt_*.deb .)
cat >"$dir/try.py" <<'END'
import io, struct, sys
sys.path.insert(0, 'usr/lib/python3/dist-packages')
import dpkt

def block(kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack('<I', len(body) + 12)
    return struct.pack('<I', kind) + size + body + size

def option(code, value):
    return struct.pack('<HH', code, len(value)) + value + bytes(-len(value) % 4)

def interface(digits, offset=0):
    options = option(9, bytes([digits])) + (option(14, struct.pack('<q', offset)) if offset else b'') + option(0, b'')
    return block(1, struct.pack('<HHI', 147, 0, 0) + options)

def packet(number, time):
    return block(6, struct.pack('<IIIII', number, time >> 32, time & 0xffffffff, 4, 4) + b'game')

SECOND = 1700000000
section = block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1))
nano, micro = packet(0, SECOND * 10**9), packet(1, SECOND * 10**6)
files = {
    'nanoseconds, microseconds': section + interface(9) + interface(6) + nano + micro,
    'microseconds, nanoseconds': section + interface(6) + interface(9) + packet(0, SECOND * 10**6) + packet(1, SECOND * 10**9),
    'milliseconds, milliseconds from an offset': section + interface(3) + interface(3, SECOND) + packet(0, SECOND * 10**3) + packet(1, 0),
}
for name, data in files.items():
    print(f'{name}:', ', '.join(f'{time:.0f}' for time, _ in dpkt.pcapng.Reader(io.BytesIO(data))))
END
cat >"$dir/seen" <<'END'
nanoseconds, microseconds: 1700000000, 1700000
microseconds, nanoseconds: 1700000000, 1700000000000
milliseconds, milliseconds from an offset: 1700000000, 0
END
(cd "$dir" && python3 try.py) >"$dir/now"
diff "$dir/seen" "$dir/now" && cat "$dir/now"
