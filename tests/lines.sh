#!/bin/sh
# lines.sh - prints how many lines folders have: with code, with nothing but a comment, and all of them.
# SPDX-License-Identifier: MIT
#
# usage: lines.sh [FOLDER...]     from the top directory; without a FOLDER, the rooms of compiler/, the runtime and the tests
#
# The lines of C, of the lexer and the grammar, of Lua and of scripts count; those of schemas and other data do not.
[ $# != 0 ] || set -- compiler/main.c compiler/*/ runtime/ tests/
find "$@" -name '*.[chy]' -o -name '*.re' -o -name '*.cpp' -o -name '*.lua' -o -name '*.sh' -o -name '*.mk' | sort |
    xargs awk -v folders="$*" '
        FNR == 1 {
            inside = 0
            room = ""
            for (i = 1; i <= count; i++) if (index(FILENAME, names[i]) == 1) room = names[i]
            mark = FILENAME ~ /\.lua$/ ? "^ *--" : FILENAME ~ /\.(sh|mk)$/ ? "^ *#" : "^ *//"
        }
        BEGIN { count = split(folders, names, " ") }
        { all[room]++ }
        inside { comment[room]++; if (/\*\//) inside = 0; next }
        $0 ~ mark { comment[room]++; next }
        /^ *\/\*/ && mark ~ /\/\// { comment[room]++; if (!/\*\//) inside = 1; next }
        /[^ ]/ { code[room]++ }
        function line(name, code, comment, all) { printf "%-20s %7s %8s %7s\n", name, code, comment, all }
        END {
            line("", "code", "comment", "lines")
            for (i = 1; i <= count; i++) {
                name = names[i]
                line(name, code[name] + 0, comment[name] + 0, all[name] + 0)
                if (name ~ /^(compiler|runtime)/) { sum_code += code[name]; sum_comment += comment[name]; sum += all[name] }
            }
            if (sum) line("compiler and runtime", sum_code, sum_comment, sum)
        }'
