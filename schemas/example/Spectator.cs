/* Spectator.cs - a third client of the arena, in C#, with what `pktc bind cs` writes: it stands still and counts what happens.
 * SPDX-License-Identifier: MIT
 *
 *     Spectator.exe PORT [SECONDS [LOG]]
 *
 * The log is that of spectator.cpp. What arrives stays in the memory of C: nothing is copied or allocated for a datagram, but what
 * Socket allocates.
 */
using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Threading;
using arena;
using static arena.Packets;

unsafe class Spectator
{
    const ushort FirstNumber = 0xffc0; /* links.h */
    const int Repeated = 16;

    readonly Socket socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    readonly byte[] data = new byte[Constants.MTU];
    readonly TextWriter log; /* or null */
    readonly ulong salt = BitConverter.ToUInt64(Guid.NewGuid().ToByteArray(), 0);
    readonly ToClient* arrived = (ToClient*)Marshal.AllocHGlobal(sizeof(ToClient));
    readonly ToServer* sent = (ToServer*)Marshal.AllocHGlobal(sizeof(ToServer));
    readonly ToClient_receiver* receiver = (ToClient_receiver*)Marshal.AllocHGlobal(ToClient_receiver_size());
    ulong server_salt, session; /* of the session; 0: there is none */
    bool joined, leaving;
    double asked = -1;
    ushort next = FirstNumber, acknowledged = FirstNumber - 1; /* the number of the next command; the newest that has arrived */
    ushort expected = FirstNumber, leave_expected = FirstNumber;
    int snapshots, chats, kills, left, errors;

    Spectator(int port, TextWriter log)
    {
        this.log = log;
        socket.Connect(IPAddress.Loopback, port);
        socket.Blocking = false;
        ToClient_receiver_clear(receiver);
        ToClient_init(arrived);
    }

    void Tick(double now)
    {
        int size = 0;
        SocketError error;
        while (socket.Available > 0)
            if ((size = socket.Receive(data, 0, data.Length, SocketFlags.None, out error)) > 0)
                Receive(size);
        size = 0;
        if (joined) {
            size = WriteInput();
        } else if (now - asked > 0.1) {
            asked = now;
            size = WriteHandshake();
        }
        if (size > 0)
            socket.Send(data, 0, size, SocketFlags.None, out error);
    }

    /* ---- what goes out */

    int WriteHandshake()
    {
        pkt_error error;
        if (session == 0) {
            Hello hello = new Hello { client_salt = salt, game_id = PROTOCOL_ID };
            return Hello_pack(ref hello, data, data.Length, out error);
        }
        Response response = new Response { client_salt = salt, server_salt = server_salt, game_id = PROTOCOL_ID };
        response.name_text = "spectator in C#";
        return Response_pack(ref response, data, data.Length, out error);
    }

    /* A command that does nothing, after those like it that have not arrived. */
    int WriteInput()
    {
        int waiting = (ushort)(next - acknowledged - 1), before = Math.Min(waiting, Repeated);
        ToServer_init(sent); /* commands that do nothing */
        sent->has_snapshot = ToClient_receiver_acknowledges(receiver);
        sent->snapshot = (ushort)ToClient_receiver_newest(receiver);
        sent->newest = next++;
        sent->repeated = (ushort)((1 << before) - 1);
        sent->expected = expected;
        sent->first = leave_expected;
        if (leaving && leave_expected == FirstNumber) {
            sent->events_count = 1;
            sent->events[0].tag = Event_tag.leave;
        }
        fixed (byte* to = data)
            return ToServer_pack(sent, session, to, data.Length, null);
    }

    /* ---- what arrives */

    void Receive(int size)
    {
        Challenge challenge = default(Challenge);
        pkt_error error;
        if (session != 0) {
            OnSnapshot(size);
        } else if (Challenge_unpack(ref challenge, data, size, out error) && challenge.client_salt == salt) {
            server_salt = challenge.server_salt;
            session = salt ^ server_salt;
            asked = -1;
        }
    }

    void OnSnapshot(int size)
    {
        pkt_error error;
        fixed (byte* from = data)
            if (!ToClient_receive(receiver, arrived, session, from, size, &error)) {
                errors += error.code != pkt_code.ok && error.code != pkt_code.baseline ? 1 : 0;
                return;
            }
        joined = true;
        snapshots++;
        acknowledged = arrived->command;
        leave_expected = arrived->expected;
        Note("snapshot", arrived->number, Snapshot_hash(&arrived->snapshot));
        for (int i = 0; i < arrived->events_count; i++)
            if ((ushort)(arrived->first + i) == expected) {
                fixed (Event* one = &arrived->events[i])
                    OnEvent(one);
                expected++;
            }
    }

    void OnEvent(Event* one)
    {
        Note("event", expected, Event_hash(one));
        left += one->tag == Event_tag.left ? 1 : 0;
        kills += one->tag == Event_tag.killed ? 1 : 0;
        if (one->tag == Event_tag.chat && ++chats == 1)
            Console.WriteLine(one->@as.chat.text_text);
    }

    void Note(string what, ushort number, ulong hash)
    {
        if (log != null)
            log.WriteLine("{0:x16} {1} {2} {3:x16}", session, what, number, hash);
    }

    static int Main(string[] arguments)
    {
        double duration = arguments.Length > 1 ? double.Parse(arguments[1]) : 5, goodbye = 0.3;
        TextWriter log = arguments.Length > 2 ? new StreamWriter(arguments[2]) : null;
        var spectator = new Spectator(int.Parse(arguments[0]), log);
        var time = Stopwatch.StartNew();
        for (long tick = 1; time.Elapsed.TotalSeconds < duration + goodbye; tick++) {
            spectator.leaving = time.Elapsed.TotalSeconds > duration;
            spectator.Tick(time.Elapsed.TotalSeconds);
            Thread.Sleep((int)Math.Max(0, tick * 1000 / Constants.TICK_RATE - time.ElapsedMilliseconds));
        }
        if (log != null)
            log.Close();
        Console.WriteLine("{0} snapshots, {1} chats, {2} kills, {3} have left, {4} datagrams refused", spectator.snapshots, spectator.chats,
            spectator.kills, spectator.left, spectator.errors);
        return spectator.snapshots > 0 ? 0 : 1;
    }
}
