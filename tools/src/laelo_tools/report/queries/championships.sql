SELECT
    tier,
    count(*) AS begun,
    count(*) FILTER (stage = 'over') AS played,
    count(*) FILTER (stage = 'cancelled') AS cancelled,
    median(epoch(ended_at - started_at)) FILTER (stage = 'over') / 60 AS minutes
FROM championships
GROUP BY tier
ORDER BY tier
