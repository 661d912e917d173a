#!/bin/sh
# Runs once, in a new database server: a database and an owner for each service that keeps something.
set -eu
for service in gateway tournament archive; do
    name=$(echo "$service" | tr '[:lower:]' '[:upper:]')
    password=$(printenv "PG_${name}_PASSWORD")
    psql --quiet --set ON_ERROR_STOP=1 --username postgres \
        --set service="$service" --set password="$password" <<'SQL'
CREATE ROLE :"service" LOGIN PASSWORD :'password';
CREATE DATABASE :"service" OWNER :"service";
REVOKE CONNECT ON DATABASE :"service" FROM PUBLIC;
SQL
done
# The console has a role without a database: the gateway's migrations say what it may do in theirs.
password=$(printenv PG_CONSOLE_PASSWORD)
psql --quiet --set ON_ERROR_STOP=1 --username postgres --set password="$password" <<'SQL'
CREATE ROLE console LOGIN PASSWORD :'password';
SQL
