-- URLs that contain placeholders.
-- limit (20): number of rows
SELECT url, count(*) AS occurrences
FROM occurrence JOIN url USING (url_id)
WHERE template
GROUP BY url
ORDER BY occurrences DESC, url
LIMIT CAST($limit AS BIGINT)
