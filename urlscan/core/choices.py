"""Define the types of options and fields that have a fixed set of values."""

from typing import Literal

# The specification by which a URL is judged; the first is the default.
Profile = Literal["rfc3986", "rfc3987", "rfc2396", "rfc1738", "rfc1630"]
# The grammar that a string is checked by (RFC 3986 sections 3, 4.1 and 4.3, RFC 3987 section 2.2).
ReferenceKind = Literal["uri", "uri-reference", "absolute-uri", "iri", "iri-reference"]
# never: return the first part of a broken URL; wrapped: rejoin between delimiters; guess: also rejoin bare URLs.
Rejoin = Literal["never", "wrapped", "guess"]
# The levels of normalization of RFC 3986 section 6.2; each includes the previous ones.
Level = Literal["simple", "case", "percent", "dot", "scheme"]
# How to treat a ".." that leads above the root of a path.
Dots = Literal["keep", "strip", "refuse"]
# The components that have a set of allowed characters.
Component = Literal["userinfo", "user", "password", "host", "path", "segment", "query", "parameter", "fragment"]
# Mailboxes; the messages in them may have different encodings.
MailboxKind = Literal["mbox", "mmdf", "babyl", "rnews"]
# Kinds of sources that a decoded text can be.
TextKind = Literal[
    "plain", "html", "xml", "markdown", "rst", "ipynb", "csv", "tsv", "ics", "vcf", "http", "asciidoc", "css", "latex",
    "org", "roff", "texinfo", "source", "c", "dockerfile", "go", "haskell", "ini", "java", "javascript", "json",
    "jsonl", "lisp", "lua", "makefile", "perl", "php", "po", "powershell", "properties", "python", "r", "ruby",
    "rust", "shell", "sql", "toml", "vim", "yaml", "mail",
]  # fmt: skip
# All kinds of sources (`urlscan.documents.KINDS`).
Kind = TextKind | MailboxKind
# Which alternatives of a multipart/alternative are read.
Parts = Literal["all", "plain", "html"]
# The formats of `urlscan check` (`urlscan.formats.FORMATS`).
Format = Literal["full", "concise", "json", "jsonl", "grouped", "sarif", "github", "gitlab", "junit", "rdjson", "html"]
# safe: keeps the meaning of the URL; unsafe: may change it.
Applicability = Literal["safe", "unsafe"]
# How the text delimits a URL.
Style = Literal["wrapper", "angle", "quotes", "prefix", "markup", "bare", "schemeless", "email"]
# Where a URL is in its document: a destination in markup, running text, a comment or docstring of a program, a string
# literal or data value that is the URL and nothing else, a part of a longer string, or code.
Context = Literal["link", "prose", "comment", "string", "fragment", "code"]
# Whether a URL was rejoined: not broken, joined between delimiters, or joined without evidence.
Joined = Literal["none", "delimited", "guess"]
# The kinds of breaks in a URL; the first that applies.
BreakKind = Literal["page-break", "comment-leader", "quote-mark", "soft-break", "newline", "blank"]
# Why there is another reading of an occurrence.
AlternativeReason = Literal["hyphen-dropped", "hyphen-kept", "blank-escaped", "unjoined", "joined", "shorter", "longer"]
# The form of a host by RFC 3986 section 3.2.2; "invalid" for a bracket that does not begin a literal.
HostKind = Literal["ipv6", "ipvfuture", "ipv4", "reg-name", "invalid"]
