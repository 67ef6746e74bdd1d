-- Messages with the most URLs.
-- limit (20): number of rows
SELECT count(*) AS occurrences, date, sender, subject, message_id
FROM occurrence
JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
GROUP BY message.source_id, message.start, date, sender, subject, message_id
ORDER BY occurrences DESC, message.source_id, message.start
LIMIT CAST($limit AS BIGINT)
