-- URLs with another reading that occurs unbroken in the same source.
-- limit (20): number of rows
SELECT url.url AS reading, other.why AS why, other.url AS other_reading, max(other.evidence) AS evidence,
    count(*) AS occurrences
FROM (SELECT url_id, unnest(alternatives) AS other FROM occurrence)
JOIN url USING (url_id)
WHERE other.evidence > 0
GROUP BY ALL
ORDER BY evidence DESC, reading, other_reading
LIMIT CAST($limit AS BIGINT)
