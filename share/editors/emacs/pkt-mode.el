;;; pkt-mode.el --- schemas of pktc  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: MIT
;;; Commentary:
;; Colors and `pktc lsp` for .pkt files.
;;; Code:
(defconst pkt-words
  '("protocol" "prefix" "import" "model" "const" "type" "enum" "flags" "struct" "packet" "union" "as" "from"
    "if" "else" "switch" "case" "default"
    "optional" "sparse" "local" "align" "reserved" "check" "compact" "by" "after" "unless" "wrap" "or" "raw" "clamp" "of" "delta" "coded" "still" "was"))
(defconst pkt-types
  '("bool" "bits" "int" "half" "float" "double" "fixed" "quat" "unit" "string" "bytes" "ref"
    "u8" "u16" "u32" "u64" "i8" "i16" "i32" "i64"))
(defconst pkt-attributes
  '("answers" "budget" "convert" "delta" "deprecated" "fit" "large" "lossy" "mix" "near" "received" "save" "seed" "speed" "stable"))

;;;###autoload
(define-derived-mode pkt-mode prog-mode "pkt"
  "Edits schemas of pktc."
  (modify-syntax-entry ?/ ". 124b" pkt-mode-syntax-table)
  (modify-syntax-entry ?* ". 23" pkt-mode-syntax-table)
  (modify-syntax-entry ?\n "> b" pkt-mode-syntax-table)
  (modify-syntax-entry ?_ "w" pkt-mode-syntax-table)
  (setq-local comment-start "// " comment-end "" indent-tabs-mode nil)
  (setq font-lock-defaults
        `(((,(concat "@" (regexp-opt pkt-attributes t) "\\>") . font-lock-preprocessor-face)
           (,(regexp-opt pkt-words 'words) . font-lock-keyword-face)
           (,(regexp-opt pkt-types 'words) . font-lock-type-face)
           ("\\<\\(true\\|false\\)\\>" . font-lock-constant-face)))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.pkt\\'" . pkt-mode))
(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(pkt-mode . ("pktc" "lsp"))))
(provide 'pkt-mode)
;;; pkt-mode.el ends here
