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
), placed AS MATERIALIZED (
    SELECT source_id, start AS message_start, thread
    FROM message JOIN thread_of ON id = coalesce(message_id, source_id || start)
), mention AS NOT MATERIALIZED (
    SELECT thread, url_id, quoted FROM occurrence JOIN placed USING (source_id, message_start)
), counted AS MATERIALIZED (
    SELECT thread, CAST(sum(number) AS BIGINT) AS occurrences
    FROM (SELECT source_id, message_start, count(*) AS number FROM occurrence GROUP BY ALL)
    JOIN placed USING (source_id, message_start) GROUP BY thread
), least AS ( /* a thread with fewer occurrences is not among those with the most URLs */
    SELECT count(DISTINCT url_id) AS urls
    FROM mention SEMI JOIN (FROM counted ORDER BY occurrences DESC LIMIT CAST($limit AS BIGINT)) USING (thread)
    GROUP BY thread ORDER BY urls LIMIT 1
), frequent AS (
    SELECT thread, count(*) AS urls, count(*) FILTER (NOT quoted) AS unquoted
    FROM (
        SELECT thread, url_id, bool_and(quoted) AS quoted
        FROM mention SEMI JOIN (FROM counted JOIN least ON occurrences >= urls) USING (thread)
        GROUP BY ALL
    )
    GROUP BY thread
    ORDER BY urls DESC, thread
    LIMIT CAST($limit AS BIGINT)
)
SELECT urls, unquoted, count(*) AS messages, min(date) AS first_date, max(date) AS last_date,
    arg_min(subject, date) AS subject, thread
FROM frequent JOIN thread_of USING (thread) JOIN mail USING (id)
GROUP BY ALL
ORDER BY urls DESC, thread
