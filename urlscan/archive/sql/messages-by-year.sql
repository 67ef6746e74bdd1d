-- Messages by year, and how many of them contain a URL; copies with one Message-ID count once.
WITH linked AS (SELECT DISTINCT source_id, message_start AS start FROM occurrence WHERE message_start IS NOT NULL),
copies AS (
    SELECT min(date) AS date, count(*) AS copies, count(linked.start) AS with_urls
    FROM message LEFT JOIN linked USING (source_id, start)
    GROUP BY coalesce(message_id, source_id || start)
)
SELECT year(date) AS year, count(*) AS messages, sum(copies)::BIGINT AS copies,
    count(*) FILTER (with_urls > 0) AS with_urls, round(100 * count(*) FILTER (with_urls > 0) / count(*), 1) AS percent
FROM copies
GROUP BY year
ORDER BY year
