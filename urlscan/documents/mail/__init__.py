"""Mail and news: messages, their parts, and the files that contain them.

`parts` determines which parts of a message are read instead of its raw text, and reads them. `headers` and `mime` parse
a message, and `transfer` decodes transfer encodings. `split` finds the messages of a mailbox, and `mailbox` reads them
in batches.
"""
