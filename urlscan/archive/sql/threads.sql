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
    SELECT coalesce(message_id, message.source_id || start) AS id, url_id, quoted
    FROM (SELECT DISTINCT source_id, message_start AS start, url_id, quoted FROM occurrence)
    JOIN message USING (source_id, start)
)
SELECT count(DISTINCT url_id) AS urls, count(DISTINCT url_id) FILTER (NOT quoted) AS unquoted,
    count(DISTINCT id) AS messages, min(mail.date) AS first_date, max(mail.date) AS last_date,
    arg_min(mail.subject, mail.date) AS subject, thread
FROM thread_of JOIN mail USING (id) LEFT JOIN mentions USING (id)
GROUP BY thread
HAVING urls > 0
ORDER BY urls DESC, thread
LIMIT CAST($limit AS BIGINT)
