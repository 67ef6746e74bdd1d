-- Sources that could not be read or not completely, and remarks on how others were read.
SELECT path, member, status, error
FROM source
WHERE error IS NOT NULL AND status <> 'skipped'
ORDER BY path, member
