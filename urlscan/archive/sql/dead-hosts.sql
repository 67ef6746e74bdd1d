-- Hosts with the most dead URLs by a link checker.
-- limit (20): number of rows
SELECT host, count(DISTINCT url_id) FILTER (dead) AS dead, count(DISTINCT url_id) AS checked,
    count(DISTINCT coalesce(message_id, occurrence.source_id || message_start)) FILTER (dead) AS messages,
    mode(reason) FILTER (dead) AS usual_reason
FROM occurrence
JOIN status USING (url_id)
JOIN url USING (url_id)
LEFT JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
WHERE host IS NOT NULL
GROUP BY host
HAVING count(*) FILTER (dead) > 0
ORDER BY dead DESC, host
LIMIT CAST($limit AS BIGINT)
