-- How far each stream of the log is archived; it moves together with what it stands for. A stream
-- that was made anew is another one: `created` tells which is archived, `epoch` counts them.
CREATE TABLE archive_streams (
    stream text COLLATE "C" PRIMARY KEY,
    epoch integer NOT NULL DEFAULT 0,
    created text NOT NULL DEFAULT '',
    sequence bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0)
);

INSERT INTO archive_streams (stream) VALUES ('TBL'), ('TRN'), ('MMQ');

-- The second copy: every commit as it is stored in the log.
CREATE TABLE archive_commits (
    stream text COLLATE "C" NOT NULL,
    epoch integer NOT NULL,
    sequence bigint NOT NULL,
    aggregate text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    hash bytea NOT NULL,
    data bytea NOT NULL,
    stored_ms bigint NOT NULL,
    PRIMARY KEY (stream, epoch, sequence)
);

CREATE INDEX archive_commits_by_aggregate ON archive_commits (aggregate, version);

-- What is known of each table, championship and queue: its newest version with its hash, and what
-- the next commit is read with. `fault` says what is wrong with its commits; empty = nothing.
CREATE TABLE archive_aggregates (
    stream text COLLATE "C" NOT NULL,
    aggregate text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    hash bytea NOT NULL,
    state bytea NOT NULL,
    fault text NOT NULL,
    PRIMARY KEY (stream, aggregate)
) WITH (fillfactor = 70);

CREATE INDEX archive_aggregates_at_fault ON archive_aggregates (stream) WHERE fault <> '';

-- Matches; the columns are those of laelo_archive.domain.rows, as in all that follow.
CREATE TABLE archive_matches (
    table_id text COLLATE "C" NOT NULL,
    match integer NOT NULL,
    championship text COLLATE "C" NOT NULL,
    official text NOT NULL,
    spectators boolean NOT NULL,
    public boolean NOT NULL,
    move_seconds integer NOT NULL,
    started_ms bigint NOT NULL,
    ended_ms bigint NOT NULL,
    closing smallint NOT NULL,
    hands integer NOT NULL,
    players text[] COLLATE "C" NOT NULL,
    bots smallint[] NOT NULL,
    animals text[] NOT NULL,
    winner smallint NOT NULL,
    score_0 integer NOT NULL,
    score_1 integer NOT NULL,
    buchuda boolean NOT NULL,
    buchuda_de_re boolean NOT NULL,
    PRIMARY KEY (table_id, match)
) WITH (fillfactor = 85);

-- Hands that are over.
CREATE TABLE archive_hands (
    table_id text COLLATE "C" NOT NULL,
    match integer NOT NULL,
    hand integer NOT NULL,
    dealt_ms bigint NOT NULL,
    ended_ms bigint NOT NULL,
    opening smallint NOT NULL,
    chooser smallint NOT NULL,
    chosen_after_ms integer NOT NULL,
    chosen_by smallint NOT NULL,
    opener smallint NOT NULL,
    multiplier integer NOT NULL,
    method smallint NOT NULL,
    tiles bytea NOT NULL,
    commitment bytea NOT NULL,
    seed bytea NOT NULL,
    added bytea NOT NULL,
    players text[] COLLATE "C" NOT NULL,
    bots smallint[] NOT NULL,
    turns bytea NOT NULL,
    reason smallint NOT NULL,
    winner smallint NOT NULL,
    team smallint NOT NULL,
    points integer NOT NULL,
    counts smallint[] NOT NULL,
    next_opening smallint NOT NULL,
    next_multiplier integer NOT NULL,
    score_0 integer NOT NULL,
    score_1 integer NOT NULL,
    PRIMARY KEY (table_id, match, hand)
);

-- Tiles laid and passes of hands that are over, one line each, unpacked from `turns`; tile 28 = a
-- pass, laid: 0 on the empty table or a pass, 1 left, 2 right.
CREATE VIEW archive_moves AS
SELECT
    h.table_id,
    h.match,
    h.hand,
    t.turn,
    get_byte(h.turns, t.at + 1) & 3 AS seat,
    h.players[(get_byte(h.turns, t.at + 1) & 3) + 1] AS player,
    CASE get_byte(h.turns, t.at) WHEN 31 THEN 28 ELSE get_byte(h.turns, t.at) & 31 END AS tile,
    get_byte(h.turns, t.at) >> 5 AS laid,
    get_byte(h.turns, t.at + 1) >> 2 & 7 AS actor,
    get_byte(h.turns, t.at + 1) & 32 > 0 AS short_clock,
    get_byte(h.turns, t.at + 2) AS choices,
    get_byte(h.turns, t.at + 3) & 15 AS left_after,
    get_byte(h.turns, t.at + 3) >> 4 AS right_after,
    (get_byte(h.turns, t.at + 10)::bigint << 24) | (get_byte(h.turns, t.at + 11) << 16)
    | (get_byte(h.turns, t.at + 12) << 8) | get_byte(h.turns, t.at + 13) AS after_ms
FROM archive_hands AS h
CROSS JOIN LATERAL (
    SELECT n AS turn, (n - 1) * 14 AS at FROM generate_series(1, length(h.turns) / 14) AS n
) AS t;

-- Who sat in which match.
CREATE TABLE archive_people (
    player text COLLATE "C" NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    match integer NOT NULL,
    started_ms bigint NOT NULL,
    seat smallint NOT NULL,
    partner text COLLATE "C" NOT NULL,
    championship text COLLATE "C" NOT NULL,
    name text NOT NULL,
    guest boolean NOT NULL,
    PRIMARY KEY (table_id, match, player)
);

CREATE INDEX archive_people_histories
ON archive_people (player, started_ms DESC, table_id DESC, match DESC);

CREATE TABLE archive_championships (
    id text COLLATE "C" PRIMARY KEY,
    tier smallint NOT NULL,
    stage smallint NOT NULL,
    started_ms bigint NOT NULL,
    ended_ms bigint NOT NULL,
    champion smallint NOT NULL
);

-- Who is who in a championship: nobody may be told before it is open (R40).
CREATE TABLE archive_entries (
    championship text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    team smallint NOT NULL,
    place smallint NOT NULL,
    animal text NOT NULL,
    open boolean NOT NULL,
    best smallint NOT NULL,
    worst smallint NOT NULL,
    points integer NOT NULL,
    PRIMARY KEY (championship, player)
);
