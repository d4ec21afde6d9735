/* Play.cs - prints what play.c prints, through the functions of `pktc bind cs`.
 * SPDX-License-Identifier: MIT
 */
using System;
using System.IO;
using System.Runtime.InteropServices;
using arena;
using static arena.Packets;

static unsafe class Play
{
    const int Ticks = 60, Room = 160;
    const ulong seed = 0x123456789;

    /* Memory that stays where it is, all of it zero. */
    static void* New(int size)
    {
        byte* memory = (byte*)Marshal.AllocHGlobal(size);
        for (int i = 0; i < size; i++)
            memory[i] = 0;
        return memory;
    }

    static readonly Snapshot* world = (Snapshot*)New(sizeof(Snapshot));
    static readonly ToClient* sent = (ToClient*)New(sizeof(ToClient)), got = (ToClient*)New(sizeof(ToClient));
    static readonly ToClient_snapshot_ring* ring = (ToClient_snapshot_ring*)New(ToClient_snapshot_ring_size());
    static readonly ToClient_receiver* receiver = (ToClient_receiver*)New(ToClient_receiver_size());

    static string Sum(byte* data, int size)
    {
        ulong sum = 0xcbf29ce484222325;
        for (int i = 0; i < size; i++)
            sum = unchecked((sum ^ data[i]) * 0x100000001b3);
        return sum.ToString("x16");
    }

    static int One(bool value)
    {
        return value ? 1 : 0;
    }

    static void Print(ref pkt_error error)
    {
        Console.WriteLine((int)error.code + " " + error.bit + " " + error.field_text);
    }

    static void MoveWorld(uint tick)
    {
        for (uint i = 0; i < 24; i++) {
            Entity* e = Snapshot_entities_add(world, (ushort)(i * 7 + tick / 20));
            e->kind = i % 3 == 0 ? Kind.player : Kind.crate;
            e->at.x = (float)(i + tick) / 4;
            e->at.y = (float)i - 8;
            e->at.z = 2;
            e->health = 90;
        }
        Snapshot_entities_remove(world, (ushort)(tick / 20 * 7));
        Snapshot_quantize(world);
    }

    static void PlayWorlds()
    {
        var order = new pkt_element[Constants.MAX_ENTITIES];
        byte* data = stackalloc byte[Room];
        ushort acknowledged = 0;
        bool any = false;
        for (uint tick = 1; tick <= Ticks; tick++) {
            ToClient_baselines from = default(ToClient_baselines);
            pkt_fit_report report;
            pkt_error error;
            bool fits;
            MoveWorld(tick);
            ToClient_init(sent);
            sent->number = (ushort)tick;
            sent->tick = tick;
            sent->has_back = any;
            sent->back = (byte)(any ? tick - acknowledged : 1);
            sent->events_count = 1;
            sent->events[0].tag = Event_tag.chat;
            sent->events[0].@as.chat.slot = 3;
            sent->events[0].@as.chat.text_text = "café";
            if (any)
                ToClient_snapshot_ring_find(ring, acknowledged, &from.snapshot);
            uint count = world->entities_count;
            for (uint i = 0; i < count; i++)
                order[i].number = Snapshot_FIT_entities + (i + tick) % count;
            fixed (pkt_element* first = order)
                fits = ToClient_fit_pack(&from, sent, world, first, &count, Room, &report);
            int size = ToClient_pack(&from, sent, seed, data, Room, &error);
            Console.WriteLine(tick + ": " + One(fits) + " " + report.kept + " " + report.left_out + ", " + size + " bytes " + Sum(data, size));
            ToClient_snapshot_ring_keep(ring, tick, &sent->snapshot);
            if (tick % 5 == 0)
                continue;
            if (tick % 7 == 0)
                data[20] ^= 4;
            if (ToClient_receive(receiver, got, seed, data, size, &error)) {
                any = true;
                acknowledged = (ushort)ToClient_receiver_newest(receiver);
                Console.WriteLine("  " + got->snapshot.entities_count + " entities " + Snapshot_hash(&got->snapshot).ToString("x16") + " " +
                    One(Snapshot_equal(&got->snapshot, &sent->snapshot)) + " " + got->events[0].@as.chat.text_text);
            } else {
                Print(ref error);
            }
        }
        Snapshot* mixed = (Snapshot*)New(sizeof(Snapshot));
        Snapshot_mix(&got->snapshot, world, 0.5, mixed);
        Console.WriteLine(Snapshot_hash(mixed).ToString("x16") + " " + One(Snapshot_near(&got->snapshot, world, null)));
    }

    static void PlayCommands(string old)
    {
        var data = new byte[ToServer_MAX_BYTES];
        ToServer command = default(ToServer), taken = default(ToServer);
        pkt_error error;
        uint version;
        ToServer_init(&command);
        command.repeated = 5;
        for (int i = 0; i < ToServer_commands_count(&command); i++)
            command.commands[i].yaw = 90.0f * i;
        int size = ToServer_pack(ref command, seed, data, data.Length, out error);
        string sum;
        fixed (byte* first = data)
            sum = Sum(first, size);
        Console.WriteLine(size + " bytes " + sum + " " + One(ToServer_unpack(ref taken, seed, data, size, out error)));
        Console.WriteLine(One(ToServer_unpack(ref taken, seed + 1, data, size, out error)));
        Print(ref error);
        command.commands[2].forward = 2;
        Console.WriteLine(ToServer_pack(ref command, seed, data, data.Length, out error));
        Print(ref error);
        byte[] packet = File.ReadAllBytes(old);
        fixed (byte* first = packet) {
            bool read = ToServer_unpack_any(&taken, seed, first, packet.Length, &version, &error);
            Console.WriteLine(One(read) + " of release " + version + ", newest " + taken.newest);
        }
    }

    static void Main(string[] arguments)
    {
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        PlayWorlds();
        PlayCommands(arguments[0]);
    }
}
