#!/bin/sh
# lines.sh - prints how many lines folders have: with code, with nothing but a comment, and all of them.
# SPDX-License-Identifier: MIT
#
# usage: lines.sh [FOLDER...]     from the top directory; without a FOLDER, the rooms of compiler/, the runtime and the tests
#
# The lines of C, of the lexer and the grammar, of Lua, scripts and makefiles count; those of schemas and other data do not.
[ $# != 0 ] || set -- compiler/main.c compiler/*/ runtime/ tests/
find "$@" -name '*.[chy]' -o -name '*.re' -o -name '*.cpp' -o -name '*.lua' -o -name '*.sh' -o -name '*.mk' | sort |
    xargs awk -v folders="$*" '
        function row(name, code, comments, lines) { printf "%-20s %7s %9s %7s\n", name, code, comments, lines }
        function add(to, from) { code[to] += code[from]; comments[to] += comments[from]; lines[to] += lines[from] }
        BEGIN { count = split(folders, names, " ") }
        FNR == 1 {
            inside = 0
            for (i = 1; i <= count; i++) if (index(FILENAME, names[i]) == 1) room = names[i]
            is_c = FILENAME !~ /\.(lua|sh|mk)$/
            mark = is_c ? "^ *//" : FILENAME ~ /\.lua$/ ? "^ *--" : "^#|^ +#"
        }
        { lines[room]++ }
        is_c && !inside && /^ *\/\*/ { inside = 1 }
        inside { comments[room]++; if (/\*\//) inside = 0; next }
        $0 ~ mark { comments[room]++; next }
        /[^ \t]/ { code[room]++ }
        END {
            row("", "code", "comments", "lines")
            both = "compiler and runtime"
            for (i = 1; i <= count; i++) {
                row(names[i], code[names[i]] + 0, comments[names[i]] + 0, lines[names[i]] + 0)
                if (names[i] ~ /^(compiler|runtime)\//) add(both, names[i])
            }
            if (both in lines) row(both, code[both], comments[both], lines[both])
        }'
