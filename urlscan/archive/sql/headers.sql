-- Header fields that contain URLs.
SELECT part, count(*) AS occurrences, count(DISTINCT url_id) AS urls
FROM occurrence
WHERE part LIKE '%header:%'
GROUP BY part
ORDER BY occurrences DESC, part
