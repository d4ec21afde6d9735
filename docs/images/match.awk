# match.awk - draws the bytes of a snapshot of a recorded match, by technique, from what `make match` prints.
# SPDX-License-Identifier: MIT
#
# usage: awk -f style.awk -f match.awk FILE
#
# Two charts of the same scale: with all values as the game sends them, and with numbers as exact as a player can see.

BEGIN {
    label["plain"] = "changed fields"
    label["steps"] = "differences, in steps by hand"
    label["coded"] = "coded, without a model"
    label["trained"] = "coded by a trained model"
    label["predicted"] = "the same, against a prediction"
    shown = "demo088-test1"
}

$1 == shown && $3 in label {
    mode[++count] = $3
    values[count] = $2
    game = $4
    bytes[count] = $5
    if (bytes[count] + 0 > most)
        most = bytes[count] + 0
}

function bar(text, value, y, class,    size)
{
    size = 300 * value / most
    put("", 20, y + 16, text)
    box(class, 272, y, sprintf("%.1f", size), 22, 3)
    put("bold", sprintf("%.1f", 279 + size), y + 16, value)
}

function chart(from, y, title,    i)
{
    put("bold", 20, y, title)
    for (i = 0; i < 5; i++)
        bar(label[mode[from + i]], bytes[from + i], y + 14 + 30 * i, i == 4 ? "best" : "bar")
}

END {
    if (count != 10 || values[1] != "exact" || values[6] != "rounded") {
        print "match.awk: 10 rows of " shown " are drawn, exact and rounded, not " count >"/dev/stderr"
        exit 1
    }
    if (game + 0 > most)
        most = game + 0
    begin(648, 474, "Bytes a snapshot of a match of OpenArena: " game " in the game itself, with pktc " bytes[1] " to " bytes[5] \
        ", and " bytes[6] " to " bytes[10] " with rounded numbers")
    put("bold", 20, 30, "A match of OpenArena, 20 snapshots a second: bytes a snapshot")
    bar("the game itself, all values exact", game, 44, "k7")
    chart(1, 98, "pktc, all values exact")
    printf "<path class=\"rule\" d=\"M20 272H628\"/>\n"
    chart(6, 300, "pktc, numbers as exact as a player can see")
    print "</svg>"
}
