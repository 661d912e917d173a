SELECT choices, count(*) AS moves, median(took_ms) / 1000 AS seconds
FROM moves
WHERE actor = 'person'
GROUP BY choices
ORDER BY choices
