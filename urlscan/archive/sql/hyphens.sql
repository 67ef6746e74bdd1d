-- URLs broken after a hyphen: which reading occurs unbroken elsewhere in the archive.
-- limit (20): number of rows
WITH readings AS (
    SELECT url_id, unnest(alternatives) AS other
    FROM occurrence
    WHERE len([gap FOR gap IN breaks IF gap.hyphen]) > 0
), unbroken AS (
    SELECT url, count(*) AS times FROM occurrence JOIN url USING (url_id) WHERE len(breaks) = 0 GROUP BY url
)
SELECT url.url AS reading, coalesce(chosen.times, 0) AS unbroken, other.why AS alternative, other.url AS other_reading,
    coalesce(rejected.times, 0) AS other_unbroken, count(*) AS occurrences
FROM readings
JOIN url USING (url_id)
LEFT JOIN unbroken AS chosen ON chosen.url = url.url
LEFT JOIN unbroken AS rejected ON rejected.url = other.url
WHERE other.why IN ('hyphen-kept', 'hyphen-dropped')
GROUP BY ALL
ORDER BY other_unbroken DESC, occurrences DESC, reading, other_reading
LIMIT CAST($limit AS BIGINT)
