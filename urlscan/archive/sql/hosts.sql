-- Hosts with the most URLs outside quotations.
-- limit (20): number of rows
WITH frequent AS (
    SELECT host, CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(unquoted) AS BIGINT) AS unquoted
    FROM (
        SELECT url_id, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted FROM occurrence GROUP BY url_id
    ) JOIN url USING (url_id)
    WHERE host IS NOT NULL
    GROUP BY host
    ORDER BY unquoted DESC, host
    LIMIT CAST($limit AS BIGINT)
)
SELECT host, occurrences, unquoted,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    count(DISTINCT url_id) AS urls, count(DISTINCT occurrence.source_id) AS sources
FROM frequent
JOIN url USING (host)
JOIN occurrence USING (url_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = message_start
GROUP BY ALL
ORDER BY unquoted DESC, host
