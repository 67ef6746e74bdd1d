"""What the specifications say: characters, escapes, hosts and the generic syntax, by profile.

| file | what it knows |
| --- | --- |
| `characters.py` | one table of character classes, named as in the RFCs |
| `hosts.py` | IP literals and addresses, registered names, RFC 1738's hostnames |
| `generic.py` | profile and kind to one full-match pattern |
| `dots.py` | dot segments, and paths without them |
| `notations.py` | one table of the notations of templates, formats and patterns |
| `templates.py` | where a string is one of these, and not yet a URL |
"""
