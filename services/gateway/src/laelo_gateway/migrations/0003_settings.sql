-- One small document for a person: what they have set in the page (accounts/preferences.py).
ALTER TABLE accounts
    ADD COLUMN settings jsonb NOT NULL DEFAULT '{}'
    CHECK (jsonb_typeof(settings) = 'object' AND octet_length(settings::text) <= 2048);
