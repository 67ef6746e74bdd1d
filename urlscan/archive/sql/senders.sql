-- Senders whose messages contain the most URLs, of all registered domains or of one.
-- limit (20): number of rows
-- domain (%): registered domains that match this LIKE pattern
WITH chosen AS (
    SELECT url_id, registered_domain FROM url WHERE coalesce(registered_domain, '') LIKE $domain
), counted AS (
    SELECT source_id, message_start AS start, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted
    FROM occurrence SEMI JOIN chosen USING (url_id) GROUP BY ALL
), frequent AS (
    SELECT sender, CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(unquoted) AS BIGINT) AS unquoted,
        count(DISTINCT coalesce(message_id, source_id || start)) AS messages
    FROM counted JOIN message USING (source_id, start)
    WHERE sender IS NOT NULL
    GROUP BY sender
    ORDER BY unquoted DESC, sender
    LIMIT CAST($limit AS BIGINT)
), mention AS (
    SELECT DISTINCT sender, url_id
    FROM frequent JOIN message USING (sender)
    JOIN occurrence ON message.source_id = occurrence.source_id AND message.start = message_start
)
SELECT sender, occurrences, unquoted, messages, count(DISTINCT registered_domain) AS domains
FROM frequent JOIN mention USING (sender) JOIN chosen USING (url_id)
GROUP BY ALL
ORDER BY unquoted DESC, sender
