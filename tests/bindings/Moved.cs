/* Moved.cs - reads a packet of an older release, and one of a library of another schema: see run.sh.
 * SPDX-License-Identifier: MIT
 */
using System;
using System.IO;
using moved;
using static moved.Packets;

static unsafe class Moved
{
    static void Main(string[] arguments)
    {
        byte[] packet = File.ReadAllBytes(arguments[0]);
        Move move;
        pkt_error error;
        uint version;
        try {
            fixed (byte* data = packet)
                Console.WriteLine(Move_unpack_any(&move, data, packet.Length, &version, &error) + " " + version + " " + move.x + " " + move.name_text);
        } catch (TypeInitializationException e) {
            Console.WriteLine(e.InnerException.Message);
            return;
        }
        move.name_text = "a text that is too long";
        Console.WriteLine(move.name_text);
        move.name_text = "fourteen bytesé";
        Console.WriteLine(move.name_text.Length + " " + Move_valid(&move, null));
        try {
            Move_pack(ref move, packet, packet.Length + 1, out error);
        } catch (ArgumentOutOfRangeException e) {
            Console.WriteLine(e.ParamName);
        }
        Console.WriteLine(Move_pack(ref move, new byte[3], 3, out error) + " " + error.code);
    }
}
