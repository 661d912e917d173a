-- Bot accounts are guests with an owner, and go with the owner's account.
ALTER TABLE people ADD COLUMN owner text REFERENCES accounts (id) ON DELETE CASCADE;

CREATE INDEX people_by_owner ON people (owner) WHERE owner IS NOT NULL;
