-- URLs by scheme.
SELECT coalesce(scheme, '(none)') AS scheme, count(*) AS occurrences, count(*) FILTER (NOT quoted) AS unquoted,
    count(DISTINCT url_id) AS urls
FROM occurrence JOIN url USING (url_id)
GROUP BY ALL
ORDER BY occurrences DESC, scheme
