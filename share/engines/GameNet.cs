// GameNet.cs - the packets of docs/engines.md in C#, for Unity: the structs, and the functions of plugin.c.
// SPDX-License-Identifier: MIT
using System;
using System.Runtime.InteropServices;
using System.Text;

[StructLayout(LayoutKind.Sequential)]
public struct Ship
{
    public byte slot;
    [MarshalAs(UnmanagedType.U1)] public bool moving;
    public float x, y;
}

[StructLayout(LayoutKind.Sequential)]
public struct Join
{
    public uint salt;
    [MarshalAs(UnmanagedType.ByValArray, SizeConst = 32)] public byte[] name;
}

[StructLayout(LayoutKind.Sequential)]
public struct State
{
    public uint tick;
    [MarshalAs(UnmanagedType.ByValArray, SizeConst = 16)] public Ship[] ships;
    public byte ships_count;
}

public static class GameNet
{
    const string Library = "gamenet";

    [DllImport(Library)] static extern int game_join_pack(ref Join v, byte[] data, int size);
    [DllImport(Library)] [return: MarshalAs(UnmanagedType.U1)]
    static extern bool game_state_unpack(out State v, byte[] data, int size);
    [DllImport(Library)] static extern int game_join_size();
    [DllImport(Library)] static extern int game_state_size();

    static GameNet()
    {
        if (game_join_size() != Marshal.SizeOf(typeof(Join)) || game_state_size() != Marshal.SizeOf(typeof(State)))
            throw new InvalidOperationException("the plugin and GameNet.cs are of different schemas");
    }

    // Returns the size, or 0 if the name is too long.
    public static int Pack(uint salt, string name, byte[] data)
    {
        byte[] text = Encoding.UTF8.GetBytes(name);
        if (text.Length > 31)
            return 0;
        Join join = new Join { salt = salt, name = new byte[32] };
        text.CopyTo(join.name, 0);
        return game_join_pack(ref join, data, data.Length);
    }

    public static bool Unpack(out State state, byte[] data, int size)
    {
        state = default(State);
        return size <= data.Length && game_state_unpack(out state, data, size);
    }
}
