// Play.cs - calls the functions of docs/engines.md as a game in Unity does.
// SPDX-License-Identifier: MIT
using System;
using System.IO;
using game;

static unsafe class Play
{
    static void Main(string[] args)
    {
        var data = new byte[256];
        pkt_error error;
        int size = Player.Join(7, "anna", data, out error);
        Console.WriteLine(BitConverter.ToString(data, 0, size) + " " + error.code);
        size = Player.Join(7, "anna", new byte[8], out error);
        Console.WriteLine(size + " " + error.code);
        byte[] packet = File.ReadAllBytes(args[0]);
        State state;
        fixed (byte* bytes = packet) {
            Console.WriteLine(Player.Moves(&state, bytes, packet.Length, 1) + " " + state.tick + " " + state.ships_count + " " +
                              state.ships[1].slot + " " + state.ships[1].x);
            bytes[5] ^= 1;
            Console.WriteLine(Player.Moves(&state, bytes, packet.Length, 1));
        }
    }
}
