a = "http://h.mill.zz:99999/"  # urlscan: ignore[U403]
b = "http://h.mill.zz:99999/"  # urlscan: ignore
