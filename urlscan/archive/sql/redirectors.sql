-- Hosts that shorten URLs, and hosts whose URLs contain another URL, to which they redirect or which they archive.
-- limit (20): number of rows
WITH shortener(host) AS (VALUES ('bit.ly'), ('buff.ly'), ('cutt.ly'), ('dlvr.it'), ('fb.me'), ('goo.gl'), ('ht.ly'),
    ('is.gd'), ('lnkd.in'), ('makeashorterlink.com'), ('ow.ly'), ('qurl.com'), ('rebrand.ly'), ('shorturl.at'),
    ('snipurl.com'), ('snurl.com'), ('t.co'), ('tiny.cc'), ('tinyurl.com'), ('tr.im'), ('v.gd'), ('youtu.be')),
used AS (
    SELECT url_id, regexp_replace(host, '^www[.]', '') AS host, CASE
        WHEN contains(lower(url_path), 'tp') OR contains(lower(query), 'tp') THEN regexp_extract(
            url_path || '?' || coalesce(query, ''), '(?i)[/=?](?:https?|ftp)(?::|%3a)(?:/|%2f){1,2}([^/?&%:]+)', 1
        ) ELSE '' END AS target
    FROM url WHERE host IS NOT NULL
), chosen AS (
    SELECT * FROM used WHERE target <> '' OR host IN (FROM shortener)
)
SELECT host, CASE WHEN target <> '' THEN 'redirector' ELSE 'shortener' END AS kind, count(*) AS occurrences,
    count(DISTINCT url_id) AS urls, mode(nullif(target, '') ORDER BY target) AS usual_target
FROM occurrence JOIN chosen USING (url_id)
GROUP BY ALL
ORDER BY occurrences DESC, host, kind
LIMIT CAST($limit AS BIGINT)
