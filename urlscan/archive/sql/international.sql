-- Hosts with letters outside ASCII, and those that IDNA refuses.
-- limit (20): number of rows
SELECT host, host_ascii, host_ascii IS NULL AS refused, count(*) AS occurrences
FROM occurrence JOIN url USING (url_id)
WHERE host <> host_ascii OR (host IS NOT NULL AND host_ascii IS NULL)
GROUP BY ALL
ORDER BY occurrences DESC, host
LIMIT CAST($limit AS BIGINT)
