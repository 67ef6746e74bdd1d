-- Threads with the most distinct URLs; the root follows References and In-Reply-To.
-- limit (20): number of rows
WITH RECURSIVE mail AS (
    SELECT coalesce(message_id, source_id || start) AS id, min(thread_id) AS parent, min(date) AS date,
        min(subject) AS subject
    FROM message GROUP BY id
), root AS (
    SELECT id, coalesce(parent, id) AS thread, 0 AS depth FROM mail
    UNION ALL
    SELECT root.id, mail.parent, depth + 1 FROM root JOIN mail ON mail.id = thread
    WHERE mail.parent <> thread AND depth < 20
), thread_of AS (
    SELECT id, arg_max(thread, depth) AS thread FROM root GROUP BY id
), mentions AS (
    SELECT thread, url_id, bool_and(quoted) AS quoted
    FROM occurrence
    JOIN message ON message.source_id = occurrence.source_id AND message.start = message_start
    JOIN thread_of ON id = coalesce(message_id, message.source_id || message.start)
    GROUP BY ALL
), frequent AS (
    SELECT thread, count(*) AS urls, count(*) FILTER (NOT quoted) AS unquoted
    FROM mentions
    GROUP BY thread
    ORDER BY urls DESC, thread
    LIMIT CAST($limit AS BIGINT)
)
SELECT urls, unquoted, count(*) AS messages, min(date) AS first_date, max(date) AS last_date,
    arg_min(subject, date) AS subject, thread
FROM frequent JOIN thread_of USING (thread) JOIN mail USING (id)
GROUP BY ALL
ORDER BY urls DESC, thread
