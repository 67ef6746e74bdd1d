-- Hosts that look like others: letters of several scripts in a label, or one letter from a frequent domain.
-- frequent (50): how many domains with the most messages are frequent
-- limit (20): number of rows
WITH counted AS (
    SELECT domain, CAST(sum(occurrences) AS BIGINT) AS occurrences, count(*) AS messages
    FROM (
        SELECT registered_domain AS domain, source_id, message_start, count(*) AS occurrences
        FROM occurrence JOIN url USING (url_id)
        WHERE length(registered_domain) > 5
        GROUP BY ALL
    )
    GROUP BY domain
), frequent AS (
    SELECT * FROM counted ORDER BY messages DESC, domain LIMIT CAST($frequent AS BIGINT)
), near AS (
    SELECT counted.domain AS host, frequent.domain AS looks_like, 'one letter' AS reason, counted.occurrences
    FROM frequent JOIN counted ON counted.messages * 20 <= frequent.messages
    AND abs(length(counted.domain) - length(frequent.domain)) <= 1
    AND levenshtein(counted.domain, frequent.domain) = 1
), mixed AS (
    SELECT host, NULL AS looks_like, 'several scripts' AS reason, count(*) AS occurrences
    FROM occurrence JOIN url USING (url_id)
    WHERE regexp_matches(host, '[^ -~]')
    AND (regexp_matches(host, '[a-z][^.]*[\p{Cyrillic}\p{Greek}\p{Armenian}]|[\p{Cyrillic}\p{Greek}\p{Armenian}][^.]*[a-z]')
        OR regexp_matches(host, '\p{Cyrillic}[^.]*\p{Greek}|\p{Greek}[^.]*\p{Cyrillic}'))
    GROUP BY host
)
FROM (FROM near UNION ALL FROM mixed)
ORDER BY occurrences DESC, host, looks_like
LIMIT CAST($limit AS BIGINT)
