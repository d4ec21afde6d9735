/* sizes_html.c - prints sizes as a self-contained page, with its style and a few lines of script.
 * SPDX-License-Identifier: MIT
 */
#include "base/banner.h"
#include "pages/page.h"
#include "costs/sizes_internal.h"

#include <inttypes.h>

/* ORDER SIZE KIND */
static const char *const kind_names[SIZE_KINDS] = {
    "integer",
    "float, fixed, rotation",
    "bool, flags",
    "enum",
    "text, bytes",
    "another type",
    "count, length, tag, presence",
    "check, constant, padding",
};

/* On a narrow page, pictures have rows of 32 bits, and the type and parts of a field are printed below its name. */
static const char narrow_style[] =
    "svg.narrow { display: none; }\n"
    "@media (max-width: 44rem) {\n"
    "  body { padding: 1.2rem .75rem 3rem; }\n"
    "  svg.wide { display: none; }\n"
    "  svg.narrow { display: block; }\n"
    "  th.share, td.share { display: none; }\n"
    "  th, td { padding-right: .5rem; }\n"
    "  table:not(.fields), table:not(.fields) th { font-size: 12.5px; }\n"
    "  table.fields, table.fields tbody { display: block; }\n"
    "  table.fields tr { display: grid; grid-template-columns: 1fr auto; column-gap: .6rem;\n"
    "    padding: .3rem 0; border-bottom: 1px solid var(--line); }\n"
    "  table.fields tr:first-child { display: none; }\n"
    "  table.fields td { border: 0; padding-top: 0; padding-bottom: 0; }\n"
    "  table.fields td.type, table.fields td.parts { grid-column: 1; padding-left: 1rem; color: var(--faint); }\n"
    "  table.fields td.n { grid-column: 2; grid-row: 1; padding: 0; }\n"
    "  table.fields td.rate, table.fields td:empty { display: none; }\n"
    "}\n"
    "@media print { .tools { display: none; } }\n";

/* The search field hides types that have the word neither in their name nor in their fields. A link opens the type that
 * it leads to. */
static const char script[] =
    "const types = [...document.querySelectorAll('details')], find = document.querySelector('input');\n"
    "find.oninput = () => {\n"
    "  const word = find.value.trim().toLowerCase();\n"
    "  for (const type of types) type.hidden = !type.textContent.toLowerCase().includes(word);\n"
    "};\n"
    "const all = open => { for (const type of types) type.open = open; };\n"
    "document.querySelector('#open').onclick = () => all(true);\n"
    "document.querySelector('#close').onclick = () => all(false);\n"
    "const arrive = () => {\n"
    "  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));\n"
    "  const type = place && place.closest('details');\n"
    "  if (type) { type.open = true; type.hidden = false; place.scrollIntoView(); }\n"
    "};\n"
    "addEventListener('hashchange', arrive);\n"
    "arrive();\n";

/* ---- all packets */

/* A packet that can be too large is red; if it always is, all of its bar is. A @delta packet is sent whole only if
 * there is no baseline yet, and its delta is that large only if everything has changed, so these get a hatched bar and
 * a remark instead. */
static void line_to_html(arena *a, const wire_type *t, const size_line *line, const sizes_options *how, out *to)
{
    uint64_t least = line->least, most = line->most;
    bool over = most > how->mtu, rare = t->decl->delta && least <= how->mtu;
    const char *note = line->fits || line->budget != 0 ? size_note(a, line, how->mtu)
                       : !over || !t->decl->delta      ? ""
                       : *line->name                   ? "only without a baseline"
                                                       : "if everything changed";
    bool whole_delta = t->decl->delta && *line->name;
    out_put(to,
            *line->name ? "<tr><td><a href=\"#$name\">$name</a>"
                        : "<tr><td class=\"faint\"><a href=\"#$type.delta\">as a delta</a>",
            "name", line->name, "type", t->decl->name, NULL);
    out_put(to, *note ? " <small>$note</small></td>" : "</td>", "note", note, NULL);
    out_put(to,
            "<td class=\"n\">$bytes</td><td class=\"n\">$share</td>"
            "<td class=\"share\"><span class=\"meter$over\"><b class=\"most\" style=\"width:$most%\"></b>"
            "<b class=\"least\" style=\"width:$least%\"></b></span></td>",
            "bytes", size_range(a, least, most), "share", size_share(a, most, how->mtu), "over",
            !over                 ? ""
            : rare || whole_delta ? " rare"
            : least > how->mtu    ? " over always"
                                  : " over",
            "most", page_percent(a, most, how->mtu), "least",
            over && whole_delta ? "0" : page_percent(a, least, how->mtu), NULL);
    if (how->hz)
        out_put(to, "<td class=\"n\">$rate</td>", "rate", size_rate(a, line, how->hz), NULL);
    out_put(to, "</tr>\n", NULL);
}

static void packets_to_html(arena *a, const wire *w, const sizes_options *how, out *to)
{
    out_put(to,
            "<table>\n<tr><th>packet</th><th class=\"n\">bytes</th><th class=\"n\">of $mtu</th>"
            "<th class=\"share\" style=\"width:30%\"></th>",
            "mtu", arena_printf(a, "%" PRIu32, how->mtu), NULL);
    if (how->hz)
        out_put(to, "<th class=\"n\">kbit/s at $hz Hz</th>", "hz", arena_printf(a, "%" PRIu32, how->hz), NULL);
    out_put(to, "</tr>\n", NULL);
    for (const wire_type *t = w->types; t; t = t->next) {
        size_line lines[2];
        int count = t->decl->packet ? size_lines(w, t, lines) : 0;
        for (int i = 0; i < count; i++)
            line_to_html(a, t, &lines[i], how, to);
    }
    out_put(to,
            "</table>\n"
            "<p class=\"faint\">Bytes of the packet itself, its crc and end check included; UDP and IPv4 add 28.</p>\n",
            NULL);
}

