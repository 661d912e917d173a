SELECT turn, count(*) AS turns, avg((tile IS NULL)::INTEGER) AS share
FROM moves
WHERE turn <= 28
GROUP BY turn
ORDER BY turn
