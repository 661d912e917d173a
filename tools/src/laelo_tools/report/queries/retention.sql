WITH weeks AS (
    SELECT DISTINCT player, date_trunc('week', started_at - INTERVAL 3 HOUR)::DATE AS week
    FROM people
    WHERE player IS NOT NULL
),
firsts AS (SELECT player, min(week) AS began FROM weeks GROUP BY player)
SELECT began, (week - began) // 7 AS later, count(*) AS people
FROM weeks
JOIN firsts USING (player)
GROUP BY began, later
ORDER BY began, later
