; indents.scm - the indentation of .pkt files.
; SPDX-License-Identifier: MIT

[(body) (cases) (case) (enum_members) (flag_members) (union_members) (model_lines)] @indent
"}" @outdent
