-- Mailing lists and newsgroups by number of URLs.
-- limit (20): number of rows
SELECT list, count(DISTINCT (source_id, start)) AS messages, count(url_id) AS occurrences
FROM (
    SELECT message.source_id, message.start, url_id,
        unnest(list_concat(newsgroups, CASE WHEN list_id IS NULL THEN [] ELSE [list_id] END)) AS list
    FROM message
    LEFT JOIN occurrence ON occurrence.source_id = message.source_id AND occurrence.message_start = message.start
)
GROUP BY list
ORDER BY occurrences DESC, list
LIMIT CAST($limit AS BIGINT)
