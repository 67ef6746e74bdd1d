-- Every occurrence of a registered domain, oldest message first.
-- domain (example.com): registered domain in ASCII
-- limit (100): number of rows
SELECT date, sender, url.url AS url, source.path AS path, member, line
FROM occurrence
JOIN url USING (url_id)
JOIN source USING (source_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE registered_domain = $domain
ORDER BY date NULLS LAST, source.path, member, occurrence.start
LIMIT CAST($limit AS BIGINT)
