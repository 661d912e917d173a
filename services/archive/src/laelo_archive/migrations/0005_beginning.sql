-- The first commit that there is a copy of: when the archive began, the log had let go of all that
-- were older. Who has begun before this was noted has had all since the oldest that is there.
ALTER TABLE archive_streams ADD COLUMN filled_from bigint NOT NULL DEFAULT 1;
UPDATE archive_streams AS s SET filled_from = coalesce((
    SELECT c.sequence FROM archive_commits AS c
    WHERE c.stream = s.stream ORDER BY c.epoch, c.sequence LIMIT 1
), s.sequence + 1);
