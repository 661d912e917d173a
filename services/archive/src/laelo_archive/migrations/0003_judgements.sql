-- Matches that are judged, or were. Nothing of this follows from the log, so it is no read model:
-- it is found once and stays. Whoever judges holds the match until `held_until`, and goes on from
-- what is there when somebody else held it and died.
CREATE TABLE archive_judged (
    table_id text COLLATE "C" NOT NULL,
    match integer NOT NULL,
    holder text NOT NULL,
    held_until timestamptz NOT NULL,
    judged_at timestamptz,
    PRIMARY KEY (table_id, match)
);

-- Tiles that were laid although another could have been, as a bot judges them from what the seat
-- saw: columns of laelo_archive.domain.judged.
CREATE TABLE archive_judgements (
    table_id text COLLATE "C" NOT NULL,
    match integer NOT NULL,
    hand integer NOT NULL,
    turn integer NOT NULL,
    seat smallint NOT NULL,
    word smallint NOT NULL,
    best_tile smallint NOT NULL,
    best_laid smallint NOT NULL,
    equity_best real NOT NULL,
    equity_played real NOT NULL,
    points_best real NOT NULL,
    points_played real NOT NULL,
    standard_error real NOT NULL,
    worlds integer NOT NULL,
    engine text NOT NULL,
    PRIMARY KEY (table_id, match, hand, turn)
);
