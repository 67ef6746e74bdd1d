x = "http://h.example:99999/"  # urlscan: ignore[U403]
y = """
http://jo:s3cr3tpw@git.corp.com/y
"""
