/* page.c - the style sheet of generated pages, light and dark.
 * SPDX-License-Identifier: MIT
 */
#include "pages/page.h"
#include "base/utf8.h"

#include <string.h>

const char page_style[] =
    ":root { color-scheme: light dark; --paper: #fff; --ink: #1c2530; --faint: #64707d; --line: #dde3ea;\n"
    "  --bar: #4c7fd9; --most: #b9cff3; --over: #d9534c; --note: #8a96a3; --when: #b06a10; --times: #3567b8;\n"
    "  --k0: #b3d0f7; --k1: #aee3cd; --k2: #ffe09a; --k3: #dcc5f3;\n"
    "  --k4: #fac3ba; --k5: #e3e8ee; --k6: #bfcad6; --k7: #eceff2; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --ink: #e4e9ef; --faint: #93a0ad; "
    "--line: #2d353e;\n"
    "  --bar: #5b8de6; --most: #2c4470; --over: #e0685f; --note: #6d7986; --when: #e0a458; --times: #82aef0;\n"
    "  --k0: #28497a; --k1: #1f5c48; --k2: #6b5314; --k3: #523a73;\n"
    "  --k4: #7a3a31; --k5: #333c46; --k6: #424e5c; --k7: #252c33; } }\n"
    "body { margin: 0 auto; padding: 2rem 1.5rem 5rem; max-width: 60rem; background: var(--paper); color: var(--ink);\n"
    "  font: 15px/1.5 system-ui, sans-serif; }\n"
    "h1 { margin: 0; font-size: 1.9rem; }\n"
    "details { margin: 1.6rem 0 0; border-top: 1px solid var(--line); padding-top: 1rem; }\n"
    "summary { cursor: pointer; }\n"
    "summary::marker { color: var(--faint); }\n"
    "h2 { display: inline; font-size: 1.3rem; }\n"
    "h2 small { font-weight: normal; color: var(--faint); }\n"
    "h3 { margin: 1.4rem 0 0; font-size: 1rem; color: var(--faint); font-weight: 600; }\n"
    ".tools { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.4rem 0 0; }\n"
    ".tools input { flex: 1 1 12rem; }\n"
    ".tools input, .tools button { font: inherit; padding: .3rem .6rem; color: inherit; background: var(--paper);\n"
    "  border: 1px solid var(--line); border-radius: 5px; }\n"
    "[hidden] { display: none !important; }\n"
    "a { color: inherit; text-decoration-color: var(--faint); }\n"
    "p { margin: .4rem 0; }\n"
    ".faint { color: var(--faint); }\n"
    "code, td.mono, svg text { font-family: ui-monospace, \"DejaVu Sans Mono\", Menlo, Consolas, monospace; }\n"
    "code, td.mono { font-size: 13px; }\n"
    ".legend { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin: 1rem 0; padding: 0; list-style: none;\n"
    "  font-size: 13px; }\n"
    ".legend i { display: inline-block; width: 1rem; height: 1rem; margin-right: .4rem; border-radius: 3px;\n"
    "  vertical-align: -3px; }\n"
    "table { width: 100%; border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }\n"
    "table.fields { table-layout: fixed; }\n"
    "th { text-align: left; font-weight: 600; font-size: 13px; color: var(--faint); }\n"
    "th, td { padding: .22rem .8rem .22rem 0; border-bottom: 1px solid var(--line); }\n"
    "td { vertical-align: baseline; overflow-wrap: anywhere; }\n"
    "th.n, td.n { text-align: right; white-space: nowrap; }\n"
    "td.parts { color: var(--faint); font-size: 13px; }\n"
    ".meter { display: block; position: relative; height: .55rem; border-radius: 3px; background: var(--k7);\n"
    "  overflow: hidden; }\n"
    ".meter b { position: absolute; inset: 0 auto 0 0; border-radius: 3px; }\n"
    ".meter .most { background: var(--most); }\n"
    ".meter .least { background: var(--bar); }\n"
    ".meter.over .most, .meter.always .least { background: var(--over); }\n"
    ".meter.rare .most { background: repeating-linear-gradient(135deg, var(--note) 0 2px, var(--k7) 2px 6px); }\n"
    "td small { color: var(--faint); }\n"
    "svg { display: block; width: 100%; height: auto; margin: 1.1rem 0; }\n"
    "svg text { font-size: 11px; fill: var(--ink); text-anchor: middle; }\n"
    "svg text.bits { font-size: 9.5px; opacity: .62; }\n"
    "svg text.ruler { font-size: 9px; fill: var(--faint); }\n"
    "svg text.label { font-size: 10px; text-anchor: start; }\n"
    "svg text.rest { opacity: .45; }\n"
    "svg rect.varies { stroke: var(--faint); stroke-dasharray: 4 3; }\n"
    "svg g:hover > rect { filter: brightness(.93); }\n"
    "svg path { fill: none; stroke-width: 1.5; }\n"
    "svg path.times { stroke: var(--times); }\n"
    "svg path.when { stroke: var(--when); stroke-dasharray: 4 3; }\n"
    ".k0 { fill: var(--k0); background: var(--k0); }\n"
    ".k1 { fill: var(--k1); background: var(--k1); }\n"
    ".k2 { fill: var(--k2); background: var(--k2); }\n"
    ".k3 { fill: var(--k3); background: var(--k3); }\n"
    ".k4 { fill: var(--k4); background: var(--k4); }\n"
    ".k5 { fill: var(--k5); background: var(--k5); }\n"
    ".k6 { fill: var(--k6); background: var(--k6); }\n"
    ".k7 { fill: var(--k7); background: var(--k7); }\n";

const char *page_percent(arena *a, uint64_t part, uint64_t whole)
{
    double share = whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
    return arena_printf(a, "%.1f", share > 100 ? 100 : share);
}

const char *page_text(arena *a, const char *text)
{
    size_t size = 0;
    text = utf8_shown(a, text);
    char *escaped = arena_alloc(a, 6 * strlen(text) + 1);
    for (; *text; text++) {
        const char *name = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;"
                                          : "";
        if (*name)
            memcpy(escaped + size, name, strlen(name));
        else
            escaped[size] = *text;
        size += *name ? strlen(name) : 1;
    }
    return escaped;
}
