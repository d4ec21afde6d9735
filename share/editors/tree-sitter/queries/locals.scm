; locals.scm - where the names of .pkt files are declared and used. The fields of all branches share one struct, so only
; a declaration is a scope.
; SPDX-License-Identifier: MIT

[(struct) (packet) (union)] @local.scope

(declarator name: (name) @local.definition)
(union_member name: (name) @local.definition)

(path . (name) @local.reference)
(after (name) @local.reference)
