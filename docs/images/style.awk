# style.awk - what the pictures of the README have in common: a card with its own background, so that they are legible on any page.
# SPDX-License-Identifier: MIT

function escaped(text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function begin(width, height, title,    k)
{
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n", width, height,
        width, height
    printf "<title>%s</title>\n", escaped(title)
    print "<style>"
    print "svg { --paper: #fff; --edge: #d1d9e0; --ink: #1c2530; --faint: #59636e; --bar: #4c7fd9; --best: #1a7f4b;"
    print "  --k0: #b3d0f7; --k1: #aee3cd; --k2: #ffe09a; --k3: #dcc5f3; --k7: #e3e8ee; }"
    print "@media (prefers-color-scheme: dark) { svg { --paper: #14181d; --edge: #2d353e; --ink: #e4e9ef; --faint: #9aa7b4;"
    print "  --bar: #5b8de6; --best: #3fb27a; --k0: #28497a; --k1: #1f5c48; --k2: #6b5314; --k3: #523a73; --k7: #333c46; } }"
    print "text { font: 14px system-ui, -apple-system, \"Segoe UI\", \"DejaVu Sans\", sans-serif; fill: var(--ink); }"
    print ".code { font: 14px ui-monospace, \"DejaVu Sans Mono\", Menlo, Consolas, monospace; }"
    print ".small { font-size: 13px; }"
    print ".faint { fill: var(--faint); } .middle { text-anchor: middle; } .end { text-anchor: end; } .bold { font-weight: 600; }"
    print ".paper { fill: var(--paper); stroke: var(--edge); } .rule { stroke: var(--edge); fill: none; }"
    print ".bar { fill: var(--bar); } .best { fill: var(--best); }"
    for (k = 0; k <= 7; k++)
        if (k <= 3 || k == 7)
            printf ".k%d { fill: var(--k%d); }\n", k, k
    print "</style>"
    printf "<rect class=\"paper\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", width - 1, height - 1
}

function put(class, x, y, text)
{
    printf "<text%s x=\"%s\" y=\"%s\">%s</text>\n", class == "" ? "" : " class=\"" class "\"", x, y, escaped(text)
}

function box(class, x, y, width, height, radius)
{
    printf "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\"/>\n", class, x, y, width, height, radius
}
