-- Who logs in (docs/database.md), made once, when PostgreSQL makes its data folder. A superuser runs it in the database
-- of Folio. Passwords come from the secrets that Folio reads itself, so each is written in one place and in no command.
do $$
declare
  owner_password text := substring(pg_read_file('/run/secrets/database_migration_url') from '//folio_owner:([^@]+)@');
  app_password text := substring(pg_read_file('/run/secrets/database_url') from '//folio_app:([^@]+)@');
begin
  if owner_password is null or app_password is null then
    raise exception 'database_migration_url has to name folio_owner with a password, and database_url folio_app';
  end if;
  execute format('create role folio_owner login createrole password %L', owner_password);
  execute format('create role folio_app login password %L', app_password);
  create role folio_service nologin;
  grant folio_service to folio_app, folio_owner;
  execute format('alter database %I owner to folio_owner', current_database());
end
$$;

-- Lists find text by an index only with these marks.
alter function pg_catalog.textlike(text, text) leakproof;
alter function pg_catalog.textregexeq(text, text) leakproof;
