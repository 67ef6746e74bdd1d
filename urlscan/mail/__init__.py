"""Mail and news: messages, what they are made of, and what they are kept in.

`message` says what of one is not read in place, `parts` as what it is read, `headers` and `mime` what it is made of,
`transfer` and `utf7` how a part is written; `mailbox` has many, run by run, and `split` says where each begins.
"""
