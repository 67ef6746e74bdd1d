-- Dead URLs by a link checker, most messages first, with the first place.
-- host (%): hosts that match this LIKE pattern
-- limit (100): number of rows
SELECT url.url AS url, code, reason, checked_at, count(*) AS occurrences,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) AS messages,
    min(date) AS first_date, arg_min(source.path || ':' || line, (date IS NULL, date, source.path, line)) AS first_place
FROM occurrence
JOIN status USING (url_id)
JOIN url USING (url_id)
JOIN source USING (source_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE dead AND coalesce(host, '') LIKE $host
GROUP BY ALL
ORDER BY messages DESC, occurrences DESC, url
LIMIT CAST($limit AS BIGINT)
