-- The company in whose share this one counts (ADR 34): for a sandbox its live company, for a managed company and its
-- sandbox the company that manages it. It is stored, as a transaction cannot read the rows on the way there. Null in
-- what the version before writes; then the nearest owner counts.
alter table companies add column share_owner_id uuid;

-- Company by company: the owner too sees the rows of one company at a time.
do $$
declare one uuid;
begin
  for one in select company_id from credentials union select child_id from company_children loop
    perform set_config('app.company', one::text, true);
    update companies c
       set share_owner_id = coalesce(
             (select min(k.company_id::text)::uuid from company_children k
               where k.child_id = coalesce(c.live_company_id, c.company_id)),
             c.live_company_id, c.company_id)
     where c.company_id = one;
  end loop;
  perform set_config('app.company', '', true);
end $$;
