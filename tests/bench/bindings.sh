#!/bin/sh
# bindings.sh - what a call of C# costs beside one of C: the same functions of a packet of 19 bytes, in turn, in one process.
# SPDX-License-Identifier: MIT
#
# usage: PKTC=build/pktc bindings.sh SCRATCH
#
# Prints nanoseconds of processor time a call, the medians of 15 rounds: as mono is, and with threads that are stopped as in Unity.
# mono has to be installed.
set -eu
mkdir -p "$1"
"$PKTC" -o "$1" tests/bindings/moved.pkt
"$PKTC" bind cs -o "$1" tests/bindings/moved.pkt
cat >"$1/loop.c" <<'C'
#include "moved_bind.c"
#include <time.h>
PKT_API double used(void);
double used(void)
{
    return (double)clock() * 1e9 / CLOCKS_PER_SEC;
}
PKT_API int32_t loop(Move *v, uint8_t *data, int32_t count);
int32_t loop(Move *v, uint8_t *data, int32_t count)
{
    int32_t (*volatile pack)(const Move *, void *, int32_t, pkt_error *) = bind_Move_pack_;
    int32_t (*volatile unpack)(Move *, const void *, int32_t, pkt_error *) = bind_Move_unpack_;
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        v->x = (uint16_t)i;
        const int32_t size = pack(v, data, Move_MAX_BYTES, NULL);
        sum += size + unpack(v, data, size, NULL);
    }
    return sum;
}
C
cat >"$1/Loop.cs" <<'C'
using System;
using System.Runtime.InteropServices;
using moved;
using static moved.Packets;

static unsafe class Loop
{
    [DllImport("moved")] static extern int loop(Move* v, byte* data, int count);
    [DllImport("moved")] static extern double used();

    static int Same(Move* v, byte* data, int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            v->x = (ushort)i;
            int size = Move_pack(v, data, Move_MAX_BYTES, null);
            sum += size + (Move_unpack(v, data, size, null) ? 1 : 0);
        }
        return sum;
    }

    static void Main()
    {
        const int count = 1000000, rounds = 15;
        var times = new[] { new double[rounds], new double[rounds] };
        byte* data = stackalloc byte[Move_MAX_BYTES];
        Move move = default(Move);
        move.name_text = "anna";
        int allocated = GC.CollectionCount(0);
        for (int round = 0; round < rounds; round++)
            for (int which = 0; which < 2; which++) {
                double begin = used();
                int sum = which == 0 ? loop(&move, data, count) : Same(&move, data, count);
                times[which][round] = (used() - begin) / (2.0 * count);
                if (sum != count * (sum / count) || sum == 0)
                    throw new Exception("refused");
            }
        Array.Sort(times[0]);
        Array.Sort(times[1]);
        Console.WriteLine("C {0:f1} ns, C# {1:f1} ns: {2:f1} ns more, {3} collections", times[0][rounds / 2], times[1][rounds / 2],
            times[1][rounds / 2] - times[0][rounds / 2], GC.CollectionCount(0) - allocated);
    }
}
C
${CC:-cc} -std=c99 -O2 -fPIC -shared -I"$1" -o "$1/libmoved.so" "$1/loop.c" "$1/moved.c" "$1/pkt.c" -lm
mcs -unsafe -langversion:7 -out:"$1/Loop.exe" "$1/Loop.cs" "$1/moved.cs"
LD_LIBRARY_PATH=$1 mono "$1/Loop.exe"
LD_LIBRARY_PATH=$1 MONO_THREADS_SUSPEND=preemptive mono "$1/Loop.exe"
