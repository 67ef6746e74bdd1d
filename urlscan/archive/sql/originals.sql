-- URLs that were unwrapped or refanged, with the original text.
-- limit (20): number of rows
SELECT original, url, count(*) AS occurrences
FROM occurrence JOIN url USING (url_id)
WHERE original IS NOT NULL
GROUP BY ALL
ORDER BY occurrences DESC, original
LIMIT CAST($limit AS BIGINT)
