-- Loses: with which commit each copy begins, so that an audit takes one that was begun late for faulty.
ALTER TABLE archive_streams DROP COLUMN filled_from;
