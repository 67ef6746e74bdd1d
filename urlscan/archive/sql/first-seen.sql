-- First and last message with a URL of each registered domain.
-- limit (20): number of rows
-- domain (%): domains that match this LIKE pattern
WITH first AS (
    SELECT registered_domain, min(date) AS first_seen, max(date) AS last_seen
    FROM occurrence
    JOIN url USING (url_id)
    JOIN message ON message.source_id = occurrence.source_id AND message.start = message_start
    WHERE date IS NOT NULL AND registered_domain LIKE $domain
    GROUP BY registered_domain
    ORDER BY first_seen, registered_domain
    LIMIT CAST($limit AS BIGINT)
)
SELECT registered_domain, first_seen, last_seen, count(*) AS occurrences,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    min(message_id) FILTER (date = first_seen) AS first_message
FROM first
JOIN url USING (registered_domain)
JOIN occurrence USING (url_id)
JOIN message ON message.source_id = occurrence.source_id AND message.start = message_start
WHERE date IS NOT NULL
GROUP BY ALL
ORDER BY first_seen, registered_domain
