"""The language server: diagnostics, fixes, hovers and links for the documents that are open in an editor.

It is an optional feature: the modules that import `pygls` and `lsprotocol` are loaded by `urlscan server` only.
"""
