/* Json.cs - reads the records of vectors: JSON whose texts are bytes, so it is read as Latin-1.
 * SPDX-License-Identifier: MIT
 */
using System.Collections.Generic;
using System.Globalization;
using System.Text;

/* An object is a list of members, an array a List<object>, a text a string, and a number a Number. */
class Member { public string Name; public object Value; }
class Number { public string Text; }

static class Json
{
    public static object Read(string text)
    {
        int at = 0;
        return Value(text, ref at);
    }

    public static object Get(object of, string name)
    {
        Member m = ((List<Member>)of).Find(each => each.Name == name);
        return m == null ? null : m.Value;
    }

    /* A number, which may be a text: "0x12". */
    public static ulong Count(object value)
    {
        string text = value == null ? "0" : value is Number ? ((Number)value).Text : (string)value;
        return text.StartsWith("0x") ? ulong.Parse(text.Substring(2), NumberStyles.HexNumber) : ulong.Parse(text);
    }

    static object Value(string s, ref int at)
    {
        if (s[at] == '{') {
            var members = new List<Member>();
            for (at++; s[at] != '}'; at += s[at] == ',' ? 1 : 0) {
                string name = Text(s, ref at);
                at++;
                members.Add(new Member { Name = name, Value = Value(s, ref at) });
            }
            at++;
            return members;
        }
        if (s[at] == '[') {
            var elements = new List<object>();
            for (at++; s[at] != ']'; at += s[at] == ',' ? 1 : 0)
                elements.Add(Value(s, ref at));
            at++;
            return elements;
        }
        if (s[at] == '"')
            return Text(s, ref at);
        int from = at;
        while (at < s.Length && ",]}".IndexOf(s[at]) < 0)
            at++;
        string word = s.Substring(from, at - from);
        if (word == "true" || word == "false")
            return word == "true";
        return word == "null" ? null : new Number { Text = word };
    }

    static string Text(string s, ref int at)
    {
        var text = new StringBuilder();
        for (at++; s[at] != '"'; at++) {
            char c = s[at];
            if (c == '\\') {
                int control = "bfnrt".IndexOf(c = s[++at]);
                if (control >= 0)
                    c = "\b\f\n\r\t"[control];
                else if (c == 'u') {
                    c = (char)int.Parse(s.Substring(at + 1, 4), NumberStyles.HexNumber);
                    at += 4;
                }
            }
            text.Append(c);
        }
        at++;
        return text.ToString();
    }
}
