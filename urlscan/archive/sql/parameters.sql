-- Names of query parameters.
-- limit (20): number of rows
SELECT split_part(parameter, '=', 1) AS name, count(*) AS urls, count(DISTINCT host) AS hosts
FROM (
    SELECT host, unnest(string_split_regex(query, '[&;]')) AS parameter
    FROM url SEMI JOIN occurrence USING (url_id) WHERE query IS NOT NULL
)
GROUP BY name
ORDER BY urls DESC, name
LIMIT CAST($limit AS BIGINT)
