-- URLs with passwords and other secrets (masked), with source and line.
-- limit (100): number of rows
SELECT url.url AS url, source.path AS path, member, line, message_id, date
FROM occurrence
JOIN url USING (url_id)
JOIN source USING (source_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE contains(url.url, '***') OR url_id IN (SELECT url_id FROM finding WHERE code IN ('U301', 'U304'))
ORDER BY source.path, member, occurrence.start
LIMIT CAST($limit AS BIGINT)
