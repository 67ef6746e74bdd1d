-- Links of HTML whose text is a URL of another registered domain than that of the target.
-- limit (100): number of rows
SELECT text_host, url.url AS url, date, sender, subject, source.path AS path, member, line
FROM occurrence
JOIN url USING (url_id)
JOIN source USING (source_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE text_host IS NOT NULL AND host IS NOT NULL AND text_host <> coalesce(host_ascii, host)
    AND text_host <> coalesce(registered_domain, '')
    AND NOT ends_with(text_host, '.' || coalesce(registered_domain, host))
ORDER BY source.path, member, occurrence.start
LIMIT CAST($limit AS BIGINT)
