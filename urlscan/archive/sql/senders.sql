-- Senders whose messages contain the most URLs.
-- limit (20): number of rows
SELECT sender, count(*) AS occurrences, count(DISTINCT (message.source_id, message.start)) AS messages,
    count(DISTINCT registered_domain) AS domains
FROM occurrence
JOIN url USING (url_id)
JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE sender IS NOT NULL
GROUP BY sender
ORDER BY occurrences DESC, sender
LIMIT CAST($limit AS BIGINT)
