-- A row says that it is a sandbox's (migration 0019) whoever inserts it: also a version that does not know the mark. A default,
-- since triggers do not travel (docs/sql-rules.md, rule 3; ADR 39). It can be run again.
create or replace function is_of_sandbox() returns boolean language plpgsql stable as $$
begin
  return exists (select from companies c
                  where c.company_id = nullif(current_setting('app.company', true), '')::uuid and c.environment = 'test');
end $$;

alter table invoices alter column is_sandbox set default is_of_sandbox();
alter table payments alter column is_sandbox set default is_of_sandbox();
alter table emails alter column is_sandbox set default is_of_sandbox();
alter table verifactu_records alter column is_sandbox set default is_of_sandbox();
alter table verifactu_events alter column is_sandbox set default is_of_sandbox();

-- Rows that were inserted without it since, company by company: the owner too sees the rows of one company at a time. A
-- sandbox whose keys ended is found by its live company.
do $$
declare
  known uuid;
  one uuid;
begin
  for known in select company_id from credentials union select key_company_id from credentials
               union select child_id from company_children loop
    perform set_config('app.company', known::text, true);
    select case c.environment when 'test' then c.company_id else c.sandbox_company_id end into one
      from companies c where c.company_id = known;
    continue when one is null;
    perform set_config('app.company', one::text, true);
    update invoices set is_sandbox = true where company_id = one and not is_sandbox;
    update payments set is_sandbox = true where company_id = one and not is_sandbox;
    update emails set is_sandbox = true where company_id = one and not is_sandbox;
    update verifactu_records set is_sandbox = true where company_id = one and not is_sandbox;
    update verifactu_events set is_sandbox = true where company_id = one and not is_sandbox;
  end loop;
  perform set_config('app.company', '', true);
end $$;
