-- Findings by rule.
SELECT code, name, severity, count(*) AS findings, count(DISTINCT url_id) AS urls, count(DISTINCT source_id) AS sources
FROM finding
GROUP BY ALL
ORDER BY findings DESC, code, severity
