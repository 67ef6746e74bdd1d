-- Hosts with the most URLs outside quotations.
-- limit (20): number of rows
WITH counted AS (
    SELECT url_id, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted FROM occurrence GROUP BY url_id
), frequent AS (
    SELECT host, CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(unquoted) AS BIGINT) AS unquoted,
        count(*) AS urls
    FROM counted JOIN url USING (url_id)
    WHERE host IS NOT NULL
    GROUP BY host
    ORDER BY unquoted DESC, host
    LIMIT CAST($limit AS BIGINT)
), mention AS (
    SELECT DISTINCT host, source_id, message_start
    FROM frequent JOIN url USING (host) JOIN occurrence USING (url_id)
)
SELECT host, occurrences, unquoted,
    count(DISTINCT coalesce(message_id, mention.source_id || message_start)) AS messages, urls,
    count(DISTINCT mention.source_id) AS sources
FROM frequent
JOIN mention USING (host)
LEFT JOIN message ON message.source_id = mention.source_id AND message.start = message_start
GROUP BY ALL
ORDER BY unquoted DESC, host
