-- Longest URLs.
-- limit (20): number of rows
SELECT length(url) AS length, url
FROM url SEMI JOIN occurrence USING (url_id)
ORDER BY length DESC, url
LIMIT CAST($limit AS BIGINT)
