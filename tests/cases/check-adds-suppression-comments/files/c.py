x = "http://h.example:99999/"
y = """
http://jo:s3cr3tpw@git.corp.com/y
"""
