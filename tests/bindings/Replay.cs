/* Replay.cs - holds the structs and functions of `pktc bind cs` to the records of vectors files, as tests/interop/replay
 * holds generated C.
 * SPDX-License-Identifier: MIT
 *
 * usage: Replay.exe NAME DIRECTORY     reads DIRECTORY/NAME.records; prints each error of a refused read or write: line, code,
 *                                      bit and field; then how many records it passed
 */
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

unsafe class Replay
{
    readonly Binding binding;
    readonly object record;
    readonly string type;
    readonly Type of;
    readonly bool framed, delta;
    readonly ulong bits;
    byte[] bytes;
    IntPtr from; /* the baseline, or what is predicted of it */
    readonly byte* error;
    readonly Type error_type;

    Replay(Binding b, string line)
    {
        binding = b;
        record = Json.Read(line);
        type = (string)Json.Get(record, "type");
        of = b.TypeOf(type);
        framed = Json.Get(record, "id") != null;
        delta = ((List<Member>)record).Exists(m => m.Name == "base");
        bits = Json.Count(Json.Get(record, "bits"));
        string hex = (string)Json.Get(record, "hex") ?? "";
        bytes = new byte[hex.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
            bytes[i] = byte.Parse(hex.Substring(2 * i, 2), NumberStyles.HexNumber);
        error_type = b.TypeOf("pkt_error");
        error = (byte*)Marshal.AllocHGlobal(b.SizeOf(error_type));
    }

    /* ---- the CRC of packets, independent of the runtime */

    static uint Crc(uint crc, byte[] data, int from, int size)
    {
        crc = ~crc;
        for (int i = from; i < size; i++) {
            crc ^= data[i];
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
        }
        return ~crc;
    }

    uint Crc(ulong id, byte[] packet, int size)
    {
        byte[] prefix = BitConverter.GetBytes(id), name = Encoding.ASCII.GetBytes(type);
        return Crc(Crc(Crc(0, prefix, 0, 8), name, 0, name.Length), packet, 4, size);
    }

    bool IsRight(ulong id)
    {
        return bytes.Length >= 4 && Crc(id, bytes, bytes.Length) == BitConverter.ToUInt32(bytes, 0);
    }

    ulong Here { get { return Json.Count(Json.Get(record, "here_id")); } }

    byte[] Signed(byte[] packet, int size)
    {
        var signed = new byte[size];
        Array.Copy(packet, signed, size);
        Array.Copy(BitConverter.GetBytes(Crc(Here, packet, size)), signed, 4);
        return signed;
    }

    void Move()
    {
        if (IsRight(Json.Count(Json.Get(record, "id"))))
            bytes = Signed(bytes, bytes.Length);
        else if (IsRight(Here))
            bytes[0] ^= 1;
    }

    /* ---- calls */

    string Form(string frame, string stream)
    {
        return type + "_" + (framed ? frame : stream) + (delta ? "_delta" : "");
    }

    int Write(IntPtr v, byte* data, int size)
    {
        string name = Form("pack", "write");
        object written = delta ? binding.Call(name, from, v, (IntPtr)data, size, (IntPtr)error)
                               : binding.Call(name, v, (IntPtr)data, size, (IntPtr)error);
        return (int)written;
    }

    bool Read(IntPtr v, byte* data, int size)
    {
        string name = Form("unpack", "read");
        object read = delta ? binding.Call(name, from, v, (IntPtr)data, size, (IntPtr)error)
                            : binding.Call(name, v, (IntPtr)data, size, (IntPtr)error);
        return (bool)read;
    }

    string Code { get { return Enum.ToObject(binding.TypeOf("pkt_code"), *(int*)error).ToString(); } }
    ulong Bit { get { return *(ulong*)(error + 8); } }
    string Field { get { return (string)error_type.GetProperty("field_text").GetValue(Marshal.PtrToStructure((IntPtr)error, error_type)); } }

    void Expect(string step, string code)
    {
        if (Code != code)
            throw new Failure(step + ": " + Code + " at bit " + Bit + " (" + Field + "), not " + code);
    }

    void CheckPlace(ulong line)
    {
        object bit = Json.Get(record, "bit"), field = Json.Get(record, "field");
        if (bit != null && Bit != Json.Count(bit))
            throw new Failure("refused at bit " + Bit + ", not " + Json.Count(bit));
        if (field != null && Field != (string)field)
            throw new Failure("refused in " + Field + ", not in " + field);
        Console.WriteLine(line + ": " + Code + " " + Bit + " " + Field);
    }

    /* ---- checks */

    void CheckWritten(IntPtr v)
    {
        var data = new byte[bytes.Length + 1];
        fixed (byte* p = data) {
            int written = Write(v, p, bytes.Length);
            if (written != bytes.Length || Code != "ok")
                throw new Failure(written + " bytes written, not " + bytes.Length + ": " + Code + " at bit " + Bit + ", " + Field);
            for (int i = 0; i < written; i++)
                if (p[i] != bytes[i])
                    throw new Failure("byte " + i + " is written as " + p[i] + ", not " + bytes[i]);
        }
    }

    void CheckRead(byte noise, IntPtr want, bool fill)
    {
        IntPtr v = binding.New(of);
        for (int i = 0; fill && i < binding.SizeOf(of); i++)
            ((byte*)v)[i] = noise;
        var data = new byte[bytes.Length + 1];
        bytes.CopyTo(data, 0);
        fixed (byte* p = data)
            if (!Read(v, p, bytes.Length) || Code != "ok")
                throw new Failure("refused: " + Code + " at bit " + Bit + ", " + Field);
        binding.Same(of, (byte*)v, (byte*)want);
        Marshal.FreeHGlobal(v);
    }

    void CheckRefused(string step, byte[] data, int size, string code)
    {
        IntPtr v = binding.New(of);
        var copy = new byte[size + 1];
        Array.Copy(data, copy, size);
        fixed (byte* p = copy)
            if (Read(v, p, size))
                throw new Failure(step + ": " + size + " bytes are accepted");
        Expect(step, code);
        Marshal.FreeHGlobal(v);
    }

    void CheckValue(IntPtr value, IntPtr want)
    {
        ulong start = framed ? 32u : 0u, around = framed ? 64u : 0u;
        string measure = type + (delta ? "_measure_delta" : "_measure");
        ulong body = (ulong)(delta ? binding.Call(measure, from, value, start) : binding.Call(measure, value, start));
        if ((body + around + 7) / 8 != (ulong)bytes.Length || (bits > 0 && body + around != bits))
            throw new Failure(body + " bits measured");
        CheckWritten(value);
        CheckWritten(want);
        var room = new byte[bytes.Length + 1];
        fixed (byte* p = room)
            for (int size = 0; size < bytes.Length; size++) {
                if (Write(value, p, size) > 0)
                    throw new Failure("written into " + size + " bytes");
                Expect("short buffer", "capacity");
            }
        CheckRead(0, want, false);
        foreach (byte noise in new byte[] { 0, 0xa5, 1, 0xff })
            CheckRead(noise, want, true);
        for (int size = 0; size < bytes.Length; size++) {
            CheckRefused("truncation", bytes, size, framed && size >= 4 ? "crc" : "end");
            if (framed && size >= 4)
                CheckRefused("truncation with a right crc", Signed(bytes, size), size, "end");
        }
        if (!(bool)binding.Call(type + "_equal", value, value))
            throw new Failure("a writable value does not equal itself");
        if (delta)
            return;
        if (!(bool)binding.Call(type + "_equal", value, want) || !(bool)binding.Call(type + "_valid", value, (IntPtr)error))
            throw new Failure("the value does not equal what a reader sees of it");
        binding.Call(type + "_quantize", value);
        binding.Same(of, (byte*)value, (byte*)want);
    }

    IntPtr ValueOf(string key)
    {
        object json = Json.Get(record, key);
        if (json == null)
            return IntPtr.Zero;
        IntPtr v = binding.New(of);
        binding.Put(of, (byte*)v, json);
        return v;
    }

    void FindBase()
    {
        from = ValueOf("base");
        if (from == IntPtr.Zero || !binding.Has(type + "_predict"))
            return;
        IntPtr motion = Marshal.AllocHGlobal((int)binding.Call(type + "_motion_size")), seen = binding.New(of);
        binding.Call(type + "_predict", from, ValueOf("before"), (uint)Json.Count(Json.Get(record, "back")),
            (uint)Json.Count(Json.Get(record, "gap")), motion);
        binding.Call(type + "_expected", motion, seen);
        if (Json.Get(record, "predicted") != null)
            binding.Same(of, (byte*)seen, (byte*)ValueOf("predicted"));
        from = motion;
    }

    void Check(ulong line)
    {
        string refused = (string)Json.Get(record, "refuse"), unwritable = (string)Json.Get(record, "unwritable");
        if (framed && unwritable == null)
            Move();
        FindBase();
        IntPtr value = ValueOf("value"), read = ValueOf("read");
        if (refused != null) {
            CheckRefused("read", bytes, bytes.Length, refused);
            CheckPlace(line);
        } else if (unwritable != null) {
            var room = new byte[1 << 16];
            fixed (byte* p = room)
                if (Write(value, p, room.Length) > 0)
                    throw new Failure("written, though it should be refused");
            Expect("write", unwritable);
            CheckPlace(line);
        } else {
            CheckValue(value, read != IntPtr.Zero ? read : value);
        }
    }

    static int Main(string[] arguments)
    {
        string name = arguments[0], stem = Path.Combine(arguments[1], name);
        var binding = new Binding(name, stem + ".cs");
        int passed = 0, failed = 0;
        foreach (string line in File.ReadAllLines(stem + ".records", Encoding.GetEncoding(28591))) {
            var one = new Replay(binding, line);
            ulong number = Json.Count(Json.Get(one.record, "line"));
            try {
                one.Check(number);
                passed++;
            } catch (Inexpressible) {
            } catch (Exception e) {
                Exception why = e.InnerException ?? e;
                Console.Error.WriteLine("line " + number + ", of " + one.type + ": " + (why is Failure ? why.Message : why.ToString()));
                failed++;
            }
        }
        Console.WriteLine("passed " + passed);
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
