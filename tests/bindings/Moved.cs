/* Moved.cs - reads a packet of an older release, and one of a library of another schema: see run.sh.
 * SPDX-License-Identifier: MIT
 */
using System;
using System.Diagnostics;
using System.IO;
using System.Text;
using moved;
using static moved.Packets;

static unsafe class Moved
{
    /* The text that set_text leaves in a field of so many bytes. */
    static string Kept(string value, int room)
    {
        byte[] field = new byte[room];
        fixed (byte* to = field) {
            set_text(to, room, value);
            return text(to, room);
        }
    }

    /* The most whole characters with fewer bytes. Half of a pair by itself is U+FFFD. */
    static string Fitting(string value, int room)
    {
        int count = value.Length;
        while (count > 0 && (Encoding.UTF8.GetByteCount(value.Substring(0, count)) >= room ||
                             (count < value.Length && char.IsSurrogatePair(value, count - 1))))
            count--;
        return Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(value.Substring(0, count)));
    }

    /* All texts of up to six of these, with 1 to 4 bytes, cut anywhere. */
    static int CutWrong(string value)
    {
        int wrong = 0;
        for (int room = 1; room <= 20; room++)
            wrong += Kept(value, room) == Fitting(value, room) ? 0 : 1;
        foreach (char c in value.Length < 6 ? "aé€\ud83d\ude00" : "")
            wrong += CutWrong(value + c);
        return wrong;
    }

    static bool IsQuick(char c)
    {
        const int Length = 200000;
        Stopwatch watch = Stopwatch.StartNew();
        Kept(new string(c, Length), Length + 1);
        return watch.ElapsedMilliseconds < 5000;
    }

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
        Console.WriteLine(CutWrong("") + " " + IsQuick('€') + " " + IsQuick('\ud83d'));
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
