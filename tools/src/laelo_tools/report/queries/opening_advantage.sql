WITH openings AS (
    SELECT
        CASE
            WHEN opening <> 'won' THEN 'highest double'
            WHEN opener = chooser THEN 'winner opens'
            ELSE 'partner opens'
        END AS how,
        (team = opener % 2)::INTEGER AS won
    FROM hands
    WHERE team IS NOT NULL
)
SELECT how, count(*) AS hands, avg(won) AS share, 1.96 * sqrt(avg(won) * (1 - avg(won)) / count(*)) AS error
FROM openings
GROUP BY how
ORDER BY how
