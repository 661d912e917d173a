SELECT
    reason,
    count(*) AS hands,
    count(*) / sum(count(*)) OVER () AS share,
    avg(points / multiplier) AS points
FROM hands
GROUP BY reason
ORDER BY hands DESC, reason
