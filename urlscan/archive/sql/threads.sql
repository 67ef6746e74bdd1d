-- Threads with the most distinct URLs; the root follows References and In-Reply-To.
-- limit (20): number of rows
WITH RECURSIVE mail AS MATERIALIZED (
    SELECT coalesce(message_id, source_id || start) AS id, min(thread_id) AS parent, min(date) AS date,
        min(subject) AS subject
    FROM message GROUP BY id
), reply AS MATERIALIZED (
    SELECT id, parent FROM mail WHERE parent <> id
), root AS (
    SELECT id, parent AS thread, 0 AS depth FROM reply
    UNION ALL
    SELECT root.id, reply.parent, depth + 1 FROM root JOIN reply ON reply.id = thread WHERE depth < 20
), thread_of AS MATERIALIZED (
    SELECT id, coalesce(thread, id) AS thread
    FROM mail LEFT JOIN (SELECT id, arg_max(thread, depth) AS thread FROM root GROUP BY id) USING (id)
), numbered AS MATERIALIZED (
    SELECT thread, row_number() OVER () AS number FROM (SELECT DISTINCT thread FROM thread_of)
), placed AS MATERIALIZED (
    SELECT source_id, start AS message_start, number
    FROM message JOIN thread_of ON id = coalesce(message_id, source_id || start) JOIN numbered USING (thread)
), mentions AS (
    SELECT number, url_id, bool_and(quoted) AS quoted
    FROM occurrence JOIN placed USING (source_id, message_start)
    GROUP BY ALL
), frequent AS (
    SELECT thread, urls, unquoted
    FROM (SELECT number, count(*) AS urls, count(*) FILTER (NOT quoted) AS unquoted FROM mentions GROUP BY number)
    JOIN numbered USING (number)
    ORDER BY urls DESC, thread
    LIMIT CAST($limit AS BIGINT)
)
SELECT urls, unquoted, count(*) AS messages, min(date) AS first_date, max(date) AS last_date,
    arg_min(subject, date) AS subject, thread
FROM frequent JOIN thread_of USING (thread) JOIN mail USING (id)
GROUP BY ALL
ORDER BY urls DESC, thread
