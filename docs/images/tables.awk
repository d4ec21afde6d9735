# tables.awk - draws the match of docs/tables.md from the lines of `pktc decode`: bytes in each second, and where players were.
# SPDX-License-Identifier: MIT
#
# usage: awk -f style.awk -f tables.awk FILE

BEGIN {
    cell = 4
    from = -32
    cells = 16
}

# The number behind `"name": `; what is before it is cut off.
function number(name,    at)
{
    at = index(rest, "\"" name "\": ")
    if (at == 0)
        return ""
    rest = substr(rest, at + length(name) + 4)
    match(rest, /^[-0-9.e]+/)
    return substr(rest, 1, RLENGTH)
}

function cell_of(place,    at)
{
    at = int((place - from) / cell)
    return at < 0 || place < from ? -1 : at < cells ? at : -1
}

{
    rest = $0
    time = number("time")
    start = NR == 1 ? int(time) : start
    second = int(time) - start
    seconds = second + 1
    bytes[second] += number("size")
    while ((x = number("x")) != "") {
        column = cell_of(x)
        row = cell_of(number("y"))
        if (column >= 0 && row >= 0)
            seen = ++players[column, row] > seen ? players[column, row] : seen
    }
}

END {
    for (i = 0; i < seconds; i++)
        most = bytes[i] > most ? bytes[i] : most
    begin(648, 268, "The match of this page: bytes in each second, at most " most ", and where players were")
    put("bold", 20, 30, "Bytes in each second")
    for (i = 0; i < seconds; i++) {
        high = sprintf("%.1f", 160 * bytes[i] / most)
        box("bar", sprintf("%.1f", 64 + 280 * i / seconds), 210 - high, sprintf("%.1f", 230 / seconds), high, 1)
    }
    put("small faint end", 56, 56, most)
    put("small faint end", 56, 210, 0)
    put("small faint", 64, 232, "0 s")
    put("small faint end", 344, 232, seconds " s")
    printf "<path class=\"rule\" d=\"M64 210H344\"/>\n"
    put("bold", 396, 30, "Where players were")
    box("rule", 420, 42, 192, 192, 0)
    for (i = 0; i < cells; i++)
        for (j = 0; j < cells; j++)
            if (players[i, j] > 0)
                printf "<rect class=\"best\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill-opacity=\"%.2f\"/>\n", 420 + 12 * i,
                    222 - 12 * j, 0.1 + 0.9 * players[i, j] / seen
    put("small faint", 420, 252, from)
    put("small faint end", 612, 252, from + cell * cells)
    put("small faint end", 414, 54, from + cell * cells)
    put("small faint end", 414, 234, from)
    print "</svg>"
}
