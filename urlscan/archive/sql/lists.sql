-- Mailing lists and newsgroups by number of URLs.
-- limit (20): number of rows
SELECT list, count(DISTINCT coalesce(message_id, source_id || start)) AS messages, sum(urls)::BIGINT AS occurrences
FROM (
    SELECT message_id, message.source_id, start, coalesce(urls, 0) AS urls,
        unnest(list_concat(newsgroups, CASE WHEN list_id IS NULL THEN [] ELSE [list_id] END)) AS list
    FROM message
    LEFT JOIN (SELECT source_id, message_start AS start, count(*) AS urls FROM occurrence GROUP BY ALL)
    USING (source_id, start)
)
GROUP BY list
ORDER BY occurrences DESC, list
LIMIT CAST($limit AS BIGINT)
