-- Loses: how log and copy compared when they were last compared.
-- Where a log was restored, its lives have to stay known.
DO $$
BEGIN
    IF EXISTS (SELECT FROM archive_epochs) THEN
        RAISE EXCEPTION 'the log was restored once, and which of its lives is archived must stay known';
    END IF;
END
$$;
DROP TABLE archive_audits, archive_epochs;
ALTER TABLE archive_streams DROP COLUMN seen;
