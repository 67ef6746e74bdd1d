-- How many distinct URLs of each year a link checker reported as dead.
WITH used AS (
    SELECT DISTINCT year(date) AS year, url_id
    FROM occurrence
    JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
)
SELECT year, count(*) AS urls, count(dead) AS checked, count(*) FILTER (dead) AS dead,
    round(100 * count(*) FILTER (dead) / count(dead), 1) AS percent
FROM used LEFT JOIN status USING (url_id)
GROUP BY year
HAVING checked > 0
ORDER BY year
