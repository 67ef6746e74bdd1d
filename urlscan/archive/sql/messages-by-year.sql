-- Messages by year, and how many of them contain a URL.
WITH linked AS (SELECT DISTINCT source_id, message_start AS start FROM occurrence WHERE message_start IS NOT NULL)
SELECT year(date) AS year, count(*) AS messages, count(linked.start) AS with_urls,
    round(100 * count(linked.start) / count(*), 1) AS percent
FROM message LEFT JOIN linked USING (source_id, start)
GROUP BY year
ORDER BY year
