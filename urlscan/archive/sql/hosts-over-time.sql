-- Hosts or registered domains with the most messages in each year or month.
-- period (year): year or month
-- by (host): host or domain
-- name (%): names that match this LIKE pattern
-- limit (5): number of rows for each period
WITH counted AS (
    SELECT date_trunc($period, date) AS start, CASE $by WHEN 'domain' THEN registered_domain ELSE host END AS name,
        coalesce(message_id, message.source_id || message.start) AS id, count(*) AS occurrences,
        count(*) FILTER (NOT quoted) AS unquoted
    FROM occurrence
    JOIN url USING (url_id)
    JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
    WHERE date IS NOT NULL AND name LIKE $name
    GROUP BY ALL
)
SELECT strftime(start, CASE $period WHEN 'month' THEN '%Y-%m' ELSE '%Y' END) AS period, name, count(*) AS messages,
    CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(unquoted) AS BIGINT) AS unquoted
FROM counted
GROUP BY start, name
QUALIFY row_number() OVER (PARTITION BY start ORDER BY messages DESC, name) <= CAST($limit AS BIGINT)
ORDER BY start, messages DESC, name
