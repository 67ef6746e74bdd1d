"""The grammars of the specifications: characters, escapes, hosts and the generic syntax, by profile.

| file | contents |
| --- | --- |
| `characters.py` | one table of character classes, named as in the RFCs |
| `hosts.py` | IP literals and addresses, registered names, RFC 1738's hostnames |
| `domains.py` | top-level domains, and names that IDNA maps to ASCII |
| `generic.py` | one pattern per profile and kind that matches a complete URL |
| `dots.py` | dot segments, and paths without them |
| `notations.py` | one table of the notations of templates, formats and patterns |
| `templates.py` | decide whether a string is a template or a pattern rather than a URL |
"""
