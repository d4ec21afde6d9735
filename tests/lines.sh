#!/bin/sh
# lines.sh - prints how many lines folders have: with code, with nothing but a comment, and all of them.
# SPDX-License-Identifier: MIT
#
# usage: lines.sh [FOLDER...]     from the top directory; without a FOLDER: the rooms of the core, the runtime, each
#                                 workshop, the programs of the build (compiler/dist), the tests, and sums of them
#
# The lines of C, of the lexer and the grammar, of Lua, scripts and makefiles count; those of schemas and other data do not.
[ $# != 0 ] || set -- compiler/*.[ch] $(ls -d compiler/*/ | grep -v 'workshops\|dist') runtime/ compiler/workshops/*/ compiler/dist/ tests/
find "$@" -name '*.[chy]' -o -name '*.re' -o -name '*.cpp' -o -name '*.lua' -o -name '*.sh' -o -name '*.mk' | sort |
    xargs awk -v folders="$*" '
        function row(name, code, comments, lines) { printf "%-32s %7s %9s %7s\n", name, code, comments, lines }
        function add(to, from) { code[to] += code[from]; comments[to] += comments[from]; lines[to] += lines[from] }
        function sum(of) { if (of in lines) row(of, code[of], comments[of], lines[of]) }
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
            for (i = 1; i <= count; i++) {
                name = names[i]
                row(name, code[name] + 0, comments[name] + 0, lines[name] + 0)
                if (name ~ /^compiler\/workshops\//) add("workshops", name)
                else if (name ~ /^compiler\// && name !~ /dist/) add("core", name)
                if (name ~ /^(compiler|runtime)\//) add("compiler and runtime", name)
            }
            sum("core")
            sum("workshops")
            sum("compiler and runtime")
        }'
