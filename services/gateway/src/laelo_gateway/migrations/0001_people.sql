CREATE TABLE people (
    id text PRIMARY KEY,
    name text NOT NULL,
    guest boolean NOT NULL,
    language text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX people_guests_by_seen_at ON people (seen_at) WHERE guest;

CREATE TABLE sessions (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    person text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    made_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX sessions_by_person ON sessions (person);
