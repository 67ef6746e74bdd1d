-- Senders whose messages contain the most URLs, of all registered domains or of one.
-- limit (20): number of rows
-- domain (%): registered domains that match this LIKE pattern
SELECT sender, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    count(DISTINCT registered_domain) AS domains
FROM occurrence
JOIN url USING (url_id)
JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE sender IS NOT NULL AND coalesce(registered_domain, '') LIKE $domain
GROUP BY sender
ORDER BY unquoted DESC, sender
LIMIT CAST($limit AS BIGINT)
