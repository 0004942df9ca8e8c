#!/bin/sh
# Makes the secrets of compose.yaml: files of the folder `secrets` beside it. Where there are some, it changes nothing.
# The folder is yours alone. The files can be read by all, because the users of the containers are others than you.
set -eu
cd "$(dirname "$0")/.."
if [ -n "$(ls -A secrets 2>/dev/null)" ]; then
  echo "The folder secrets holds files already: nothing was made." >&2
  exit 1
fi
umask 077
mkdir -p secrets
chmod 700 secrets

random() { od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n'; }

# The shell writes by itself: what a program is given would be seen in the list of processes.
put() {
  printf '%s\n' "$2" >"secrets/$1"
  chmod 444 "secrets/$1"
}

put postgres_password "$(random)"
put database_url "postgres://folio_app:$(random)@postgres:5432/folio"
put database_migration_url "postgres://folio_owner:$(random)@postgres:5432/folio"
put folio_secret_key "$(random)"
s3_secret=$(random)
put folio_blob_url "s3:http://folio:$s3_secret@s3:8333/folio?region=us-east-1"
put s3_identities '{"identities": [{"name": "folio", "credentials": [{"accessKey": "folio", "secretKey": "'"$s3_secret"'"}], "actions": ["Admin", "Read", "Write", "List"]}]}'
echo "The folder secrets is made. Keep a copy of secrets/folio_secret_key in another place: a backup does not have it."
