"""Mail and news: messages, what they are made of, and what they are kept in.

`message` says which parts of one are read in place and which are decoded, `headers` and `mime` what it is made of,
`transfer` how a part is written; `mailbox` has many messages, run by run, and `spools` the older forms of boxes.
"""
