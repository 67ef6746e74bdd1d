-- Registered domains with the most URLs outside quotations, by the Public Suffix List.
-- limit (20): number of rows
SELECT registered_domain, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    count(DISTINCT host) AS hosts, count(DISTINCT occurrence.source_id) AS sources
FROM occurrence
JOIN url USING (url_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE registered_domain IS NOT NULL
GROUP BY registered_domain
ORDER BY unquoted DESC, registered_domain
LIMIT CAST($limit AS BIGINT)
