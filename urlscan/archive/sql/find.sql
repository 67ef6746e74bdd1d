-- Occurrences of URLs that contain a text, with source, line and message.
-- text (): text in the URL
-- limit (100): number of rows
SELECT url.url AS url, source.path AS path, member, line, message_id, date, subject
FROM occurrence
JOIN url USING (url_id)
JOIN source USING (source_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE contains(url.url, $text)
ORDER BY source.path, member, occurrence.start
LIMIT CAST($limit AS BIGINT)
