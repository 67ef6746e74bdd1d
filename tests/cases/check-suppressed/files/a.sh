a = "http://h.example/%zz"  # urlscan: ignore[U201]
b = "http://h.example/%zz"  # urlscan: ignore
