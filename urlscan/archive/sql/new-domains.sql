-- Number of registered domains that occur for the first time, by month.
SELECT strftime(first_seen, '%Y-%m') AS month, count(*) AS new_domains
FROM (
    SELECT registered_domain, min(date) AS first_seen
    FROM occurrence
    JOIN url USING (url_id)
    JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
    WHERE registered_domain IS NOT NULL AND date IS NOT NULL
    GROUP BY registered_domain
)
GROUP BY month
ORDER BY month
