-- Rejoined URLs against unbroken ones, by delimiter.
SELECT style, count(*) AS occurrences, count(*) FILTER (WHERE len(breaks) > 0) AS broken,
    count(*) FILTER (WHERE joined = 'guess') AS guessed,
    round(100 * count(*) FILTER (WHERE len(breaks) > 0) / count(*), 2) AS percent_broken
FROM occurrence
GROUP BY style
ORDER BY occurrences DESC, style
