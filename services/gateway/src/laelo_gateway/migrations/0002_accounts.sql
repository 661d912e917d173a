CREATE TABLE accounts (
    id text PRIMARY KEY,
    issuer text NOT NULL,
    subject text NOT NULL,
    -- Both are there, or neither: who has just come has no nickname yet.
    name text,
    name_key text UNIQUE,
    language text NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (issuer, subject),
    CHECK ((name IS NULL) = (name_key IS NULL))
);

CREATE TABLE account_sessions (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    account text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    made_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX account_sessions_by_account ON account_sessions (account);
CREATE INDEX account_sessions_by_used_at ON account_sessions (used_at);
