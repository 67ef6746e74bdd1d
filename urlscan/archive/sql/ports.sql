-- Ports that URLs name.
SELECT scheme, port, count(*) AS occurrences, count(DISTINCT host) AS hosts
FROM occurrence JOIN url USING (url_id)
WHERE port IS NOT NULL
GROUP BY ALL
ORDER BY occurrences DESC, scheme, port
