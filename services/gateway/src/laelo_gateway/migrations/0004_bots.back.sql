-- Loses: bot accounts and their tokens.
-- Without an owner they would be guests that nobody can end.
DELETE FROM people WHERE owner IS NOT NULL;
ALTER TABLE people DROP COLUMN owner;
