a = "http://h.example:99999/"  # urlscan: ignore[U403]
b = "http://h.example:99999/"  # urlscan: ignore
