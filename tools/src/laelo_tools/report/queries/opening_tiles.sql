WITH openings AS (
    SELECT
        opening_tile AS tile,
        CASE WHEN team IS NULL THEN 0 WHEN team = opener % 2 THEN points ELSE -points END
        / multiplier AS net
    FROM hands
    WHERE opening = 'won'
)
SELECT tile, count(*) AS hands, avg(net) AS net, stddev_samp(net) / sqrt(count(*)) AS error
FROM openings
GROUP BY tile
ORDER BY net DESC, tile
