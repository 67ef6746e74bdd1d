-- File name extensions of paths.
-- limit (20): number of rows
SELECT lower(regexp_extract(url_path, '[.]([A-Za-z][A-Za-z0-9]{0,7})$', 1)) AS extension, count(*) AS occurrences,
    count(DISTINCT url_id) AS urls
FROM occurrence JOIN url USING (url_id)
WHERE host IS NOT NULL AND regexp_matches(url_path, '/[^/]*[.][A-Za-z][A-Za-z0-9]{0,7}$')
GROUP BY extension
ORDER BY occurrences DESC, extension
LIMIT CAST($limit AS BIGINT)
