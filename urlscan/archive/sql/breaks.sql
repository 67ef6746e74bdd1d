-- Kinds of break in URLs that were rejoined.
SELECT gap.kind AS kind, count(*) AS breaks, count(*) FILTER (WHERE gap.hyphen) AS after_hyphen,
    count(DISTINCT url_id) AS urls
FROM (SELECT url_id, unnest(breaks) AS gap FROM occurrence)
GROUP BY kind
ORDER BY breaks DESC, kind
