# bits.awk - draws the bits of a value, from what pktc prints.
# SPDX-License-Identifier: MIT
#
# usage: awk -f style.awk -f bits.awk layout=FILE decoded=FILE bits=FILE     what `pktc layout`, `decode` and `decode --bits` print
#
# The type is the first one of the layout that is called as in the bits: "Player.slot".

BEGIN {
    for (i = 1; i < ARGC; i++) {
        split(ARGV[i], pair, "=")
        file[pair[1]] = pair[2]
    }
    while ((getline line <file["bits"]) > 0) {
        split(line, word, " ")
        if (word[1] !~ /^[0-9]+$/)
            continue
        count++
        split(word[4], path, ".")
        type = path[1]
        name[count] = path[2]
        first[count] = word[1]
        width[count] = word[2]
        raw[count] = word[3]
    }
    while ((getline line <file["decoded"]) > 0)
        if (match(line, /"[a-z_]+": /)) {
            key = substr(line, RSTART + 1, RLENGTH - 4)
            value[key] = substr(line, RSTART + RLENGTH)
            gsub(/[",]/, "", value[key])
        }
    while ((getline line <file["layout"]) > 0) {
        if (line ~ /^[a-z]/)
            inside = line ~ "^(struct|packet) " type ":"
        if (inside && match(line, /^ +[a-z_]+ +/)) {
            split(line, word, " ")
            rest = substr(line, RLENGTH + 1)
            sub(/  .*/, "", rest)
            declared[word[1]] = rest
        }
    }
    draw()
}

function kind_of(type)
{
    return type ~ /^(int|bits|[ui][0-9])/ ? 0 : type ~ /^(float|double|half)/ ? 1 : type == "bool" ? 2 : 3
}

function draw(    i, bit, x, y, n, left, cell, total, bytes, strip, byte)
{
    left = 242
    cell = 20
    total = first[count] + width[count]
    bytes = int((total + 7) / 8)
    begin(672, 48 * count + 118, "A " type " in " total " bits: each field as its bits, then all of them in " bytes " bytes")
    for (i = 1; i <= count; i++) {
        y = 48 * i - 32
        put("code bold", 20, y + 14, name[i] " = " value[name[i]])
        put("code faint small", 20, y + 32, declared[name[i]])
        n = raw[i]
        for (bit = 0; bit < width[i]; bit++) {
            x = left + bit * cell
            set[first[i] + bit] = n % 2
            kind[first[i] + bit] = kind_of(declared[name[i]])
            box("k" kind_of(declared[name[i]]), x, y + 4, cell - 2, 26, 3)
            put("code middle", x + cell / 2 - 1, y + 22, n % 2)
            n = int(n / 2)
        }
        put("faint", left + width[i] * cell + 6, y + 22, width[i] (width[i] == 1 ? " bit" : " bits"))
    }
    y = 48 * count + 26
    strip = 632 / (8 * bytes)
    for (bit = 0; bit < 8 * bytes; bit++)
        box(bit < total ? "k" kind[bit] : "k7", sprintf("%.2f", 20 + bit * strip), y, sprintf("%.2f", strip - 1), 26, 2)
    for (byte = 0; byte < bytes; byte++) {
        n = 0
        for (bit = 7; bit >= 0; bit--)
            n = 2 * n + set[8 * byte + bit]
        x = 20 + 8 * byte * strip
        printf "<path class=\"rule\" d=\"M%.2f %dv5H%.2fv-5\"/>\n", x + 1, y + 31, x + 8 * strip - 2
        put("code middle", sprintf("%.2f", x + 4 * strip), y + 54, sprintf("%02x", n))
    }
    put("faint", 20, y + 76, total " bits, each field's lowest bit first, and " (8 * bytes - total) " to fill the last byte: " bytes " bytes")
    print "</svg>"
}
