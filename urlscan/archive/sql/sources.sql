-- Sources by kind and status.
SELECT kind, status, count(*) AS sources, sum(bytes_read) AS bytes, sum(occurrences)::BIGINT AS occurrences
FROM source
LEFT JOIN (SELECT source_id, count(*) AS occurrences FROM occurrence GROUP BY source_id) USING (source_id)
GROUP BY ALL
ORDER BY sources DESC, kind, status
