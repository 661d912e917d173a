-- Loses: nothing that `laelo log replay ranking` does not make anew.
DROP TABLE
    tournament_weeks,
    tournament_awards,
    tournament_entries,
    tournament_championships,
    tournament_cursor;
