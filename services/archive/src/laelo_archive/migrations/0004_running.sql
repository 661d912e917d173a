-- Matches that are being played, to be listed at any time without a look at all the others.
CREATE INDEX archive_matches_running ON archive_matches (started_ms DESC) WHERE ended_ms = 0;
