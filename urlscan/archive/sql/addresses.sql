-- Hosts that are addresses instead of names.
-- limit (20): number of rows
SELECT host, count(*) AS occurrences, count(DISTINCT source_id) AS sources
FROM occurrence JOIN url USING (url_id)
WHERE host IS NOT NULL AND public_suffix IS NULL
GROUP BY host
ORDER BY occurrences DESC, host
LIMIT CAST($limit AS BIGINT)
