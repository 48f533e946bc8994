#!/bin/sh
# Run by the postgres image when it makes the database: the login of the service, which owns nothing.
set -eu
password=$(cat /run/secrets/postgres/service-password)
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" -v password="$password" <<'SQL'
create role zoetrope_service nologin;
create role zoetrope_app login password :'password' in role zoetrope_service;
SQL
