-- Loses: nothing but an index.
DROP INDEX archive_matches_running;
