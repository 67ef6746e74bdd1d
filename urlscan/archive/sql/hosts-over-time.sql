-- Hosts or registered domains with the most messages in each year or month.
-- period (year): year or month
-- by (host): host or domain
-- name (%): names that match this LIKE pattern
-- limit (5): number of rows for each period
WITH counted AS (
    SELECT date_trunc($period, date) AS start, CASE $by WHEN 'domain' THEN registered_domain ELSE host END AS name,
        count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted,
        count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages
    FROM occurrence
    JOIN url USING (url_id)
    JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
    WHERE date IS NOT NULL
    GROUP BY ALL
    HAVING name LIKE $name
)
SELECT strftime(start, CASE $period WHEN 'month' THEN '%Y-%m' ELSE '%Y' END) AS period, name, messages, occurrences,
    unquoted
FROM counted
QUALIFY row_number() OVER (PARTITION BY start ORDER BY messages DESC, name) <= CAST($limit AS BIGINT)
ORDER BY start, messages DESC, name
