-- URLs that occur most often outside quotations.
-- limit (20): number of rows
WITH counted AS (
    SELECT url_id, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted FROM occurrence GROUP BY url_id
), frequent AS (
    FROM counted JOIN url USING (url_id) ORDER BY unquoted DESC, url LIMIT CAST($limit AS BIGINT)
)
SELECT url, occurrences, unquoted,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    count(DISTINCT occurrence.source_id) AS sources
FROM frequent
JOIN occurrence USING (url_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
GROUP BY ALL
ORDER BY unquoted DESC, url
