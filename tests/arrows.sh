#!/bin/sh
# arrows.sh - checks that the rooms of compiler/ use each other only along the arrows of docs/hacking.md.
# SPDX-License-Identifier: MIT
#
# usage: arrows.sh OBJECT...     from the top directory; the objects of pktc, build/obj/ROOM/FILE.o
#
# One file uses another if it includes it, or if its object needs a symbol that the other's object defines. A header
# called NAME_internal.h is for its own room only. Within a room, at most three files may use each other in a circle.
# Circles are found through symbols. They cannot span several rooms, because the arrows form no circle.
#
# A header of the runtime includes only headers that are read before it: pkt.h and pkt_inside.h list them in that order.
order=$(sed -n 's/^#include "\(pkt_.*\.h\)"/\1/p' runtime/pkt.h runtime/pkt_inside.h)
{
    for header in $order; do
        sed -n "s|^#include \"\([^\"]*\)\".*|reads $header \1|p" "runtime/$header"
        echo "reads $header"
    done
    for path in compiler/*.[ch] compiler/*/*.[ch] compiler/*/*/*.[ch] compiler/*/*.re compiler/*/*.y; do
        # What pktc writes for every schema is text to it.
        case $path in */pkt_godot.h) continue ;; esac
        sed -n "s|^#include \"\([^\"]*\)\".*|$path \1|p" "$path"
    done
    nm -A "$@" | sed 's|^[^ ]*/obj/\([^ ]*\)\.o:|\1 |'
} | awk '
    function room(path) {
        sub(/^(\.\.\/)?(compiler|obj)\//, "", path)
        sub(/^workshops\//, "", path)
        if (path ~ /^(runtime\/|pkt)/) return "runtime"
        if (path ~ /^made\/|^grammar/) return path ~ /(runtime_(files|uses)|reserved_names)/ ? "emit" : path ~ /lua_files/ ? "dissect" : path ~ /bound_files/ ? "bindings" : "front"
        return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : "main"
    }
    function arrow(from, to, why) {
        if (room(from) == room(to) || room(from) == "main" || room(to) == "runtime") return
        if (to ~ /_internal\.h$/) { print from " uses " to " of another room"; wrong[room(from)] = 1 }
        if (index(" " sees[room(from)] " ", " " room(to) " ") && !hidden(from, to) || seen[from, to]++) return
        print room(from) " may not use " room(to) ": " from " uses " why to
        wrong[room(from)] = 1
    }
    # Whether a workshop includes a header of the core that is not for workshops.
    function hidden(from, to) {
        if (!(room(from) in needs_shown) || to !~ /\.h$/ || !index(" " core " ", " " room(to) " ") || room(to) == "base") return 0
        return !index(" " shown " " needs_shown[room(from)] " ", " " to " ")
    }
    BEGIN {
        core = "base front model check wire emit driver"
        sees["base"] = sees["runtime"] = ""
        sees["front"] = sees["model"] = "base"
        sees["check"] = "base front model"
        sees["wire"] = "base model"
        sees["emit"] = "base model wire"
        sees["driver"] = "base front model check wire emit"
        sees["dist"] = "base driver main"
        sees["codec"] = sees["format"] = sees["phases"] = sees["habits"] = sees["completion"] = sees["bindings"] = core
        sees["pages"] = "base"
        sees["costs"] = core " pages"
        sees["releases"] = core " format"
        sees["convert"] = core " codec releases"
        sees["recordings"] = core " pages codec releases convert"
        sees["tables"] = core " codec releases convert recordings"
        sees["dissect"] = core " codec"
        sees["editor"] = core " format releases costs"
        # The headers of the core that workshops see, besides base: all of them, and some.
        shown = "driver/run.h driver/usages.h model/schema.h model/type_table.h " \
            "model/coding.h model/accuracy.h wire/wire.h emit/names.h"
        needs_shown["codec"] = needs_shown["convert"] = needs_shown["recordings"] = needs_shown["tables"] = needs_shown["dissect"] = ""
        needs_shown["format"] = "front/ast.h front/lexer.h grammar.h"
        needs_shown["releases"] = "emit/emit.h emit/emitter.h emit/runtime_parts.h front/lexer.h grammar.h"
        needs_shown["phases"] = "front/lexer.h wire/delta_plan.h wire/fuse.h"
        needs_shown["habits"] = "front/habits.h driver/command_table.h"
        needs_shown["costs"] = "model/subset.h emit/cname.h"
        needs_shown["bindings"] = "emit/cname.h"
        needs_shown["editor"] = "check/check.h front/lexer.h grammar.h"
        needs_shown["completion"] = "front/ast.h"
    }
    $1 == "reads" && NF == 2 { read[$2] = 1 }
    $1 == "reads" && NF == 3 && !($3 in read) {
        print $2 " of the runtime includes " $3 ", which is not read before it"
        wrong["runtime"] = 1
    }
    $1 == "reads" { next }
    NF == 2 && $2 !~ /^[A-Za-z]$/ { arrow($1, $2, "") }
    $(NF - 1) == "U" { needs[$1, $NF] = 1; file[$1]; next }
    $(NF - 1) ~ /^[A-TV-Z]$/ { owner[$NF] = $1; file[$1] }
    END {
        for (need in needs) {
            split(need, use, SUBSEP)
            if (!(use[2] in owner)) continue
            arrow(use[1], owner[use[2]], use[2] " of ")
            reach[use[1], owner[use[2]]] = 1
        }
        for (via in file) for (a in file) if ((a, via) in reach) for (b in file) if ((via, b) in reach) reach[a, b] = 1
        for (a in file) {
            circle = ""
            size = 0
            first = 1
            for (b in file) if ((a, b) in reach && (b, a) in reach) {
                size++
                circle = circle " " b
                if (b < a) first = 0
            }
            if (size > 3 && first) { print "a circle of " size " files:" circle; wrong[room(a)] = 1 }
        }
        for (each in sees) if (each in wrong) failed++; else passed++
        print "[  PASSED  ] " passed + 0 " test(s)."
        if (failed) print "[  FAILED  ] " failed " test(s)"
        exit failed > 0
    }'
