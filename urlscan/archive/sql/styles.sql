-- URLs by delimiter, by year if they are in mail.
SELECT year(date) AS year, style, count(*) AS occurrences
FROM occurrence
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
GROUP BY ALL
ORDER BY year NULLS LAST, occurrences DESC, style
