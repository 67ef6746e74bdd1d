-- Registered domains with the most URLs, by the Public Suffix List.
-- limit (20): number of rows
SELECT registered_domain, count(*) AS occurrences, count(DISTINCT host) AS hosts, count(DISTINCT source_id) AS sources
FROM occurrence JOIN url USING (url_id)
WHERE registered_domain IS NOT NULL
GROUP BY registered_domain
ORDER BY occurrences DESC, registered_domain
LIMIT CAST($limit AS BIGINT)
