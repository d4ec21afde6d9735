; folds.scm - what folds in .pkt files.
; SPDX-License-Identifier: MIT

[
  (body)
  (cases)
  (case)
  (enum_members)
  (flag_members)
  (union_members)
  (model_lines)
  (block_comment)
] @fold
