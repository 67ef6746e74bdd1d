-- Public suffixes by number of registered domains.
-- limit (20): number of rows
SELECT public_suffix, count(DISTINCT registered_domain) AS domains, count(*) AS occurrences
FROM occurrence JOIN url USING (url_id)
WHERE public_suffix IS NOT NULL
GROUP BY public_suffix
ORDER BY domains DESC, public_suffix
LIMIT CAST($limit AS BIGINT)
