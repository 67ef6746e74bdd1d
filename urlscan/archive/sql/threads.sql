-- Threads with the most distinct URLs; the root follows References and In-Reply-To.
-- limit (20): number of rows
WITH RECURSIVE mail AS NOT MATERIALIZED (
    SELECT source_id, start AS message_start, coalesce(message_id, source_id || start) AS id, thread_id, date, subject
    FROM message
), reply AS MATERIALIZED (
    SELECT id, min(thread_id) AS parent FROM mail WHERE thread_id <> id GROUP BY id
), root AS ( /* from the parents that answer no message themselves, so that each answer is visited once */
    SELECT id, parent AS thread FROM reply ANTI JOIN reply AS parent ON reply.parent = parent.id
    UNION ALL
    SELECT reply.id, thread FROM root JOIN reply ON reply.parent = root.id
), placed AS MATERIALIZED (
    SELECT source_id, message_start, coalesce(thread, id) AS thread FROM mail LEFT JOIN root USING (id)
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
        FROM mention SEMI JOIN (FROM counted WHERE occurrences >= (FROM least)) USING (thread)
        GROUP BY ALL
    )
    GROUP BY thread
    ORDER BY urls DESC, thread
    LIMIT CAST($limit AS BIGINT)
)
SELECT urls, unquoted, count(*) AS messages, min(date) AS first_date, max(date) AS last_date,
    arg_min(subject, date) AS subject, thread
FROM frequent JOIN (
    SELECT thread, min(date) AS date, min(subject) AS subject
    FROM placed SEMI JOIN frequent USING (thread) JOIN mail USING (source_id, message_start) GROUP BY thread, id
) USING (thread)
GROUP BY ALL
ORDER BY urls DESC, thread
