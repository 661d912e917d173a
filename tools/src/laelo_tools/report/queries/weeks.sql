SELECT
    date_trunc('week', started_at - INTERVAL 3 HOUR)::DATE AS week,
    count(DISTINCT (table_id, match)) AS matches,
    count(DISTINCT player) AS people,
    count(DISTINCT player) FILTER (guest) AS guests
FROM people
GROUP BY week
ORDER BY week
