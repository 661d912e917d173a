-- How far the log's stream of championships is recorded; 0 = not at all. It moves together with
-- what it stands for.
CREATE TABLE tournament_cursor (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    sequence bigint NOT NULL CHECK (sequence >= 0)
);

INSERT INTO tournament_cursor (sequence) VALUES (0);

-- Championships that are over or cancelled, as anybody may see them.
CREATE TABLE tournament_championships (
    id text COLLATE "C" PRIMARY KEY,
    started_ms bigint NOT NULL,
    shown bytea NOT NULL
);

CREATE INDEX tournament_championships_newest
ON tournament_championships (started_ms DESC, id DESC);

-- Who was who in them.
CREATE TABLE tournament_entries (
    championship text COLLATE "C" NOT NULL
    REFERENCES tournament_championships (id) ON DELETE CASCADE,
    team smallint NOT NULL,
    place smallint NOT NULL CHECK (place IN (0, 1)),
    player text COLLATE "C" NOT NULL,
    animal text NOT NULL,
    PRIMARY KEY (championship, team, place)
);

CREATE UNIQUE INDEX tournament_entries_by_player ON tournament_entries (player, championship);

-- Points as they were booked (R42); a week is named by its Monday in Recife.
CREATE TABLE tournament_awards (
    championship text COLLATE "C" NOT NULL
    REFERENCES tournament_championships (id) ON DELETE CASCADE,
    player text COLLATE "C" NOT NULL,
    points integer NOT NULL CHECK (points > 0),
    at_ms bigint NOT NULL,
    week text COLLATE "C" NOT NULL,
    PRIMARY KEY (championship, player)
);

CREATE INDEX tournament_awards_by_week ON tournament_awards (week, player);

-- Weeks in which points were booked.
CREATE TABLE tournament_weeks (week text COLLATE "C" PRIMARY KEY);
