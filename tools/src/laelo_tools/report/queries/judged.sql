SELECT
    word,
    count(*) AS moves,
    count(*) / sum(count(*)) OVER () AS share,
    avg(equity_best - equity_played) AS loss
FROM judged_moves
JOIN moves USING (table_id, match, hand, turn)
WHERE actor = 'person'
GROUP BY word
ORDER BY loss, word
