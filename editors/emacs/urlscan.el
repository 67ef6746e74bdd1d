;;; urlscan.el --- Check URLs with Eglot  -*- lexical-binding: t; -*-

;;; Commentary:

;; Eglot is a part of Emacs 29 and newer.  Add this to your init file, and
;; start it with M-x eglot, or by the hook at the end.  Eglot runs one server
;; for each mode, so list only modes without another server.

;;; Code:

(defvar urlscan-modes
  '(markdown-mode gfm-mode rst-mode adoc-mode org-mode text-mode html-mode mhtml-mode)
  "The modes whose documents are checked.")

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons urlscan-modes '("urlscan" "server"))))

;; Keys as in urlscan.toml, in camel case:
;; (setq-default eglot-workspace-configuration '(:urlscan (:ignore ["U601"])))

(dolist (mode urlscan-modes)
  (add-hook (intern (format "%s-hook" mode)) 'eglot-ensure))

(provide 'urlscan)
;;; urlscan.el ends here
