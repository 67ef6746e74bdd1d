-- URLs with passwords and other secrets (masked), with source and line.
-- limit (100): number of rows
SELECT code, url.url AS url, source.path AS path, member, line, message_id, date
FROM finding
JOIN url USING (url_id)
JOIN source USING (source_id)
LEFT JOIN message ON message.source_id = finding.source_id AND message.start = finding.message_start
WHERE code IN ('U301', 'U304')
ORDER BY source.path, member, finding.start
LIMIT CAST($limit AS BIGINT)
