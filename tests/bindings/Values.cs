/* Values.cs - values in the structs of `pktc bind cs`, by their fields: set from JSON, and compared.
 * SPDX-License-Identifier: MIT
 *
 * Only this test looks at types while it runs: what pktc writes does not.
 */
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

/* C# cannot have a value, as C cannot. */
class Inexpressible : Exception { public Inexpressible(string why) : base(why) {} }
class Failure : Exception { public Failure(string why) : base(why) {} }

/* A field of a struct: elements of one type, `count` of them. */
class Place
{
    public string Name;
    public Type Element; /* byte for texts and bytes */
    public int Offset, Stride, Count;
    public int Length;   /* of texts and bytes: their room; else 0 */
}

/* The types and functions of one schema. */
unsafe class Binding
{
    public readonly string Name;
    readonly string source;
    readonly bool initial; /* a field has `= D` */
    readonly Type calls;
    readonly Dictionary<Type, List<Place>> places = new Dictionary<Type, List<Place>>();
    readonly Dictionary<string, DynamicMethod> passing = new Dictionary<string, DynamicMethod>();
    readonly Dictionary<Type, int> sizes = new Dictionary<Type, int>();

    public Binding(string name, string path)
    {
        Name = name;
        source = File.ReadAllText(path);
        initial = Regex.IsMatch(File.ReadAllText(Path.ChangeExtension(path, ".pkt")), @"\{[^{}]* = [^{}]*\}");
        calls = TypeOf("Packets");
    }

    public Type TypeOf(string type)
    {
        return Type.GetType(Name + "." + type) ?? Type.GetType(Name + "." + type + "_");
    }

    public bool Has(string function)
    {
        return Method(function) != null;
    }

    /* The form with pointers. */
    MethodInfo Method(string function)
    {
        foreach (MethodInfo m in calls.GetMethods())
            if (m.Name == function && (m.Attributes & MethodAttributes.PinvokeImpl) != 0)
                return m;
        return null;
    }

    /* Mono's reflection passes no pointers: a method of its own takes them as numbers. */
    DynamicMethod Passing(string function)
    {
        DynamicMethod made;
        if (passing.TryGetValue(function, out made))
            return made;
        MethodInfo m = Method(function);
        var taken = new List<Type>();
        foreach (ParameterInfo p in m.GetParameters())
            taken.Add(p.ParameterType.IsPointer ? typeof(IntPtr) : p.ParameterType);
        made = new DynamicMethod(function, m.ReturnType.IsPointer ? typeof(IntPtr) : m.ReturnType, taken.ToArray(), typeof(Binding).Module, true);
        ILGenerator il = made.GetILGenerator();
        for (int i = 0; i < taken.Count; i++)
            il.Emit(OpCodes.Ldarg, (short)i);
        il.Emit(OpCodes.Call, m);
        il.Emit(OpCodes.Ret);
        return passing[function] = made;
    }

    public object Call(string function, params object[] arguments)
    {
        return Passing(function).Invoke(null, arguments);
    }

    public int SizeOf(Type t)
    {
        int size;
        if (sizes.TryGetValue(t, out size))
            return size;
        var made = new DynamicMethod("size", typeof(int), Type.EmptyTypes, typeof(Binding).Module, true);
        ILGenerator il = made.GetILGenerator();
        il.Emit(OpCodes.Sizeof, t);
        il.Emit(OpCodes.Ret);
        return sizes[t] = (int)made.Invoke(null, null);
    }

