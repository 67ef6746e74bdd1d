-- Header fields that contain URLs.
-- where: headers
SELECT part, count(*) AS occurrences, count(DISTINCT url_id) AS urls
FROM occurrence
GROUP BY part
ORDER BY occurrences DESC, part
