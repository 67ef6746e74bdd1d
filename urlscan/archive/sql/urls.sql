-- URLs that occur most often outside quotations.
-- limit (20): number of rows
SELECT url, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    count(DISTINCT occurrence.source_id) AS sources
FROM occurrence
JOIN url USING (url_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
GROUP BY url
ORDER BY unquoted DESC, url
LIMIT CAST($limit AS BIGINT)
