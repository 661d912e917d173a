-- The newest commit that was ever seen in the log, archived or not: when the log is lost it tells
-- what is lost with it.
ALTER TABLE archive_streams ADD COLUMN seen bigint NOT NULL DEFAULT 0;

-- Lives of a stream that are over, since the log was lost and restored from here.
CREATE TABLE archive_epochs (
    stream text COLLATE "C" NOT NULL,
    epoch integer NOT NULL,
    created text NOT NULL,
    sequence bigint NOT NULL,
    seen bigint NOT NULL,
    ended_ms bigint NOT NULL,
    PRIMARY KEY (stream, epoch)
);

-- How the log and its second copy compared when they were last compared.
CREATE TABLE archive_audits (
    stream text COLLATE "C" PRIMARY KEY,
    audited_ms bigint NOT NULL,
    commits bigint NOT NULL,
    faults bigint NOT NULL,
    fault text NOT NULL
);
