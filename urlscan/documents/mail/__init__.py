"""Mail and news: messages, their parts, and the files that contain them.

`message` determines which parts of a message are read instead of its raw text, and `parts` reads them. `headers` and
`mime` parse a message, and `transfer` decodes transfer encodings. `split` finds the messages of a mailbox,
and `mailbox` reads them in batches.
"""
