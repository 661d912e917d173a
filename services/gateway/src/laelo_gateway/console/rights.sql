-- What the role `console` may do, if there is one: look, order, add to the audit log. It may make
-- nobody an operator, and change or delete nothing that was written into the log.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'console')
        OR has_table_privilege('console', 'audit', 'INSERT') THEN
        RETURN;
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO console', current_database());
    GRANT SELECT ON gateway_migrations, operators TO console;
    GRANT SELECT (id, issuer, subject, name, name_key, made_at, seen_at) ON accounts TO console;
    GRANT SELECT (id, name, guest, owner, made_at, seen_at) ON people TO console;
    GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON console_sessions TO console;
    GRANT SELECT, INSERT, UPDATE (lifted_at) ON bans TO console;
    GRANT SELECT, INSERT, UPDATE (ended_at) ON announcements TO console;
    GRANT SELECT, INSERT ON audit TO console;
END
$$;
