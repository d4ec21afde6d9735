; highlights.scm - the colors of .pkt files in editors with tree-sitter.
; SPDX-License-Identifier: MIT

[(line_comment) (block_comment)] @comment
(doc_comment) @comment.documentation

[(integer) (real)] @number
(boolean) @boolean
(string) @string

(primitive_type) @type.builtin
(type_name) @type
(attribute "@" @attribute)
(attribute_name) @attribute

(protocol name: (name) @module)
(protocol prefix: (name) @module)
(constant name: (name) @constant)
(enum_member name: (name) @constant)
(flag_member (name) @constant)
(else_name (name) @constant)
(declarator name: (name) @property)
(union_member name: (name) @property)
(by (name) @property)
(after (name) @property)
(path (name) @variable)
(mode) @constant.builtin

[
  "protocol" "prefix" "import" "model" "const" "type" "enum" "flags" "struct" "packet" "union" "as" "from"
  "optional" "local" "sparse" "align" "reserved" "compact"
  "by" "after" "wrap" "or" "raw" "clamp" "unless" "of" "was"
] @keyword
(check "check" @keyword)
(delta "delta" @keyword)
(coded ["coded" "still"] @keyword)
["if" "else" "switch" "case" "default"] @keyword.conditional

["=" "==" "!=" "<=" ">=" "&&" "||" "&" "!" "+" "-" "*" "/" "%" ".."] @operator
(binary operator: ["<" ">"] @operator)
["{" "}" "(" ")" "[" "]"] @punctuation.bracket
[";" "," ":" "."] @punctuation.delimiter
