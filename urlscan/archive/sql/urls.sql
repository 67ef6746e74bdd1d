-- URLs that occur most often.
-- limit (20): number of rows
SELECT url, count(*) AS occurrences, count(DISTINCT source_id) AS sources,
    count(DISTINCT (source_id, message_start)) FILTER (WHERE message_start IS NOT NULL) AS messages
FROM occurrence JOIN url USING (url_id)
GROUP BY url
ORDER BY occurrences DESC, url
LIMIT CAST($limit AS BIGINT)