    static int OffsetOf(FieldInfo f)
    {
        var made = new DynamicMethod("place", typeof(long), new[] { typeof(long) }, typeof(Binding).Module, true);
        ILGenerator il = made.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Conv_U);
        il.Emit(OpCodes.Ldflda, f);
        il.Emit(OpCodes.Conv_U8);
        il.Emit(OpCodes.Ret);
        return (int)((long)made.Invoke(null, new object[] { 65536L }) - 65536);
    }

    /* The last dimension of a field, which a comment of the file has if there are more. */
    int LastDim(Type t, string field, int length)
    {
        Match m = Regex.Match(source, @"struct @?" + t.Name + @"\n\s*\{(?:(?!\n\s*\}\n).)*? fixed byte @?" + field +
            @"\[\d+\];[^\n]*\[(\d+)\]\n", RegexOptions.Singleline);
        return m.Success ? int.Parse(m.Groups[1].Value) : length;
    }

    public List<Place> PlacesOf(Type t)
    {
        List<Place> all;
        if (places.TryGetValue(t, out all))
            return all;
        places[t] = all = new List<Place>();
        foreach (FieldInfo f in t.GetFields(BindingFlags.Instance | BindingFlags.Public)) {
            var p = new Place { Name = f.Name, Element = f.FieldType, Offset = OffsetOf(f), Count = 1 };
            object[] buffers = f.GetCustomAttributes(typeof(FixedBufferAttribute), false);
            PropertyInfo item = f.FieldType.GetProperty("Item");
            if (buffers.Length == 1) {
                var buffer = (FixedBufferAttribute)buffers[0];
                p.Element = buffer.ElementType;
                p.Count = buffer.Length;
            } else if (item != null) {
                p.Element = item.PropertyType.IsByRef ? item.PropertyType.GetElementType() : item.PropertyType;
                p.Count = SizeOf(f.FieldType) / SizeOf(p.Element);
            }
            p.Stride = SizeOf(p.Element);
            all.Add(p);
        }
        foreach (Place p in all) {
            bool sized = all.Exists(each => each.Name == p.Name + "_size");
            bool text = Regex.IsMatch(source, @"struct @?" + t.Name + @"\n\s*\{(?:(?!\n\s*\}\n).)*? fixed byte @?" + p.Name + @"\[\d+\]; // UTF-8",
                RegexOptions.Singleline);
            if (!sized && !text)
                continue;
            p.Length = LastDim(t, p.Name, p.Count);
            p.Count /= p.Length;
            p.Stride = p.Length;
        }
        return all;
    }

    Place Find(Type t, string name)
    {
        return PlacesOf(t).Find(each => each.Name == name) ?? PlacesOf(t).Find(each => each.Name == name + "_");
    }

    static bool IsUnion(Type t)
    {
        return t.GetField("as") != null && t.GetField("tag") != null;
    }

    public static ulong Load(byte* at, int size)
    {
        switch (size) {
        case 1: return *at;
        case 2: return *(ushort*)at;
        case 4: return *(uint*)at;
        default: return *(ulong*)at;
        }
    }

    static void Store(byte* at, int size, ulong value)
    {
        switch (size) {
        case 1: *at = (byte)value; break;
        case 2: *(ushort*)at = (ushort)value; break;
        case 4: *(uint*)at = (uint)value; break;
        default: *(ulong*)at = value; break;
        }
    }

    public IntPtr New(Type t)
    {
        int size = SizeOf(t);
        byte* v = (byte*)System.Runtime.InteropServices.Marshal.AllocHGlobal(size);
        for (int i = 0; i < size; i++)
            v[i] = 0;
        Init(t, v);
        return (IntPtr)v;
    }

    /* Sets base values. Those of a type with `= D` are other ones than its initial values: a delta without changes reads as them. */
    void Init(Type t, byte* v)
    {
        string name = t.Name.TrimEnd('_');
        Call(name + "_init", (IntPtr)v);
        for (int size = 1; initial && Has(name + "_read_delta") && size < 64; size++)
            fixed (byte* nothing = new byte[64])
                if ((bool)Call(name + "_read_delta", IntPtr.Zero, (IntPtr)v, (IntPtr)nothing, size, IntPtr.Zero))
                    return;
    }

    /* ---- from JSON */

    public void Put(Type t, byte* v, object json)
    {
        foreach (Member m in (List<Member>)json) {
            if (IsUnion(t)) {
                Place tag = Find(t, "tag"), all = Find(t, "as"), one = Find(all.Element, m.Name);
                Store(v + tag.Offset, tag.Stride, Convert.ToUInt64(Enum.Parse(tag.Element, m.Name)));
                Init(one.Element, v + all.Offset + one.Offset);
                Put(one.Element, v + all.Offset + one.Offset, m.Value);
            } else {
                PutField(t, v, m);
            }
        }
    }

    void PutField(Type t, byte* v, Member m)
    {
        Place p = Find(t, m.Name), has = Find(t, "has_" + m.Name), present = Find(t, m.Name + "_present");
        if (p == null)
            throw new Failure(t.Name + " has no " + m.Name);
        if (has != null)
            Store(v + has.Offset, 1, m.Value == null ? 0u : 1u);
        if (m.Value == null)
            return;
        if (present != null) {
            foreach (List<object> pair in (List<object>)m.Value) {
                int index = (int)Json.Count(pair[0]);
                *(ulong*)(v + present.Offset + index / 64 * 8) |= 1ul << index % 64;
                PutElement(t, v, p, index, pair[1]);
            }
            return;
        }
        bool vector = p.Element.Name == "pkt_quat" || p.Element.Name == "pkt_vec3";
        Place count = Find(t, m.Name + "_count");
        var flat = new List<object>();
        Flatten(m.Value, vector, flat);
        bool computed = Has(t.Name.TrimEnd('_') + "_" + m.Name + "_count") && count == null;
        if (flat.Count > p.Count)
            throw new Inexpressible("more elements than their array has");
        if (count != null)
            Store(v + count.Offset, count.Stride, (ulong)flat.Count);
        else if (flat.Count != p.Count && !computed)
            throw new Failure(m.Name + " has another number of elements");
        for (int i = 0; i < flat.Count; i++) {
            if (count != null && IsStruct(p.Element))
                Init(p.Element, v + p.Offset + i * p.Stride);
            PutElement(t, v, p, i, flat[i]);
        }
    }

    bool IsStruct(Type t)
    {
        return t.Namespace == Name && !t.IsEnum && t.Name != "pkt_quat" && t.Name != "pkt_vec3";
    }

    static void Flatten(object json, bool vector, List<object> to)
    {
        var list = json as List<object>;
        if (list == null || (vector && (list.Count == 0 || !(list[0] is List<object>))))
            to.Add(json);
        else
            foreach (object each in list)
                Flatten(each, vector, to);
    }

    void PutElement(Type t, byte* v, Place p, int index, object json)
    {
        byte* at = v + p.Offset + index * p.Stride;
        Place size = Find(t, p.Name + "_size");
        if (size != null) {
            string hex = (string)json;
            if (hex.Length / 2 > p.Length)
                throw new Inexpressible("more bytes than their array has");
            for (int i = 0; i < hex.Length / 2; i++)
                at[i] = byte.Parse(hex.Substring(2 * i, 2), NumberStyles.HexNumber);
            Store(v + size.Offset + index * size.Stride, size.Stride, (ulong)(hex.Length / 2));
        } else if (p.Length != 0) {
            string text = (string)json;
            if (text.IndexOf('\0') >= 0)
                throw new Inexpressible("a zero byte in a string");
            if (text.Length >= p.Length)
                throw new Inexpressible("a string too long for its array");
            for (int i = 0; i < text.Length; i++)
                at[i] = (byte)text[i];
            at[text.Length] = 0;
        } else if (p.Element.Name == "pkt_quat" || p.Element.Name == "pkt_vec3") {
            var parts = (List<object>)json;
            for (int i = 0; i < parts.Count; i++)
                PutReal(at + 4 * i, 4, parts[i]);
        } else if (p.Element == typeof(float) || p.Element == typeof(double)) {
            PutReal(at, p.Stride, json);
        } else if (p.Element == typeof(UIntPtr)) {
            Store(at, sizeof(void*), Json.Count(json));
        } else if (IsStruct(p.Element)) {
            Put(p.Element, at, json);
        } else {
            PutInteger(p.Element.IsEnum ? Enum.GetUnderlyingType(p.Element) : p.Element, at, p.Stride, json);
        }
    }

    static void PutReal(byte* at, int size, object json)
    {
        if (json is string)
            Store(at, size, Json.Count(json));
        else if (size == 4)
            *(float*)at = (float)double.Parse(((Number)json).Text, CultureInfo.InvariantCulture);
        else
            *(double*)at = double.Parse(((Number)json).Text, CultureInfo.InvariantCulture);
    }

    static void PutInteger(Type of, byte* at, int size, object json)
    {
        if (json is bool) {
            Store(at, size, (bool)json ? 1u : 0u);
            return;
        }
        string text = json is string ? (string)json : ((Number)json).Text;
        bool signed = of == typeof(sbyte) || of == typeof(short) || of == typeof(int) || of == typeof(long);
        decimal value = decimal.Parse(text, CultureInfo.InvariantCulture), half = (decimal)Math.Pow(2, 8 * size - 1);
        if (size == 8)
            half = 9223372036854775808m;
        if (value < (signed ? -half : 0) || value > (signed ? half : 2 * half) - 1 || (of == typeof(bool) && value > 1))
            throw new Inexpressible("out of the C type");
        Store(at, size, signed ? (ulong)(long)value : (ulong)value);
    }

    /* ---- comparing */

    public void Same(Type t, byte* got, byte* want)
    {
        if (IsUnion(t)) {
            Place tag = Find(t, "tag"), all = Find(t, "as");
            SameBytes(t.Name + ".tag", got + tag.Offset, want + tag.Offset, tag.Stride);
            Place one = Find(all.Element, Enum.ToObject(tag.Element, Load(want + tag.Offset, tag.Stride)).ToString());
            Same(one.Element, got + all.Offset + one.Offset, want + all.Offset + one.Offset);
            return;
        }
        foreach (Place p in PlacesOf(t)) {
            Place has = Find(t, "has_" + p.Name), count = Find(t, p.Name + "_count"), size = Find(t, p.Name + "_size");
            if (p.Name == "unused_" || (has != null && want[has.Offset] == 0) || p.Name.EndsWith("_size") && Find(t, p.Name.Substring(0, p.Name.Length - 5)) != null)
                continue;
            int n = p.Count;
            if (count != null && count != p)
                n = (int)Load(want + count.Offset, count.Stride);
            else if (Has(t.Name.TrimEnd('_') + "_" + p.Name + "_count") && Find(t, p.Name + "_present") == null)
                n = (int)(uint)Call(t.Name.TrimEnd('_') + "_" + p.Name + "_count", (IntPtr)want);
            for (int i = 0; i < n; i++) {
                byte* a = got + p.Offset + i * p.Stride, b = want + p.Offset + i * p.Stride;
                int length = p.Stride;
                if (size != null) {
                    byte* s = want + size.Offset + i * size.Stride;
                    SameBytes(p.Name + "_size", got + size.Offset + i * size.Stride, s, size.Stride);
                    length = (int)Load(s, size.Stride);
                } else if (p.Length != 0) {
                    for (length = 0; b[length] != 0;)
                        length++;
                    length++;
                }
                if (IsStruct(p.Element))
                    Same(p.Element, a, b);
                else
                    SameBytes(t.Name + "." + p.Name, a, b, length);
            }
        }
    }

    public static void SameBytes(string what, byte* got, byte* want, int size)
    {
        for (int i = 0; i < size; i++)
            if (got[i] != want[i])
                throw new Failure(what + " differs");
    }
}
