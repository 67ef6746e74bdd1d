-- Messages with the most URLs; copies with one Message-ID count once.
-- limit (20): number of rows
SELECT max(urls) AS occurrences, count(*) AS copies, min(date) AS date, min(sender) AS sender, min(subject) AS subject,
    message_id
FROM (
    SELECT source_id, message_start AS start, count(*) AS urls FROM occurrence
    WHERE message_start IS NOT NULL GROUP BY ALL
)
JOIN message USING (source_id, start)
GROUP BY message_id, CASE WHEN message_id IS NULL THEN source_id || start END
ORDER BY occurrences DESC, message_id
LIMIT CAST($limit AS BIGINT)
