-- Hosts or registered domains with the most messages in each year or month.
-- period (year): year or month
-- by (host): host or domain
-- name (%): names that match this LIKE pattern
-- limit (5): number of rows for each period
WITH named AS ( /* names are selected last: a condition here makes the joins slower */
    SELECT url_id, CASE $by WHEN 'domain' THEN registered_domain ELSE host END AS label,
        CASE WHEN label LIKE $name THEN label END AS name
    FROM url
), counted AS (
    SELECT date_trunc($period, date) AS start, name, coalesce(message_id, message.source_id || message.start) AS id,
        count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted
    FROM occurrence
    JOIN named USING (url_id)
    JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
    WHERE date IS NOT NULL
    GROUP BY ALL
)
SELECT strftime(start, CASE $period WHEN 'month' THEN '%Y-%m' ELSE '%Y' END) AS period, name, count(*) AS messages,
    CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(unquoted) AS BIGINT) AS unquoted
FROM counted
GROUP BY start, name
QUALIFY name IS NOT NULL
    AND row_number() OVER (PARTITION BY start, name IS NULL ORDER BY messages DESC, name) <= CAST($limit AS BIGINT)
ORDER BY start, messages DESC, name
