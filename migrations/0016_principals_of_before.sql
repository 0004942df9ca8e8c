-- Fills the columns of 0015_principals.sql for the rows of before. It locks no table, and of rows only those that it
-- fills: nobody changes audit entries. Company by company, since the owner too sees the rows of one company at a time,
-- and a thousand entries at a time. An entry's key may belong to another company: to the live company of a sandbox, or to
-- the master. The credentials come last, so that revocations wait for a moment only. Entries of the request log are left
-- as they are: key_id says who called, and they are deleted after thirty days.
create temporary table key_names (id uuid primary key, name text not null) on commit drop;

do $$
declare
  one uuid;
  last uuid;
  next uuid[];
begin
  for one in select distinct key_company_id from credentials loop
    perform set_config('app.company', one::text, true);
    insert into key_names select id, name from api_keys where company_id = one;
  end loop;

  for one in select company_id from credentials union select child_id from company_children loop
    perform set_config('app.company', one::text, true);
    -- Along the primary key: each entry is looked at once, however many there are.
    last := '00000000-0000-0000-0000-000000000000';
    loop
      next := array(select b.id from audit_log b where b.company_id = one and b.id > last order by b.id limit 1000);
      exit when cardinality(next) = 0;
      update audit_log a
         set actor_id = a.actor_key_id, actor_name = (select k.name from key_names k where k.id = a.actor_key_id)
       where a.company_id = one and a.id = any (next)
         and a.actor = 'api_key' and a.actor_id is null and a.actor_key_id is not null;
      last := next[cardinality(next)];
    end loop;
  end loop;
  perform set_config('app.company', '', true);

  update credentials c set key_name = k.name from key_names k where k.id = c.key_id and c.key_name is null;
end $$;
