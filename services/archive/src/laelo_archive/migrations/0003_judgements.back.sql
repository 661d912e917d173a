-- Loses: judgements, which are made again when somebody asks for them.
DROP TABLE archive_judgements, archive_judged;
