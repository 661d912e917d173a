-- People who run the house, what they have ordered, and the log of what they do. The console comes
-- as a role of its own, which owns nothing here: its rights are in console_rights.sql.

CREATE TABLE operators (
    account text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    granted_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE console_sessions (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    account text NOT NULL REFERENCES operators (account) ON DELETE CASCADE,
    made_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now()
);

-- Who is shut out. `identity` is a hash of issuer and subject, so that an account which is deleted
-- and made anew stays so; guests have none.
CREATE TABLE bans (
    id text PRIMARY KEY,
    person text NOT NULL,
    identity bytea CHECK (octet_length(identity) = 32),
    until timestamptz NOT NULL,
    reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 200),
    made_at timestamptz NOT NULL DEFAULT now(),
    lifted_at timestamptz
);

CREATE INDEX bans_by_person ON bans (person);

CREATE TABLE announcements (
    id text PRIMARY KEY,
    pt text NOT NULL CHECK (char_length(pt) BETWEEN 1 AND 200),
    es text NOT NULL CHECK (char_length(es) BETWEEN 1 AND 200),
    en text NOT NULL CHECK (char_length(en) BETWEEN 1 AND 200),
    until timestamptz NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz
);

-- Counts the changes of what holds, so that gateways can ask often whether there was one.
CREATE TABLE orders_changed (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    times bigint NOT NULL DEFAULT 0
);

INSERT INTO orders_changed DEFAULT VALUES;

CREATE FUNCTION orders_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE orders_changed SET times = times + 1;
    RETURN NULL;
END
$$;

CREATE TRIGGER bans_change AFTER INSERT OR UPDATE OR DELETE ON bans
FOR EACH STATEMENT EXECUTE FUNCTION orders_change();

CREATE TRIGGER announcements_change AFTER INSERT OR UPDATE OR DELETE ON announcements
FOR EACH STATEMENT EXECUTE FUNCTION orders_change();

-- A bot is shut out with its owner, also one that is made meanwhile.
CREATE TRIGGER bots_change AFTER INSERT ON people
FOR EACH ROW WHEN (NEW.owner IS NOT NULL) EXECUTE FUNCTION orders_change();

CREATE FUNCTION account_identity(issuer text, subject text) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256(convert_to(issuer || E'\n' || subject, 'UTF8'))
$$;

CREATE FUNCTION bans_follow() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE bans SET person = NEW.id
    WHERE identity = account_identity(NEW.issuer, NEW.subject) AND lifted_at IS NULL AND until > now();
    RETURN NULL;
END
$$;

CREATE TRIGGER accounts_bans AFTER INSERT ON accounts
FOR EACH ROW EXECUTE FUNCTION bans_follow();

-- What operators do. Rows are added and never changed; number, time and the hash that chains each
-- row to the one before it are made here, whatever is said by whoever adds it.
CREATE TABLE audit (
    number bigint PRIMARY KEY,
    at timestamptz NOT NULL,
    operator text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    address text NOT NULL,
    request text NOT NULL,
    outcome text NOT NULL,
    hash bytea NOT NULL,
    CHECK (concat(operator, action, subject, reason, address, request, outcome) !~ '[[:cntrl:]]')
);

CREATE FUNCTION audit_add() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    last audit%ROWTYPE;
BEGIN
    PERFORM pg_advisory_xact_lock(449970178);
    SELECT * INTO last FROM audit ORDER BY number DESC LIMIT 1;
    NEW.number := coalesce(last.number, 0) + 1;
    NEW.at := clock_timestamp();
    NEW.hash := sha256(coalesce(last.hash, '') || convert_to(concat_ws(
        E'\x1f', NEW.number, (extract(epoch FROM NEW.at) * 1000000)::bigint, NEW.operator,
        NEW.action, NEW.subject, NEW.reason, NEW.address, NEW.request, NEW.outcome
    ), 'UTF8'));
    RETURN NEW;
END
$$;

CREATE TRIGGER audit_chain BEFORE INSERT ON audit
FOR EACH ROW EXECUTE FUNCTION audit_add();

CREATE FUNCTION audit_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION audit_keep();

CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit
FOR EACH STATEMENT EXECUTE FUNCTION audit_keep();
