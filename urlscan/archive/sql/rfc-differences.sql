-- How many URLs of each scheme RFC 3986 and RFC 1738 accept.
SELECT scheme, count(*) AS urls, count(*) FILTER (WHERE valid_rfc3986) AS rfc3986,
    count(*) FILTER (WHERE valid_rfc1738) AS rfc1738,
    count(*) FILTER (WHERE valid_rfc3986 AND NOT valid_rfc1738) AS only_rfc3986
FROM url SEMI JOIN occurrence USING (url_id)
WHERE scheme IS NOT NULL
GROUP BY scheme
ORDER BY urls DESC, scheme
