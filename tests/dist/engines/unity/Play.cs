// Play.cs - calls the plugin of docs/engines.md as a game in Unity does.
// SPDX-License-Identifier: MIT
using System;
using System.IO;
using System.Runtime.InteropServices;

static class Play
{
    static void Offsets(Type type)
    {
        foreach (var field in type.GetFields())
            Console.WriteLine(type.Name + "." + field.Name + " " + Marshal.OffsetOf(type, field.Name));
        Console.WriteLine(type.Name + " " + Marshal.SizeOf(type));
    }

    static void Main(string[] args)
    {
        Offsets(typeof(Ship));
        Offsets(typeof(Join));
        Offsets(typeof(State));
        var data = new byte[256];
        int size = GameNet.Pack(7, "anna", data);
        Console.WriteLine(BitConverter.ToString(data, 0, size) + " " + GameNet.Pack(7, new string('x', 32), data));
        var packet = File.ReadAllBytes(args[0]);
        State state;
        bool read = GameNet.Unpack(out state, packet, packet.Length);
        Console.WriteLine(read + " " + state.tick + " " + state.ships_count + " " + state.ships[1].slot + " " + state.ships[1].moving + " " +
                          state.ships[1].x);
        packet[5] ^= 1;
        Console.WriteLine(GameNet.Unpack(out state, packet, packet.Length));
    }
}
