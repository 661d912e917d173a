-- Loses: what people have set in the page.
ALTER TABLE accounts DROP COLUMN settings;