/* ---- one type */

static void row_to_html(arena *a, const wire_type *t, const size_row *row, out *to)
{
    const char *named = page_text(a, row->type);
    if (row->of)
        named = arena_printf(a, "<a href=\"#%s\">%s</a>", row->of->decl->name, named);
    out_put(to,
            "<tr><td class=\"mono\" style=\"padding-left:${indent}rem\">$name</td><td class=\"mono type\">$type</td>"
            "<td class=\"n\">$bits</td><td class=\"n rate\">$share</td><td class=\"share\">",
            "indent", arena_printf(a, "%u.%u", row->depth * 12 / 10, row->depth * 12 % 10), "name",
            page_text(a, row->name), "type", named, "bits", row->sized ? size_range(a, row->least, row->most) : "",
            "share", row->sized ? size_share(a, row->most, size_whole(t)) : "", NULL);
    if (row->sized)
        out_put(to,
                "<span class=\"meter\"><b class=\"most\" style=\"width:$most%\"></b>"
                "<b class=\"least\" style=\"width:$least%\"></b></span>",
                "most", page_percent(a, row->most, size_whole(t)), "least", page_percent(a, row->least, size_whole(t)),
                NULL);
    out_put(to, "</td><td class=\"parts\">$parts</td></tr>\n", "parts", row->parts, NULL);
}

static void type_to_html(arena *a, const wire *w, const wire_type *t, out *to)
{
    out_put(to, "<details id=\"$name\" open>\n<summary><h2>$name <small>$kind, $size</small></h2></summary>\n", "name",
            t->decl->name, "kind", decl_noun(t->decl), "size", size_of_type(a, w, t), NULL);
    if (t->decl->doc)
        out_put(to, "<p>$doc</p>\n", "doc", page_text(a, t->decl->doc), NULL);
    size_picture(a, w, t, false, to);
    out_put(to,
            "<table class=\"fields\">\n<tr><th style=\"width:26%\">field</th><th style=\"width:22%\">type</th>"
            "<th class=\"n\" style=\"width:15%\">bits</th><th class=\"n\" style=\"width:8%\">share</th>"
            "<th style=\"width:11%\"></th><th></th></tr>\n",
            NULL);
    for (const size_row *row = size_rows(a, w, t); row; row = row->next)
        row_to_html(a, t, row, to);
    out_put(to, "</table>\n", NULL);
    if (t->decl->delta) {
        out_put(to, "<h3 id=\"$name.delta\">$name as a delta</h3>\n", "name", t->decl->name, NULL);
        size_picture(a, w, t, true, to);
    }
    out_put(to, "</details>\n", NULL);
}

static void types_to_html(arena *a, const wire *w, bool packets, out *to)
{
    for (const wire_type *t = w->types; t; t = t->next)
        if (t->decl->packet == packets)
            type_to_html(a, w, t, to);
}

/* ---- the page */

static void head_to_html(arena *a, const schema *s, out *to)
{
    const char *name = s->protocol ? s->protocol : s->root->stem;
    out_put(to,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" BANNER_PAGE "\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>$name: packets</title>\n"
            "<style>\n$style$narrow</style>\n</head>\n<body>\n<h1>$name</h1>\n",
            "name", page_text(a, name), "style", page_style, "narrow", narrow_style, NULL);
    if (s->protocol)
        out_put(to, "<p class=\"faint\">protocol version $version, id <code>$id</code></p>\n", "version",
                num_text(a, s->version), "id", arena_printf(a, "0x%016" PRIx64, s->id), NULL);
}

static void legend_to_html(arena *a, out *to)
{
    out_put(to, "<ul class=\"legend\">\n", NULL);
    for (int i = 0; i < SIZE_KINDS; i++)
        out_put(to, "<li><i class=\"k$number\"></i>$name</li>\n", "number", arena_printf(a, "%d", i), "name",
                kind_names[i], NULL);
    out_put(
        to,
        "</ul>\n<p class=\"faint\">The pictures show each item once, in the order of the wire. A solid bracket says "
        "how often items come, or which field they belong to; a dashed bracket, under which condition. A dashed "
        "outline marks an item whose width varies. Shares and bars are of the greatest size: dark for the least size, "
        "pale for the greatest.</p>\n",
        NULL);
}

void sizes_html(arena *a, const wire *w, const sizes_options *how, out *to)
{
    head_to_html(a, w->schema, to);
    if (w->schema->protocol)
        packets_to_html(a, w, how, to);
    legend_to_html(a, to);
    out_put(to,
            "<div class=\"tools\"><input type=\"search\" placeholder=\"Find a packet, a field, a type\" "
            "aria-label=\"Find\"><button id=\"open\">open all</button><button id=\"close\">close all</button></div>\n",
            NULL);
    types_to_html(a, w, true, to);
    types_to_html(a, w, false, to);
    out_put(to, "<script>\n$script</script>\n</body>\n</html>\n", "script", script, NULL);
}
