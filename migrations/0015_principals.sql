-- Who acts is a principal from now on: a key, the grant of an application, a person, or a job of the service.
-- The columns of before stay and are still written, so that two versions of the service may run side by side; the new
-- ones are null where an older version wrote. No row is touched here: the tables are locked for a moment only. The next
-- file fills in what the rows of today can tell.

-- The name of the key, so that the one row that admits a caller also names it.
alter table credentials add column key_name text;

-- actor tells the kind (api_key, oauth, user, system, operator), these tell who.
alter table audit_log add column actor_id uuid, add column actor_name text;

-- key_id stays the id of the key, and is null for any other principal.
alter table request_logs
  add column principal_kind text,
  add column principal_id uuid,
  add column principal_name text;
