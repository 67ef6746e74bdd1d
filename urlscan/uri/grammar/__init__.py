"""The grammars of the specifications: characters, escapes, hosts and the generic syntax, by profile."""
