-- First and last message with a URL of each registered domain.
-- limit (20): number of rows
-- domain (%): domains that match this LIKE pattern
SELECT registered_domain, min(date) AS first_seen, max(date) AS last_seen, count(*) AS occurrences,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    arg_min(message_id, date) AS first_message
FROM occurrence
JOIN url USING (url_id)
JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE date IS NOT NULL AND registered_domain LIKE $domain
GROUP BY registered_domain
ORDER BY first_seen, registered_domain
LIMIT CAST($limit AS BIGINT)
