# cubes.awk - draws the kbit/s of each technique on the cubes, from what `make cubes` prints.
# SPDX-License-Identifier: MIT
#
# usage: awk -f style.awk -f cubes.awk FILE
#
# Two charts, as the first and the last number differ by a factor of 80: the second begins with the last bar of the first.

BEGIN {
    label["raw"] = "everything as floats"
    label["quantized"] = "quantized positions and rotations"
    label["no velocity at rest"] = "velocity only if moving"
    label["changed: flag"] = "changed cubes: sparse<flag>"
    label["changed: relative"] = "sparse<relative>"
    label["delta"] = "@delta to the last known frame"
    label["delta to a prediction"] = "@delta to a prediction from it"
    label["coded by a model"] = "the same, coded by a trained model"
}

# A row without loss: its name, then the kbit/s.
match($0, /  +/) && substr($0, 1, RSTART - 1) in label && $0 !~ / % / {
    split(substr($0, RSTART), number, " ")
    step[++count] = substr($0, 1, RSTART - 1)
    kbits[count] = number[1]
}

function bar(i, y, most, class,    size)
{
    size = 300 * kbits[i] / most
    put("", 20, y + 16, label[step[i]])
    box(class, 272, y, sprintf("%.1f", size < 2 ? 2 : size), 22, 3)
    put("bold", sprintf("%.1f", 279 + size), y + 16, kbits[i] < 1000 ? kbits[i] : sprintf("%.0f", kbits[i]))
}

END {
    if (count != 8) {
        print "cubes.awk: 8 steps are drawn, not " count >"/dev/stderr"
        exit 1
    }
    begin(648, 392, "kbit/s of 901 cubes, by technique: from " kbits[1] " to " kbits[count])
    put("bold", 20, 30, "901 cubes, 60 times a second: kbit/s")
    for (i = 1; i <= 4; i++)
        bar(i, 14 + 30 * i, kbits[1], "bar")
    printf "<path class=\"rule\" d=\"M20 184H628\"/>\n"
    put("faint", 20, 208, sprintf("the same scale, %.0f times as large", kbits[1] / kbits[4]))
    for (i = 4; i <= count; i++)
        bar(i, 222 + 30 * (i - 4), kbits[4], i == count ? "best" : "bar")
    print "</svg>"
}
