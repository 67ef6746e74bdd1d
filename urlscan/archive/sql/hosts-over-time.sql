-- Hosts or registered domains with the most messages in each year or month.
-- period (year): year or month
-- by (host): host or domain
-- name (%): names that match this LIKE pattern
-- limit (5): number of rows for each period
WITH mail AS MATERIALIZED (
    SELECT source_id, start AS message_start, date_trunc($period, date) AS first,
        hash(coalesce(message_id, source_id || start)) AS id
    FROM message
    WHERE isfinite(date) /* unlike IS NOT NULL, it makes DuckDB build the hash table of a join from messages */
        AND CASE WHEN $period IN ('year', 'month') AND $by IN ('host', 'domain') THEN true
            ELSE error('period must be year or month, by must be host or domain') END
), counted AS (
    SELECT first, CASE $by WHEN 'domain' THEN registered_domain ELSE host END AS name, id, count(*) AS occurrences,
        count(*) FILTER (NOT quoted) AS unquoted
    FROM occurrence JOIN url USING (url_id) JOIN mail USING (source_id, message_start)
    WHERE name LIKE $name
    GROUP BY ALL
)
SELECT strftime(first, CASE $period WHEN 'month' THEN '%Y-%m' ELSE '%Y' END) AS period, name, count(*) AS messages,
    CAST(sum(occurrences) AS BIGINT) AS occurrences, CAST(sum(unquoted) AS BIGINT) AS unquoted
FROM counted
GROUP BY first, name
QUALIFY row_number() OVER (PARTITION BY first ORDER BY messages DESC, name) <= CAST($limit AS BIGINT)
ORDER BY first, messages DESC, name
