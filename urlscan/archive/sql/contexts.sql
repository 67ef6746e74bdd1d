-- URLs by kind of source and context.
SELECT kind, context, count(*) AS occurrences
FROM occurrence JOIN source USING (source_id)
GROUP BY ALL
ORDER BY kind, occurrences DESC
