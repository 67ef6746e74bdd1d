-- Registered domains with the most URLs outside quotations, by the Public Suffix List.
-- limit (20): number of rows
WITH counted AS (
    SELECT url_id, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted FROM occurrence GROUP BY url_id
), frequent AS (
    SELECT registered_domain, CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(unquoted) AS BIGINT) AS unquoted,
        count(DISTINCT host) AS hosts
    FROM counted JOIN url USING (url_id)
    WHERE registered_domain IS NOT NULL
    GROUP BY registered_domain
    ORDER BY unquoted DESC, registered_domain
    LIMIT CAST($limit AS BIGINT)
), mention AS (
    SELECT DISTINCT registered_domain, source_id, message_start
    FROM frequent JOIN url USING (registered_domain) JOIN occurrence USING (url_id)
)
SELECT registered_domain, occurrences, unquoted,
    count(DISTINCT coalesce(message_id, mention.source_id || message_start)) AS messages, hosts,
    count(DISTINCT mention.source_id) AS sources
FROM frequent
JOIN mention USING (registered_domain)
LEFT JOIN message ON message.source_id = mention.source_id AND message.start = message_start
GROUP BY ALL
ORDER BY unquoted DESC, registered_domain
