SELECT
    least(took_ms // 1000, move_seconds)::INTEGER AS second,
    count(*) FILTER (actor = 'person') AS people,
    count(*) FILTER (actor = 'clock') AS clock
FROM moves
JOIN matches USING (table_id, match)
WHERE move_seconds = 15 AND NOT short_clock AND actor IN ('person', 'clock')
GROUP BY second
ORDER BY second
