-- URLs in mail by year and scheme.
SELECT year(date) AS year, coalesce(scheme, '(none)') AS scheme, count(*) AS occurrences
FROM occurrence
JOIN url USING (url_id)
JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE date IS NOT NULL
GROUP BY ALL
ORDER BY year, occurrences DESC, scheme
