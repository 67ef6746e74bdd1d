-- URLs that RFC 3986 rejects, most frequent first.
-- limit (20): number of rows
SELECT url, count(*) AS occurrences
FROM occurrence JOIN url USING (url_id)
WHERE NOT valid_rfc3986
GROUP BY url
ORDER BY occurrences DESC, url
LIMIT CAST($limit AS BIGINT)
