-- Findings of one rule, with source and line.
-- code (U201): code of the rule
-- limit (100): number of rows
SELECT source.path AS path, member, line, severity, finding.message AS message, url.url AS url, suggestion
FROM finding
JOIN source USING (source_id)
LEFT JOIN url USING (url_id)
WHERE code = $code
ORDER BY source.path, member, finding.start
LIMIT CAST($limit AS BIGINT)
