-- Hosts with the most URLs outside quotations.
-- limit (20): number of rows
SELECT host, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    count(DISTINCT url_id) AS urls, count(DISTINCT occurrence.source_id) AS sources
FROM occurrence
JOIN url USING (url_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE host IS NOT NULL
GROUP BY host
ORDER BY unquoted DESC, host
LIMIT CAST($limit AS BIGINT)
