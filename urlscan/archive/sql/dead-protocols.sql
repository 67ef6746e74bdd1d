-- URLs of protocols that browsers no longer support, with first and last use in mail.
SELECT scheme, count(*) AS occurrences, count(DISTINCT host) AS hosts, min(date) AS first_seen, max(date) AS last_seen
FROM occurrence
JOIN url USING (url_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE scheme IN ('ftp', 'gopher', 'wais', 'prospero', 'news', 'nntp', 'telnet', 'rlogin', 'afs', 'mid', 'cid', 'z39.50r')
GROUP BY scheme
ORDER BY occurrences DESC, scheme
