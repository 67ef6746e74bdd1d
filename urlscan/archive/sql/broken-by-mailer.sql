-- URLs broken by line ends, by cause and by the program that wrote the message.
-- limit (20): number of rows
SELECT coalesce(regexp_extract(mailer, '^[^0-9/(\[]*[^0-9/(\[ ]'), '(none)') AS mailer, gap.kind AS cause,
    count(*) AS occurrences, count(*) FILTER (gap.hyphen) AS after_hyphen,
    count(*) FILTER (joined = 'guess') AS guessed,
    count(DISTINCT coalesce(message_id, broken.source_id || message_start)) AS messages
FROM (SELECT source_id, message_start, joined, unnest(breaks) AS gap FROM occurrence WHERE len(breaks) > 0) AS broken
JOIN message ON message.source_id = broken.source_id AND message.start = broken.message_start
GROUP BY ALL
ORDER BY occurrences DESC, mailer, cause
LIMIT CAST($limit AS BIGINT)
